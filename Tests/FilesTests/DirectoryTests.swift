import Files
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Directories")
struct DirectoryTests {
  @Test func missingOnesAboveAreMade() throws {
    let folder = try TemporaryFolder(["file": ""])
    try Directory.make(folder.path + "/a/b/c")
    try Directory.make(folder.path + "/a/b/c/")
    #expect(try Directory.entries(of: folder.path + "/a/b") == ["c"])
    let error = #expect(throws: FileError.self) { try Directory.make(folder.path + "/file/d") }
    #expect(error?.action == "create '\(folder.path)/file'")
  }

  @Test func aCopyTakesThePlaceOfWhatWasThere() throws {
    let folder = try TemporaryFolder()
    for path in ["from/in", "to"] { try Directory.make("\(folder.path)/\(path)") }
    for (path, text) in [("from/in/a", "new"), ("from/.lock", ""), ("to/a", "old"), ("to/b", "old")] {
      try WholeFile.write(Array(text.utf8), to: "\(folder.path)/\(path)")
    }
    try Directory.make(folder.path + "/from/notes")
    for name in ["b", "notes/in"] { try WholeFile.write([1], to: "\(folder.path)/from/\(name)") }
    chmod(folder.path + "/to", 0o700)
    try Directory.copy(folder.path + "/from", over: folder.path + "/to/") { $0 == "in/a" }
    var status = stat()
    #expect(stat(folder.path + "/to", &status) == 0 && status.st_mode & 0o777 == 0o700)
    #expect(try Directory.entries(of: folder.path) == ["from", "to"])
    #expect(try Directory.entries(of: folder.path + "/to") == ["in"])
    #expect(Repository.bytes(of: folder.path + "/to/in/a") == Array("new".utf8))
  }

  @Test func aFailedCopyLeavesWhatWasThere() throws {
    let folder = try TemporaryFolder()
    try Directory.make(folder.path + "/to")
    try WholeFile.write(Array("old".utf8), to: folder.path + "/to/a")
    #expect(throws: FileError.self) {
      try Directory.copy(folder.path + "/none", over: folder.path + "/to") { _ in true }
    }
    #expect(try Directory.entries(of: folder.path) == ["to"])
    #expect(Repository.bytes(of: folder.path + "/to/a") == Array("old".utf8))
  }

  @Test func whatAnInterruptedMoveLeftIsNotInTheWay() throws {
    let folder = try TemporaryFolder()
    for name in ["new/a", "to/b", "new.old/c"] { try Directory.make("\(folder.path)/\(name)") }
    try Directory.move(folder.path + "/new", over: folder.path + "/to")
    #expect(try Directory.entries(of: folder.path) == ["to"])
    #expect(try Directory.entries(of: folder.path + "/to") == ["a"])
  }

  /// The surrounding directory keeps its identity but not its contents; `last` is the file that marks the output as
  /// complete.
  @Test func filesMoveIntoTheDirectoryAroundThem() throws {
    let folder = try TemporaryFolder(["old": "", "last": "old"])
    let inner = Directory.partial(of: folder.path + "/x")
    try Directory.make(inner)
    for name in ["a", "last"] { try WholeFile.write(Array("new".utf8), to: "\(inner)/\(name)") }
    try Directory.moveFiles(of: inner, last: "last", name: "x")
    #expect(try Directory.entries(of: folder.path) == ["a", "last"])
    #expect(Repository.bytes(of: folder.path + "/last") == Array("new".utf8))
  }

  @Test func whatLiesInADirectoryIsKnownBeforeItIsThere() throws {
    let folder = try TemporaryFolder(["file": ""])
    try Directory.make(folder.path + "/r/in")
    symlink("r", folder.path + "/link")
    let inside = ["r", "r/", "r/new", "r/in/new", "link/new", "r/../r/new"]
    for path in inside {
      #expect(Directory.contains(folder.path + "/r", "\(folder.path)/\(path)"), "\(path)")
    }
    for path in ["file", "new", "r2", "r/../new"] {
      #expect(!Directory.contains(folder.path + "/r", "\(folder.path)/\(path)"), "\(path)")
    }
    #expect(Directory.contains(folder.path + "/link", folder.path + "/r/new"))
  }

  @Test func whatInterruptedWritersLeftIsRemoved() throws {
    let folder = try TemporaryFolder(["a": "", "b.partial-17": ""])
    try Directory.make(folder.path + "/.c.partial-17/inner")
    Directory.removePartials(in: folder.path)
    #expect(try Directory.entries(of: folder.path) == ["a"])
  }

  @Test func oneDirectoryHasManyNames() throws {
    let folder = try TemporaryFolder()
    try Directory.make(folder.path + "/a")
    #expect(Directory.isSame(folder.path + "/a", folder.path + "/a/../a/"))
    #expect(!Directory.isSame(folder.path + "/a", folder.path))
    #expect(!Directory.isSame(folder.path + "/none", folder.path + "/none"))
  }
}
