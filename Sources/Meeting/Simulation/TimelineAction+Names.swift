import Allocation
import Ladder
import Network
import Quantity

extension TimelineAction {
  /// The word in `events.csv`, the same as the scenario's key where there is one.
  var name: String {
    switch self {
    case .join: "join"
    case .leave: "leave"
    case .speaks: "speaks"
    case .muteAudio(let isMuted), .muteVideo(let isMuted): isMuted ? "mute" : "unmute"
    case .shareScreen: "share"
    case .background: "background"
    case .foreground: "foreground"
    case .request: "request"
    case .layout: "layout"
    case .scroll: "scroll"
    case .resize: "resize"
    case .hide: "hide"
    case .show: "show"
    case .pin: "pin"
    case .unpin: "unpin"
    case .streamType: "stream-type"
    case .override: "override"
    case .muteRemoteVideo: "mute-remote"
    case .source: "source"
    case .pushFrames: "push-frames"
    case .attach: "attach"
    case .detach: "detach"
    case .link(_, let change): change.name.rawValue
    }
  }
}

extension MeetingSimulation {
  /// With what something happened, in words.
  func detail(of action: TimelineAction) -> String {
    func id(_ participant: Int) -> String { plan.participants[participant].id }
    switch action {
    case .join, .leave, .foreground: return ""
    case .speaks(let duration): return "\(duration)"
    case .muteAudio: return "audio"
    case .muteVideo: return "video"
    case .shareScreen(let isOn): return isOn ? "screen" : "none"
    case .background(let background):
      switch background.window?.subject {
      case .participant(let shown): return "picture-in-picture \(id(shown))"
      case .automatic: return "picture-in-picture @automatic"
      case nil: return "none"
      }
    case .request(let entries): return "\(entries.count) entries"
    case .layout(let layout): return layout?.rawValue ?? "custom"
    case .scroll(let points): return "\(points)"
    case .resize(let participant, let size): return "\(id(participant)) \(size.width)x\(size.height)"
    case .hide(let other), .show(let other), .pin(let other), .unpin(let other), .detach(let other):
      return id(other)
    case .streamType(let other, let low): return "\(id(other)) \(low ? "low" : "high")"
    case .override(let other, let override):
      let who = other.map(id) ?? "everybody"
      switch override {
      case .size(let size): return "\(who) \(size.width)x\(size.height)"
      case .off: return "\(who) off"
      case nil: return "\(who) none"
      }
    case .muteRemoteVideo(let isMuted): return isMuted ? "on" : "off"
    case .source(let kind): return kind.rawValue
    case .pushFrames(let frames):
      return "\(frames.size.width)x\(frames.size.height)@\(Double(frames.milliFramesPerSecond) / 1000)"
    case .attach(let other, let view): return "\(id(other)) to \(view)"
    case .link(let link, let change): return "\(plan.links[link].name) \(change)"
    }
  }
}
