package import Files

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An empty folder that goes away, with all that is in it, with whoever holds it.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// - Parameter files: texts that are in it from the beginning, by name.
  package init(_ files: [String: String] = [:]) throws(FileError) {
    var template = Array("/tmp/meetsim-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw FileError(action: "make a folder in /tmp") }
    path = String(cString: made)
    for (name, text) in files { try WholeFile.write(Array(text.utf8), to: "\(path)/\(name)") }
  }

  deinit { Directory.remove(path) }
}
