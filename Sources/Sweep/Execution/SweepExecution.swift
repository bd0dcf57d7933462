import Files
package import Metrics
import Statistics

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Executes the missing runs of a sweep, one worker process per job.
package final class SweepExecution {
  /// The progress of a sweep.
  package struct Progress: Sendable {
    /// Runs for this process to execute.
    package var total = 0
    /// Runs executed by this process.
    package var done = 0
    package var failed = 0
    /// Runs that were already finished.
    package var kept = 0
    /// Runs repeated because their files were damaged.
    package var damaged = 0
  }

  private let directory: SweepDirectory
  private let sources: [String: PointSource]
  private let command: [String]
  private let timeout: Duration
  private var workers: [WorkerProcess] = []
  private var queue: RunQueue
  package private(set) var progress = Progress()

  /// Prepares the execution by determining which runs are finished.
  ///
  /// - Parameters:
  ///   - directory: the directory for the runs' files.
  ///   - sources: the scenario of every point.
  ///   - command: the program, with arguments, that runs ``Worker/serve()``.
  ///   - timeout: wall-clock limit per run.
  package init(
    in directory: SweepDirectory, sources: [String: PointSource], command: [String], timeout: Duration
  ) {
    self.directory = directory
    self.sources = sources
    self.command = command
    self.timeout = timeout
    queue = RunQueue(directory.plan)
    for (place, run) in directory.plan.runs.enumerated() {
      guard run.problem.isEmpty, directory.plan.contains(run) else { continue }
      guard RunFile.exists(run.id, in: directory.path) else { continue }
      guard let file = RunFile.read(run.id, in: directory.path) else {
        progress.damaged += 1
        continue
      }
      // Failed runs are retried: the machine may have been the cause.
      guard file.status == .ok else { continue }
      queue.finish(place, with: file)
      progress.kept += 1
    }
    progress.total = queue.pendingCount
  }

  /// Runs until nothing is missing or a stop is requested.
  ///
  /// - Parameters:
  ///   - jobs: number of parallel workers.
  ///   - report: called after every run and a few times a second.
  ///   - isStopped: polled a few times a second.
  /// - Throws: ``Metrics/ResultError`` when results cannot be written; finished runs are kept.
  package func run(
    jobs: Int, report: (Progress) -> Void, isStopped: () -> Bool
  ) throws(ResultError) {
    defer { for worker in workers { worker.end(killing: true) } }
    while !isStopped() {
      try dispatchTasks(jobs: jobs)
      guard workers.contains(where: { $0.task != nil }) else { return }
      try collectAnswers()
      try killTimedOutRuns()
      progress.total = max(progress.total, progress.done + queue.pendingCount)
      report(progress)
    }
  }

  private func dispatchTasks(jobs: Int) throws(ResultError) {
    while workers.filter({ $0.task != nil }).count < jobs {
      guard let place = queue.next() else { return }
      let run = directory.plan.runs[place]
      guard let source = sources[run.pointID] else { continue }
      let task = WorkerTask(run, source, directory.plan.settings, directory: directory.path, .result)
      if let idle = workers.first(where: { $0.task == nil }) {
        if try idle.begin(task, run: place, deadline: .now + timeout) { continue }
        // The worker was killed while idle.
        workers.removeAll { $0 === idle }
        idle.end(killing: true)
      }
      let worker = try WorkerProcess(command)
      workers.append(worker)
      // If the worker is gone, `collectAnswers` reads the end of its output.
      _ = try worker.begin(task, run: place, deadline: .now + timeout)
    }
  }

  private func collectAnswers() throws(ResultError) {
    var files = workers.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
    let now = ContinuousClock.now
    let soonest = workers.compactMap { $0.task?.deadline }.min().map { $0 - now } ?? .milliseconds(200)
    let wait = min(max(soonest, .zero), .milliseconds(200)) / Duration.milliseconds(1)
    guard poll(&files, nfds_t(files.count), Int32(wait.rounded(.up))) > 0 else { return }
    let ready = zip(workers, files).filter { $0.1.revents != 0 }.map(\.0)
    for worker in ready {
      let place = worker.task?.run
      let (answer, isOver) = worker.receive()
      if let answer, let place { try handle(answer, of: place) }
      guard isOver else { continue }
      workers.removeAll { $0 === worker }
      let number = worker.end(killing: false)
      if let place, answer == nil {
        let cause =
          number == 0 ? "the run exited its process" : "the run was terminated by \(Self.name(of: number))"
        try fail(place, .failed, cause)
      }
    }
  }

  private func handle(_ answer: [String], of place: Int) throws(ResultError) {
    switch answer.first {
    case "ok":
      progress.done += 1
      let id = directory.plan.runs[place].id
      queue.finish(place, with: queue.needsResults ? RunFile.read(id, in: directory.path) : nil)
    case "unwritable": throw ResultError(action: "save a run", cause: answer.last ?? "")
    default: try fail(place, .failed, answer.last ?? "")
    }
  }

  private func killTimedOutRuns() throws(ResultError) {
    let now = ContinuousClock.now
    for worker in workers {
      guard let task = worker.task, task.deadline <= now else { continue }
      workers.removeAll { $0 === worker }
      worker.end(killing: true)
      try fail(task.run, .timeout, "the run took longer than \(timeout / Duration.seconds(1)) s")
    }
  }

  private func fail(_ place: Int, _ status: RunStatus, _ cause: String) throws(ResultError) {
    progress.done += 1
    progress.failed += 1
    let file = RunFile(id: directory.plan.runs[place].id, status: status, cause: cause)
    try file.write(in: directory.path)
    queue.finish(place, with: file)
  }

  static func name(of signal: Int32) -> String {
    let names = [
      SIGILL: "SIGILL (trap)", SIGTRAP: "SIGTRAP (trap)", SIGABRT: "SIGABRT", SIGKILL: "SIGKILL (killed)",
      SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP", SIGQUIT: "SIGQUIT", SIGSEGV: "SIGSEGV",
      SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGXCPU: "SIGXCPU (limit of processor time)",
    ]
    return names[signal] ?? "signal \(signal)"
  }
}
