import ArgumentParser
import Files

/// Files and directories named on the command line as outputs.
enum Output {
  /// Rejects an empty name.
  static func checkName(_ path: String?, option: String = "-o") throws {
    if path == "" { throw ValidationError("\(option) needs a name") }
  }

  /// Opens a file; on failure prints the error and exits, with 2 if the name is unsuitable, otherwise with 3.
  static func open(_ path: String) throws(ExitCode) -> OutputFile {
    do throws(FileError) {
      return try OutputFile(path)
    } catch {
      throw exitCode(after: error)
    }
  }

  /// Exits with 2 if an output would replace an input file or lies in an input directory.
  static func checkApart(_ output: String?, from inputs: [String]) throws(ExitCode) {
    guard let output else { return }
    for input in inputs {
      let cause: String
      if Directory.leadsToDirectory(input) {
        guard Directory.contains(input, output) else { continue }
        cause = "it lies in '\(input)', which is read"
      } else {
        // A device or terminal can be input and output at once.
        guard Directory.isSame(input, output), Directory.leadsToFile(output) else { continue }
        cause = "it is the file that is read"
      }
      throw exitCode(
        after: FileError(
          action: "write to '\(output)'", cause: cause + ": choose another name", isUsage: true))
    }
  }

  /// Writes a file; failures are handled as in ``open(_:)``. A pipe closed by its reader is not an error.
  static func write(_ text: String, to path: String) throws(ExitCode) {
    var file = try open(path)
    do throws(FileError) {
      try file.write(Array(text.utf8))
      try file.finish()
    } catch {
      guard error.isClosedPipe else { throw exitCode(after: error) }
    }
  }

  /// Prints the error and returns the exit code for it.
  static func exitCode(after error: FileError) -> ExitCode {
    Terminal.error("error: \(error)")
    return ExitCode(error.isUsage ? 2 : 3)
  }
}

/// Range check of seeds on the command line, with the same limits as in files.
enum SeedOption {
  static func check(_ seed: UInt64?) throws {
    guard let seed, seed > UInt64(Int.max) else { return }
    throw ValidationError("--seed '\(seed)' is out of range: from 0 to \(Int.max)")
  }
}
