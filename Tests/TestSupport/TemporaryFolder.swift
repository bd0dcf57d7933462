package import Files

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An empty folder that is removed with its contents when its owner is released.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// - Parameter files: initial text files, by name.
  package init(_ files: [String: String] = [:]) throws(FileError) {
    var template = Array("/tmp/meetsim-test-XXXXXX".utf8CString)
    // mkdtemp returns a pointer into the template, so its result is read while the template is alive.
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
