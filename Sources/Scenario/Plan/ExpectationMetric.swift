/// A whole-run value of a tile that an expectation can name, as `scalars.csv` has it.
package struct ExpectationMetric: Hashable, Sendable {
  package var metric: String
  package var stat: String
  /// What it is, with its unit.
  package var meaning: String

  /// All of them.
  package static let all: [ExpectationMetric] = [
    ("frame_height", "p50", "height that half of the intervals reach [px]"),
    ("requested_height_share", "mean", "share of the time at the height asked for, 0 to 1"),
    ("frames_per_second", "mean", "frames decoded [Hz]"), ("bitrate", "mean", "received [bit/s]"),
    ("freeze_count", "total", "freezes"), ("freezes_duration", "total", "their length [s]"),
    ("packets_lost", "total", "packets missed"), ("mos", "mean", "ITU-T P.1203.1 score, 1 to 5"),
    ("first_frame_delay", "total", "from the wish to the first frame [s]"),
    ("frame_delay", "mean", "from capture to display [s]"), ("frame_delay", "max", "the longest of them [s]"),
  ].map { ExpectationMetric(metric: $0.0, stat: $0.1, meaning: $0.2) }
}
