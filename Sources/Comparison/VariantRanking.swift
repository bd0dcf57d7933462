package import Metrics
package import ResultReading
package import Statistics

/// Variants of a scenario, ranked by one metric over runs with common random numbers.
package struct VariantRanking: Sendable {
  /// Values to rank: those of a metric, averaged over the keys that they cover in a run.
  package struct Subject: Sendable {
    package let metric: String
    package let stat: String
    package let unit: String
    package let direction: ScalarRow.Direction
    /// Keys of the values, in the results.
    fileprivate let keys: [Int]
    package var count: Int { keys.count }

    /// Selects the values of a metric: those of a tile, of a viewer, or of the meeting, whichever is the narrowest that
    /// exists for the given names.
    ///
    /// - Throws: ``ComparisonError`` if there is none, or its metric has no preferred direction.
    package init(
      metric: String, stat: String?, viewer: String?, source: String?, in results: Results
    ) throws(ComparisonError) {
      let keys = results.scalars.keys
      let about = keys.indices.filter { place in
        let key = keys[place]
        return key.metric == metric && stat.map { $0 == key.stat } ?? true
          && viewer.map { $0 == key.viewer } ?? true && source.map { $0 == key.source } ?? true
      }
      let scopes = Self.scopes(hasViewer: viewer != nil, hasSource: source != nil).map(\.rawValue)
      guard let scope = scopes.first(where: { scope in about.contains { keys[$0].scope == scope } }),
        let first = about.first(where: { keys[$0].scope == scope })
      else {
        let whom = [viewer.map { "viewer '\($0)'" }, source.map { "source '\($0)'" }].compactMap { $0 }
        throw ComparisonError(
          description:
            "no run has a value '\(metric)'\(stat.map { " \($0)" } ?? "")\(whom.isEmpty ? "" : " of ")"
            + whom.joined(separator: " and "))
      }
      let key = keys[first]
      guard key.direction != .neither else {
        throw ComparisonError(
          description: "neither more nor less '\(metric)' is better: rank by another metric")
      }
      self.metric = metric
      self.stat = key.stat
      unit = key.unit
      direction = key.direction
      self.keys = about.filter { keys[$0].scope == scope && keys[$0].stat == key.stat }
    }

    /// Returns the scopes of the values that may be meant, the narrowest first.
    package static func scopes(hasViewer: Bool, hasSource: Bool) -> [ScalarMetric.Scope] {
      switch (hasViewer, hasSource) {
      case (false, false): [.meeting, .participant, .tile, .link]
      case (false, true): [.tile, .link, .voice]
      case (true, false): [.participant, .tile]
      case (true, true): [.tile, .voice]
      }
    }

    /// Returns a run's value; `nil` if it has none.
    fileprivate func value(of run: Int, in results: Results) -> Double? {
      Sample(keys.map { results.scalars.values[$0][run] }).mean
    }

    fileprivate func isBetter(_ first: Double, than second: Double) -> Bool {
      direction == .bigger ? first > second : first < second
    }
  }

  package enum Verdict: String, Sendable {
    case base = ""
    case better = "clearly better"
    case worse = "clearly worse"
    case notShown = "not shown"
    /// Every repetition has the same value.
    case same = "same in all runs"
  }

  /// A tile whose quality a variant lowers.
  package struct Loss: Sendable {
    package let viewer: String
    package let source: String
    package let metric: String
    package let unit: String
    /// Means over the pairs of runs; `nil` for a tile that the variant shows in less than half of these.
    package let base: Double
    package let new: Double?
  }

  package struct Row: Sendable {
    package let label: String
    /// Mean over the runs; `nil` if none has a value.
    package let mean: Double?
    /// Difference from the base, over pairs of runs; `nil` for the base.
    package let difference: MeanDifference?
    package let verdict: Verdict
    /// Number of runs without a value although the base has one.
    package let missing: Int
    /// Number of runs with a value.
    package let count: Int
    package let losses: [Loss]
  }

  package let subject: Subject
  /// Variants and the base, best first; last those without a value in most runs.
  package private(set) var rows: [Row] = []
  /// Number of repetitions that finished for all variants.
  package let pairs: Int
  /// `true` if more runs would change neither the verdicts against the base nor the best variant.
  package private(set) var isDecided = false
  /// Joint confidence level of the intervals.
  package let level: Double

  /// Tile metrics in which a loss counts.
  private static let costs = ["mos", "freezes_duration"]

  /// - Parameters:
  ///   - results: a sweep with one variable, whose values are the labels, starting with the base's.
  ///   - level: probability that all intervals hold together.
  ///   - looks: number of times that the ranking is computed, as more runs finish.
  package init(_ results: Results, by subject: Subject, level: Double, looks: Int) {
    self.subject = subject
    self.level = level
    var labels: [String] = []
    var runs: [String: [Int: Int]] = [:]
    for (number, run) in results.runs.enumerated() {
      let label = run.variables.first?.value ?? ""
      if runs[label] == nil { labels.append(label) }
      runs[label, default: [:]][run.repetition] = run.isFinished ? number : nil
    }
    let base = labels.first.flatMap { runs[$0] } ?? [:]
    let repetitions = base.keys.sorted().filter { number in labels.allSatisfy { runs[$0]?[number] != nil } }
    pairs = repetitions.count
    // Bonferroni over the differences from the base and from the best, at every look.
    let comparisons = max(1, (2 * labels.count - 3) * looks)
    let each = 1 - (1 - level) / Double(comparisons)
    func values(_ label: String) -> [Double] {
      repetitions.map { number in
        runs[label]?[number].flatMap { subject.value(of: $0, in: results) } ?? .nan
      }
    }
    func difference(_ new: [Double], from old: [Double]) -> MeanDifference? {
      MeanDifference.paired(zip(old, new).map { (first: $0, second: $1) }, level: each)
    }
    let all = labels.map(values)
    guard let baseValues = all.first else { return }
    let unsorted = zip(labels, all).enumerated().map { place, element -> Row in
      let (label, values) = element
      let count = values.count { !$0.isNaN }
      let missing = zip(baseValues, values).count { !$0.isNaN && $1.isNaN }
      guard place > 0 else {
        return Row(
          label: label, mean: Sample(values).mean, difference: nil, verdict: .base, missing: 0, count: count,
          losses: [])
      }
      let difference = difference(values, from: baseValues)
      let runPairs = repetitions.compactMap { number -> (base: Int, new: Int)? in
        guard let old = base[number], let new = runs[label]?[number] else { return nil }
        return (old, new)
      }
      return Row(
        label: label, mean: Sample(values).mean, difference: difference,
        verdict: Self.verdict(on: difference, missing: missing, subject), missing: missing, count: count,
        losses: Self.losses(runPairs, in: results, apartFrom: subject, level: level))
    }
    let order = unsorted.indices.sorted { a, b in
      let isRare = [a, b].map { 2 * unsorted[$0].count < repetitions.count }
      guard isRare[0] == isRare[1] else { return isRare[1] }
      guard let x = unsorted[a].mean, let y = unsorted[b].mean, x != y else {
        return unsorted[a].mean != nil && unsorted[b].mean == nil || a < b && unsorted[b].mean != nil
      }
      return subject.isBetter(x, than: y)
    }
    rows = order.map { unsorted[$0] }
    let best = all[order[0]]
    isDecided = all.indices.allSatisfy { place in
      // More runs do not tell of what none has.
      unsorted[place].count == 0 && !repetitions.isEmpty
        || (place == 0 || Self.isSettled(difference(all[place], from: baseValues)))
          && (place == order[0] || Self.isSettled(difference(all[place], from: best)))
    }
  }

  private static func verdict(on difference: MeanDifference?, missing: Int, _ subject: Subject) -> Verdict {
    guard let interval = difference?.interval else { return .notShown }
    if interval.low == 0, interval.high == 0 { return missing > 0 ? .notShown : .same }
    guard interval.low > 0 || interval.high < 0 else { return .notShown }
    guard subject.isBetter(interval.low, than: 0) else { return .worse }
    // Something not measured is not better.
    return missing > 0 ? .notShown : .better
  }

  /// Indicates an interval that excludes zero, or runs that do not differ at all.
  private static func isSettled(_ difference: MeanDifference?) -> Bool {
    guard let interval = difference?.interval else { return false }
    return interval.low > 0 || interval.high < 0 || interval.low == 0 && interval.high == 0
  }

  /// Finds tiles that lose quality, by Student's t-tests on the pairs, with Holm's correction over all of them.
  private static func losses(
    _ pairs: [(base: Int, new: Int)], in results: Results, apartFrom subject: Subject, level: Double
  ) -> [Loss] {
    let keys = results.scalars.keys
    var tested: [(key: ScalarKey, difference: MeanDifference, base: Double)] = []
    var gone: [Loss] = []
    for place in keys.indices
    where keys[place].scope == "tile" && costs.contains(keys[place].metric) && !subject.keys.contains(place) {
      let values = results.scalars.values[place]
      let shown = pairs.filter { !values[$0.base].isNaN }
      let known = shown.filter { !values[$0.new].isNaN }
      if 2 * known.count < shown.count {
        let key = keys[place]
        if key.metric == costs[0], let base = Sample(shown.map { values[$0.base] }).mean {
          gone.append(
            Loss(
              viewer: key.viewer, source: key.source, metric: key.metric, unit: key.unit, base: base, new: nil
            ))
        }
        continue
      }
      guard let base = Sample(known.map { values[$0.base] }).mean,
        let difference = MeanDifference.paired(
          known.map { (first: values[$0.base], second: values[$0.new]) }, level: level),
        difference.pValue != nil
      else { continue }
      tested.append((keys[place], difference, base))
    }
    let adjusted = HolmCorrection.adjusted(tested.map { $0.difference.pValue ?? 1 })
    return gone
      + zip(tested, adjusted).compactMap { one, p in
        let isLoss =
          one.key.direction == .bigger ? one.difference.difference < 0 : one.difference.difference > 0
        guard isLoss, p < 1 - level, abs(one.difference.difference) >= least(of: one.key.metric) else {
          return nil
        }
        return Loss(
          viewer: one.key.viewer, source: one.key.source, metric: one.key.metric, unit: one.key.unit,
          base: one.base, new: one.base + one.difference.difference)
      }
  }

  /// Minimum loss to report [our model]: a tenth of a score, half a second of freezes.
  private static func least(of metric: String) -> Double { metric == "mos" ? 0.1 : 0.5 }
}
