import Plan
import Quantity
import Scenario
import TestSupport
import Testing

/// A sweep of the shipped one-to-one meeting, with additional lines.
private func sweep(_ lines: String) throws -> SweepFile {
  let text = "name: s\nscenario: one-to-one.yaml\n" + lines
  return try SweepReader.read(
    bytes: Array(text.utf8), file: "s.yaml", directory: Repository.root + "/scenarios/")
}

/// Returns the values of the only variable, as text.
private func values(_ variable: String) throws -> [String] {
  let file = try sweep("variables:\n  x: {path: links.home.capacity, \(variable)}\n")
  return try #require(file.variables.first).values.map(\.text)
}

@Suite("Sweep files")
struct SweepReaderTests {
  @Test(arguments: [
    ("values: [1 Mbps, 600 kbps]", ["1 Mbps", "600 kbps"]),
    (
      "range: {from: 1 Mbps, to: 2 Mbps, step: 250 kbps}",
      ["1 Mbps", "1250 kbps", "1500 kbps", "1750 kbps", "2 Mbps"]
    ),
    (
      "range: {from: 500 kbps, to: 8 Mbps, count: 5, scale: log}",
      ["500 kbps", "1 Mbps", "2 Mbps", "4 Mbps", "8 Mbps"]
    ),
    (
      "range: {from: 0 %, to: 1 %, step: 0.1 %}",
      ["0.0 %", "0.1 %", "0.2 %", "0.3 %", "0.4 %", "0.5 %", "0.6 %", "0.7 %", "0.8 %", "0.9 %", "1.0 %"]
    ),
    ("range: {from: 10 ms, to: 30 ms, count: 3}", ["10 ms", "20 ms", "30 ms"]),
    ("range: {from: 1, to: 2, step: 0.4}", ["1", "1.4", "1.8"]),
    ("range: {from: 1, to: 100, count: 3, scale: log}", ["1", "10", "100"]),
    ("unit: kbps, values: [500, 1000]", ["500 kbps", "1000 kbps"]),
    ("unit: ms, range: {from: 0, to: 40, count: 3}", ["0 s", "20 ms", "40 ms"]),
    ("values: [{label: off, value: {name: agora, fallback: none}}, bluejeans]", ["off", "bluejeans"]),
  ])
  func valuesAreTyped(variable: String, expected: [String]) throws {
    #expect(try values(variable) == expected)
  }

  @Test func everythingHasADefault() throws {
    let file = try sweep("")
    #expect(file.runs.repetitions == 1 && file.runs.seeds == .common && file.runs.until == nil)
    #expect(file.runs.timeout == .seconds(600))
    #expect(file.results.level == 0.95 && file.results.metrics.isEmpty && !file.results.keepsSeries)
    #expect(try sweep("until: {metric: mos, half-width: 5 %, max: 20}\n").runs.repetitions == 5)
  }

  @Test func expectationsAreReadWithTheirLines() throws {
    let file = try sweep("expect:\n  - {viewer: patient, source: doctor, metric: mos, is: \">= 3\"}\n")
    #expect(file.expectations.map(\.expectation.line) == [4])
    #expect(file.expectations.first?.expectation.bound == 3)
    #expect(file.expectations.first?.conditions.isEmpty == true)
  }

  @Test func expectationsMayNameParticipantsOfSomePointsAlone() throws {
    let text = """
      name: s
      scenario:
        name: inside
        duration: 5s
        participants: [{id: ann, publish: {camera: 720p30}}, {id: bob, count: 2, view: {everybody: 360p}}]
      variables: {count: {path: participants.1.count, values: [2, 4]}}
      expect: [{viewer: bob-4, source: ann, metric: mos, is: ">= 3", where: [count > 2, count < 5], over-runs: p10}]

      """
    let file = try SweepReader.read(bytes: Array(text.utf8), file: "s.yaml", directory: "")
    #expect(file.expectations.first?.expectation.viewer == "bob-4")
    #expect(file.expectations.first?.expectation.overRuns?.probability == 0.1)
    let conditions = try #require(file.expectations.first).conditions
    let chosen = file.variables[0].values.filter { value in conditions.allSatisfy { $0.holds([value]) } }
    #expect(chosen.map(\.text) == ["4"])
  }

