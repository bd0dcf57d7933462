package import Ladder

/// What a person, or the app, does on the screen. Participants are numbers.
package enum ClientCall: Sendable {
  /// Sends a stream request in place of the one before.
  case request([StreamRequest])
  /// Chooses a built-in layout, or the app's own (`nil`).
  case layout(BuiltInLayout?)
  /// Scrolls a grid so that this many points are above the screen's top.
  case scroll(to: Int)
  /// Gives a participant's tile another size [px].
  case resize(participant: Int, Resolution)
  case hide(participant: Int)
  case show(participant: Int)
  case pin(participant: Int)
  case unpin(participant: Int)
  /// Asks for a participant's high or low stream.
  case streamType(participant: Int, low: Bool)
  /// Asks for a size by hand, of one participant or of everybody (`nil`), or for none; `nil` leaves it to the tiles again.
  case override(participant: Int?, StreamOverrides.Override?)
  /// Stops or resumes all remote video.
  case muteRemoteVideo(Bool)
  /// Shows a participant's stream in one of the app's views, by name.
  case attach(participant: Int, view: String)
  case detach(participant: Int)
  /// The app goes to the background, or comes back (`nil`).
  case background(Background?)
}

extension ClientCall {
  /// The word in `events.csv`, which is the scenario's key.
  package var name: String {
    switch self {
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
    case .attach: "attach"
    case .detach: "detach"
    case .background(let background): background == nil ? "foreground" : "background"
    }
  }

  /// The arguments as `events.csv` has them.
  package func detail(_ id: (Int) -> String) -> String {
    switch self {
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
    case .attach(let other, let view): return "\(id(other)) to \(view)"
    case .background(nil): return ""
    case .background(let background?):
      switch background.window?.subject {
      case .participant(let shown): return "picture-in-picture \(id(shown))"
      case .automatic: return "picture-in-picture @automatic"
      case nil: return "none"
      }
    }
  }
}
