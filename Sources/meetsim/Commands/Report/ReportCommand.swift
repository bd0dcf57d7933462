import ArgumentParser
import Files
import Metrics
import Report
import ResultReading

/// Makes a page from results.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract:
      "Makes one HTML page of a run, of two runs or of a sweep; a browser opens it without a network.",
    discussion: """
      The page of a run replays every viewer's screen, with the decisions and charts below it, and opens at the first \
      moment worth seeing. Two runs stand beside each other. A sweep is drawn over its variables, with the bounds of \
      its expectations, and --run repeats one of its runs for the page of a run; the sweep file and its traces must be \
      unchanged.

      EXAMPLES
        meetsim report out -o report.html
        meetsim report out-before out-after -o both.html
        meetsim report out-sweep -o sweep.html
        meetsim report out-sweep --run RUN_ID -o run.html
      """)

  @Argument(help: "Result directory of a run or a sweep, or two of runs.", completion: .directory)
  var directories: [String]

  @Option(name: .shortAndLong, help: "File to write.")
  var output = "report.html"

  @Option(name: .customLong("run"), help: "Run id of a sweep's runs.csv, to repeat that run and show it.")
  var runID: String?

  @Flag(name: .shortAndLong, help: "Prints nothing but errors.")
  var quiet = false

  func validate() throws {
    try ReportFile.checkName(output, option: "-o")
    if directories.isEmpty || directories.count > 2 {
      throw ValidationError("a report shows one result directory or two")
    }
    if runID != nil, directories.count == 2 {
      throw ValidationError("--run is for the directory of one sweep: leave the other directory out")
    }
  }

  func run() throws {
    if let runID {
      try ReportFile.write(run: runID, of: directories[0], to: output, showsProgress: !quiet)
    } else {
      try ReportFile.write(directories, to: output)
    }
    if !quiet { Terminal.line("\(output): open it in a browser") }
  }
}

/// The file of a report.
enum ReportFile {
  static func checkName(_ path: String?, option: String) throws {
    guard let path else { return }
    try Output.checkName(path, option: option)
    if !path.hasSuffix(".html"), !path.hasSuffix(".htm") {
      throw ValidationError("\(option) '\(path)' must end in .html")
    }
  }

  /// Writes a page about result directories; prints errors and exits with 2, or with 3 if it cannot be written.
  static func write(_ directories: [String], to path: String) throws(ExitCode) {
    let page: [UInt8]
    do {
      for directory in directories { try Results.refuseFile(directory) }
      page = try ReportPage.html(of: directories)
    } catch {
      Terminal.error(error is ResultReadingError ? "\(error)" : "error: \(error)")
      throw ExitCode(2)
    }
    do throws(FileError) {
      try OutputFile.write(page, to: path)
    } catch {
      throw Output.exitCode(after: error)
    }
  }

  /// Repeats a run of a sweep and writes the page about it; prints errors and exits with 2 if it cannot be repeated.
  static func write(run id: String, of directory: String, to path: String, showsProgress: Bool) throws {
    Interruption.watch()
    do {
      // The page shows the directory's name.
      try ExplainedRun.load(directory, run: id).repeated(as: id, showsProgress: showsProgress) {
        try write([$0], to: path)
      }
    } catch let error as ResultError {
      throw Terminal.exitCode(for: error)
    }
  }
}
