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

  /// Rejects an output that would replace a file that is read, or lies in a directory that is; exits with 2.
  static func checkApart(_ output: String?, from inputs: [String]) throws(ExitCode) {
    guard let output else { return }
    for input in inputs {
      let cause: String
      if Directory.leadsToDirectory(input) {
        guard Directory.contains(input, output) else { continue }
        cause = "it lies in '\(input)', which is read"
      } else {
        // Devices and terminals may be read and written at once.
        guard Directory.isSame(input, output), Directory.leadsToFile(output) else { continue }
        cause = "it is the file that is read"
      }
      throw exitCode(
        after: FileError(
          action: "write to '\(output)'", cause: cause + ": choose another name", isUsage: true))
    }
  }

  /// Writes a file; failures are handled as by ``open(_:)``. A pipe whose reader is gone has seen enough.
  static func write(_ text: String, to path: String) throws(ExitCode) {
    var file = try open(path)
    do throws(FileError) {
      try file.write(Array(text.utf8))
      try file.finish()
    } catch {
      guard error.isClosedPipe else { throw exitCode(after: error) }
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
