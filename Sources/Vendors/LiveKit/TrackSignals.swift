import Ladder
package import Systems

/// Settings of remote tracks, in livekit-client's terms.
package struct TrackSignals: Hashable, Sendable {
  package struct Track: Hashable, Sendable {
    package var source: SignalledSource
    package var settings: TrackSettings
  }

  /// Tracks in the order of the subscriptions. A source without an entry is not subscribed to.
  package let tracks: [Track]
  /// Set if the client uses adaptive stream; `nil` for the policy's default.
  package let adaptiveStream: Bool?

  package init(_ signals: ViewSignals) {
    tracks = (signals.bySource("tracks") ?? []).map { entry in
      Track(source: entry.source, settings: TrackSettings(entry.value.fields ?? ViewSignals()))
    }
    adaptiveStream = signals.flag("adaptive-stream")
  }

  /// Frame rates that can be requested for a track [Hz].
  private static let frameRates = 1...120

  package static let declarations = [
    SignalDeclaration(
      "tracks",
      .bySource(
        .fields([
          SignalDeclaration("size", .size, "size that the client reports of its tile [px]"),
          SignalDeclaration(
            "quality", .word(TrackSettings.Quality.allCases.map(\.rawValue)),
            "one of three encodings, from the lowest up; without size and quality the highest, with adaptive stream the "
              + "lowest", excludes: "size"),
          SignalDeclaration(
            "fps", .integer(frameRates),
            "frames per second: the lowest temporal layer with 90 % of them; by default all layers",
            sample: "15"),
          SignalDeclaration(
            "priority", .integer(1...255), "priority, 255 first; by default 1, of screen shares 255"),
          SignalDeclaration(
            "disabled", .flag,
            "whether the client disables the track, as one off screen; by default it doesn't"),
          SignalDeclaration(
            "muted", .flag, "whether the server takes the track for muted; by default it doesn't"),
        ])), "settings of remote tracks; one without an entry is not subscribed to", isRequired: true),
    SignalDeclaration(
      "adaptive-stream", .flag,
      "whether the client uses adaptive stream; by default the policy's parameter of that name",
      isChangeable: false),
  ]
}

extension TrackSettings {
  init(_ signals: ViewSignals) {
    self.init()
    size = signals.size("size")
    quality = signals.word("quality").flatMap(Quality.init(rawValue:))
    milliFramesPerSecond = signals.integer("fps").map { $0 * 1000 }
    priority = signals.integer("priority")
    isDisabled = signals.flag("disabled") ?? false
    isMuted = signals.flag("muted") ?? false
  }
}
