import Ladder
import Metrics
import Plan
import Quantity
import SimulationKernel

/// Last decision on each track, and the names of the layers.
///
/// A system that serves its sources in the order of speech changes all ranks several times a second. If a decision only
/// changes a track's rank, its row waits for the end of the second.
struct DecisionLog {
  struct Entry {
    /// Last row that was written.
    var row: DecisionRow
    /// Time of the last row that was written.
    var at: SimTime
    /// Rate that the track takes from the budget by the last decision, written or not.
    var taken: BitRate
    /// Index in the waiting rows; `nil` for none.
    fileprivate var place: Int32?
  }

  /// Names by source, encoding and temporal layer.
  private let layers: [[[String]]]
  /// Entries by track.
  private var entries: [Entry?]
  /// Rates that the viewers' last decisions take from their budgets.
  var taken: [BitRate]
  /// Rows waiting for the end of the second, with their tracks.
  private var waiting: [(track: Int, row: DecisionRow)] = []

  init(_ plan: MeetingPlan, streams: StreamNumbering) {
    layers = streams.sources.indices.map { source in
      let ladder = plan.source(source, of: streams)?.ladder
      return (ladder?.encodings ?? []).enumerated().map { place, encoding in
        let name = ladder?.isLayered == true ? "\(place)" : encoding.rid
        return (0..<encoding.temporalLayers).map { "\(name).\($0)" }
      }
    }
    entries = Array(repeating: nil, count: streams.trackCount)
    taken = plan.participants.map { _ in .zero }
  }

  subscript(track: Int) -> Entry? { entries[track] }

  /// Returns a track's rank by the last decision, written or not.
  func rank(of track: Int) -> Int? {
    guard let entry = entries[track] else { return nil }
    return entry.place.map { waiting[Int($0)].row.rank } ?? entry.row.rank
  }

  /// Returns the name of a source's layer, such as `f.2`, or `2.1` with several spatial layers; empty for none.
  func name(of layer: LayerID?, _ source: Int) -> String {
    guard let layer, layers[source].indices.contains(layer.encoding),
      layers[source][layer.encoding].indices.contains(layer.temporal)
    else { return "" }
    return layers[source][layer.encoding][layer.temporal]
  }

  /// Notes a decision on a track.
  ///
  /// - Returns: `true` if the decision should be written now.
  mutating func note(_ row: DecisionRow, taking taken: BitRate, on track: Int, at now: SimTime) -> Bool {
    guard var entry = entries[track] else {
      entries[track] = Entry(row: row, at: now, taken: taken)
      return true
    }
    entry.taken = taken
    let news = row.news(after: entry.row)
    if news == .decision {
      entry.row = row
      entry.at = now
      entry.place = nil
    } else if let place = entry.place {
      waiting[Int(place)].row = row
    } else if news == .order {
      entry.place = Int32(waiting.count)
      waiting.append((track, row))
    }
    entries[track] = entry
    return news == .decision
  }

  /// Returns the waiting rows that still say something new, in the order of their decisions.
  mutating func takeWaiting(at now: SimTime) -> [DecisionRow] {
    var rows: [DecisionRow] = []
    for (place, (track, row)) in waiting.enumerated() {
      guard let last = entries[track], last.place == Int32(place) else { continue }
      entries[track]?.place = nil
      guard row.news(after: last.row) != .nothing else { continue }
      entries[track]?.row = row
      entries[track]?.at = now
      rows.append(row)
    }
    waiting.removeAll(keepingCapacity: true)
    return rows
  }

  /// Forgets the decisions on the tracks of a leaving viewer: waiting rows are dropped, and a later stay starts afresh.
  mutating func forget(_ tracks: Range<Int>) {
    for track in tracks { entries[track] = nil }
  }
}
