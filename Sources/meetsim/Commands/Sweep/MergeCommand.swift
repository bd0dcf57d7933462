import ArgumentParser
import Metrics
import Sweep

/// Merges the results of shards.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merges the directories of a sweep's shards into one.",
    discussion: """
      The result is byte-identical to that of the unsharded sweep. Directories of different sweeps or versions are \
      rejected. Exits with 3 when a run is missing or failed, as its row in runs.csv states. To execute missing runs, \
      use 'sweep --resume' on the output, or on the shard before merging again.

      EXAMPLE
        meetsim merge part-1 part-2 -o out
      """)

  @Argument(help: "The shards' directories.", completion: .directory)
  var directories: [String]

  @Option(name: [.customShort("o"), .long], help: "Directory for the results.")
  var output: String

  @Flag(help: "Replaces an existing sweep directory.")
  var force = false

  @Flag(name: .shortAndLong, help: "Prints nothing but errors.")
  var quiet = false

  func validate() throws { try Output.checkName(output) }

  func run() throws {
    Interruption.watch()
    let outcome: SweepTables.Outcome
    do {
      let plan = try SweepMerge.plan(of: directories)
      try SweepMerge.checkApart(directories, output)
      try SweepDirectory.checkName(output)
      try SweepMerge.check(directories, plan, isStopped: { Interruption.received != nil })
      let directory = try SweepDirectory(path: output, plan: plan, existing: force ? .replace : .refuse)
      do {
        try SweepMerge.merge(directories, into: directory) { Interruption.received != nil }
        outcome = try SweepTables.write(directory)
      } catch {
        directory.discard()
        throw error
      }
    } catch let error as ResultError {
      if let number = Interruption.received {
        Terminal.error("\(Interruption.name(of: number)): nothing was merged")
        throw Interruption.exitCode(after: number)
      }
      throw Terminal.exitCode(for: error)
    }
    if !quiet {
      Terminal.line(SweepReport.line(outcome))
      Terminal.line("tables in \(output)")
      SweepReport.answer(outcome, shard: nil, in: output)
    }
    SweepReport.failures(outcome)
    if !outcome.isComplete { throw ExitCode(3) }
  }
}
