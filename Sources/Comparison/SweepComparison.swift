import Metrics
package import ResultReading
package import Statistics

/// Metric-by-metric comparison of two sweeps.
package struct SweepComparison: Sendable {
  /// A tested difference.
  package struct Row: Sendable {
    /// Subject, metric and statistic; viewer and source are empty if the row covers several.
    package let key: ScalarKey
    /// Values of the variables; `nil` if the row covers all points.
    package let point: [RunRecord.Variable]?
    /// Number of pairs of runs with a value on both sides.
    package let count: Int
    package let base: Double
    package let new: Double
    package fileprivate(set) var difference: MeanDifference
    /// Confidence level of the difference's interval: the level at which Holm's procedure tests the row, so that the
    /// interval excludes zero if and only if the difference is significant; for a single row, the rule's level.
    package fileprivate(set) var level: Double
    /// Factor by which the interval would be wider without pairing; `nil` below two pairs, and if nothing varies.
    let narrowing: Double?
    /// Set for a side that cannot win: on the delay of pictures that it does not show, or on the freezes of dark ones.
    let isUnfair: (base: Bool, new: Bool)
    fileprivate let values: (base: [Double], new: [Double])
    /// p-value after Holm's correction over all rows; `nil` below two pairs.
    package fileprivate(set) var adjustedPValue: Double?
    package fileprivate(set) var verdict = Verdict.notEnoughRuns

    /// Difference as a share of BASE's mean; `nil` if that is zero.
    package var relative: Double? {
      guard base != 0 else { return nil }
      let relative = difference.difference / abs(base)
      return abs(relative) < Self.roundingError ? 0 : relative
    }

    /// Relative difference below which two means are equal but for the order of their sums.
    private static let roundingError = 1e-12
  }

  /// A value of quality that most pairs of runs have on one side only.
  package struct OneSidedRow: Sendable {
    /// Subject, metric and statistic; viewer and source are empty if the row covers several.
    package let key: ScalarKey
    /// Values of the variables; `nil` if the row covers all points.
    package let point: [RunRecord.Variable]?
    /// ``Verdict/vanished`` or ``Verdict/appeared``.
    package let verdict: Verdict
    /// Number of pairs of runs with the value on one side only.
    package let count: Int
    /// Mean over these.
    package let mean: Double

    /// Mean on the side that has the value; `nil` on the other.
    package var base: Double? { verdict == .vanished ? mean : nil }
    package var new: Double? { verdict == .appeared ? mean : nil }
  }

  package let rule: ComparisonRule
  package let pairing: RunPairing
  /// Rows ordered by verdict: regressions, then improvements, then the rest; each by decreasing share of BASE's mean.
  package private(set) var rows: [Row]
  /// Values that vanished or appeared; they are not tested.
  package private(set) var oneSided: [OneSidedRow] = []
  /// Numbers of values in paired runs that only BASE has, and that only NEW has.
  package private(set) var lostValues = 0
  package private(set) var gainedValues = 0
  /// Set if some of these are freezes, which a tile that shows next to nothing does not have.
  package private(set) var leavesOutFreezes = false
  /// Number of metrics for which neither higher nor lower is better; they are not tested.
  package private(set) var undirectedMetrics = 0

  /// - Parameter whole: all values of the runs, of which the results may be a selection; `nil` if they are all.
  package init(
    base: Results, new: Results, of whole: (base: ScalarTable, new: ScalarTable)? = nil, rule: ComparisonRule
  ) throws(ComparisonError) {
    self.rule = rule
    pairing = try RunPairing(base: base, new: new)
    let attendance = (
      base: Attendance(whole?.base ?? base.scalars), new: Attendance(whole?.new ?? new.scalars)
    )
    let groups = KeyGroup.groups(
      base.scalars.withoutHolders, new.scalars.withoutHolders, by: rule.grouping)
    var parts: [Part] = []
    for group in groups {
      guard group.key.direction != .neither else {
        undirectedMetrics += 1
        continue
      }
      if rule.grouping == .point {
        for point in pairing.points.indices {
          let values = group.values(pairing.pairs.filter { $0.point == point }, attendance)
          parts.append(Part(group: group, values: values, point: pairing.points[point]))
        }
      } else {
        parts.append(Part(group: group, values: group.values(pairing.pairs, attendance), point: nil))
      }
    }
    rows = []
    for part in parts {
      lostValues += part.values.lost
      gainedValues += part.values.gained
      if part.group.key.metric.hasPrefix("freeze"), part.values.lost + part.values.gained > 0 {
        leavesOutFreezes = true
      }
      rows += [row(part)].compactMap(\.self)
      oneSided += [Self.row(part, .vanished), Self.row(part, .appeared)].compactMap(\.self)
    }
    judge()
  }

  package func count(of verdict: Verdict) -> Int {
    rows.count { $0.verdict == verdict } + oneSided.count { $0.verdict == verdict }
  }

  /// Factor by which the intervals would be wider without pairing, as the median over all rows that vary; `nil` if none
  /// does, if the runs do not share seeds, or if rows cover several points, since pairing also removes the differences
  /// between points.
  package var narrowing: Double? {
    guard pairing.sharesSeeds, rule.grouping == .point || pairing.points.count == 1 else { return nil }
    return Sample(rows.compactMap(\.narrowing)).quantile(0.5)
  }

  /// Values that a row compares.
  private struct Part {
    let group: KeyGroup
    let values: KeyGroup.Values
    let point: [RunRecord.Variable]?
  }

  private static func row(_ part: Part, _ verdict: Verdict) -> OneSidedRow? {
    let side = verdict == .vanished ? part.values.vanished : part.values.appeared
    guard let mean = Sample(side.values).mean else { return nil }
    return OneSidedRow(
      key: part.group.key, point: part.point, verdict: verdict, count: side.pairs.count, mean: mean)
  }

  private func row(_ part: Part) -> Row? {
    let pairs = part.values.pairs
    let base = pairs.map(\.base)
    let new = pairs.map(\.new)
    guard let baseMean = MeanEstimate(values: base, level: rule.level)?.mean,
      let newMean = MeanEstimate(values: new, level: rule.level)?.mean,
      let unpaired = MeanDifference.unpaired(base, new, level: rule.level),
      let difference = difference(base, new, level: rule.level)
    else { return nil }
    return Row(
      key: part.group.key, point: part.point, count: pairs.count, base: baseMean, new: newMean,
      difference: difference, level: rule.level,
      narrowing: difference.interval.flatMap { interval in
        interval.halfWidth > 0 ? unpaired.interval.map { $0.halfWidth / interval.halfWidth } : nil
      }, isUnfair: Self.unfair(part), values: (base, new))
  }

  private static func unfair(_ part: Part) -> (base: Bool, new: Bool) {
    let (key, values) = (part.group.key, part.values)
    guard key.direction == .smaller else { return (false, false) }
    let isDelay = key.metric.hasSuffix("delay")
    return (
      values.isDark.base || isDelay && values.gained > 0, values.isDark.new || isDelay && values.lost > 0
    )
  }

  private func difference(_ base: [Double], _ new: [Double], level: Double) -> MeanDifference? {
    pairing.sharesSeeds
      ? MeanDifference.paired(zip(base, new).map { ($0, $1) }, level: level)
      : MeanDifference.unpaired(base, new, level: level)
  }

  private mutating func judge() {
    let tested = rows.indices.filter { rows[$0].difference.pValue != nil }
    let adjusted = HolmCorrection.adjusted(tested.compactMap { rows[$0].difference.pValue })
    var level = rule.level
    let byPValue = zip(tested, adjusted).sorted {
      (rows[$0.0].difference.pValue ?? 1, $0.0) < (rows[$1.0].difference.pValue ?? 1, $1.0)
    }
    var isOpen = true
    for (place, (index, p)) in byPValue.enumerated() {
      // From the first row that is not significant, all further rows are tested at its level.
      if isOpen { level = 1 - (1 - rule.level) / Double(tested.count - place) }
      isOpen = isOpen && p <= 1 - rule.level
      rows[index].level = level
      let values = rows[index].values
      rows[index].difference = difference(values.base, values.new, level: level) ?? rows[index].difference
      rows[index].adjustedPValue = p
      rows[index].verdict = verdict(rows[index], p)
    }
    let order = Dictionary(uniqueKeysWithValues: zip(Verdict.allCases, 0...))
    let ranked = rows.enumerated().sorted { a, b in
      let ranks = [a, b].map { (order[$0.element.verdict] ?? 0, -Self.size($0.element), $0.offset) }
      return ranks[0] < ranks[1]
    }
    rows = ranked.map(\.element)
  }

  private func verdict(_ row: Row, _ p: Double) -> Verdict {
    let difference = row.difference.difference
    guard difference != 0, p <= 1 - rule.level else { return .notShown }
    guard Self.size(row) >= rule.minimumEffect else { return .tooSmall }
    let verdict: Verdict = (difference > 0) == (row.key.direction == .bigger) ? .better : .worse
    return (verdict == .better ? row.isUnfair.new : row.isUnfair.base) ? .notShown : verdict
  }

  private static func size(_ row: Row) -> Double {
    row.relative.map(abs) ?? (row.difference.difference == 0 ? 0 : .infinity)
  }
}
