import Meeting
import Metrics
import Plan
package import Quantity
package import Scenario
package import Statistics

/// Creates the plan of a sweep from its file.
package enum SweepPlanner {
  /// Reason why a sweep cannot be planned although its file is valid.
  package enum Failure: Error, Sendable {
    /// All points are excluded by `where` and `--filter`.
    case noPoint
    case tooManyRuns(Int)
    case design(DesignError)
    /// Every point's scenario is invalid; the diagnostics are those of the first.
    case noValidPoint([Diagnostic])
    /// No point is selected by the `where` of the expectation at this position in the sweep file.
    case unusedExpectation(FilePosition)
  }

  /// A plan and the data that belong to it but are not stored in its directory.
  package struct Planned: Sendable {
    package var plan: SweepPlan
    /// Scenarios by point id.
    package var sources: [String: PointSource] = [:]
    /// Advice on the scenarios, without duplicates.
    package var warnings: [Diagnostic] = []
    /// Errors of the first point whose scenario is invalid; empty if all are valid.
    package var problems: [Diagnostic] = []

    /// First run of the plan's shard among those that need the most memory; `nil` if the shard has no runs.
    package var largest: (run: PlannedRun, need: ByteCount)? {
      var largest: (run: PlannedRun, need: ByteCount)?
      for run in plan.runs where plan.contains(run) {
        guard let need = sources[run.pointID]?.memoryNeed else { continue }
        if largest.map({ need > $0.need }) ?? true { largest = (run, need) }
      }
      return largest
    }
  }

  /// Plans a sweep.
  package static func plan(
    _ file: SweepFile, version: String, filter: SweepExpression? = nil, shard: SweepSettings.Shard? = nil
  ) throws(Failure) -> Planned {
    let perPoint = file.runs.until.map { max($0.maximum, file.runs.repetitions) } ?? file.runs.repetitions
    let count = SweepDesign.count(of: file)
    guard count <= SweepReader.pointLimit * 10 else { throw .tooManyRuns(count) }
    let points: [[SweepValue]]
    do {
      points = try SweepDesign.points(of: file)
    } catch {
      throw .design(error)
    }
    let kept = points.enumerated().filter { _, values in
      file.constraints.allSatisfy { $0.holds(values) }
    }
    guard kept.count * perPoint <= SweepReader.runLimit else { throw .tooManyRuns(kept.count * perPoint) }
    let columns = self.columns(of: file, kept.map(\.element))
    let expectations = try self.expectations(of: file, kept.map(\.element))
    var runs: [PlannedRun] = []
    var sources: [String: PointSource] = [:]
    var traces: [SweepSettings.Trace] = []
    var problems: [Diagnostic] = []
    var warnings: [Diagnostic] = []
    var known: Set<Diagnostic> = []
    var validPoints = 0
    var copies: [String: Int] = [:]
    // Points are numbered after `where`, which is part of the sweep, and before the filter, which is not.
    for (number, (_, values)) in kept.enumerated() where filter?.holds(values) ?? true {
      let id = id(of: number)
      let overrides = self.overrides(of: file, values)
      let parameters = zip(columns, values).map { text(of: $1, in: $0) }
      do {
        let loaded = try file.scenario.load(settings: overrides)
        validPoints += 1
        for warning in loaded.warnings where known.insert(warning).inserted { warnings.append(warning) }
        let copy = copies[loaded.resolvedText, default: 0]
        copies[loaded.resolvedText] = copy + 1
        sources[id] = PointSource(
          scenario: loaded.resolvedText, file: file.scenario.file, directory: file.scenario.directory,
          copy: copy, memoryNeed: loaded.plan.memoryNeed)
        for trace in loaded.traces where !traces.contains(where: { $0.path == trace.path }) {
          let hash = ContentHash(of: trace.bytes).text
          traces.append(SweepSettings.Trace(path: trace.path, hash: hash))
        }
        let seed = self.seed(of: file, scenario: loaded.plan.seed, parameters)
        for repetition in 0..<perPoint {
          runs.append(
            PlannedRun(
              id: RunIdentity.id(
                of: loaded, version: version, seed: seed, repetition: repetition, copy: copy),
              index: number * perPoint + repetition, pointID: id, repetition: repetition, seed: seed,
              problem: "", parameters: parameters))
        }
      } catch {
        if problems.isEmpty { problems = error.diagnostics }
        let seed = self.seed(of: file, scenario: 1, parameters)
        let cause = error.diagnostics.first?.message ?? "the scenario is not valid"
        for repetition in 0..<perPoint {
          let identity = "\(version)\n\(id)\n\(repetition)\n\(overrides.map(\.text).joined(separator: "\n"))"
          runs.append(
            PlannedRun(
              id: "r" + ContentHash(of: identity.utf8).hexadecimal, index: number * perPoint + repetition,
              pointID: id, repetition: repetition, seed: seed, problem: cause, parameters: parameters))
        }
      }
    }
    guard !runs.isEmpty else { throw .noPoint }
    guard validPoints > 0 else { throw .noValidPoint(problems) }
    var plan = SweepPlan(
      settings: settings(of: file, version, filter, columns, traces, expectations), runs: runs)
    plan.settings.shard = shard
    plan.identify(fingerprint: "")
    return Planned(plan: plan, sources: sources, warnings: warnings, problems: problems)
  }

  private static func settings(
    of file: SweepFile, _ version: String, _ filter: SweepExpression?, _ columns: [SweepSettings.Column],
    _ traces: [SweepSettings.Trace], _ expectations: [Expectation]
  ) -> SweepSettings {
    SweepSettings(
      version: version, name: file.name, title: file.title, file: file.path, filter: filter?.text ?? "",
      seeds: file.runs.seeds.rawValue, repetitions: file.runs.repetitions, until: file.runs.until,
      confidenceLevel: file.results.level, metrics: file.results.metrics, scopes: file.results.scopes,
      viewers: file.results.viewers,
      interval: "\(file.results.interval)", intervalNanoseconds: file.results.interval.nanoseconds,
      keepsSeries: file.results.keepsSeries, compressesSeries: file.results.compressesSeries,
      columns: columns,
      traces: traces,
      scenarioHash: ContentHash(of: file.scenario.text.utf8).text,
      scenario: file.scenario.text, sweep: file.text, expectations: expectations)
  }

  /// Resolves the ids of the points to which each expectation applies.
  private static func expectations(
    of file: SweepFile, _ points: [[SweepValue]]
  ) throws(Failure) -> [Expectation] {
    var expectations: [Expectation] = []
    for expected in file.expectations {
      var expectation = expected.expectation
      if !expected.conditions.isEmpty {
        let selected = points.indices.filter { point in
          expected.conditions.allSatisfy { $0.holds(points[point]) }
        }
        guard !selected.isEmpty || points.isEmpty else {
          throw .unusedExpectation(
            FilePosition(file: file.path, line: expectation.line, column: expectation.column ?? 1))
        }
        expectation.points = selected.map { id(of: $0) }
      }
      expectations.append(expectation)
    }
    return expectations
  }

  /// Names a point by its index, from 0, among those selected by `where`.
  private static func id(of number: Int) -> String { "p\(number + 1)" }

  /// Returns the settings of a point.
  private static func overrides(of file: SweepFile, _ values: [SweepValue]) -> [Override] {
    file.settings + zip(file.variables, values).flatMap { $0.overrides(with: $1) }
  }

  private static func seed(of file: SweepFile, scenario: UInt64, _ parameters: [String]) -> UInt64 {
    let seed = file.runs.seed ?? scenario
    guard file.runs.seeds == .independent else { return seed }
    var stream = RandomStream(seed: seed, name: "sweep/point/" + parameters.joined(separator: "\n"))
    // 53 bits are exact in tools that read numbers as doubles.
    return stream.next() >> 11
  }

  // MARK: Columns

  private static func columns(of file: SweepFile, _ points: [[SweepValue]]) -> [SweepSettings.Column] {
    file.variables.enumerated().map { index, variable in
      let kinds = Set(points.map { $0[index].kind })
      let kind = kinds.count == 1 ? kinds.first ?? .text : .text
      let isWhole =
        kind == .rate || kind == .size
        || kind == .number && points.allSatisfy { Int64($0[index].text) != nil }
      let type: String
      switch kind {
      case .rate, .size, .number, .duration, .share: type = isWhole ? "integer" : "number"
      case .flag: type = "boolean"
      case .text: type = "string"
      }
      let name = variable.name.hasSuffix(kind.suffix) ? variable.name : variable.name + kind.suffix
      return SweepSettings.Column(
        name: SweepSettings.Column.prefix + name, type: type, variable: variable.name, paths: variable.paths)
    }
  }

  private static func text(of value: SweepValue, in column: SweepSettings.Column) -> String {
    switch column.type {
    case "integer": value.number.map { "\(Int64($0))" } ?? value.text
    case "number": value.number.map { "\($0)" } ?? value.text
    default: value.text
    }
  }
}
