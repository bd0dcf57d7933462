import Ladder
import Metrics
import Quantity
import SimulationKernel

/// The last decision on each track, and the names of what is decided on.
struct DecisionLog {
  struct Entry {
    /// Its row, and when that was written.
    let row: DecisionRow
    let at: SimTime
    /// What the track takes of the budget by the last decision, whether that was news or not.
    var taken: BitRate
  }

  /// By source, encoding and temporal layer.
  private let layers: [[[String]]]
  /// By track.
  private var entries: [Entry?]

  init(_ plan: MeetingPlan, streams: StreamNumbering) {
    layers = streams.sources.indices.map { source in
      (plan.source(source, of: streams)?.ladder.encodings ?? []).map { encoding in
        (0..<encoding.temporalLayers).map { "\(encoding.rid).\($0)" }
      }
    }
    entries = Array(repeating: nil, count: streams.trackCount)
  }

  subscript(track: Int) -> Entry? { entries[track] }

  /// The name of a layer of a source, such as `f.2`; empty for none.
  func name(of layer: LayerID?, _ source: Int) -> String {
    guard let layer, layers[source].indices.contains(layer.encoding),
      layers[source][layer.encoding].indices.contains(layer.temporal)
    else { return "" }
    return layers[source][layer.encoding][layer.temporal]
  }

  /// - Returns: whether the decision differs from the track's last row.
  mutating func note(_ row: DecisionRow, taking taken: BitRate, on track: Int, at now: SimTime) -> Bool {
    if let last = entries[track], !row.isNews(after: last.row) {
      entries[track]?.taken = taken
      return false
    }
    entries[track] = Entry(row: row, at: now, taken: taken)
    return true
  }
}
