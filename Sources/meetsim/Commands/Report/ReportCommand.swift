import ArgumentParser
import Files
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
      its expectations.

      EXAMPLES
        meetsim report out -o report.html
        meetsim report out-before out-after -o both.html
        meetsim report out-sweep -o sweep.html
      """)

  @Argument(help: "Result directory of a run or a sweep, or two of runs.", completion: .directory)
  var directories: [String]

  @Option(name: .shortAndLong, help: "File to write.")
  var output = "report.html"

  @Flag(name: .shortAndLong, help: "Prints nothing but errors.")
  var quiet = false

  func validate() throws {
    try ReportFile.checkName(output, option: "-o")
    if directories.isEmpty || directories.count > 2 {
      throw ValidationError("a report shows one result directory or two")
    }
  }

  func run() throws {
    try ReportFile.write(directories, to: output)
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
}
