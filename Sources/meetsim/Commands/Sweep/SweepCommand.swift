import ArgumentParser
import Metrics
import Quantity
import Scenario
import Sweep

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs the meetings of a sweep.
struct SweepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Runs every point of a sweep, on all cores, and writes tables over all runs.",
    usage: "meetsim sweep <sweep> --output <output> [<options>]",
    discussion: """
      A sweep file defines a scenario and the variables to vary. Every run is saved as it finishes: after an \
      interruption, --resume executes the missing runs. Exits with 3 when a run has no result.

      Such as this one, of which 'meetsim check' then says from which capacity it holds:

        name: narrow
        scenario: scenarios/one-to-one.yaml
        variables:
          capacity: {path: links.home.capacity, values: [300 kbps, 1 Mbps, 3 Mbps]}
        repetitions: 10
        expect:
          - {viewer: patient, source: doctor, metric: mos, is: ">= 3"}

      EXAMPLES
        meetsim sweep scenarios/sweeps/smoke.yaml --dry-run
        meetsim sweep scenarios/sweeps/smoke.yaml -o out
        meetsim sweep scenarios/sweeps/smoke.yaml -o out --resume
        meetsim sweep scenarios/sweeps/smoke.yaml -o part-1 --shard 1/2
        meetsim sweep scenarios/sweeps/smoke.yaml -o out --filter 'capacity <= 1 Mbps'
      """)

  @Argument(help: "The sweep file.", completion: .file(extensions: ["yaml", "yml"]))
  var sweep: String

  @Option(name: [.customShort("o"), .long], help: "Directory for the results.")
  var output: String?

  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: "Number of parallel runs; by default one per processor.")
  var jobs: Int?

  @Option(help: "Runs only the points that satisfy this condition on the variables.")
  var filter: String?

  @Option(
    help: """
      Runs one shard only: 'I/N', or 'auto' in an array job of Slurm, GitLab, CircleCI, Buildkite, Kubernetes, \
      AWS Batch, PBS or Grid Engine ('auto/N' where the system does not export the number of tasks).
      """)
  var shard: String?

  @Flag(help: "Resumes in an existing directory: executes missing and failed runs.")
  var resume = false

  @Flag(help: "Replaces an existing sweep directory.")
  var force = false

  @Flag(help: "Prints the table of runs and estimates their time from a few probe runs; writes no results.")
  var dryRun = false

  @Flag(name: .shortAndLong, help: "Prints nothing but errors.")
  var quiet = false

  func validate() throws {
    try Output.checkName(output)
    if let jobs, !(1...SweepLoading.jobLimit).contains(jobs) {
      throw ValidationError("--jobs '\(jobs)' is out of range: from 1 to \(SweepLoading.jobLimit)")
    }
    if resume, force { throw ValidationError("--resume and --force are mutually exclusive") }
    if output == nil, !dryRun { throw ValidationError("name a directory for the results with -o") }
  }

  func run() throws {
    Interruption.watch()
    let (file, planned) = try SweepLoading.plan(
      sweep, filter: filter, shard: try selectedShard(), isQuiet: quiet)
    var plan = planned.plan
    let jobs = try self.jobs(for: planned, of: file)
    do {
      guard !dryRun else {
        var failed = 0
        if !quiet { failed = try DryRun(plan: plan, sources: planned.sources, jobs: jobs).print() }
        if let number = Interruption.received { throw Interruption.exitCode(after: number) }
        if failed > 0 { throw ExitCode(3) }
        let invalid = plan.runs.count { plan.contains($0) && !$0.problem.isEmpty }
        guard invalid == 0 else {
          Terminal.error(
            "\(file.designPosition): error: \(invalid) of the sweep's runs are invalid, and would fail")
          throw ExitCode(3)
        }
        return
      }
      try SweepDirectory.checkName(output ?? "")
      let fingerprint = try Trial.fingerprint(
        of: plan, sources: planned.sources, command: SweepLoading.worker
      ) { Interruption.received != nil }
      guard let fingerprint else {
        let number = Interruption.received ?? SIGINT
        Terminal.error("\(Interruption.name(of: number)): the sweep had not begun")
        throw Interruption.exitCode(after: number)
      }
      plan.identify(fingerprint: fingerprint)
      let directory = try SweepDirectory(
        path: output ?? "", plan: plan, existing: resume ? .resume : force ? .replace : .refuse)
      try execute(in: directory, planned.sources, jobs: jobs, timeout: file.runs.timeout)
    } catch let error as ResultError {
      throw Terminal.exitCode(for: error)
    }
  }

  /// Number of parallel runs: as requested, or as many as fit in memory; exits with 2 if the largest run does not.
  private func jobs(for planned: SweepPlanner.Planned, of file: SweepFile) throws(ExitCode) -> Int {
    let wanted = jobs ?? SweepLoading.processors
    guard let (run, need) = planned.largest else { return wanted }
    try MachineMemory.check(need, of: "the meeting of point \(run.pointID)", at: "\(file.designPosition)")
    let fitting = MachineMemory.fitting(need)
    if !quiet, fitting < wanted, jobs != nil {
      Terminal.error(
        "\(file.designPosition): warning: \(fitting) runs at once, not \(wanted): each of point \(run.pointID) needs "
          + "about \(MachineMemory.text(need)) of memory")
    }
    return min(wanted, fitting)
  }

  private func selectedShard() throws -> SweepSettings.Shard? {
    do {
      return try shard.map { text throws(SweepSettings.Shard.Failure) in
        try SweepSettings.Shard(text) { name in getenv(name).map { String(cString: $0) } }
      }
    } catch {
      Terminal.error("error: --shard: \(error)")
      throw ExitCode(2)
    }
  }

  private func execute(
    in directory: SweepDirectory, _ sources: [String: PointSource], jobs: Int, timeout: SimDuration
  ) throws {
    let execution = SweepExecution(
      in: directory, sources: sources, command: SweepLoading.worker,
      timeout: .nanoseconds(timeout.nanoseconds))
    if !quiet { SweepReport.beginning(execution.progress, of: directory.path) }
    let progress = SweepProgress(isQuiet: quiet)
    do {
      try execution.run(jobs: jobs, report: progress.update) {
        Interruption.received != nil
      }
    } catch {
      progress.finish()
      Terminal.error(
        "error: cannot \(error.action): \(error.cause); finished runs are kept: continue with --resume")
      throw ExitCode(3)
    }
    progress.finish()
    let seconds = progress.seconds
    let outcome = try SweepTables.write(directory)
    if !quiet {
      SweepReport.end(outcome, execution.progress, seconds: seconds, directory: directory.path)
      SweepReport.answer(outcome, shard: shard, in: directory.path)
    }
    if let number = Interruption.received {
      Terminal.error(
        "\(Interruption.name(of: number)): \(outcome.counts[.missing, default: 0]) runs are missing; "
          + "continue with --resume")
      throw Interruption.exitCode(after: number)
    }
    SweepReport.failures(outcome)
    if !outcome.isComplete { throw ExitCode(3) }
  }
}
