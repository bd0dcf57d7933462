import Files
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Runs the built program as a user does.
enum Program {
  /// The program beside the test bundle.
  static let path: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let own = String(decoding: buffer[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
    // The tests may be run by another program of the toolchain: then the build folder is below the checkout.
    let beside = own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let candidates = [beside + "/meetsim", Repository.root + "/.build/release/meetsim"]
    return candidates.first { access($0, X_OK) == 0 } ?? "meetsim"
  }()

  /// Returns exit code, standard output and standard error of a shell command in which `$meetsim` is the program; each
  /// message is on one line unless the command sets a width.
  static func shell(_ command: String) throws -> (code: Int32, output: String, error: String) {
    let temporary = try TemporaryFolder()
    let folder = temporary.path
    let script =
      "cd '\(Repository.root)' && unset COLUMNS && export meetsim='\(path)' TMPOUT='\(folder)' && ( \(command) ) "
      + ">'\(folder)/out' 2>'\(folder)/err'"
    let status = system(script)
    return (status >> 8 & 0xff, try text("\(folder)/out"), try text("\(folder)/err"))
  }

  /// Runs a scenario, and `explain` on its result.
  ///
  /// - Returns: exit code, and standard output and error of `explain`, each as one line.
  static func explain(_ scenario: String, _ arguments: String) throws -> (
    code: Int32, output: String, error: String
  ) {
    let run = try shell(
      """
      cat > $TMPOUT/a.yaml <<END
      \(scenario)
      END
      "$meetsim" run $TMPOUT/a.yaml -o $TMPOUT/a --quiet
      "$meetsim" explain $TMPOUT/a \(arguments)
      """)
    return (run.code, run.output.replacing("\n", with: " "), run.error.replacing("\n", with: " "))
  }

  /// Returns what `explain` says of the result of a scenario, as one line.
  static func explained(_ scenario: String, _ arguments: String) throws -> String {
    let run = try explain(scenario, arguments)
    #expect(run.code == 0, "\(run.error)")
    return run.output
  }

  static func text(_ path: String) throws -> String {
    String(decoding: try FileReader.bytes(of: path, limit: .max), as: UTF8.self)
  }
}
