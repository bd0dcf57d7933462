import ArgumentParser
import Files
import Verification

/// Compares a folder of recorded meetings with simulations, for `meetsim verify --sfu`.
struct RecordedMeetingRun {
  let folder: String
  /// Prefixes of the names to compare; all if empty.
  let only: [String]
  let isCSV: Bool
  /// Folder for the simulated tables; `nil` for none.
  let output: String?
  /// Allows replacing files in the output folder.
  let force: Bool

  /// Runs the comparison; exits with 2 if a recording or its scenario cannot be read, or with 1 if a check fails.
  func run() throws {
    try Output.checkApart(output, from: [folder])
    let recorded = try read()
    let setups = try chosen(of: recorded)
    try prepareOutput()
    var report = RecordedMeetingReport(isCSV: isCSV)
    let progress = RecordingProgress(total: setups.count)
    var hasFailed = !recorded.defects.isEmpty
    var outcomes: [SFUVerification.Outcome] = []
    for (place, setup) in setups.enumerated() where !Terminal.isClosed {
      progress.update(done: place, name: setup.name)
      let outcome = Self.outcome(of: setup)
      progress.clear()
      switch outcome {
      case .success(let outcome):
        report.add(setup, outcome)
        try write(outcome)
        outcomes.append(outcome)
      case .failure(let failure):
        for line in failure.lines { Terminal.error(line) }
        Terminal.error("\(setup.recording.path):1:1: error: not compared: its scenario cannot be simulated")
        hasFailed = true
      }
    }
    let repetitions = recorded.setups.flatMap(\.repetitionComparisons)
    report.add(repetitions: setups.flatMap(\.repetitionComparisons))
    report.add(
      differences: Difference.all(
        of: outcomes.map { ($0.name, $0.comparison) }, repetitions: repetitions))
    report.end()
    if hasFailed { throw ExitCode(2) }
    if report.failed > 0 { throw ExitCode(1) }
  }

  private static func outcome(
    of setup: SFUFolder.Setup
  ) -> Result<SFUVerification.Outcome, SFUVerification.Failure> {
    do throws(SFUVerification.Failure) {
      return .success(try SFUVerification.run(setup))
    } catch {
      return .failure(error)
    }
  }

  private func read() throws -> SFUFolder {
    let recorded: SFUFolder
    do throws(RecordingError) {
      recorded = try SFUFolder(folder)
    } catch {
      Terminal.error("\(error)")
      throw ExitCode(2)
    }
    for note in recorded.notes { Terminal.error(note) }
    for defect in recorded.defects { Terminal.error(defect) }
    return recorded
  }

  private func chosen(of recorded: SFUFolder) throws -> [SFUFolder.Setup] {
    let setups = recorded.setups.filter { setup in only.isEmpty || only.contains { setup.name.hasPrefix($0) }
    }
    guard setups.isEmpty, !only.isEmpty else { return setups }
    Terminal.error(
      "error: --only: no recording's name starts with '\(only.joined(separator: "' or '"))'; they are:")
    for setup in recorded.setups { Terminal.error("  \(setup.name)") }
    throw ExitCode(2)
  }

  // MARK: Simulated tables

  private func prepareOutput() throws {
    guard let output else { return }
    do throws(FileError) {
      let place = try OutputPlace.directory(output)
      if !force, Directory.exists(place), try !Directory.entries(of: place).isEmpty {
        throw FileError(
          action: "write to '\(output)'",
          cause:
            "it exists and is not empty: choose another directory with -o, or replace its files with --force",
          isUsage: true)
      }
      try Directory.make(place)
    } catch {
      throw Output.exitCode(after: error)
    }
  }

  private func write(_ outcome: SFUVerification.Outcome) throws {
    guard let output else { return }
    try Output.write(outcome.table, to: "\(Directory.withoutTrailingSlashes(output))/\(outcome.name).csv")
  }
}

/// Shows the recording being simulated on standard error: an updating line on a terminal, otherwise a line per minute.
private final class RecordingProgress {
  private let total: Int
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var lastShown: ContinuousClock.Instant

  init(total: Int) {
    self.total = total
    start = clock.now
    lastShown = start
  }

  func update(done: Int, name: String) {
    let now = clock.now
    guard Terminal.showsProgress || now - lastShown >= .seconds(60) else { return }
    lastShown = now
    var text = "\(done) of \(total) recordings"
    if done > 0 {
      let seconds = (now - start) / Duration.seconds(1)
      text += ", \(DisplayDuration.text(seconds / Double(done) * Double(total - done))) left"
    }
    text += ": \(name)"
    if Terminal.showsProgress { Terminal.progress(text.printable) } else { Terminal.error(text) }
  }

  func clear() { if Terminal.showsProgress { Terminal.progress("") } }
}
