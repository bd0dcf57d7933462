extension RecordedCall {
  /// Shaped capacities [kbps] and their times, in order; a change is dated to the whole second nearest to its first
  /// row.
  var capacityChanges: [(from: Int, kilobits: Double)] { changes(of: capacities).map { ($0.from, $0.value) } }

  /// The simulcast viewer's requests and their times, in order: 0 is the highest encoding.
  var requestChanges: [(from: Int, substream: Int)] { changes(of: requests).map { ($0.from, $0.value) } }

  private func changes<Value: Equatable>(of values: [Value]) -> [(from: Int, value: Value)] {
    var changes: [(from: Int, value: Value)] = []
    for (time, value) in zip(times, values) where changes.last?.value != value {
      let from = changes.isEmpty ? 0 : Int(time.rounded())
      // A request that lasts less than a second is ignored.
      if changes.last?.from == from { changes.removeLast() }
      if changes.last?.value != value { changes.append((from, value)) }
    }
    return changes
  }
}