  /// Quoted text is refused where a number is expected.
  @Test func numbersStayNumbersWhenTheyAreSet() throws {
    let file = try sweep(
      "variables:\n  x: {path: seed, values: [-1, .5, -.5, +2, 1e3]}\n  y: {path: name, values: ['- 1', -x]}\n"
    )
    #expect(file.variables[0].values.map(\.yaml) == ["-1", ".5", "-.5", "+2", "1e3"])
    #expect(file.variables[1].values.map(\.yaml) == ["\"- 1\"", "\"-x\""])
  }

  @Test(arguments: [
    (
      "repetition: 3", "s.yaml:3:1: error: unknown key 'repetition' in the sweep: did you mean 'repetitions'?"
    ),
    (
      "variables:\n  c: {path: links.home.capacity, from: 1 Mbps}",
      "s.yaml:4:34: error: unknown key 'from' in variable 'c': did you mean 'range: {from: 500 kbps, to: 3 Mbps, step: 500 kbps}'?"
    ),
    (
      "variables:\n  loss: [0 %, 2 %]",
      "s.yaml:4:3: error: variable 'loss' needs a 'path': there is no key 'loss' at the top of a scenario: write 'loss: {path: links.home.loss, values: […]}'"
    ),
    (
      "variables:\n  system: [livekit, jitsi]",
      "s.yaml:4:3: error: variable 'system' needs a 'path': there is no key 'system' at the top of a scenario: did you mean 'policy'?"
    ),
    (
      "variables:\n  fish: [1, 2]",
      "s.yaml:4:3: error: variable 'fish' needs a 'path': there is no key 'fish' at the top of a scenario: write 'fish: {path: …, values: […]}'"
    ),
    ("repetitions: 0", "s.yaml:3:14: error: repetitions: '0' is not a whole number from 1 to 10000"),
    (
      "variables:\n  link.home.capacity: [1 Mbps]",
      "s.yaml:4:3: error: 'link.home.capacity' is not a valid variable name: only letters, digits and '_' are allowed, up to 40 characters; write the path beside it, such as 'capacity: {path: link.home.capacity, values: […]}'"
    ),
    (
      "variables:\n  c: {path: 'participants[0].up', values: [home]}",
      "s.yaml:4:3: error: 'participants[0].up' is not a path in the scenario: elements of a list follow a dot, by number from 0 or by id: write 'participants.0.up'"
    ),
    (
      "variables:\n  c: {path: timeline.2.at, values: [1s]}",
      "s.yaml:4:3: error: 'timeline.2.at' is not a path in the scenario: there is no element '2': they are numbered from 0 to 1"
    ),
    (
      "variables:\n  links[home].capacity: [1 Mbps]",
      "s.yaml:4:3: error: 'links[home].capacity' is not a valid variable name: only letters, digits and '_' are allowed, up to 40 characters; write the path beside it, such as 'capacity: {path: links.home.capacity, values: […]}'"
    ),
    (
      "variables:\n  c: {path: link.home.capacity, values: [1 Mbps]}",
      "s.yaml:4:3: error: 'link.home.capacity' is not a path in the scenario: there is no 'link': did you mean 'links'?"
    ),
    (
      "variables:\n  p: {path: policy, values: [{label: off, value: janus}, {label: on, value: {name: livekit}}]}\n"
        + "points:\n  - {p: on}\n  - {p: of}",
      "s.yaml:7:9: error: 'of' is no label of 'p': did you mean 'off'?"
    ),
    (
      "variables:\n  policy: livekit, jitsi",
      "s.yaml:4:11: error: variable 'policy' must be a list of values: write '[livekit, jitsi]'"
    ),
    (
      "variables:\n  and: {path: policy, values: [janus]}",
      "s.yaml:4:3: error: 'and' is a reserved word: choose another name"
    ),
    (
      "variables:\n  policy: {values: [janus, janus]}",
      "s.yaml:4:28: error: duplicate value 'janus': remove one"
    ),
    (
      "variables:\n  c: {path: links.home.capacity, values: [1 Mbps, 600]}",
      "s.yaml:4:51: error: '600' is not a bit rate such as '1 Mbps', like the first value"
    ),
    (
      "variables:\n  c: {path: links.home.capacity, range: {from: 2 Mbps, to: 1 Mbps, count: 3}}",
      "s.yaml:4:41: error: the range must be ascending, and both ends of the same kind"
    ),
    (
      "variables:\n  c: {path: links.home.loss, range: {from: 0 %, to: 1 %, count: 3, scale: log}}",
      "s.yaml:4:37: error: a logarithmic range must start above zero"
    ),
    (
      "variables:\n  c: {path: links.home.loss, range: {from: 0 %, to: 1 %, step: 1 ms}}",
      "s.yaml:4:64: error: step: '1 ms' must be a share such as '2 %' above zero; use 'count' for a logarithmic range"
    ),
    (
      "variables:\n  c: {path: links.home.loss, range: {from: 0 %, to: 1 %}}",
      "s.yaml:4:3: error: variable 'c' has no values: give its range a 'count' or a 'step'"
    ),
    (
      "variables:\n  policy: [janus, bluejeans]\n  duration: [1s]\nzip: [policy, duration]",
      "s.yaml:6:6: error: zipped variables must have the same number of values: policy has 2, duration has 1"
    ),
    (
      "variables:\n  policy: [janus]\nzip: [polcy]",
      "s.yaml:5:7: error: there is no variable 'polcy': did you mean 'policy'?"
    ),
    (
      "variables:\n  policy: [janus]\nwhere: polcy == janus",
      "s.yaml:5:8: error: where: there is no variable 'polcy': did you mean 'policy'?"
    ),
    (
      "points:\n  - {policy: janus, duration: 2s}\n  - {policy: agora}",
      "s.yaml:5:5: error: the point lacks 'duration'"
    ),
    ("points: {file: none.csv}", "s.yaml:3:16: error: points: cannot read "),
    (
      "sample: {method: sobol, count: 8}",
      "s.yaml:3:9: error: nothing to sample: give at least one variable a 'range' without 'step' and 'count'"
    ),
    (
      "until: {metric: mos, half-width: 5 ms, max: 9}",
      "s.yaml:3:34: error: half-width: '5 ms' is neither a share of the mean, such as '5 %', nor a number"
    ),
    ("seeds: mine", "s.yaml:3:8: error: seeds: 'mine' is not one of common, independent"),
    (
      "set: {durtion.x: 3}",
      "s.yaml:3:7: error: 'durtion.x' is not a path in the scenario: there is no 'durtion': did you mean 'duration'?"
    ),
    ("metrics: [mos, moss]", "s.yaml:3:16: error: metrics: there is no metric 'moss': did you mean 'mos'?"),
    (
      "metrics: [bitrate]\nexpect:\n  - {viewer: patient, source: doctor, metric: mos, is: \">= 3\"}",
      "s.yaml:5:5: error: the expectation's value is not kept: add 'mos' to 'metrics'"
    ),
    (
      "scope: [link, meeting]\nexpect:\n  - {viewer: patient, source: doctor, metric: mos, is: \">= 3\"}",
      "s.yaml:5:5: error: the expectation's value is not kept: add 'tile' to 'scope'"
    ),
    (
      "viewer: doctor\nexpect:\n  - {viewer: patient, source: doctor, metric: mos, is: \">= 3\"}",
      "s.yaml:5:5: error: the expectation's value is not kept: add 'patient' to 'viewer'"
    ),
    (
      "metrics: [bitrate]\nuntil: {metric: mos, half-width: 5 %, max: 9}",
      "s.yaml:4:8: error: the metric of 'until' is not kept: add 'mos' to 'metrics'"
    ),
    (
      "variables:\n  policy: [janus]\nexpect:\n  - {viewer: patient, source: doctor, metric: mos, is: \">= 3\", where: polcy == janus}",
      "s.yaml:6:71: error: where: there is no variable 'polcy': did you mean 'policy'?"
    ),
    (
      "expect:\n  - {viewer: patent, source: doctor, metric: mos, is: \">= 3\"}",
      "s.yaml:4:14: error: viewer: there is no participant 'patent': did you mean 'patient'?"
    ),
  ])
  func whatIsWrongIsSaidWhereItIs(lines: String, expected: String) throws {
    let error = #expect(throws: ScenarioError.self) { try sweep(lines + "\n") }
    let texts = (error?.diagnostics ?? []).map(\.description)
    #expect(texts.contains { $0.hasPrefix(expected) }, "\(texts)")
  }

