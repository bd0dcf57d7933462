package import Quantity

extension CapacityTrace {
  /// Returns a part of the trace, which begins at 0; `nil` if it is empty.
  package func part(from begin: SimTime, until end: SimTime) -> CapacityTrace? {
    let end = min(end, SimTime.zero + period)
    guard begin < end else { return nil }
    switch content {
    case .rates(let steps):
      var inside = steps.filter { $0.at > begin && $0.at < end }
      if let first = steps.last(where: { $0.at <= begin }) {
        inside.insert(CapacityStep(at: begin, rate: first.rate), at: 0)
      }
      let shifted = inside.map { CapacityStep(at: .zero + ($0.at - begin), rate: $0.rate) }
      return CapacityTrace(content: .rates(shifted), period: end - begin, continuation: continuation)
    case .opportunities(let times):
      let inside = times.filter { $0 >= begin.nanoseconds && $0 <= end.nanoseconds }
        .map { $0 - begin.nanoseconds }
      guard let last = inside.last, last > 0 else { return nil }
      return CapacityTrace(
        content: .opportunities(inside), period: SimDuration(nanoseconds: last), continuation: continuation)
    }
  }
}
