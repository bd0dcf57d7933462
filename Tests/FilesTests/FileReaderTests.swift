import Files
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("Reading files")
struct FileReaderTests {
  private func cause(_ path: String, limit: Int = 1000) -> String? {
    do {
      _ = try FileReader.bytes(of: path, limit: limit)
      return nil
    } catch {
      return error.cause
    }
  }

  /// Neither blocks nor reads without end.
  @Test func whatIsNoFileIsRefused() throws {
    let folder = try TemporaryFolder(["file": "text"])
    let pipe = folder.path + "/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    for (name, target) in [("zero", "/dev/zero"), ("linked-pipe", pipe), ("linked", folder.path + "/file")] {
      try #require(symlink(target, "\(folder.path)/\(name)") == 0)
    }
    #expect(cause(pipe) == "it is a named pipe, not a file")
    #expect(cause(folder.path + "/linked-pipe") == "it is a named pipe, not a file")
    #expect(cause("/dev/zero") == "it is a device, not a file")
    #expect(cause(folder.path + "/zero", limit: .max) == "it is a device, not a file")
    #expect(cause(folder.path) == "it is a directory, not a file")
    #expect(try FileReader.bytes(of: folder.path + "/linked", limit: 4) == Array("text".utf8))
    #expect(cause(folder.path + "/linked", limit: 3) == "it is larger than 3 bytes")
  }

  /// A sparse file of a terabyte is refused before anything of it is read.
  @Test func aFileThatIsTooLargeIsNotRead() throws {
    let folder = try TemporaryFolder(["large": ""])
    try #require(truncate(folder.path + "/large", 1 << 40) == 0)
    #expect(cause(folder.path + "/large") == "it is larger than 1000 bytes")
  }
}
