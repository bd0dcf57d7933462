import ArgumentParser
import Scenario
import Sweep

/// Writes a Slurm batch script.
struct SlurmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "slurm",
    abstract: "Writes a script that runs a sweep as a Slurm job array and merges its shards.",
    usage: "meetsim slurm <sweep> --shards <shards> [<options>]",
    discussion: """
      Submits nothing itself. Running the script submits an array of shards followed by a merge job; running it again \
      executes only missing runs. Aim for shards of 1 to 10 minutes: 'sweep --dry-run' estimates the total time.

      EXAMPLE
        meetsim slurm scenarios/sweeps/nine-party-policies.yaml --shards 16 \\
          --time 0:30:00 > sweep.sh
        bash sweep.sh
      """)

  @Argument(help: "The sweep file.", completion: .file(extensions: ["yaml", "yml"]))
  var sweep: String

  @Option(help: "Number of array tasks.")
  var shards: Int

  @Option(
    name: [.customShort("o"), .long],
    help: "Directory for shards, logs and the merged result; default: the sweep's name.")
  var output: String?

  @Option(help: "Processors per task.")
  var cpus = 1

  @Option(help: "Time limit per task, in Slurm's format.")
  var time = "1:00:00"

  @Option(help: "Memory per task, in Slurm's format.")
  var memory = "2G"

  @Option(help: "Partition to submit to; by default the cluster's.")
  var partition: String?

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    try Output.checkName(output)
    if !(1...100_000).contains(shards) {
      throw ValidationError("--shards '\(shards)' is out of range: from 1 to 100000")
    }
    if !(1...1024).contains(cpus) {
      throw ValidationError("--cpus '\(cpus)' is out of range: from 1 to 1024")
    }
    for (name, value) in [("--time", time), ("--memory", memory), ("--partition", partition ?? "x")]
    where value.isEmpty
      || !value.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ":-_.,".contains($0)) })
    {
      throw ValidationError("\(name) '\(value)' is not valid for Slurm")
    }
  }

  func run() throws {
    let (file, planned) = try SweepLoading.plan(sweep, filter: nil)
    let count = planned.plan.runs.count
    if shards > count {
      Terminal.warning("warning: \(shards) shards for \(count) runs: some shards are empty")
    }
    if shards > 1000 {
      Terminal.warning("warning: many clusters limit arrays to 1000 tasks (MaxArraySize in slurm.conf)")
    }
    Terminal.data(
      SlurmScript(
        name: file.name, sweep: sweep, output: output ?? file.name, shards: shards, cpus: cpus, time: time,
        memory: memory, partition: partition
      ).text)
  }
}
