import Metrics
import Plan
import Quantity
import YAML

/// The value named by an expectation: a whole-run value, or a statistic over the intervals of a table.
struct ExpectedValue {
  var metric: String
  var stat: String
  var measure: Expectation.Measure?

  /// Part of the meeting that an expectation covers.
  struct Window {
    var from: SimDuration?
    var to: SimDuration?
    var after: SimDuration?
    var within: SimDuration?

    var isWhole: Bool { from == nil && to == nil && after == nil }
  }

  /// Finds a value; `nil`, with an error reported, if there is none.
  ///
  /// - Parameter condition: condition that ends a recovery.
  static func named(
    _ name: Name, stat: String?, of scope: ScalarMetric.Scope, in window: Window,
    until condition: Expectation.Target?, _ own: Entry<ExpectationSection>
  ) -> ExpectedValue? {
    let metric = name.text
    let whole = ExpectationMetric.all.filter { $0.scope == scope && $0.metric == metric }
    let column = ExpectationColumn.all.first { $0.scope == scope && $0.answers(to: metric) }
    guard !whole.isEmpty || column != nil else {
      name.report("there is no metric '\(metric)' of \(scope.phrase): \(hint(metric, scope))")
      return nil
    }
    let stats = whole.map(\.stat)
    let chosen = stat ?? (stats.contains("mean") ? "mean" : stats.first ?? "mean")
    if window.isWhole, let own = whole.first(where: { $0.stat == chosen }) {
      return ExpectedValue(metric: own.metric, stat: own.stat)
    }
    guard let column else {
      if window.isWhole {
        reportStat(chosen, among: stats, of: metric, own)
      } else {
        name.report(
          "'\(metric)' is measured over the whole meeting only: remove the times, or use a column of "
            + "'\(scope.intervalTable?.fileName ?? "links.csv")'")
      }
      return nil
    }
    let direction = ExpectationMetric.all.first { $0.scope == scope && column.answers(to: $0.metric) }?
      .direction
    var measure = Expectation.Measure(
      column: column.name, statistic: .mean, from: window.from.map(\.milliseconds),
      to: window.to.map(\.milliseconds), unit: column.unit, direction: direction ?? .neither)
    if let after = window.after {
      if let stat {
        own.report(
          at: "stat", "stat: '\(stat)' does not go with 'after': the time to recover is no statistic")
        return nil
      }
      measure.statistic = .recovery
      measure.from = after.milliseconds
      measure.target = condition
      measure.unit = "s"
      measure.direction = .smaller
    } else {
      guard
        let statistic = Expectation.IntervalStatistic.named.first(where: { $0.rawValue == chosen })
      else {
        reportStat(
          chosen, among: Expectation.IntervalStatistic.named.map(\.rawValue),
          whole: window.isWhole ? stats : [],
          of: metric, own)
        return nil
      }
      measure.statistic = statistic
    }
    return ExpectedValue(metric: column.name, stat: measure.name, measure: measure)
  }

  /// Returns the unit of the value that a condition bounds; for a recovery, the unit of its target.
  func unit(in scope: ScalarMetric.Scope) -> String {
    if let measure {
      return ExpectationColumn.all.first { $0.scope == scope && $0.name == measure.column }?.unit
        ?? measure.unit
    }
    let declared = ScalarMetric.allCases.map(\.declaration).first {
      $0.scopes.contains(scope) && "\($0.name)" == metric && "\($0.stat)" == stat
    }
    return declared.map { "\($0.unit)" } ?? "1"
  }

  private static func reportStat(
    _ stat: String, among known: [String], whole: [String] = [], of metric: String,
    _ own: Entry<ExpectationSection>
  ) {
    let names = known + whole.filter { !known.contains($0) }
    let meant = Vocabulary.meaning(of: stat, among: names) ?? Suggestion.nearest(to: stat, among: names)
    let nearest = meant.map { ": did you mean '\($0)'?" } ?? ""
    own.report(
      at: "stat", "stat: '\(metric)' has no '\(stat)', only \(names.joined(separator: ", "))\(nearest)")
  }

  /// Checks whether a metric exists, but only for other scopes.
  static func isOfAnotherScope(_ metric: String?, than scope: ScalarMetric.Scope) -> Bool {
    guard let metric else { return false }
    func has(_ scope: ScalarMetric.Scope) -> Bool {
      ExpectationMetric.all.contains { $0.scope == scope && $0.metric == metric }
        || ExpectationColumn.all.contains { $0.scope == scope && $0.answers(to: metric) }
    }
    return !has(scope) && ScalarMetric.Scope.allCases.contains(where: has)
  }

  private static func hint(_ metric: String, _ scope: ScalarMetric.Scope) -> String {
    let others = ScalarMetric.Scope.allCases.filter { other in
      ExpectationMetric.all.contains { $0.scope == other && $0.metric == metric }
        || ExpectationColumn.all.contains { $0.scope == other && $0.answers(to: metric) }
    }
    if let other = others.first { return "it is one of \(other.phrase): \(other.keys)" }
    return Suggestion.text(forMetric: metric, among: ExpectationMetric.names(of: scope))
  }
}

extension ScalarMetric.Scope {
  /// Scope with its article.
  var phrase: String { self == .meeting ? "the meeting" : "a \(rawValue)" }

  /// Advice on how an expectation names its subject.
  fileprivate var keys: String {
    switch self {
    case .tile: "name it with 'viewer' and 'source'"
    case .voice: "name it with 'viewer' and 'voice'"
    case .participant: "name it with 'participant' alone"
    case .link: "name it with 'link' alone"
    case .meeting: "it goes without 'viewer', 'participant' and 'link'"
    }
  }
}

extension SimDuration {
  /// Duration in whole milliseconds.
  fileprivate var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
