import JSON
import Quantity
import YAML

/// A sweep file.
struct SweepSection: Section {
  var about = FileDescription()
  var scenario: Field?
  var set: Field?
  var variables: Field?
  var zip: Field?
  var points: Field?
  var sample: Entry<SampleSection>?
  var conditions: [Name]?
  var repetitions: Int?
  var until: Entry<UntilSection>?
  var runs = SweepFile.Runs()
  var keepsSeries: Bool?
  var results = SweepFile.Results()
  var expect: [Field]?

  static let keys: [Key<Self>] = about + design + runs + results

  private static let about: [Key<Self>] = [
    .schemaLocation(\.about.schema),
    Key(
      "name", \.about.name, .identifier,
      "Short name: letters, digits, '_', '-' and '.'; by default that of the file.", examples: ["smoke"]),
    Key("title", \.about.title, .text, "What the sweep shows, in a few words.").shown("Score by capacity"),
    Key(
      "scenario", \.scenario, .later(.any(of: .anyText, .reference("varied-scenario"))),
      "The scenario: its path relative to this file, or an inline scenario.",
      required: "../one-to-one.yaml", examples: ["../one-to-one.yaml"]
    ).ofType("path of a file, or mapping as in a scenario").shown(example).beside("{}"),
    Key(
      "set", \.set,
      .later(Shape([("type", .text("object")), ("additionalProperties", Shape.anything.json)])),
      "Values set at all points, by path: 'links.home.delay: 20 ms'."
    ).shown("{links.home.delay: 20 ms}").ofType("mapping from paths to values"),
  ]

  private static let design: [Key<Self>] = [
    Key(
      "variables", \.variables,
      .later(
        Shape([
          ("type", .text("object")),
          (
            "propertyNames",
            .object([("pattern", .text("^(?!(and|or|not)$)[A-Za-z_][A-Za-z0-9_]{0,39}$"))])
          ),
          ("additionalProperties", Shape.reference("variable").json),
        ])), "Variables, by name; the name is the path in the scenario unless 'path' gives it."
    ).named("capacity").shown("{seed: [1, 2, 3]}"),
    Key(
      "zip", \.zip, .later(.list(of: .any(of: .anyText, .list(of: .anyText)))),
      "Variables that advance together: a list of names, or several such lists."
    ).shown("[seed, duration]").amid("{variables: {seed: [1, 2], duration: [10s, 20s]}}"),
    Key(
      "points", \.points,
      .later(
        .any(
          of: Shape([("type", .text("array")), ("items", .object([("type", .text("object"))]))]),
          PointsFileSection.shape)),
      "Explicit points, or a CSV file of points whose header names the variables."
    ).shown("[{seed: 1, duration: 10s}, {seed: 2, duration: 20s}]"),
    Key(
      "sample", \.sample, .section(SampleSection.self, "sample"),
      "Samples the ranges that have neither 'count' nor 'step'."
    ).amid("{variables: {capacity: {path: links.home.capacity, range: {from: 500 kbps, to: 8 Mbps}}}}"),
    Key(
      "where", \.conditions, .oneOrMore(.name), "Conditions on the variables; other points are excluded.",
      examples: ["capacity <= 1 Mbps"]
    ).amid(variedCapacity),
  ]

  private static let runs: [Key<Self>] = [
    Key("repetitions", \.repetitions, .integer(1...10_000), "Runs per point.", default: "1").shown("10"),
    Key(
      "until", \.until, .section(UntilSection.self, "until"),
      "Repeats a point until the confidence interval of a mean is narrow enough."),
    Key(
      "seeds", default: \.runs.seeds, .choice,
      "Whether a repetition uses the same random numbers at all points."),
    Key(
      "seed", \.runs.seed, ValueType.integer(0...Int.max).mapped { UInt64($0) },
      "Overrides the scenario's seed."
    ).shown("7"),
    Key(
      "timeout", into: \.runs.timeout, .duration(atLeast: .milliseconds(100)),
      "Wall-clock limit per run, from 100 ms.",
      examples: ["10 min"]),
  ]

