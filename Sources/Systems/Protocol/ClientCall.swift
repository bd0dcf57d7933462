package import Ladder
package import Layout
package import Quantity

/// A call by the user or the app. Participants are indices.
///
/// Calls that not every client has are declared by the systems that have them (``SystemDescription/calls``).
package enum ClientCall: Sendable {
  /// Replaces the stream request.
  case request([StreamRequest])
  /// Selects a built-in layout, or a custom one (`nil`).
  case layout(BuiltInLayout?)
  /// Scrolls a grid to an offset from its top [pt] at a constant speed; jumps if the duration is zero.
  case scroll(to: Int, over: SimDuration)
  /// Turns or resizes the screen of a grid.
  case screen(Screen)
  /// Resizes a participant's tile [pt].
  case resize(participant: Int, Resolution)
  /// Shows another page of tiles, from 1.
  case page(Int)
  case hide(participant: Int)
  case show(participant: Int)
  case pin(participant: Int)
  case unpin(participant: Int)
  /// Requests a participant's high or low stream.
  case streamType(participant: Int, low: Bool)
  /// Overrides the requested size for one participant or for everybody (`nil`); a `nil` override restores the tile's.
  case override(participant: Int?, StreamOverride?)
  /// Sets the preferred resolution and frame rate of one subscriber or of all (`nil`).
  case prefer(participant: Int?, StreamPreference)
  /// Stops or resumes all remote video except screen shares.
  case muteRemoteVideo(Bool)
  /// Stops or resumes all screen shares.
  case muteContent(Bool)
  /// Opens or closes the gate for pictures above 360 lines.
  case receive720p(Bool)
  /// Attaches a participant's stream to a named view of the app.
  case attach(participant: Int, view: String)
  case detach(participant: Int)
  /// Moves the app to the background or, with `nil`, to the foreground.
  case background(Background?)
  /// Changes the client's signals in its system's own terms; signals that are not named stay as they are.
  case signals(ViewSignals)
}

extension ClientCall {
  /// `true` if the call may be made outside the meeting, where all other calls fail: BlueJeans' custom layout ("before
  /// or during a meeting"), and the 720p gate, a device setting [our model: undocumented].
  package var worksOutsideMeeting: Bool {
    switch self {
    case .layout(nil), .receive720p: true
    default: false
    }
  }

  /// Name in `events.csv`, equal to the scenario's key.
  package var name: String {
    switch self {
    case .request: "request"
    case .layout: "layout"
    case .scroll: "scroll"
    case .screen: "screen"
    case .resize: "resize"
    case .page: "page"
    case .hide: "hide"
    case .show: "show"
    case .pin: "pin"
    case .unpin: "unpin"
    case .streamType: "stream-type"
    case .override: "override"
    case .prefer: "preferred"
    case .muteRemoteVideo: "mute-remote"
    case .muteContent: "mute-content"
    case .receive720p: "receive-720p"
    case .attach: "attach"
    case .detach: "detach"
    case .background(let background): background == nil ? "foreground" : "background"
    case .signals: "signals"
    }
  }

  /// Returns the arguments, for the `detail` column of `events.csv`.
  package func detail(_ id: (Int) -> String) -> String {
    switch self {
    case .request(let entries): return "\(entries.count) entries"
    case .layout(let layout): return layout?.name ?? "custom"
    case .scroll(let points, let duration): return duration > .zero ? "\(points) in \(duration)" : "\(points)"
    case .screen(let screen):
      return [screen.width, screen.height].map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }.joined(
        separator: "x")
    case .page(let page): return "\(page)"
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
    case .prefer(let other, let preference): return "\(other.map(id) ?? "everybody") \(preference)"
    case .muteRemoteVideo(let isOn), .muteContent(let isOn), .receive720p(let isOn):
      return isOn ? "on" : "off"
    case .attach(let other, let view): return "\(id(other)) to \(view)"
    case .signals(let signals): return signals.detail(id)
    case .background(nil): return ""
    case .background(let background?):
      // The view's own window is not named, because the device decides whether it starts.
      if background.startsWindow { return "" }
      switch background.window?.subject {
      case .participant(let shown): return "picture-in-picture \(id(shown))"
      case .automatic: return "picture-in-picture @automatic"
      case nil: return "none"
      }
    }
  }
}
