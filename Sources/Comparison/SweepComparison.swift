package import Metrics
package import ResultReading
package import Statistics

/// Metric-by-metric comparison of two sweeps.
package struct SweepComparison: Sendable {
  /// A tested difference.
  package struct Row: Sendable {
    package let scope: String
    /// Viewer and source; empty if the row covers several.
    package let viewer: String
    package let source: String
    /// Values of the variables; `nil` if the row covers all points.
    package let point: [RunRecord.Variable]?
    package let metric: String
    package let stat: String
    package let unit: String
    package let direction: ScalarRow.Direction
    /// Number of pairs of runs with a value on both sides.
    package let count: Int
    package let base: Double
    package let new: Double
    package let difference: MeanDifference
    /// Half-width of the interval without pairing; `nil` below two pairs.
    package let unpairedHalfWidth: Double?
    /// p-value after Holm's correction over all rows; `nil` below two pairs.
    package fileprivate(set) var adjustedPValue: Double?
    package fileprivate(set) var verdict = Verdict.notEnoughRuns

    /// Difference as a share of BASE's mean; `nil` if that is zero.
    package var relative: Double? { base == 0 ? nil : difference.difference / abs(base) }
  }

  package let rule: ComparisonRule
  package let pairing: RunPairing
  /// Rows ordered by verdict: regressions, then improvements, then the rest; each by descending share of BASE's mean.
  package private(set) var rows: [Row]
  /// Numbers of values in paired runs that only BASE has, and that only NEW has.
  package private(set) var lostValues = 0
  package private(set) var gainedValues = 0
  /// Number of metrics for which neither higher nor lower is better; they are not tested.
  package private(set) var undirectedMetrics = 0

  package init(base: Results, new: Results, rule: ComparisonRule) throws(ComparisonError) {
    self.rule = rule
    pairing = try RunPairing(base: base, new: new)
    let groups = KeyGroup.groups(base.scalars, new.scalars, by: rule.grouping)
    rows = []
    for group in groups {
      guard group.direction != .neither else {
        undirectedMetrics += 1
        continue
      }
      let values = group.values(pairing.pairs)
      lostValues += values.lost
      gainedValues += values.gained
      if rule.grouping == .point {
        for point in pairing.points.indices {
          let chosen = values.pairs.filter { $0.point == point }
          rows += [row(group, chosen, pairing.points[point])].compactMap(\.self)
        }
      } else {
        rows += [row(group, values.pairs, nil)].compactMap(\.self)
      }
    }
    judge()
  }

  package func count(of verdict: Verdict) -> Int { rows.filter { $0.verdict == verdict }.count }

  /// Factor by which the intervals would be wider without pairing, as the median over all rows that vary; `nil` if none
  /// does, if the runs share no seeds, or if rows cover several points, whose own differences pairing removes too.
  package var narrowing: Double? {
    guard pairing.sharesSeeds, rule.grouping == .point || pairing.points.count == 1 else { return nil }
    return Sample(
      rows.compactMap { row in
        guard let paired = row.difference.interval?.halfWidth, paired > 0 else { return nil }
        return row.unpairedHalfWidth.map { $0 / paired }
      }
    ).quantile(0.5)
  }

  private func row(
    _ group: KeyGroup, _ pairs: [KeyGroup.ValuePair], _ point: [RunRecord.Variable]?
  ) -> Row? {
    let base = pairs.map(\.base)
    let new = pairs.map(\.new)
    guard let baseMean = MeanEstimate(values: base, level: rule.level)?.mean,
      let newMean = MeanEstimate(values: new, level: rule.level)?.mean,
      let unpaired = MeanDifference.unpaired(base, new, level: rule.level),
      let paired = MeanDifference.paired(pairs.map { ($0.base, $0.new) }, level: rule.level)
    else { return nil }
    return Row(
      scope: group.scope, viewer: group.viewer, source: group.source, point: point, metric: group.metric,
      stat: group.stat, unit: group.unit, direction: group.direction, count: pairs.count, base: baseMean,
      new: newMean, difference: pairing.sharesSeeds ? paired : unpaired,
      unpairedHalfWidth: unpaired.interval?.halfWidth)
  }

  private mutating func judge() {
    let tested = rows.indices.filter { rows[$0].difference.pValue != nil }
    let adjusted = HolmCorrection.adjusted(tested.compactMap { rows[$0].difference.pValue })
    for (index, p) in zip(tested, adjusted) {
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
    guard difference != 0, p <= 1 - rule.level, Self.size(row) >= rule.minimumEffect else {
      return .noDifference
    }
    return (difference > 0) == (row.direction == .bigger) ? .better : .worse
  }

  private static func size(_ row: Row) -> Double {
    row.relative.map(abs) ?? (row.difference.difference == 0 ? 0 : .infinity)
  }
}
