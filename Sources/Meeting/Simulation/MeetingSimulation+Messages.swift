import Endpoint
import Plan
import Publishing
import Serving
import SimulationKernel
import Systems
import Viewing

/// Delivers messages to the ends that they have reached, and passes the ends' actions to the recording.
extension MeetingSimulation {
  /// Signals a participant's presence and voice to the SFU.
  mutating func announcePresence(of number: Int, kernel: inout Kernel) {
    if let begins = parts.people.takeSpeechChange(of: number, at: kernel.now) {
      recording.note(number, begins ? "speech-start" : "speech-end", "", at: kernel.now)
    }
    let presence = parts.people.presence(of: number, at: kernel.now)
    parts.viewers.knowledge[number].noteOwn(presence)
    parts.net.send(.presence(number, presence), on: Path.up(number), kernel: &kernel)
  }

  /// Handles a message that has reached the end of a path.
  mutating func receive(_ message: SignallingMessage, on path: Int, kernel: inout Kernel) {
    let participant = Path.participant(of: path)
    // A participant that has left has no connection on which anything else could arrive.
    guard parts.people.isJoined(participant) || message.outlivesStay else { return }
    guard !Path.isUp(path) else {
      parts.sfu.learn(message, from: participant, &parts.net, kernel: &kernel)
      settle(kernel: &kernel)
      guard parts.net.signalling.announcements.isLong else { return }
      parts.net.signalling.announcements.forget(
        before: parts.viewers.leastPosition ?? parts.net.signalling.announcements.end)
      return
    }
    if case .peerEnd = message, parts.disconnect(participant, kernel: &kernel) {
      recording.note(participant, PeerToPeerRules.event.name, "false", at: kernel.now)
    }
    parts.publishers.learn(message, participant, &parts.net, kernel: &kernel)
    parts.viewers.learn(message, participant, &parts.net, kernel: &kernel)
    settle(kernel: &kernel)
  }

  /// Takes the next step of a peer-to-peer connection.
  mutating func peersDue(kernel: inout Kernel) {
    guard let pair = parts.sfu.peersDue(&parts.net, kernel: &kernel), parts.connect(pair, kernel: &kernel)
    else { return }
    for number in pair.members {
      recording.note(number, PeerToPeerRules.event.name, "true", at: kernel.now)
    }
  }

  /// Follows up on the ends' actions: records them, and tells each client about its own camera.
  mutating func settle(kernel: inout Kernel) {
    if !parts.publishers.records.isEmpty {
      let records = parts.publishers.records
      parts.publishers.records = []
      for record in records {
        switch record {
        case .event(let event, let number): recording.note(number, event.name, event.detail, at: kernel.now)
        case .camera(let number, let isOn):
          parts.viewers.states[number].sendsVideo = isOn
          parts.viewers.notify(.ownCameraChanged, number, &parts.net, kernel: &kernel)
        }
      }
    }
    if !parts.viewers.records.isEmpty {
      for record in parts.viewers.records {
        switch record {
        case .event(let event, let detail, let result, let viewer):
          recording.note(viewer, event, detail, result, at: kernel.now)
        case .screen(let layout, let viewer):
          recording.notePictures(of: viewer, &parts, at: kernel.now)
          recording.record(layout, of: viewer, at: kernel.now)
        }
      }
      parts.viewers.records = []
    }
    recording.recordSFU(&parts, at: kernel.now)
  }
}
