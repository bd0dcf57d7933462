#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A single result file that appears whole or not at all.
package enum ResultFile {
  /// Writes a text beside its place and renames it.
  package static func write(_ text: String, to path: String) throws(ResultError) {
    let partial = "\(path).partial-\(getpid())"
    guard let file = fopen(partial, "w") else { throw failure("write '\(path)'") }
    let bytes = Array(text.utf8)
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    let isFlushed = fflush(file) == 0 && fsync(fileno(file)) == 0
    guard fclose(file) == 0, isWritten, isFlushed, rename(partial, path) == 0 else {
      let error = failure("write '\(path)'")
      unlink(partial)
      throw error
    }
  }

  /// Appends a text to a file that others write to as well; makes it when it is not there.
  package static func append(_ text: String, to path: String) throws(ResultError) {
    guard let file = fopen(path, "a") else { throw failure("append to '\(path)'") }
    let bytes = Array(text.utf8)
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    guard fclose(file) == 0, isWritten else { throw failure("append to '\(path)'") }
  }

  private static func failure(_ action: String) -> ResultError {
    ResultError(action: action, cause: String(cString: strerror(errno)).lowercased())
  }
}
