package import Metrics
import Plan
import Quantity

/// Schema of sweep files, which ``SweepReader`` reads.
package enum SweepSchema {
  /// JSON Schema (draft-07) of sweep files.
  package static var document: JSONValue {
    .object(
      [
        ("$schema", .text("http://json-schema.org/draft-07/schema#")), ("title", .text("meetsim sweep")),
        ("description", .text("A scenario, the variables of the sweep, and the number of repetitions.")),
      ] + sweep.keywords + [
        ("definitions", definitions(ScenarioSchema.definitions)),
        (ReaderOnlyCheck.keyword, ReaderOnlyCheck.json),
      ]
    ).withoutNotes
  }

  /// Schema for both kinds of file: a sweep is a file with the key `scenario`.
  package static var either: JSONValue {
    var both = definitions(ScenarioSchema.definitions)
    if case .object(let entries) = both {
      both = .object(entries + [("scenario-file", ScenarioSchema.scenario.json), ("sweep-file", sweep.json)])
    }
    return .object([
      ("$schema", .text("http://json-schema.org/draft-07/schema#")),
      ("title", .text("meetsim scenario or sweep")), ("type", .text("object")),
      ("if", Rule.has("scenario").json), ("then", Shape.reference("sweep-file").json),
      ("else", Shape.reference("scenario-file").json), ("definitions", both),
      (ReaderOnlyCheck.keyword, ReaderOnlyCheck.json),
    ]).withoutNotes
  }

  /// Definitions that sweep files have in addition to those of scenarios, including their notes.
  static var ownDefinitions: JSONValue {
    .object([("variable", variable.json), ("point-expectation", expectation.json)])
  }

  /// Scenario of the examples.
  private static let example =
    "{name: example, links: {home: {capacity: 2 Mbps}}, participants: [{id: ann, publish: {camera: 720p30}}, "
    + "{id: eve, down: home, view: {tiles: {ann: 640x360}}}]}"

  private static func definitions(_ scenario: JSONValue) -> JSONValue {
    guard case .object(let entries) = scenario else { return scenario }
    return .object(
      entries + [
        ("variable", variable.json), ("varied-scenario", variedScenario.json),
        ("point-expectation", expectation.json),
      ])
  }

  /// Schema of an inline scenario; `set` may supply missing keys. Where all points replace a value, the reader
  /// accepts any, the schema does not.
  private static var variedScenario: Shape {
    Shape(ScenarioSchema.scenario.keywords.filter { $0.0 != "required" })
  }

  /// Shape of any value: the path in the scenario determines which are valid.
  private static let anything = Shape([])
  private static let texts = Shape.any(of: .anyText, .list(of: .anyText))

  static var sweep: Shape {
    let exclusive = ["zip", "points", "sample"]
    let pairs = [(0, 1), (0, 2), (1, 2)].map { Rule.not(.has(exclusive[$0.0], exclusive[$0.1])) }
    return .mapping(
      [
        (
          "$schema",
          Shape.anyText.described("Location of this file's schema, for editors.")
            .shown("./meetsim.schema.json")
        ),
        (
          "name",
          Shape.identifier.described("Short name: letters, digits, '_', '-' and '.'.").examples(
            .text("smoke"))
        ),
        (
          "title", Shape.anyText.described("What the sweep shows, in a few words.").shown("Score by capacity")
        ),
        (
          "scenario",
          Shape.any(of: .anyText, .reference("varied-scenario"))
            .described("The scenario: its path relative to this file, or an inline scenario.")
            .examples(.text("../one-to-one.yaml")).ofType("path of a file, or mapping as in a scenario")
            .shown(example).beside("{}")
        ),
        (
          "set",
          Shape([("type", .text("object")), ("additionalProperties", anything.json)])
            .described("Values set at all points, by path: 'links.home.delay: 20 ms'.")
            .shown("{links.home.delay: 20 ms}").ofType("mapping from paths to values")
        ),
        (
          "variables",
          Shape([
            ("type", .text("object")),
            (
              "propertyNames",
              .object([("pattern", .text("^(?!(and|or|not)$)[A-Za-z_][A-Za-z0-9_]{0,39}$"))])
            ), ("additionalProperties", Shape.reference("variable").json),
          ]).described(
            "Variables, by name; the name is the path in the scenario unless 'path' gives it."
          ).named("capacity").shown("{seed: [1, 2, 3]}")
        ),
        (
          "zip",
          Shape.list(of: texts).described(
            "Variables that advance together: a list of names, or several such lists."
          ).shown("[seed, duration]").amid("{variables: {seed: [1, 2], duration: [10s, 20s]}}")
        ),
        (
          "points",
          Shape.any(
            of: Shape([
              ("type", .text("array")), ("items", .object([("type", .text("object"))])),
            ]),
            .mapping(
              [
                (
                  "file",
                  Shape.anyText.described("Path of the file, relative to this file.")
                    .examples(.text("points.csv")).ofType("path of a file")
                )
              ], required: ["file"])
          ).described("Explicit points, or a CSV file of points whose header names the variables.")
            .shown("[{seed: 1, duration: 10s}, {seed: 2, duration: 20s}]")
        ), ("sample", sample),
        (
          "where",
          texts.described("Conditions on the variables; other points are excluded.").examples(
            .text("capacity <= 1 Mbps")
          ).amid("{variables: {capacity: {path: links.home.capacity, values: [1 Mbps, 2 Mbps]}}}")
        ),
        (
          "repetitions",
          Shape.integer(1...10_000).described("Runs per point.").withDefault(.integer(1)).shown("10")
        ),
        ("until", until),
        (
          "seeds",
          Shape.word(SweepFile.Seeds.self)
            .described("Whether a repetition uses the same random numbers at all points.").withDefault(
              .text("common"))
        ), ("seed", Shape.integer(0...Int.max).described("Overrides the scenario's seed.").shown("7")),
        ("timeout", .quantity(.duration, "Wall-clock limit per run, from 100 ms.", examples: "10 min")),
        ("keep-series", Shape.flag.described("Keeps the time series of all runs.").withDefault(.flag(false))),
        (
          "compress-series",
          Shape.flag.described("Keeps the time series of all runs, compressed with gzip.")
            .withDefault(.flag(false))
        ),
        ("interval", .quantity(.duration, "Sampling interval of the tables, 10 ms to 1 h.", examples: "1 s")),
        (
          "metrics",
          {
            let metric = Shape.word(SweepFile.metricNames)
            return Shape.any(of: metric, .list(of: metric)).described("Metrics to keep; by default all.")
              .examples(.text("mos"))
          }()
        ),
        (
          "scope",
          {
            let scope = Shape.word(["tile", "participant", "link", "meeting"])
            return Shape.any(of: scope, .list(of: scope)).described(
              "Scopes to keep; by default all.")
          }()
        ), ("viewer", texts.described("Viewers to keep; by default all.").shown("eve")),
        (
          "confidence",
          Shape.number(0.5...0.9999).described("Confidence level of the intervals.").withDefault(.real(0.95))
            .shown("0.9")
        ),
        (
          "expect",
          Shape.list(of: .reference("point-expectation")).described(
            "Expectations that 'meetsim check' evaluates at all points, or at those that 'where' selects."
          ).shown("[{viewer: eve, source: ann, metric: mos, is: '>= 3'}]")
        ),
      ], required: ["name", "scenario"], rules: pairs
    ).with("{name: example, scenario: \(example)}")
  }

  /// Schema of an expectation that may apply only to some points.
  private static var expectation: Shape {
    ScenarioSchema.expectation(beside: [
      (
        "where",
        texts.described("Conditions on the variables: points to which the expectation applies.").examples(
          .text("capacity >= 1 Mbps")
        ).amid("{variables: {capacity: {path: links.home.capacity, values: [1 Mbps, 2 Mbps]}}}")
      ),
      (
        "over-runs",
        Shape.word(Expectation.RunStatistic.self).described(
          "Statistic over a point's runs that is compared with the bound: the mean, or a quantile."
        ).withDefault(.text("mean"))
      ),
    ])
  }

  static var variable: Shape {
    let values = Shape.list(of: anything, atLeast: 1).described("Values, all of one kind.")
      .shown("[1 Mbps, 2 Mbps]")
    let range = Shape.mapping(
      [
        ("from", end.described("First value.").examples(.text("500 kbps"))),
        ("to", end.described("Last value.").examples(.text("8 Mbps"))),
        (
          "scale",
          Shape.word(SweepRange.Scale.self).described("Spacing of the values.").withDefault(.text("linear"))
        ),
        ("count", Shape.integer(2...10_000).described("Number of values.").shown("8")),
        (
          "step",
          end.described("Difference between values.").examples(.text("500 kbps"))
            .beside("{from: 500 kbps, to: 8 Mbps}")
        ),
      ], required: ["from", "to"], rules: [.not(.has("count", "step"))]
    ).with("{from: 500 kbps, to: 8 Mbps, count: 4}")
    return Shape.any(
      of: values,
      .mapping(
        [
          (
            "path",
            texts.described("Path in the scenario, as for 'run --set'.").examples(
              .text("links.home.capacity")
            ).beside("{values: [1 Mbps, 2 Mbps]}")
          ),
          (
            "unit",
            Shape.anyText.described("Unit of bare numbers.").examples(.text("kbps"))
              .beside("{path: links.home.capacity, values: [500, 1000]}")
          ), ("values", values),
          (
            "range",
            range.described("A range of values.").shown("{from: 500 kbps, to: 8 Mbps, count: 4}")
          ),
        ], rules: [.not(.has("values", "range"))]
      ).with("{path: links.home.capacity}"))
  }

  private static var sample: Shape {
    Shape.mapping(
      [
        ("method", Shape.word(SweepFile.SampleMethod.self).described("Sampling method.")),
        ("count", Shape.integer(2...SweepReader.pointLimit).described("Number of points.").shown("16")),
        (
          "seed",
          Shape.integer(0...Int.max).described("Seed of the design.").withDefault(.integer(1)).shown("7")
        ),
      ], required: ["method", "count"]
    ).described("Samples the ranges that have neither 'count' nor 'step'.")
      .amid("{variables: {capacity: {path: links.home.capacity, range: {from: 500 kbps, to: 8 Mbps}}}}")
  }

  private static var until: Shape {
    Shape.mapping(
      [
        ("metric", Shape.anyText.described("Metric whose interval decides.").examples(.text("mos"))),
        ("stat", Shape.anyText.described("Statistic of the metric.").withDefault(.text("mean"))),
        ("viewer", Shape.anyText.described("Viewer; by default all.").shown("eve")),
        ("source", Shape.anyText.described("Source; by default all.").shown("ann")),
        (
          "half-width",
          end.described("Half-width of the interval: a share of the mean, or an absolute value.").examples(
            .text("5 %"))
        ), ("max", Shape.integer(2...10_000).described("Maximum number of repetitions.").shown("50")),
      ], required: ["metric", "half-width", "max"]
    ).described("Repeats a point until the confidence interval of a mean is narrow enough.")
  }

  private static let end = Shape([("type", .words(["string", "number"]))])
}
