/// A whole-run value of a tile in `scalars.csv` that an expectation can refer to.
package struct ExpectationMetric: Hashable, Sendable {
  package var metric: String
  package var stat: String
  /// Meaning, with the unit.
  package var meaning: String

  package static let all: [ExpectationMetric] = [
    ("frame_height", "p50", "median frame height over the intervals [px]"),
    ("requested_height_share", "mean", "fraction of the time at the requested height, 0 to 1"),
    ("frames_per_second", "mean", "decoded frame rate [Hz]"),
    ("bitrate", "mean", "received bit rate [bit/s]"),
    ("freeze_count", "total", "number of freezes"),
    ("freezes_duration", "total", "total freeze duration [s]"),
    ("packets_lost", "total", "packets lost"), ("mos", "mean", "ITU-T P.1203.1 score, 1 to 5"),
    ("first_frame_delay", "total", "delay from the subscription to the first frame [s]"),
    ("frame_delay", "mean", "mean delay from capture to display [s]"),
    ("frame_delay", "max", "maximum delay from capture to display [s]"),
  ].map { ExpectationMetric(metric: $0.0, stat: $0.1, meaning: $0.2) }
}
