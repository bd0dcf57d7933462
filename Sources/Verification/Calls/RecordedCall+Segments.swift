/// A part of a recorded call without external changes.
struct Segment: Equatable, Sendable {
  /// Beginning and end in whole seconds.
  var from: Int
  var to: Int
  /// Capacity of the shaped link [kbps].
  var kilobits: Double

  var length: Int { to - from }
}

extension RecordedCall {
  /// Parts of constant capacity, in order; a change counts from the whole second nearest to the first row with it.
  var segments: [Segment] {
    let parts = changes(of: capacities)
    let ends = parts.dropFirst().map(\.from) + [duration]
    return zip(parts, ends).map { Segment(from: $0.from, to: $1, kilobits: $0.value) }
  }

  /// The simulcast viewer's requests and their times, in order: 0 is the highest encoding.
  var requestChanges: [(from: Int, substream: Int)] { changes(of: requests).map { ($0.from, $0.value) } }

  private func changes<Value: Equatable>(of values: [Value]) -> [(from: Int, value: Value)] {
    var changes: [(from: Int, value: Value)] = []
    for (time, value) in zip(times, values) where changes.last?.value != value {
      let from = changes.isEmpty ? 0 : Int(time.rounded())
      // A request that lasts less than a second does not count.
      if changes.last?.from == from { changes.removeLast() }
      if changes.last?.value != value { changes.append((from, value)) }
    }
    return changes
  }
}
