import Metrics
import ResultReading

/// Keys of two scalar tables that are covered by one row of a comparison.
///
/// A run counts once: the values of its tiles, links or participants are averaged, since they are not replications of
/// one another.
struct KeyGroup {
  let scope: String
  let viewer: String
  let source: String
  let metric: String
  let stat: String
  let unit: String
  let direction: ScalarRow.Direction
  /// Values over runs, for keys present in both tables.
  private var members: [(base: [Double], new: [Double])] = []
  /// Values over runs, for keys present in one table only.
  private var baseOnly: [[Double]] = []
  private var newOnly: [[Double]] = []

  /// Values of a pair of runs.
  struct ValuePair {
    let base: Double
    let new: Double
    let point: Int
  }

  private init(_ key: ScalarKey) {
    scope = key.scope
    viewer = key.viewer
    source = key.source
    metric = key.metric
    stat = key.stat
    unit = key.unit
    direction = key.direction
  }

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
      let group = number(of: key)
      if let other = newNumbers[key] {
        groups[group].members.append((base.values[place], new.values[other]))
      } else {
        groups[group].baseOnly.append(base.values[place])
      }
    }
    for (place, key) in new.keys.enumerated() where !baseKeys.contains(key) && counts(key) {
      groups[number(of: key)].newOnly.append(new.values[place])
    }
    return groups
  }

  /// Returns each run's mean over the keys with values on both sides, and the numbers of values on only one side.
  func values(_ pairs: [RunPairing.Pair]) -> (pairs: [ValuePair], lost: Int, gained: Int) {
    var result: [ValuePair] = []
    var lost = 0
    var gained = 0
    for pair in pairs {
      var sums = (base: 0.0, new: 0.0)
      var count = 0
      for member in members {
        let base = member.base[pair.base]
        let new = member.new[pair.new]
        switch (base.isNaN, new.isNaN) {
        case (false, false):
          sums.base += base
          sums.new += new
          count += 1
        case (false, true): lost += 1
        case (true, false): gained += 1
        case (true, true): break
        }
      }
      lost += baseOnly.filter { !$0[pair.base].isNaN }.count
      gained += newOnly.filter { !$0[pair.new].isNaN }.count
      if count > 0 {
        result.append(
          ValuePair(base: sums.base / Double(count), new: sums.new / Double(count), point: pair.point))
      }
    }
    return (result, lost, gained)
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
