import ArgumentParser
import Files

/// Files and directories that the command line names as outputs.
enum Output {
  /// Rejects an empty name.
  static func checkName(_ path: String?, option: String = "-o") throws {
    if path == "" { throw ValidationError("\(option) needs a name") }
  }

  /// Opens a file; on failure prints the error and exits with 2 if the name is unsuitable, else with 3.
  static func open(_ path: String) throws(ExitCode) -> OutputFile {
    do throws(FileError) {
      return try OutputFile(path)
    } catch {
      throw exitCode(after: error)
    }
  }

  /// Writes a file; failures are handled as by ``open(_:)``.
  static func write(_ text: String, to path: String) throws(ExitCode) {
    var file = try open(path)
    do throws(FileError) {
      try file.write(Array(text.utf8))
      try file.finish()
    } catch {
      throw exitCode(after: error)
    }
  }

  /// Prints the error.
  static func exitCode(after error: FileError) -> ExitCode {
    Terminal.error("error: \(error)")
    return ExitCode(error.isUsage ? 2 : 3)
  }
}

/// The range of seeds on the command line, which is that of the files.
enum SeedOption {
  static func check(_ seed: UInt64?) throws {
    guard let seed, seed > UInt64(Int.max) else { return }
    throw ValidationError("--seed '\(seed)' is out of range: from 0 to \(Int.max)")
  }
}
