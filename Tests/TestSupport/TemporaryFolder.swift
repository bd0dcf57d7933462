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
    // What mkdtemp returns points into the template: it is read while that is sure to be there.
    let made: String? = template.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress, let name = mkdtemp(start) else { return nil }
      return String(cString: name)
    }
    guard let made else { throw FileError(action: "make a folder in /tmp") }
    path = made
    for (name, text) in files { try WholeFile.write(Array(text.utf8), to: "\(path)/\(name)") }
  }

  deinit { Directory.remove(path) }
}
