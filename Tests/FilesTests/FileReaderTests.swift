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

  /// The reader neither blocks nor reads without end.
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

  /// A sparse file of a terabyte is refused before any of it is read.
  @Test func aFileThatIsTooLargeIsNotRead() throws {
    let folder = try TemporaryFolder(["large": ""])
    try #require(truncate(folder.path + "/large", 1 << 40) == 0)
    #expect(cause(folder.path + "/large") == "it is larger than 1000 bytes")
  }
}

@Suite("Bytes that are not text")
struct NonTextTests {
  @Test(
    arguments: [
      ([0x61, 0x00], 1, 2), ([0x61, 0x0a, 0xc3, 0xa9, 0xff], 2, 2), ([0xc3], 1, 1),
      ([0x0a, 0x0a, 0x00], 3, 1),
      ([0xe2, 0x82, 0x0a], 1, 1),
    ] as [([UInt8], Int, Int)])
  func theFirstIsFoundByLineAndCharacter(bytes: [UInt8], line: Int, column: Int) throws {
    let place = try #require(bytes.firstNonText)
    #expect(place.line == line && place.column == column)
  }

  @Test func textHasNone() {
    #expect(Array("a\n\u{e9}\u{1f600}".utf8).firstNonText == nil && [UInt8]().firstNonText == nil)
  }
}

@Suite("Memory limits of control groups")
struct ControlGroupTests {
  private func rest(_ groups: String, _ files: [String: String]) throws -> Int64? {
    let folder = try TemporaryFolder()
    try Directory.make(folder.path + "/proc/self")
    try WholeFile.write(Array(groups.utf8), to: folder.path + "/proc/self/cgroup")
    for (path, text) in files {
      let place = folder.path + "/sys/fs/cgroup/" + path
      try Directory.make(place.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 })
      try WholeFile.write(Array(text.utf8), to: place)
    }
    return ControlGroup.rest(in: folder.path)
  }

  /// 700 of 1000 are used, 200 of them by cached files, which leaves 500; the parent group leaves 450.
  @Test func theLeastOfAGroupAndThoseAboveItCounts() throws {
    let own = [
      "a/b/memory.max": "1000\n", "a/b/memory.current": "700\n", "a/b/memory.stat": "anon 500\nfile 200\n",
    ]
    let above = ["a/memory.max": "1200\n", "a/memory.current": "750\n"]
    #expect(try rest("0::/a/b\n", own) == 500)
    #expect(try rest("0::/a/b\n", own.merging(above) { $1 }) == 450)
    #expect(try rest("0::/a/b\n", ["a/b/memory.max": "max\n", "a/b/memory.current": "7\n"]) == nil)
    // The path as a container sees its own group.
    #expect(try rest("0::/\n", ["memory.max": "900\n", "memory.current": "1000\n"]) == 0)
  }

  @Test func versionOneNamesItsControllers() throws {
    let groups = "11:cpu,cpuacct:/x\n4:memory:/x\n0::/\n"
    let files = [
      "memory/x/memory.limit_in_bytes": "1000\n", "memory/x/memory.usage_in_bytes": "400\n",
      "memory/x/memory.stat": "cache 1\ntotal_cache 100\n",
      "memory/memory.limit_in_bytes": "9223372036854771712\n", "memory/memory.usage_in_bytes": "5000\n",
    ]
    #expect(try rest(groups, files) == 700)
    #expect(try rest("4:cpu:/x\n", files) == nil)
  }
}