  @Test func aBrokenScenarioIsReportedWithItsOwnPlace() throws {
    let text = "name: s\nscenario: {name: x, duraton: 3s}\nvariables:\n  policy: [janus]\n"
    let file = try SweepReader.read(bytes: Array(text.utf8), file: "s.yaml", directory: "")
    let error = #expect(throws: ScenarioError.self) { try file.scenario.load() }
    #expect(error?.diagnostics.first?.description.hasPrefix("s.yaml:2:") == true)
  }
}

@Suite("Conditions")
struct SweepExpressionTests {
  private static let variables: [(name: String, kind: SweepValue.Kind?)] = [
    ("policy", .text), ("capacity", .rate), ("loss", .share), ("n", .number),
  ]
  private static let point = ["janus", "1 Mbps", "2 %", "5"].map { SweepValue(text: $0) }

  @Test(arguments: [
    ("policy == janus", true), ("policy == \"janus\"", true), ("policy != 'janus'", false),
    ("capacity >= 1000 kbps", true), ("capacity > 1 Mbps", false), ("capacity<=0.5Mbps", false),
    ("2 % == loss", true), ("n == 5", true), ("n < 4.5", false),
    ("n == 5 and loss < 1 % or policy == janus", true), ("n == 5 and (loss < 1 % or policy == agora)", false),
    ("not n == 5", false), ("!(n == 5) || n == 5 && loss == 2 %", true), ("n != n", false),
  ])
  func holds(text: String, expected: Bool) throws {
    #expect(try SweepExpression(text, variables: Self.variables).holds(Self.point) == expected)
  }

