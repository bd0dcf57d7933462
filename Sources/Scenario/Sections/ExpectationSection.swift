import Metrics
import Plan
import Quantity
import YAML

/// An expectation on a tile, a voice, a participant, a link or the meeting.
struct ExpectationSection: Section {
  var viewer: Name?
  var source: Name?
  var voice: Name?
  var participant: Name?
  var link: Name?
  var metric: Name?
  var stat: String?
  var from: SimDuration?
  var to: SimDuration?
  var after: SimDuration?
  var within: SimDuration?
  var condition: StatedCondition?
  /// Conditions on the points of a sweep that it applies to.
  var conditions: [Name]?
  /// Statistic over the runs of a point.
  var overRuns: Expectation.RunStatistic?

  /// Keys that name the subject.
  static let subjects = ["viewer", "source", "voice", "participant", "link"]
  /// Keys that only expectations of sweeps have.
  static let ofSweeps = ["where", "over-runs"]
  /// Keys of a scenario's expectations.
  static let ofScenarios = keys.map(\.name).filter { !ofSweeps.contains($0) }

  static let keys: [Key<Self>] = {
    let every = "a name, 'every', or a pattern in which '*' stands for any characters"
    let tile = "{viewer: eve, source: ann, metric: frame_height, stat: p50, is: '>= 360'}"
    let window = "{viewer: eve, source: ann, metric: frame_height, stat: min, is: '>= 90'}"
    let recovery = "{viewer: eve, source: ann, metric: frame_height, is: '>= 90', after: 1s, within: 5s}"
    return [
      Key("viewer", \.viewer, .participant, "Viewing participants: \(every).").shown("every").beside(tile),
      Key("source", \.source, .participant, "Sources, ID/screen for a screen share: \(every).").beside(tile),
      Key("voice", \.voice, .participant, "Participants who are heard: \(every).")
        .beside("{viewer: eve, metric: concealed_frac, stat: mean, is: '<= 0.1'}"),
      Key(
        "participant", \.participant, .participant,
        "Participants, of whom a value of their own is meant: \(every)."
      ).shown("eve").beside("{metric: utility_ratio, is: '>= 0.5'}"),
      Key("link", \.link, .name, "Links: \(every).").shown("eve/down")
        .beside("{metric: queue_delay, stat: max, is: '<= 0.5'}"),
      Key("metric", \.metric, .metric, meaningOfMetrics, required: "frame_height").shown("frame_height")
        .beside(tile),
      Key(
        "stat", \.stat, .statistic,
        "Statistic of the metric over the meeting, or over the intervals of a table; by default the mean, or the "
          + "metric's own where it has none in 'scalars.csv'."
      ).shown("p05").beside(tile),
      Key(
        "from", \.from, .duration, "Only the intervals from this time on count.", examples: ["30s"]
      ).shown("10s").beside(window),
      Key("to", \.to, .duration, "Only the intervals until this time count.", examples: ["60s"])
        .shown("40s").beside(window),
      Key(
        "after", \.after, .duration,
        "The time from which on it may take 'within' until the metric is as stated, and stays so.",
        examples: ["40s"]
      ).shown("1s").beside(recovery),
      Key("within", \.within, .duration, "How long that may take.", examples: ["5s"]).shown("5s")
        .beside(recovery),
      Key("is", \.condition, .condition, required: "\">= 720\"").beside(tile),
      Key(
        "where", \.conditions, .oneOrMore(.name),
        "Conditions on the variables: points to which the expectation applies.",
        examples: ["capacity >= 1 Mbps"]
      ).amid(SweepSection.variedCapacity),
      Key(
        "over-runs", \.overRuns, .choice,
        "Statistic over a point's runs that is compared with the bound: the mean, or a quantile.",
        default: "mean"),
    ]
  }()

  static var rules: [Rule] {
    [
      .any(of: [
        .all([.has("viewer"), .exactlyOne(of: ["source", "voice"])]),
        .not(.any(of: [.has("viewer"), .has("source"), .has("voice")])),
      ]),
      .not(.has("participant", "link")), .not(.has("participant", "viewer")), .not(.has("link", "viewer")),
      .when(
        .any(of: [.has("after"), .has("within")]),
        .all([.has("after", "within"), .not(.any(of: [.has("from"), .has("stat")]))])),
    ]
  }