  private static let results: [Key<Self>] = [
    Key("keep-series", \.keepsSeries, .flag, "Keeps the time series of all runs.", default: "false"),
    Key(
      "compress-series", default: \.results.compressesSeries, .flag,
      "Keeps the time series of all runs, compressed with gzip."),
    Key(
      "interval", into: \.results.interval, .duration(atLeast: .milliseconds(10), atMost: .seconds(3600)),
      "Sampling interval of the tables, and of what is judged by intervals (utility and its gaps, switches), 10 ms to 1 h.",
      examples: ["1 s"]),
    Key(
      "metrics", into: \.results.metrics, .oneOrMore(.keptMetric), "Metrics to keep; by default all.",
      examples: ["mos"]),
    Key(
      "scope", into: \.results.scopes, .oneOrMore(.word(["tile", "participant", "link", "meeting"])),
      "Scopes to keep; by default all."),
    Key("viewer", into: \.results.viewers, .oneOrMore(.text), "Viewers to keep; by default all.").shown(
      "eve"),
    Key("confidence", default: \.results.level, .number(0.5...0.9999), "Confidence level of the intervals.")
      .shown("0.9"),
    Key(
      "expect", \.expect, .later(of: .reference("point-expectation")),
      "Expectations that 'meetsim check' evaluates at all points, or at those that 'where' selects."
    ).shown("[{viewer: eve, source: ann, metric: mos, is: '>= 3'}]"),
  ]

  static var rules: [Rule] {
    [("zip", "points"), ("zip", "sample"), ("points", "sample")].map { .not(.has($0.0, $0.1)) }
  }

  static let companions: String? = "{name: example, scenario: \(example)}"

  /// Scenario used in examples.
  private static let example =
    "{name: example, links: {home: {capacity: 2 Mbps}}, participants: [{id: ann, publish: {camera: 720p30}}, "
    + "{id: eve, down: home, view: {tiles: {ann: 640x360}}}]}"

  /// Variables used in examples of conditions.
  static let variedCapacity = "{variables: {capacity: {path: links.home.capacity, values: [1 Mbps, 2 Mbps]}}}"
}

/// A file that lists points.
struct PointsFileSection: Section {
  var file: Name?

  static let keys: [Key<Self>] = [
    Key(
      "file", \.file, .name, "Path of the file, relative to this file.", required: "points.csv",
      examples: ["points.csv"]
    ).ofType("path of a file")
  ]
}

/// Sampling of ranges.
struct SampleSection: Section {
  var method: SweepFile.SampleMethod?
  var count: Int?
  var seed = 1

  static let keys: [Key<Self>] = [
    Key("method", \.method, .choice, "Sampling method.", required: "latin-hypercube"),
    Key("count", \.count, .integer(2...SweepReader.pointLimit), "Number of points.", required: "64")
      .shown("16"),
    Key("seed", default: \.seed, .integer(0...Int.max), "Seed of the design.").shown("7"),
  ]
}

/// A rule for ending the repetitions of a point.
struct UntilSection: Section {
  var metric: String?
  var stat = "mean"
  var viewer: String?
  var source: String?
  var halfWidth: SweepValue?
  var maximum: Field?

  static let keys: [Key<Self>] = [
    Key(
      "metric", \.metric, .text, "Metric whose interval decides.", required: "mos", examples: ["mos"]),
    Key("stat", default: \.stat, .text, "Statistic of the metric."),
    Key("viewer", \.viewer, .text, "Viewer; by default all.").shown("eve"),
    Key("source", \.source, .text, "Source; by default all.").shown("ann"),
    Key(
      "half-width", \.halfWidth, .halfWidth,
      "Half-width of the interval: a share of the mean, or an absolute value.", required: "5 %",
      examples: ["5 %"]),
    Key("max", \.maximum, .later(.integer(2...10_000)), "Maximum number of repetitions.", required: "50")
      .shown("50"),
  ]
}

