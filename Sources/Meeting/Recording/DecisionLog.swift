import Allocation
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

  /// What limits a tile for as long as neither its decision nor what surrounds it changes.
  private struct Word {
    /// ``SubscriptionTable/revisions``
    let revision: UInt32
    let circumstances: DecidedTile.Circumstances
    let limitation: Limitation
  }

  /// By source, encoding and temporal layer.
  private let layers: [[[String]]]
  /// By track.
  private var entries: [Entry?]
  /// By track.
  private var words: [Word?]

  init(_ plan: MeetingPlan, streams: StreamNumbering) {
    layers = streams.sources.indices.map { source in
      (plan.source(source, of: streams)?.ladder.encodings ?? []).map { encoding in
        (0..<encoding.temporalLayers).map { "\(encoding.rid).\($0)" }
      }
    }
    entries = Array(repeating: nil, count: streams.trackCount)
    words = Array(repeating: nil, count: streams.trackCount)
  }

  subscript(track: Int) -> Entry? { entries[track] }

  /// The name of a layer of a source, such as `f.2`; empty for none.
  func name(of layer: LayerID?, _ source: Int) -> String {
    guard let layer, layers[source].indices.contains(layer.encoding),
      layers[source][layer.encoding].indices.contains(layer.temporal)
    else { return "" }
    return layers[source][layer.encoding][layer.temporal]
  }

  /// What limits a track, if it was found before for the same decision in the same circumstances.
  func limitation(
    on track: Int, _ revision: UInt32, _ circumstances: DecidedTile.Circumstances
  ) -> Limitation? {
    guard words[track]?.revision == revision, words[track]?.circumstances == circumstances else { return nil }
    return words[track]?.limitation
  }

  mutating func note(
    _ limitation: Limitation, on track: Int, _ revision: UInt32, _ circumstances: DecidedTile.Circumstances
  ) {
    words[track] = Word(revision: revision, circumstances: circumstances, limitation: limitation)
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