  @Test(arguments: [
    ("", "missing condition at the end, such as 'policy == 1'"),
    ("n", "missing comparison after 'n': use one of ==, !=, <, <=, >, >="),
    ("n ==", "missing condition at the end, such as 'policy == 1'"),
    ("n == 5 (loss == 2 %)", "unexpected '(': join conditions with 'and' or 'or'"),
    ("(n == 5", "missing ')'"),
    ("polcy == janus", "there is no variable 'polcy': did you mean 'policy'?"),
    ("capacity > 5", "'capacity' cannot be compared with '5': expected a bit rate such as '1 Mbps'"),
    ("policy > janus", "'policy' is not a quantity: use == or !="),
    ("n == \"5", "missing closing quote after \"5"), ("n = 5", "unexpected '=': compare with '=='"),
    (String(repeating: "(", count: 60) + "n == 5", "parentheses are nested too deeply"),
  ])
  func whatIsWrongIsSaid(text: String, expected: String) {
    let error = #expect(throws: SweepExpression.SyntaxError.self) {
      try SweepExpression(text, variables: Self.variables)
    }
    #expect(error?.description == expected)
  }

  @Test(arguments: [
    ("n == 5 (loss == 2 %)", 8), ("(n == 5", 8), ("n == 5 and polcy == janus", 12),
    ("n == 5 and 3 < polcy", 16),
    ("capacity > 5", 1), ("n == 5 or policy > janus", 18), ("n == 5 and n == \"5", 17), ("  n = 5", 5),
    ("n == 5 and", 11), ("n == 5 and loss", 16), ("", 1),
  ])
  func theFaultHasAColumn(text: String, column: Int) {
    let error = #expect(throws: SweepExpression.SyntaxError.self) {
      try SweepExpression(text, variables: Self.variables)
    }
    #expect(error?.column == column)
  }
}