/// A variable with an explicit path or unit.
struct VariableSection: Section {
  var paths: [String]?
  var unit: String?
  var list: [Field]?
  var range: Entry<RangeSection>?

  static let keys: [Key<Self>] = [
    Key(
      "path", \.paths, .oneOrMore(.text), "Path in the scenario, as for 'run --set'.",
      examples: ["links.home.capacity"]
    ).beside("{values: [1 Mbps, 2 Mbps]}"),
    Key("unit", \.unit, .text, "Unit of bare numbers.", examples: ["kbps"])
      .beside("{path: links.home.capacity, values: [500, 1000]}"),
    Key("values", \.list, .later(of: .anything, atLeast: 1), valuesMeaning).shown("[1 Mbps, 2 Mbps]"),
    Key(
      "range", \.range, .section(RangeSection.self) { "the range of \($0.dropFirst(9))" },
      "A range of values."
    ).shown("{from: 500 kbps, to: 8 Mbps, count: 4}"),
  ]

  private static let valuesMeaning = "Values, all of one kind."

  static var rules: [Rule] { [.not(.has("values", "range"))] }

  static let companions: String? = "{path: links.home.capacity}"

  /// Schema of a variable: bare values, or a mapping.
  static var either: Shape {
    .any(
      of: Shape.list(of: .anything, atLeast: 1).described(valuesMeaning).shown("[1 Mbps, 2 Mbps]"), shape)
  }
}

/// A range of values.
struct RangeSection: Section {
  var from: Name?
  var to: Name?
  var scale = SweepRange.Scale.linear
  var count: Int?
  var step: Name?

  static let keys: [Key<Self>] = [
    Key("from", \.from, .end, "First value.", required: "500 kbps", examples: ["500 kbps"]),
    Key("to", \.to, .end, "Last value.", required: "8 Mbps", examples: ["8 Mbps"]),
    Key("scale", default: \.scale, .choice, "Spacing of the values."),
    Key("count", \.count, .integer(2...10_000), "Number of values.").shown("8"),
    Key("step", \.step, .end, "Difference between values.", examples: ["500 kbps"])
      .beside("{from: 500 kbps, to: 8 Mbps}"),
  ]

  static var rules: [Rule] { [.not(.has("count", "step"))] }

  static let companions: String? = "{from: 500 kbps, to: 8 Mbps, count: 4}"
}

// MARK: Types

extension Shape {
  /// Shape of any value; the path in the scenario determines which values are valid.
  static let anything = Shape([])
  fileprivate static let numberOrText = Shape([("type", .words(["string", "number"]))])
}

extension ValueType where Value == Name {
  /// An end of a range.
  fileprivate static var end: Self { Self(.numberOrText, read: Self.name.read) }
}

extension ValueType where Value == String {
  /// A metric of the results.
  fileprivate static var keptMetric: Self {
    Self(.word(SweepFile.metricNames)) { field in
      guard let metric = field.text else { return nil }
      let known = SweepFile.metricNames
      guard !known.contains(metric) else { return metric }
      let nearest = Suggestion.nearest(to: metric, among: known, atMost: 1).first
      let cure = nearest.map { "did you mean '\($0)'?" } ?? "'meetsim list metrics' has them all"
      field.report("there is no metric '\(metric)': \(cure)")
      return nil
    }
  }
}

extension ValueType where Value == SweepValue {
  /// Half-width of a confidence interval.
  fileprivate static var halfWidth: Self {
    Self(.numberOrText) { field in
      guard let text = field.text else { return nil }
      let width = SweepValue(text: text)
      if let number = width.number, number > 0, width.kind == .share || width.kind == .number { return width }
      field.report("'\(text)' is neither a share of the mean, such as '5 %', nor a number")
      return nil
    }
  }
}
