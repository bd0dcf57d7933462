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
    let keys: [Int]
    /// Keys of the times without frames of the same tiles, for a metric of pictures that is the lower, the fewer are
    /// shown.
    fileprivate let darkness: [Int]
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
      let own = about.filter { keys[$0].scope == scope && keys[$0].stat == key.stat }
      self.keys = own
      darkness =
        !Self.lowWithoutPictures.contains(metric)
        ? []
        : keys.indices.filter { place in
          keys[place].metric == VariantRanking.darkness
            && own.contains {
              keys[$0].viewer == keys[place].viewer
                && (keys[$0].source.isEmpty || keys[$0].source == keys[place].source)
            }
        }
    }

    /// Metrics that are low for a tile that shows few pictures.
    private static let lowWithoutPictures: Set = [
      "freeze_count", "freezes_duration", "frame_delay", "frames_dropped", "frames_late",
      "jitter_buffer_delay",
      "packets_lost",
    ]

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

    /// Returns the mean time without frames of a run's tiles [s]; `nil` if it does not matter.
    fileprivate func darkness(of run: Int, in results: Results) -> Double? {
      Sample(darkness.map { results.scalars.values[$0][run] }).mean
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
    /// It is better, but the tile is without frames for clearly longer.
    case darker = "shows less"
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
    /// Mean over the runs in which the base has a value too, or over its own if there is none; `nil` without a value.
    package let mean: Double?
    /// Mean of the base over the same runs; `nil` for the base, and if no run has both values.
    package let baseMean: Double?
    /// Difference from the base, over pairs of runs; `nil` for the base.
    package let difference: MeanDifference?
    package let verdict: Verdict
    /// Number of runs without a value although the base has one; for the base, of all without.
    package let missing: Int
    /// Number of runs with a value although the base has none.
    package let additional: Int
    /// Number of runs with a value.
    package let count: Int
    package let losses: [Loss]
    /// Time without frames beyond the base's, if that is clear: at least ``leastDarkness`` [s].
    package let darkness: Double?
  }

  /// Metric by which a tile that shows fewer pictures is found.
  static let darkness = "time_without_frames"
  /// Difference in the time without frames that counts [our model].
  package static let leastDarkness = 0.5

  package let subject: Subject
  /// Variants and the base, best first; then those that look better because they show less, and last those without a
  /// value in most runs.
  package private(set) var rows: [Row] = []
  /// Number of repetitions that finished for all variants.
  package let pairs: Int
  /// Variants of which more runs may change the verdict against the base or the place behind the best.
  package private(set) var undecided: [String] = []
  /// `true` if more runs would change neither the verdicts against the base nor the best variant.
  package var isDecided: Bool { !rows.isEmpty && undecided.isEmpty }
  /// Joint confidence level of the intervals.
  package let level: Double

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
    func values(_ label: String, of value: (Int) -> Double?) -> [Double] {
      repetitions.map { number in runs[label]?[number].flatMap(value) ?? .nan }
    }
    func difference(_ new: [Double], from old: [Double]) -> MeanDifference? {
      MeanDifference.paired(zip(old, new).map { (first: $0, second: $1) }, level: each)
    }
    let all = labels.map { values($0) { subject.value(of: $0, in: results) } }
    guard let baseValues = all.first else { return }
    let darkness = labels.map { values($0) { subject.darkness(of: $0, in: results) } }
    let unsorted = zip(labels, all).enumerated().map { place, element -> Row in
      let (label, values) = element
      let count = values.count { !$0.isNaN }
      guard place > 0 else {
        return Row(
          label: label, mean: Sample(values).mean, baseMean: nil, difference: nil, verdict: .base,
          missing: values.count - count, additional: 0, count: count, losses: [], darkness: nil)
      }
      let missing = zip(baseValues, values).count { !$0.isNaN && $1.isNaN }
      let pairs = zip(baseValues, values).filter { !$0.isNaN && !$1.isNaN }
      let darker = difference(darkness[place], from: darkness[0]).flatMap { found in
        found.difference >= Self.leastDarkness && found.interval.map { $0.low > 0 } ?? false
          ? found.difference : nil
      }
      let difference = difference(values, from: baseValues)
      let runPairs = repetitions.compactMap { number -> (base: Int, new: Int)? in
        guard let old = base[number], let new = runs[label]?[number] else { return nil }
        return (old, new)
      }
      return Row(
        label: label, mean: Sample(pairs.isEmpty ? values : pairs.map(\.1)).mean,
        baseMean: Sample(pairs.map(\.0)).mean, difference: difference,
        verdict: Self.verdict(on: difference, missing: missing, isDarker: darker != nil, subject),
        missing: missing, additional: count - pairs.count, count: count,
        losses: Self.losses(runPairs, in: results, apartFrom: subject, level: level), darkness: darker)
    }
    func isBetterThanBase(_ row: Row) -> Bool {
      row.difference.map { subject.isBetter($0.difference, than: 0) } ?? false
    }
    // Means of different runs are not comparable, but differences from the base are.
    func rank(_ row: Row) -> Double? {
      unsorted[0].mean == nil ? row.mean : row.verdict == .base ? 0 : row.difference?.difference
    }
    let order = unsorted.indices.sorted { a, b in
      let isRare = [a, b].map { 2 * unsorted[$0].count < repetitions.count }
      guard isRare[0] == isRare[1] else { return isRare[1] }
      let flatters = [a, b].map { unsorted[$0].darkness != nil && isBetterThanBase(unsorted[$0]) }
      guard flatters[0] == flatters[1] else { return flatters[1] }
      let (first, second) = (rank(unsorted[a]), rank(unsorted[b]))
      guard let first, let second, first != second else {
        return first != nil && second == nil || a < b && second != nil
      }
      return subject.isBetter(first, than: second)
    }
    rows = order.map { unsorted[$0] }
    let best = all[order[0]]
    func isOpen(_ place: Int) -> Bool {
      // More runs do not tell of what none has.
      if unsorted[place].count == 0, !repetitions.isEmpty { return false }
      if place != 0, !Self.isSettled(difference(all[place], from: baseValues)) { return true }
      return place != order[0] && !Self.isSettled(difference(all[place], from: best))
    }
    undecided = all.indices.filter(isOpen).map { labels[$0] }
  }

  private static func verdict(
    on difference: MeanDifference?, missing: Int, isDarker: Bool, _ subject: Subject
  ) -> Verdict {
    guard let interval = difference?.interval else { return .notShown }
    if interval.low == 0, interval.high == 0 { return missing > 0 ? .notShown : .same }
    guard interval.low > 0 || interval.high < 0 else { return .notShown }
    guard subject.isBetter(interval.low, than: 0) else { return .worse }
    // Something not measured is not better.
    return missing > 0 ? .notShown : isDarker ? .darker : .better
  }

  /// Indicates an interval that excludes zero, or runs that do not differ at all.
  private static func isSettled(_ difference: MeanDifference?) -> Bool {
    guard let interval = difference?.interval else { return false }
    return interval.low > 0 || interval.high < 0 || interval.low == 0 && interval.high == 0
  }
}
