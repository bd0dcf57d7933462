import ArgumentParser
import Comparison
import Files
import Metrics
import Quantity
import ResultReading
import Scenario
import Sweep

/// Compares two result directories.
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Reports what changed between two result directories, of runs or of sweeps.",
    usage: "meetsim compare <base> <new> [<options>]",
    discussion: """
      First reports whether the tables are byte-identical, as they are with the same seeds and an unchanged model. If \
      they are not, and both are sweeps, every metric for which higher or lower is better is tested: runs of \
      the same point and repetition are paired, and a difference counts when it is significant in a Student-t test of \
      the paired differences, with Holm's correction over all rows, and is at least --min-effect of BASE's mean, \
      else it is 'too small'; 'not shown' does not mean that there is no difference. A side without a picture does not win on its delay or its \
      freezes: a value of quality that most runs of NEW lack, although viewer and source are there and the tile is not off \
      the screen, has 'vanished', which counts as worse; one that most runs of BASE lack has 'appeared'. \
      By default a row is a metric of one viewer over all points, so that one phone is not averaged into many desks. \
      --by metric pools all viewers, tiles and points, and an improvement at one can hide a regression at another. To \
      gate on a sweep of several points, use --by point, with --viewer where viewers differ. \
      --metric asks for one metric: its rows alone are tested, of sweeps by default one over all viewers with the plain interval. \
      Two single runs are listed side by side without a test, as one run gives no variance.

      Rows come by what they say: quality first (the scores, heights, pixels and freezes in any case), then costs, then \
      causes; alike viewers and tiles share a row. On top are the keys in which the scenarios differ.

      Only --update-baseline modifies the baseline: it replaces it with a copy of NEW.

      Exits with 1 when there is a regression, with 2 when the directories cannot be compared, with 3 when runs that \
      finished in BASE failed or are missing in NEW, and with 0 otherwise.

      EXAMPLES
        meetsim compare baseline out
        meetsim compare baseline out --metric mos
        meetsim compare baseline out --by point --viewer phone
        meetsim compare baseline out --by point --min-effect '2 %' --csv \\
          > changes.csv
        meetsim compare out out --by point \\
          --base-where policy=bluejeans --new-where policy=janus
        meetsim compare baseline out --update-baseline
      """)

  @Argument(help: "Result directory to compare with: the baseline.", completion: .directory)
  var base: String

  @Argument(help: "Result directory under test.", completion: .directory)
  var new: String

  @Option(
    help: ArgumentHelp(
      "Smallest difference that counts, as a share of BASE's mean; where that mean is zero, any does.",
      valueName: "share"))
  var minEffect = "1 %"

  @Option(
    help: ArgumentHelp(
      "Confidence level of the intervals; its complement is the family-wise error rate of the tests.",
      valueName: "share"))
  var level = "95 %"

  @Option(
    help: ArgumentHelp(
      "One row per metric (pooling all points, viewers and tiles, so gains can hide losses), or per metric and viewer, "
        + "point (pooling viewers and tiles) or tile.",
      valueName: "metric|viewer|point|tile"))
  var by: ComparisonRule.Grouping?

  @Option(
    help: ArgumentHelp(
      "Compares only this metric; of sweeps by default in one row over all viewers.", valueName: "name"))
  var metric: String?

  @Option(help: ArgumentHelp("Compares only the values of this viewer.", valueName: "id"))
  var viewer: String?

  @Option(help: ArgumentHelp("Compares only the values of this source, or of this link.", valueName: "id"))
  var source: String?

  @Option(
    help: ArgumentHelp(
      "Selects only the runs of BASE in which a variable has this value; together with --new-where and another value "
        + "this compares two parts of one sweep.", valueName: "variable=value"))
  var baseWhere: [String] = []

  @Option(
    help: ArgumentHelp(
      "Selects only the runs of NEW in which a variable has this value.", valueName: "variable=value"))
  var newWhere: [String] = []

  @Flag(help: "Writes the rows as CSV to standard output.")
  var csv = false

  @Flag(help: "Replaces BASE with a copy of NEW after comparing them; always exits with 0.")
  var updateBaseline = false

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    if base.isEmpty || new.isEmpty { throw ValidationError("BASE and NEW need names") }
  }

  func run() throws {
    let rule = try rule()
    let conditions = (base: try Self.conditions(baseWhere), new: try Self.conditions(newWhere))
    if let resolved = Directory.resolved(base), resolved == Directory.resolved(new),
      updateBaseline || conditions.base == conditions.new
    {
      throw ValidationError("BASE and NEW are the same directory, '\(resolved)'")
    }
    let isFirst = Directory.resolved(base) == nil && updateBaseline
    let outcome = isFirst ? .unchanged : try compare(rule, conditions)
    guard updateBaseline else { throw ExitCode(outcome.rawValue) }
    try update()
  }

  /// Outcome of a comparison; raw values are exit codes.
  private enum Outcome: Int32 { case unchanged = 0, regression = 1, incomplete = 3 }

  private static func conditions(_ texts: [String]) throws -> [VariableCondition] {
    try texts.map { text in
      guard var condition = VariableCondition(text: text) else {
        throw ValidationError("'\(text)' is not a condition such as 'policy=janus' or 'capacity=2 Mbps'")
      }
      let value = SweepValue(text: condition.value)
      if value.kind.isQuantity { condition.number = value.number }
      return condition
    }
  }

  private func rule() throws -> ComparisonRule {
    func share(_ text: String, _ option: String) throws -> Double {
      do {
        return try Fraction(text: text).value
      } catch {
        throw ValidationError("\(option): \(error)")
      }
    }
    let level = try share(self.level, "--level")
    guard level >= 0.5, level < 1 else {
      throw ValidationError("--level '\(self.level)' is out of range: from 50 % to below 100 %")
    }
    let usual: ComparisonRule.Grouping = metric == nil ? .viewer : .metric
    return ComparisonRule(
      grouping: by ?? usual, minimumEffect: try share(minEffect, "--min-effect"), level: level)
  }

  private func compare(
    _ rule: ComparisonRule, _ conditions: (base: [VariableCondition], new: [VariableCondition])
  ) throws -> Outcome {
    do {
      var results = (base: try Self.results(base), new: try Self.results(new))
      for condition in conditions.base { results.base = try results.base.selecting(condition) }
      for condition in conditions.new { results.new = try results.new.selecting(condition) }
      let whole = (base: results.base.scalars, new: results.new.scalars)
      if viewer != nil || source != nil {
        results.base = try results.base.selecting(viewer: viewer, source: source)
        results.new = try results.new.selecting(viewer: viewer, source: source)
      }
      if let metric {
        results.base = try results.base.selecting(metric: metric)
        results.new = try results.new.selecting(metric: metric)
      }
      let report = ComparisonReport(
        base: results.base.directory, new: results.new.directory, isCSV: csv, isOneMetric: metric != nil)
      if conditions.base.isEmpty, conditions.new.isEmpty {
        switch try TableIdentity.of(results.base.directory, results.new.directory) {
        case .identical(let tables):
          report.identical(tables: tables, kind: results.base.kind)
          return .unchanged
        case .different(let names): report.different(names)
        }
      } else {
        report.parts(baseWhere, newWhere)
      }
      report.keys(Self.differences(results.base, results.new))
      switch (results.base.kind, results.new.kind) {
      case (.run, .run):
        report.write(
          RunComparison(base: results.base, new: results.new, minimumEffect: rule.minimumEffect))
        return .unchanged
      case (.sweep, .sweep):
        let comparison = try SweepComparison(
          base: results.base, new: results.new, of: whole, rule: rule)
        report.write(comparison)
        let pairing = comparison.pairing
        if pairing.failed + pairing.missing > 0 { return .incomplete }
        let regressions = comparison.count(of: .worse) + comparison.count(of: .vanished)
        return regressions > 0 ? .regression : .unchanged
      default:
        throw ComparisonError(description: "one is the result of a run, the other of a sweep")
      }
    } catch {
      Terminal.error(error is ResultReadingError ? "\(error)" : "error: \(error)")
      // A new baseline need not be comparable with the old one.
      guard updateBaseline else { throw ExitCode(2) }
      return .unchanged
    }
  }

  /// Returns the keys that differ between the scenarios, or between the sweeps, of two results; empty if a manifest
  /// cannot be read.
  private static func differences(_ base: Results, _ new: Results) -> [ScenarioDifference] {
    func texts(_ results: Results) -> [String] {
      switch results.kind {
      case .run: (try? RunManifest.read(in: results.directory)).map { [$0.resolvedScenario] } ?? []
      case .sweep:
        (try? SweepDirectory.read(results.directory).settings).map { [$0.scenario, $0.sweep] } ?? []
      }
    }
    let all = zip(texts(base), texts(new)).map(ScenarioDifference.between)
    // A sweep's file may contain the scenario.
    let known = Set(all.first?.map { "scenario.\($0.path)" } ?? [])
    return (all.first ?? []) + all.dropFirst().joined().filter { !known.contains($0.path) }
  }

  /// Reads the results in a directory, rejecting tables that were modified after they were written.
  private static func results(_ directory: String) throws(ResultReadingError) -> Results {
    let results = try Results.read(directory)
    try WrittenTables.check(in: results.directory)
    return results
  }

  private func update() throws {
    let results: Results
    do {
      results = try Self.results(new)
    } catch {
      Terminal.error("\(error)")
      throw ExitCode(2)
    }
    let unfinished = results.runs.count { !$0.isFinished }
    guard unfinished == 0 else {
      Terminal.error("error: \(unfinished) runs of NEW did not finish: the baseline is unchanged")
      throw ExitCode(3)
    }
    // Replacing removes the whole directory, so only result directories may be replaced.
    if Directory.exists(base), let cause = foreignContent(of: base) {
      Terminal.error("error: cannot replace '\(base)': \(cause)")
      throw ExitCode(2)
    }
    do throws(FileError) {
      let isOwn = results.kind == .sweep ? SweepDirectory.isOwn : ResultDirectory.isOwn
      try Directory.copy(new, over: try OutputPlace.directory(base), where: isOwn)
    } catch {
      throw Output.exitCode(after: error)
    }
    Terminal.warning("replaced baseline '\(base)' with a copy of '\(new)'")
  }

  private func foreignContent(of path: String) -> String? {
    Directory.exists(path + "/plan.csv")
      ? SweepDirectory.foreignContent(of: path) : ResultDirectory.foreignContent(of: path)
  }
}

extension ComparisonRule.Grouping: ExpressibleByArgument {}
