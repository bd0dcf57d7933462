import ArgumentParser
import Expectations
import Files
import Metrics
import Plan
import ResultReading
import Scenario
import Sweep

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Evaluates expectations on results.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Checks result directories against the expectations of their scenario or sweep.",
    usage: "meetsim check <directories> ... [<options>]",
    discussion: """
      In a sweep the unit of analysis is the run: an expectation passes when the confidence interval of the mean over \
      a point's runs (95 %, or the sweep's 'confidence') lies entirely on the passing side of the bound, fails when it \
      lies entirely on the failing side, and is inconclusive when it straddles the bound. A single run is compared \
      directly. A sweep is checked against its own 'expect:', not against its scenario's; each expectation has a grid \
      of verdicts, from where it holds in words, and the worst value. --all lists every point.

      Exits with 1 when an expectation failed (with --strict also when one is inconclusive), with 2 when a directory \
      is not a result, with 3 when runs crashed or are missing, and with 0 otherwise.

      EXAMPLES
        meetsim check out
        meetsim check out --all
        meetsim check out --strict --junit junit.xml
        meetsim check out --github
      """)

  @Argument(help: "Result directories of runs or sweeps.", completion: .directory)
  var directories: [String]

  @Option(help: ArgumentHelp("Also writes JUnit XML to this file.", valueName: "file"))
  var junit: String?

  @Flag(help: "Also prints GitHub annotations and appends a table to the file named by $GITHUB_STEP_SUMMARY.")
  var github = false

  @Flag(help: "Treats an inconclusive expectation as failed.")
  var strict = false

  @Flag(help: "Lists every point of a sweep with its interval, and prints a message for each that fails.")
  var all = false

  @Flag(name: .shortAndLong, help: "Prints nothing but errors.")
  var quiet = false

  func validate() throws {
    if directories.isEmpty { throw ValidationError("name a result directory, such as 'out'") }
    try Output.checkName(junit, option: "--junit")
  }

  func run() throws {
    try Output.checkApart(junit, from: directories)
    var reports: [ExpectationReport] = []
    for directory in directories {
      do {
        reports.append(ExpectationReport(try ExpectedDirectory.read(directory)))
      } catch {
        Terminal.error("\(error)")
        guard Directory.exists(directory + "/plan.csv"), !Directory.exists(directory + "/scalars.csv") else {
          throw ExitCode(2)
        }
        Terminal.error(
          "\(directory): error: the sweep was interrupted: continue with 'meetsim sweep … --resume'")
        throw ExitCode(3)
      }
    }
    var failure: ExitCode?
    do throws(ExitCode) {
      if let junit { try Output.write(JUnitReport.text(of: reports, strict: strict), to: junit) }
    } catch {
      failure = error
    }
    if !quiet { for report in reports { print(report) } }
    for report in reports {
      if !quiet { noteChange(of: report.directory) }
      explain(report)
    }
    do {
      if github { try reportToGitHub(reports) }
    } catch {
      Terminal.error("error: \(error)")
      throw ExitCode(3)
    }
    if let failure { throw failure }
    if reports.contains(where: \.lacksRuns) { throw ExitCode(3) }
    let bad = reports.reduce(0) { $0 + $1.count(of: .fail) + (strict ? $1.count(of: .inconclusive) : 0) }
    if bad > 0 { throw ExitCode(1) }
  }

  private func print(_ report: ExpectationReport) {
    Terminal.lines([Terminal.Line(report.directory.name, .strong)])
    Terminal.lines(ExpectationTable(report: report, showsAll: all, width: Terminal.width).lines)
  }

  /// Prints warnings and errors to standard error.
  private func explain(_ report: ExpectationReport) {
    let directory = report.directory
    if directory.expectations.isEmpty {
      Terminal.error("\(directory.file):1:1: warning: no 'expect:': nothing is checked")
    } else if report.cases.isEmpty {
      let place = directory.expectations.first.map { "\($0.line):\($0.column ?? 1)" } ?? "1:1"
      Terminal.error(
        "\(directory.file):\(place): warning: no expectation applies to any of the points in "
          + "'\(directory.results.directory)': nothing is checked")
    }
    let isListed = all || report.cases.allSatisfy { $0.variables.isEmpty }
    for one in report.cases where one.judgement.verdict != .pass && isListed {
      let kind = one.judgement.verdict == .fail || strict ? "error" : "warning"
      Terminal.error(
        "\(directory.file):\(one.expectation.line):\(one.expectation.column ?? 1): \(kind): "
          + "\(one.judgement.verdict.word): \(one.sentence)")
    }
    if !isListed { explainTogether(report) }
    if let shard = directory.shard {
      Terminal.error(
        "\(directory.results.directory): error: this is shard \(shard.index) of \(shard.count), and its verdicts are of "
          + "its runs alone: join the shards with 'meetsim merge'")
    }
    for run in report.unfinished.prefix(20) {
      Terminal.error("\(directory.results.directory): error: run \(run.runID): \(run.status) \(run.error)")
    }
    if report.unfinished.count > 20 {
      Terminal.error(
        "\(directory.results.directory): error: … \(report.unfinished.count) runs without a result in all")
    }
  }

  /// Notes that the expectations, and the lines of their messages, are not those of the sweep file as it is now.
  private func noteChange(of directory: ExpectedDirectory) {
    guard directory.results.kind == .sweep,
      let settings = try? SweepDirectory.read(directory.results.directory).settings, settings.command == nil,
      // The runs of 'what-if' have no sweep file, but a scenario.
      let present = try? ScenarioSource(path: settings.file), SweepReader.isSweep(present),
      present.text != settings.sweep
    else { return }
    Terminal.error(
      "\(settings.file):1:1: note: the sweep file has changed since the sweep ran; these are the expectations of then"
    )
  }

  /// Prints one message for all failed points of an expectation, and one for all inconclusive ones.
  private func explainTogether(_ report: ExpectationReport) {
    for expectation in report.directory.expectations {
      let cases = report.cases.filter { $0.expectation == expectation }
      for verdict in [Verdict.fail, .inconclusive] {
        let bad = cases.filter { $0.judgement.verdict == verdict }
        guard let first = bad.first else { continue }
        let kind = verdict == .fail || strict ? "error" : "warning"
        Terminal.error(
          "\(report.directory.file):\(expectation.line):\(expectation.column ?? 1): \(kind): \(verdict.word): "
            + (bad.count == 1
              ? first.sentence : "\(first.subject) \(first.bound) at \(bad.count) of \(cases.count) points"))
      }
    }
  }

  private func reportToGitHub(_ reports: [ExpectationReport]) throws(FileError) {
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    let here = realpath(".", nil)
    defer { free(here) }
    let directory = here.map { String(cString: $0) } ?? "."
    let workspace = variable("GITHUB_WORKSPACE")
    Terminal.data(
      GitHubReport.annotations(of: reports, strict: strict) {
        GitHubReport.relative($0, from: directory, to: workspace)
      })
    let path = variable("GITHUB_STEP_SUMMARY")
    guard !path.isEmpty else {
      return Terminal.error("warning: $GITHUB_STEP_SUMMARY is not set: no summary is written")
    }
    try OpenFile.append(Array(GitHubReport.summary(of: reports).utf8), to: path)
  }
}

extension Verdict {
  /// Wording of the verdict in messages.
  var word: String {
    switch self {
    case .pass: "expectation holds"
    case .fail: "expectation failed"
    case .inconclusive: "inconclusive"
    }
  }
}
