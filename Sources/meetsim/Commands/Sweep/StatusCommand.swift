import ArgumentParser
import Metrics
import ResultReading
import Sweep

/// Reports the progress of sweeps.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Reports which runs of sweeps are done, failed or missing.",
    discussion: """
      For several directories of one sweep, an additional line counts all of its runs, including those of shards that \
      are not given. Exits with 0 when every run has a result, with 3 when runs failed or are missing, and with 2 when \
      a directory cannot be read.

      EXAMPLES
        meetsim status out
        meetsim status part-*
      """)

  @Argument(help: "Directories written by 'sweep' or 'merge'.", completion: .directory)
  var directories: [String]

  @OptionGroup var quiet: QuietOption

  func run() throws {
    var isComplete = true
    for directory in directories {
      let plan: SweepPlan
      do {
        plan = try SweepDirectory.read(directory)
        // Only existing tables are checked: a sweep that is still running has none.
        try WrittenTables.check(in: directory, ["runs.csv", "scalars.csv", "summary.csv"])
      } catch let error as ResultError {
        Terminal.error("error: cannot \(error.action): \(error.cause)")
        throw ExitCode(2)
      } catch {
        Terminal.error("\(error)")
        throw ExitCode(2)
      }
      let outcome = SweepTables.outcome(of: plan, in: [directory])
      let shard = plan.settings.shard.map { ", shard \($0.index)/\($0.count)" } ?? ""
      let running = SweepMerge.isInUse(directory) ? " (in use by a process)" : ""
      Terminal.line(
        "\(directory): '\(plan.settings.name)'\(shard), \(SweepReport.line(outcome))\(running)")
      SweepReport.failures(outcome)
      if !outcome.isComplete { isComplete = false }
    }
    if directories.count > 1, let whole = try? SweepMerge.plan(of: directories) {
      let outcome = SweepTables.outcome(of: whole, in: directories)
      Terminal.line("all: '\(whole.settings.name)', \(SweepReport.line(outcome))")
      if !outcome.isComplete { isComplete = false }
    }
    if !isComplete { throw ExitCode(3) }
  }
}