  static let companions: String? = "{viewer: eve, source: ann, metric: frame_height, stat: p50, is: '>= 360'}"

  private static var meaningOfMetrics: String {
    let meanings = ExpectationMetric.all.map {
      "\($0.metric) (\($0.stat)) of \($0.scope.phrase): \($0.meaning)"
    }
    return
      "A value of the whole meeting, or a number in the subject's interval table, with or without its unit. "
      + meanings.joined(separator: "; ")
  }
}

extension ValueType where Value == Name {
  /// A metric of any subject.
  fileprivate static var metric: Self { Self(.word(ExpectationMetric.names()), read: Self.name.read) }
}

extension ValueType where Value == String {
  /// A statistic of any metric.
  fileprivate static var statistic: Self {
    Self(
      .word(
        (Expectation.IntervalStatistic.named.map(\.rawValue) + ExpectationMetric.all.map(\.stat)).unique),
      read: Self.text.read)
  }
}

/// A condition as stated in a file: a relation, and a number with or without a unit.
struct StatedCondition {
  /// Relation and bound, in the base unit of the stated unit.
  let target: Expectation.Target
  /// Unit as in `scalars.csv`; `nil` for a bare number, which is in the metric's unit.
  let unit: String?

  /// Parses `>= 720`, `>= 720p`, `<= 2 s` or `>= 1.2 Mbps`; `nil` for anything else.
  init?(text: String) {
    let parts = text.split(separator: " ")
    guard parts.count >= 2, let relation = Expectation.Relation(rawValue: String(parts[0])),
      let (bound, unit) = Self.quantity(parts.dropFirst().joined(separator: " "))
    else { return nil }
    target = Expectation.Target(relation: relation, bound: bound)
    self.unit = unit
  }

  private static func quantity(_ text: String) -> (Double, String?)? {
    if let number = Double(decimal: text[...]) { return (number, nil) }
    for (suffix, unit) in [(" px", "px"), ("p", "px"), (" fps", "Hz"), (" Hz", "Hz"), (" MB", "MB")]
    where text.hasSuffix(suffix) {
      if let number = Double(decimal: text.dropLast(suffix.count)) { return (number, unit) }
    }
    if let time = try? SimDuration(text: text) { return (time.seconds, "s") }
    if let rate = try? BitRate(text: text) { return (Double(rate.bitsPerSecond), "bit/s") }
    if text.hasSuffix("%"), let percent = Double(decimal: text.dropLast(text.hasSuffix(" %") ? 2 : 1)) {
      return (percent / 100, "1")
    }
    return nil
  }
}

extension ValueType where Value == StatedCondition {
  /// A relation and a number, with an optional unit.
  static var condition: Self {
    Self(.bound) { field in
      guard let text = field.text else { return nil }
      guard let condition = StatedCondition(text: text) else {
        field.report("'\(text)' is not a relation and a number, such as '>= 720'\(cure(for: text))")
        return nil
      }
      return condition
    }
  }

  /// Suggests a correction for a condition that is almost valid.
  private static func cure(for text: String) -> String {
    let signs = text.prefix { "<>=!~≥≤".contains($0) }
    let rest = text.dropFirst(signs.count).split(separator: " ")
    guard let number = rest.first else { return "" }
    let known = Expectation.Relation(rawValue: String(signs)) != nil
    if Double(decimal: number) != nil, rest.count == 1 {
      guard !known else { return ": put a space between them" }
      return (signs.isEmpty ? ": write '>= \(number)'" : "") + ": the relations are >=, <=, >, < and =="
    }
    let digits = number.prefix { $0.isNumber || $0 == "." }
    guard known, !digits.isEmpty else { return "" }
    return ": the units are p, px, fps, ms, s, kbps, Mbps, MB and %, or none"
  }
}

extension Array where Element: Hashable {
  /// Elements without duplicates, in order of first occurrence.
  var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
