import Endpoint
import Plan
import Publishing
import Serving
import SimulationKernel
import Viewing

/// Timers that concern only the ends and their connections.
extension MeetingParts {
  mutating func handle(_ event: MeetingEvent, kernel: inout Kernel) {
    let number = event.index
    switch event.kind {
    // At the publishers.
    case .capture:
      publishers.capture(source: number, &net, kernel: &kernel)
    case .voice: people.speak(number, &net, kernel: &kernel)

    // At the SFU.
    case .mix:
      sfu.voices.mix(people.speakers(at: kernel.now), &net, kernel: &kernel)
    case .reallocate: sfu.reallocateDue(viewer: number, &net, kernel: &kernel)
    case .keyFrameCheck:
      sfu.forwarder.checkKeyFrame(of: number, &net, kernel: &kernel)
    case .serverWake: sfu.wakeServer(of: number, &net, kernel: &kernel)
    case .layerCheck: sfu.checkLayer(of: number, &net, kernel: &kernel)
    case .encodingPause: sfu.tellDemand(for: number, &net, kernel: &kernel)

    // At the viewers.
    case .request:
      guard isOfPresentStay(event) else { return }
      viewers.requestDue(viewer: event.participant, &net, kernel: &kernel)
    case .wakeClient:
      guard isOfPresentStay(event) else { return }
      viewers.wakeClient(of: event.participant, &net, kernel: &kernel)
    case .negotiation:
      guard isOfPresentStay(event) else { return }
      viewers.negotiationDue(of: event.participant, &net, kernel: &kernel)
    case .screenLook: viewers.followScroll(of: number, &net, kernel: &kernel)

    // On the connections.
    case .pace:
      let hasPadded = net.endpoints.pace(number, links: &net.links, kernel: &kernel)
      if hasPadded, Path.isUp(number) {
        publishers.notePadding(by: net.endpoints.peers.participant(Path.participant(of: number)))
      }
      noteDepartures(on: number, at: kernel.now)
    case .feedback: net.endpoints.sendFeedback(on: number, links: &net.links, kernel: &kernel)
    case .senderReport:
      net.endpoints.sendSenderReport(
        on: number, streams: streamCount(on: number), links: &net.links, kernel: &kernel)
    case .receiverReport:
      net.endpoints.sendReceiverReport(
        on: number, streams: streamCount(on: number), links: &net.links, kernel: &kernel)
    case .repair:
      kernel.schedule(after: RepairTiming.period, tag: MeetingEvent(.repair).tag)
      sfu.forwarder.repair(&net, kernel: &kernel)
      viewers.receptions.repair(&net, kernel: &kernel)
    case .connectionTimer where number & MeetingEvent.mediaConnection != 0:
      net.links.streamTimerFired(on: number ^ MeetingEvent.mediaConnection, kernel: &kernel)
    case .connectionTimer: net.signalling.timerFired(on: number, &net.links, kernel: &kernel)

    case .linkArrival, .join, .talkSpurt, .speechEnd, .timeline, .push, .sourceChange, .signal, .estimate,
      .control, .crossSwitch, .crossTimer, .crossAcknowledgement, .crossDelayedAnswer:
      break
    }
  }

  /// Checks whether a timer was set during its participant's current stay, or after the last one.
  private func isOfPresentStay(_ event: MeetingEvent) -> Bool {
    event.isOf(connection: net.links.connection(of: event.participant))
  }

  /// Returns the number of video streams currently on a path.
  private func streamCount(on path: Int) -> Int {
    let participant = net.endpoints.peers.participant(Path.participant(of: path))
    return Path.isUp(path)
      ? publishers.streamCount(of: participant) : sfu.forwarder.switching.streamCount(to: participant)
  }
}
