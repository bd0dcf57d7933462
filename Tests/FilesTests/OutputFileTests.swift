import Files
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

private func text(_ path: String) -> String? {
  Repository.bytes(of: path).map { String(decoding: $0, as: UTF8.self) }
}

private func mode(_ path: String) -> UInt32 {
  var status = stat()
  return lstat(path, &status) == 0 ? UInt32(status.st_mode) : 0
}

@Suite("Outputs named by the user")
struct OutputFileTests {
  @Test func aFileIsReplacedAsAWholeAndKeepsItsPermissions() throws {
    let folder = try TemporaryFolder(["a": "old"])
    let path = folder.path + "/a"
    chmod(path, 0o640)
    var file = try OutputFile(path)
    try file.write(Array("new".utf8))
    #expect(text(path) == "old")
    try file.finish()
    #expect(text(path) == "new" && mode(path) & 0o777 == 0o640)
    #expect(try Directory.entries(of: folder.path) == ["a"])
  }

  @Test func whatIsGivenUpLeavesTheOldContent() throws {
    let folder = try TemporaryFolder(["a": "old"])
    do {
      let file = try OutputFile(folder.path + "/a")
      try file.write(Array("new".utf8))
    }
    #expect(text(folder.path + "/a") == "old")
    #expect(try Directory.entries(of: folder.path) == ["a"])
  }

  @Test func aLinkIsWrittenThrough() throws {
    let folder = try TemporaryFolder(["a": "old"])
    symlink("a", folder.path + "/link")
    try OutputFile.write(Array("new".utf8), to: folder.path + "/link")
    #expect(text(folder.path + "/a") == "new")
    #expect(mode(folder.path + "/link") & S_IFMT == S_IFLNK)
  }

  @Test func aPipeIsWrittenTo() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    // A reader that is already there, so the writer need not wait.
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try OutputFile.write(Array("new".utf8), to: path)
    var bytes = [UInt8](repeating: 0, count: 8)
    #expect(read(reader, &bytes, bytes.count) == 3 && bytes.starts(with: Array("new".utf8)))
    #expect(mode(path) & S_IFMT == S_IFIFO)
  }

  #if os(Linux)
    @Test func aDeviceIsNeverReplaced() throws {
      let folder = try TemporaryFolder()
      let path = folder.path + "/full"
      // Only a privileged user can create this copy of /dev/full.
      guard mknod(path, S_IFCHR | 0o666, 1 << 8 | 7) == 0 else { return }
      let error = #expect(throws: FileError.self) { try OutputFile.write([1], to: path) }
      // Some containers forbid devices outside /dev.
      #expect(["no space left on device", "permission denied"].contains(error?.cause))
      #expect(mode(path) & S_IFMT == S_IFCHR)
      #expect(try Directory.entries(of: folder.path) == ["full"])
    }
  #endif

  @Test func descriptorsAreWrittenTo() throws {
    let folder = try TemporaryFolder(["a": "one "])
    let file = open(folder.path + "/a", O_WRONLY | O_APPEND)
    defer { close(file) }
    try OutputFile.write(Array("two".utf8), to: "/dev/fd/\(file)")
    #expect(text(folder.path + "/a") == "one two")
    #expect(try OutputPlace("/dev/stdout") == .descriptor(1))
    #expect(try OutputPlace("/proc/self/fd/7") == .descriptor(7))
  }

  @Test func unsuitableNamesFailAtOnce() throws {
    let folder = try TemporaryFolder(["file": ""])
    symlink("nowhere", folder.path + "/dangling")
    symlink("loop", folder.path + "/loop")
    func cause(_ name: String) -> String? {
      do {
        _ = try OutputFile(name)
        return nil
      } catch {
        return error.isUsage ? error.cause : "not usage"
      }
    }
    #expect(cause("") == "the name of the output is empty")
    #expect(cause(folder.path) == "it is a directory, not a file")
    #expect(cause(folder.path + "/dangling") == "it is a symbolic link to nothing")
    #expect(cause(folder.path + "/loop") == "too many levels of symbolic links")
    #expect(cause(folder.path + "/file/x") == "not a directory")
    #expect(cause(folder.path + "/none/x") == "not usage")
    for name in ["/dangling", "/loop", "/file"] {
      #expect(throws: FileError.self) { try OutputPlace.directory(folder.path + name) }
    }
    #expect(throws: FileError.self) { try OutputPlace.directory("") }
    #expect(try OutputPlace.directory(folder.path + "/new") == folder.path + "/new")
    #expect(try Directory.entries(of: folder.path) == ["dangling", "file", "loop"])
  }
}

