import Ladder
import Quantity
import Systems

/// A client's video request, in the terms of Signal's protocol.
struct SignalRequests: Sendable {
  /// Lines by source; 0 for no video.
  let heights: [(source: SignalledSource, lines: Int)]
  let speakerLines: Int?
  let maximumRate: BitRate?
  let queueDrain: BitRate?
  let minimumTarget: BitRate?

  init(_ signals: ViewSignals) {
    heights = (signals.bySource("requested-heights") ?? []).compactMap { entry in
      entry.value.integer.map { (source: entry.source, lines: $0) }
    }
    speakerLines = signals.integer("active-speaker-height")
    maximumRate = signals.rate("max-rate")
    queueDrain = signals.rate("queue-drain")
    minimumTarget = signals.rate("minimum-target")
  }

  private static let lines = 0...65_535

  static let declarations = [
    SignalDeclaration(
      "requested-heights", .bySource(.integer(lines)),
      "lines of the picture that each source is shown with, 0 for none; a source without an entry counts as 1",
      sample: "{ann: 720}"),
    SignalDeclaration(
      "active-speaker-height", .integer(lines),
      "the active speaker's lines, where that is more; by default none", sample: "720"),
    SignalDeclaration(
      "max-rate", .rate, "the most video that the client receives; by default the policy's default-max-rate"),
    SignalDeclaration(
      "queue-drain", .rate,
      "what the server's outgoing queue needs for itself; by default what is in it over 'queue-drain-time', nothing in "
        + "'allocate'"),
    SignalDeclaration(
      "minimum-target", .rate,
      "the least estimate of the last seconds, for encodings that are not forwarded yet; by default the estimate's own"
    ),
  ]
}
