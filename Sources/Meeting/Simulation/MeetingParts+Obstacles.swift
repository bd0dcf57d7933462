import Plan
import Publishing
import Systems

/// Actions without an effect.
extension MeetingParts {
  /// Returns the result of an action by someone in the meeting that will have no effect; `nil` if it will have one.
  borrowing func obstacle(to action: TimelineAction, by number: Int) -> String? {
    let unchanged = CallResult.unchanged.name
    switch action {
    case .speaks: return people.isMuted(number) ? "\(CallResult.ok.name): the microphone is muted" : nil
    case .muteAudio where !people.hasMicrophone(number):
      return "\(CallResult.ok.name): there is no microphone"
    case .muteAudio(let isMuted): return people.isMuted(number) == isMuted ? unchanged : nil
    case .muteVideo where streams.cameraOf[number] == nil:
      return "\(CallResult.ok.name): there is no camera"
    case .muteVideo(let isMuted):
      return publishers.states[number].isVideoMuted == isMuted ? unchanged : nil
    case .shareScreen(let isOn):
      return publishers.states[number].isSharingScreen == isOn ? unchanged : nil
    case .send(let change):
      guard let source = change.isScreen ? streams.screenOf[number] : streams.cameraOf[number] else {
        return nil
      }
      return change.isAlready(of: publishers.sources[source]) ? unchanged : nil
    case .join, .leave, .source, .link, .client, .pushFrames, .stopPushing: return nil
    }
  }
}