@Suite("Leftovers of killed processes")
struct LeftoverTests {
  /// Returns the id of a process that has ended.
  private func ended() -> Int32 {
    var process: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
    defer { free(arguments[0]) }
    guard posix_spawnp(&process, "true", nil, nil, &arguments, environ) == 0 else { return 0 }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return process
  }

  @Test func itIsRemovedUnlessItsProcessLives() throws {
    let process = ended()
    try #require(process > 0)
    let folder = try TemporaryFolder([
      "a.partial-\(process)": "", "a.partial-\(getppid())": "", "a.partial-mine": "",
      "b.partial-\(process)": "",
      "partial-\(process)": "",
    ])
    try Directory.make("\(folder.path)/.a.partial-\(process)/inner")
    Directory.removeLeftovers(ofFile: folder.path + "/a")
    #expect(Directory.exists("\(folder.path)/.a.partial-\(process)"))
    Directory.removeLeftovers(ofDirectory: folder.path + "/a") { _ in false }
    #expect(
      try Directory.entries(of: folder.path)
        == [
          "a.partial-\(getppid())", "a.partial-mine", "b.partial-\(process)", "partial-\(process)",
        ].sorted())
  }

  /// A name proves nothing: files that the writer does not write keep a directory, and a writer's directory starts with
  /// a dot.
  @Test func whatIsSomebodyElsesStays() throws {
    let process = ended()
    try #require(process > 0)
    let folder = try TemporaryFolder(["out.partial-\(process)": "mine"])
    let (own, foreign, open) = (
      ".out.partial-\(process)", ".out.partial-\(process).old", "out.partial-0\(process)"
    )
    for name in [own, foreign, open] {
      try Directory.make("\(folder.path)/\(name)")
      try WholeFile.write([1], to: "\(folder.path)/\(name)/streams.csv")
    }
    try WholeFile.write([1], to: "\(folder.path)/\(foreign)/notes.txt")
    Directory.removeLeftovers(ofDirectory: folder.path + "/out") { $0 == "streams.csv" }
    #expect(
      try Directory.entries(of: folder.path) == [foreign, open, "out.partial-\(process)"].sorted())
  }

  @Test func itIsKeptWhileAnybodyLocksIt() throws {
    // In containers, another process may have the same id.
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.partial-\(getpid())"
    let file = try OpenFile(creating: path)
    file.lock()
    Directory.removeLeftovers(ofFile: folder.path + "/a")
    #expect(Directory.exists(path))
    try file.close()
    // A process started by another test may hold the file until it executes its program.
    for _ in 0..<100 where Directory.exists(path) {
      Directory.removeLeftovers(ofFile: folder.path + "/a")
      usleep(20_000)
    }
    #expect(!Directory.exists(path))
  }

  @Test func whatWasSetAsideAndNotReplacedComesBack() throws {
    let process = ended()
    try #require(process > 0)
    let folder = try TemporaryFolder()
    try Directory.make("\(folder.path)/.out.partial-\(process).old/old")
    Directory.removeLeftovers(ofDirectory: folder.path + "/out/") { _ in false }
    #expect(try Directory.entries(of: folder.path) == ["out"])
    try Directory.make("\(folder.path)/.out.partial-\(process).old/older")
    Directory.removeLeftovers(ofDirectory: folder.path + "/out") { _ in false }
    #expect(try Directory.entries(of: folder.path) == ["out"])
    #expect(try Directory.entries(of: folder.path + "/out") == ["old"])
  }
}

@Suite("Text on terminals and in logs")
struct PrintableTextTests {
  @Test(arguments: [
    ("a: b, café ▁▂ 日本", "a: b, café ▁▂ 日本"), ("x\u{1b}]0;t\u{7}", "x\\u{1b}]0;t\\u{7}"),
    ("a\nb\r\tc", "a\\nb\\r\\tc"), ("\u{9b}31m\u{7f}", "\\u{9b}31m\\u{7f}"),
    ("a\u{202e}b\u{2066}", "a\\u{202e}b\\u{2066}"), ("a\u{2028}b", "a\\u{2028}b"),
    ("::error::x", "\\u{3a}:error::x"), (" \u{1}::error::x", " \\u{1}\\u{3a}:error::x"), ("a::b", "a::b"),
    ("x ##[error]y", "x \\u{23}#[error]y"), ("##vso[task]", "\\u{23}#vso[task]"), ("## title", "## title"),
    ("##teamcity[x]", "\\u{23}#teamcity[x]"),
  ])
  func controlsAndCommandsAreShown(text: String, expected: String) {
    #expect(text.printable == expected)
  }

  @Test func linesAreKeptWhereThereAreSeveral() {
    #expect("a\n::error::\n\u{1b}b::\n".printableLines == "a\n\\u{3a}:error::\n\\u{1b}b::\n")
  }
}
