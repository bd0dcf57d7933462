import Ladder
import Network
import Quantity
import Systems

extension TimelineAction {
  /// Name in `events.csv`, equal to the scenario's key if there is one.
  package var name: String {
    switch self {
    case .join: "join"
    case .leave: "leave"
    case .speaks: "speaks"
    case .muteAudio(let isMuted), .muteVideo(let isMuted): isMuted ? "mute" : "unmute"
    case .shareScreen: "share"
    case .source: "source"
    case .pushFrames, .stopPushing: "push-frames"
    case .send: "send"
    case .client(let call): call.name
    case .link(_, let change): change.name.rawValue
    }
  }
}

extension MeetingPlan {
  /// Returns the event detail text of `events.csv`.
  package func detail(of action: TimelineAction) -> String {
    func id(_ participant: Int) -> String { participants[participant].id }
    switch action {
    case .join, .leave: return ""
    case .speaks(let duration): return "\(duration)"
    case .muteAudio: return "audio"
    case .muteVideo: return "video"
    case .shareScreen(let isOn): return isOn ? "screen" : "none"
    case .client(let call): return call.detail(id)
    case .source(let kind): return kind.rawValue
    case .pushFrames(let frames): return frames.description
    case .stopPushing: return "stop"
    case .send(let change): return change.detail
    case .link(let link, let change): return "\(links[link].name) \(change)"
    }
  }
}
