import Metrics
import ResultReading

/// Keys of two scalar tables that are covered by one row of a comparison.
///
/// A run counts once: the values of its tiles, links or participants are averaged, since they are not replications of
/// one another.
struct KeyGroup {
  /// Key that the covered keys share; viewer and source are empty if they differ.
  let key: ScalarKey
  /// Values over runs of each key; `nil` for a key that a table lacks.
  private var members: [(key: ScalarKey, base: [Double]?, new: [Double]?)] = []

  /// Values of a pair of runs.
  struct ValuePair {
    let base: Double
    let new: Double
    let point: Int
  }

  /// Values of pairs of runs.
  struct Values {
    /// Means of each pair over the keys with values on both sides.
    var pairs: [ValuePair] = []
    /// Numbers of values that only BASE has, and that only NEW has.
    var lost = 0
    var gained = 0
    /// Values of quality of which most pairs lack the counterpart although that could have been seen: those that only
    /// BASE has, and those that only NEW has.
    var vanished = OneSide()
    var appeared = OneSide()
    /// Set if any such counterpart is missing.
    var isDark = (base: false, new: false)
  }

  /// Values of one side alone.
  struct OneSide {
    fileprivate(set) var values: [Double] = []
    /// Pairs of runs in which there are any.
    fileprivate(set) var pairs: Set<Int> = []
  }

  private init(_ key: ScalarKey) { self.key = key }

  /// Groups the keys of both tables, in BASE's order.
  static func groups(
    _ base: ScalarTable, _ new: ScalarTable, by grouping: ComparisonRule.Grouping
  ) -> [KeyGroup] {
    let newNumbers = Dictionary(zip(new.keys, new.keys.indices)) { first, _ in first }
    let baseKeys = Set(base.keys)
    // Tile values that participants also have would be counted twice.
    let repeated =
      grouping == .tile
      ? [] : Set((base.keys + new.keys).filter { $0.scope == "participant" }.map(\.metric))
    func counts(_ key: ScalarKey) -> Bool { key.scope != "tile" || !repeated.contains(key.metric) }
    var groups: [KeyGroup] = []
    var numbers: [ScalarKey: Int] = [:]
    func number(of key: ScalarKey) -> Int {
      let name = key.grouped(by: grouping)
      if let known = numbers[name] { return known }
      numbers[name] = groups.count
      groups.append(KeyGroup(name))
      return groups.count - 1
    }
    for (place, key) in base.keys.enumerated() where counts(key) {
      groups[number(of: key)].members.append(
        (key, base.values[place], newNumbers[key].map { new.values[$0] }))
    }
    for (place, key) in new.keys.enumerated() where !baseKeys.contains(key) && counts(key) {
      groups[number(of: key)].members.append((key, nil, new.values[place]))
    }
    return groups
  }

  /// Returns each run's mean over the keys with values on both sides, and the values on only one side.
  func values(_ pairs: [RunPairing.Pair], _ attendance: (base: Attendance, new: Attendance)) -> Values {
    var result = Values()
    var sums = pairs.map { _ in (base: 0.0, new: 0.0, count: 0) }
    for member in members {
      var both = 0
      var (lost, gained) = (OneSide(), OneSide())
      for (place, pair) in pairs.enumerated() {
        let base = member.base?[pair.base] ?? .nan
        let new = member.new?[pair.new] ?? .nan
        switch (base.isNaN, new.isNaN) {
        case (false, false):
          sums[place].base += base
          sums[place].new += new
          sums[place].count += 1
          both += 1
        case (false, true):
          result.lost += 1
          guard isSeen, attendance.new.expects(member.key, in: pair.new) else { continue }
          lost.values.append(base)
          lost.pairs.insert(place)
        case (true, false):
          result.gained += 1
          guard isSeen, attendance.base.expects(member.key, in: pair.base) else { continue }
          gained.values.append(new)
          gained.pairs.insert(place)
        case (true, true): break
        }
      }
      // Where both sides lack it in most pairs, what counts is which lacks it more often.
      if lost.values.count > max(both, gained.values.count) { result.vanished.add(lost) }
      if gained.values.count > max(both, lost.values.count) { result.appeared.add(gained) }
      if !gained.values.isEmpty { result.isDark.base = true }
      if !lost.values.isEmpty { result.isDark.new = true }
    }
    result.pairs = zip(pairs, sums).compactMap { pair, sum in
      guard sum.count > 0 else { return nil }
      return ValuePair(
        base: sum.base / Double(sum.count), new: sum.new / Double(sum.count), point: pair.point)
    }
    return result
  }

  /// Indicates a value of what people see and hear, or of how soon that is good again, which is not missing for a good
  /// reason.
  private var isSeen: Bool {
    key.scope != "meeting" && key.scope != "link"
      && (ScalarMetric.aspect(of: key.metric) == .quality || key.metric == "recovery_time")
  }
}

extension KeyGroup.OneSide {
  fileprivate mutating func add(_ other: KeyGroup.OneSide) {
    values += other.values
    pairs.formUnion(other.pairs)
  }
}

extension ScalarKey {
  /// Returns the key without the parts that a row averages over.
  fileprivate func grouped(by grouping: ComparisonRule.Grouping) -> ScalarKey {
    // In the meeting's values, the viewer is part of the result, such as the one in the worst seat.
    let keepsViewer = grouping == .tile || grouping == .viewer && scope != "meeting"
    // In a link's values, the source is the link.
    let keepsSource = grouping == .tile || grouping == .viewer && viewer.isEmpty
    return ScalarKey(
      scope: scope, viewer: keepsViewer ? viewer : "", source: keepsSource ? source : "", metric: metric,
      stat: stat, unit: unit, direction: direction)
  }
}
