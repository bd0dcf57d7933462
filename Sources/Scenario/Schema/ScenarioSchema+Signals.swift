import Metrics
import Systems

/// Schema of what clients signal in their system's own words.
extension ScenarioSchema {
  /// In a view.
  static var signals: Shape {
    Shape.mapping(
      [
        ("tracks", tracks),
        (
          "adaptive-stream",
          Shape.flag.described(
            "Whether the client uses adaptive stream; by default the policy's parameter of that name.")
        ),
      ], required: ["tracks"]
    ).described(
      "Policy livekit: what the client signals, in place of what it would derive from a screen.")
  }

  /// In the timeline.
  static var signalChange: Shape {
    Shape.mapping([("tracks", tracks)], required: ["tracks"]).described(
      "Policy livekit: changes settings of tracks in a view with 'signals'; a track that is named replaces all of its "
        + "settings, others stay.")
  }

  private static var tracks: Shape {
    Shape.names(
      to: .mapping(
        [
          (
            "size",
            Shape.size.described(
              "Size that the client reports of its tile, in pixels (16 to 8192), or the name of a 16:9 size.")
          ),
          (
            "quality",
            Shape.word(TrackSettings.Quality.self).described(
              "Quality: one of three encodings, from the lowest up; without size and quality the highest, with adaptive "
                + "stream the lowest.")
          ),
          ("fps", Shape.integer(PlanBuilder.trackRates).described("Most frames per second; by default any.")),
          (
            "priority",
            Shape.integer(PlanBuilder.trackPriorities).described(
              "Priority, 255 first; by default 1, of screen shares 255.")
          ),
          (
            "disabled",
            Shape.flag.described("Whether the client disables the track, as one off screen.").withDefault(
              .flag(false))
          ),
          (
            "muted",
            Shape.flag.described("Whether the server takes the track for muted.").withDefault(.flag(false))
          ),
        ], rules: [.not(.has("size", "quality"))])
    ).described(
      "Settings of remote cameras, by participant; one without an entry is not subscribed to.")
  }
}
