package import Metrics
import Quantity

/// What sweep files look like; ``SweepReader`` reads the same files.
package enum SweepSchema {
  /// The JSON Schema (draft-07) of sweep files.
  package static var document: JSONValue {
    .object(
      [
        ("$schema", .text("http://json-schema.org/draft-07/schema#")), ("title", .text("meetsim sweep")),
        ("description", .text("A scenario, what varies in it, and how often each point is run.")),
      ] + sweep.keywords + [
        ("definitions", definitions(ScenarioSchema.definitions)), (BeyondSchema.keyword, BeyondSchema.json),
      ])
  }

  /// One schema for both kinds of file: a sweep is what has the key `scenario`.
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
      (BeyondSchema.keyword, BeyondSchema.json),
    ])
  }

  private static func definitions(_ scenario: JSONValue) -> JSONValue {
    guard case .object(let entries) = scenario else { return scenario }
    return .object(
      entries + [
        ("variable", variable.json), ("varied-scenario", variedScenario.json),
        ("point-expectation", expectation.json),
      ])
  }

  /// A scenario in place; what it lacks `set` may supply. Values that every point replaces may be anything to the
  /// reader, and not so to whoever edits the file.
  private static var variedScenario: Shape {
    Shape(ScenarioSchema.scenario.keywords.filter { $0.0 != "required" })
  }

  /// Anything: what fits is up to the place in the scenario.
  private static let anything = Shape([])
  private static let texts = Shape.any(of: .anyText, .list(of: .anyText))

  static var sweep: Shape {
    let exclusive = ["zip", "points", "sample"]
    let pairs = [(0, 1), (0, 2), (1, 2)].map { Rule.not(.has(exclusive[$0.0], exclusive[$0.1])) }
    return .mapping(
      [
        ("$schema", Shape.anyText.described("Where the schema of this file is, for editors.")),
        (
          "name",
          Shape.identifier.described("Short name: letters, digits and '_', '-', '.'.").such(.text("smoke"))
        ), ("title", Shape.anyText.described("What the sweep shows, in a few words.")),
        (
          "scenario",
          Shape.any(of: .anyText, .reference("varied-scenario"))
            .described("The scenario: its path from this file, or the scenario itself.")
            .such(.text("../one-to-one.yaml"))
        ),
        (
          "set",
          Shape([("type", .text("object")), ("additionalProperties", anything.json)])
            .described("Values for every point, by their places: 'links.home.delay: 20 ms'.")
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
            "What varies: a name and its values; the name is the place unless 'path' says another.")
        ),
        (
          "zip",
          Shape.list(of: texts).described("Variables that advance together: a list of names, or such lists.")
        ),
        (
          "points",
          Shape.any(
            of: Shape([
              ("type", .text("array")), ("items", .object([("type", .text("object"))])),
            ]), .mapping([("file", Shape.anyText.such(.text("points.csv")))], required: ["file"])
          ).described("Exactly these points, or a CSV of them whose header names the variables.")
        ), ("sample", sample),
        (
          "where",
          texts.described("Conditions on the variables; other points are left out.").such(
            .text("capacity <= 1 Mbps"))
        ),
        ("repetitions", Shape.integer(1...10_000).described("Runs of each point.").usually(.integer(1))),
        ("until", until),
        (
          "seeds",
          Shape.word(SweepFile.Seeds.self)
            .described("Whether a repetition draws the same at every point.").usually(.text("common"))
        ), ("seed", Shape.integer(0...Int.max).described("In place of the scenario's.")),
        ("timeout", .quantity(.duration, "Wall time that a run may take, from 100 ms.", such: "10 min")),
        ("keep-series", Shape.flag.described("Keeps the time series of every run.").usually(.flag(false))),
        ("interval", .quantity(.duration, "Length of the tables' intervals, 10 ms to 1 h.", such: "1 s")),
        ("metrics", texts.described("Metrics that are kept; all when left out.").such(.text("mos"))),
        (
          "scope",
          {
            let scope = Shape.word(["tile", "participant", "link", "meeting"])
            return Shape.any(of: scope, .list(of: scope)).described(
              "Scopes that are kept; all when left out.")
          }()
        ), ("viewer", texts.described("Viewers that are kept; all when left out.")),
        ("confidence", Shape.number(0.5...0.9999).described("Level of the intervals.").usually(.real(0.95))),
        (
          "expect",
          Shape.list(of: .reference("point-expectation")).described(
            "What 'meetsim check' holds every point against, or those that 'where' chooses.")
        ),
      ], required: ["name", "scenario"], rules: pairs)
  }

  /// An expectation that may be about some points alone.
  private static var expectation: Shape {
    ScenarioSchema.expectation(beside: [
      (
        "where",
        texts.described("Conditions on the variables: the expectation is about these points.").such(
          .text("capacity >= 1 Mbps"))
      )
    ])
  }

  static var variable: Shape {
    let values = Shape.list(of: anything, atLeast: 1).described("The values, all quantities of one kind.")
    let range = Shape.mapping(
      [
        ("from", end.described("The first value.").such(.text("500 kbps"))),
        ("to", end.described("The last value.").such(.text("8 Mbps"))),
        (
          "scale", Shape.word(SweepRange.Scale.self).described("How the values lie.").usually(.text("linear"))
        ),
        ("count", Shape.integer(2...10_000).described("So many values.")),
        ("step", end.described("From one value to the next.").such(.text("500 kbps"))),
      ], required: ["from", "to"], rules: [.not(.has("count", "step"))])
    return Shape.any(
      of: values,
      .mapping(
        [
          (
            "path",
            texts.described("Where the values go, as 'run --set' names places.").such(
              .text("links.home.capacity"))
          ),
          ("unit", Shape.anyText.described("Unit of values without one.").such(.text("kbps"))),
          ("values", values), ("range", range.described("Values from one end to the other.")),
        ], rules: [.not(.has("values", "range"))]))
  }

  private static var sample: Shape {
    Shape.mapping(
      [
        ("method", Shape.word(SweepFile.SampleMethod.self).described("How points are spread.")),
        ("count", Shape.integer(2...SweepReader.pointLimit).described("How many points.")),
        ("seed", Shape.integer(0...Int.max).described("Seed of the design.").usually(.integer(1))),
      ], required: ["method", "count"]
    ).described("Points spread over the ranges that have neither 'count' nor 'step'.")
  }

  private static var until: Shape {
    Shape.mapping(
      [
        ("metric", Shape.anyText.described("The metric whose interval decides.").such(.text("mos"))),
        ("stat", Shape.anyText.described("Which statistic of it.").usually(.text("mean"))),
        ("viewer", Shape.anyText.described("Whose; whichever there is when left out.")),
        ("source", Shape.anyText.described("Of whom; whichever there is when left out.")),
        (
          "half-width",
          end.described("Half of the interval: a share of the mean, or an amount.").such(.text("5 %"))
        ), ("max", Shape.integer(2...10_000).described("Repetitions at most.")),
      ], required: ["metric", "half-width", "max"]
    ).described("Repeats a point until the interval of a mean is narrow enough.")
  }

  private static let end = Shape([("type", .words(["string", "number"]))])
}
