/// Path of a connection over time: the candidate pair in use at each moment.
struct StatsPath {
  private let pairs: [StatsObject]
  private let transports: [StatsObject]
  private static let limit = 500

  init(_ connection: StatsConnection) {
    // Most of the many candidate pairs are never used.
    let used = connection.of("candidate-pair").filter { pair in
      pair.members["availableOutgoingBitrate"] != nil
        || ["nominated", "selected"].contains { pair.members[$0]?.values.contains(where: \.isTrue) == true }
        || pair.members["currentRoundTripTime"] != nil
    }
    pairs = Array(used.prefix(Self.limit))
    transports = Array(connection.of("transport").prefix(Self.limit))
  }

  /// `true` if any pair has an estimate.
  var hasEstimate: Bool { pairs.contains { !$0.numbers("availableOutgoingBitrate").isEmpty } }

  /// Times of all samples of pairs with an estimate [ms].
  var times: [Double] {
    pairs.filter { $0.members["availableOutgoingBitrate"] != nil }
      .flatMap { $0.members.values.max { $0.times.count < $1.times.count }?.times ?? [] }
  }

  /// Returns the pair in use: the one selected by its transport, or else, among the nominated and connected pairs, or
  /// among all if there are none, the one with an estimate that has sent the most in the last `age` [ms]; in a tie, the
  /// newest one.
  func pair(at time: Double, age: Double) -> StatsObject? {
    let selected = transports.compactMap { $0.value("selectedCandidatePairId", at: time, age: age)?.label }
    let chosen = pairs.filter { selected.contains($0.id) }
    if let known = best(chosen, at: time, age: age) { return known }
    let nominated = pairs.filter { pair in
      let isIn = ["nominated", "selected"].contains { pair.value($0, at: time, age: age)?.isTrue == true }
      let state = pair.value("state", at: time, age: age)?.label
      return isIn && (state == nil || state == "succeeded")
    }
    return best(nominated, at: time, age: age) ?? best(pairs, at: time, age: age)
  }

  private func best(_ pairs: [StatsObject], at time: Double, age: Double) -> StatsObject? {
    func rank(_ pair: StatsObject) -> (Int, Double, Double) {
      let hasEstimate = pair.number("availableOutgoingBitrate", at: time, age: age) != nil
      let sent = pair.number("bytesSent", at: time, age: age) ?? 0
      let before = pair.number("bytesSent", at: time - age) ?? 0
      let start = pair.members.values.compactMap(\.times.first).min() ?? 0
      return (hasEstimate ? 1 : 0, sent - before, start)
    }
    return pairs.max { rank($0) < rank($1) }
  }
}
