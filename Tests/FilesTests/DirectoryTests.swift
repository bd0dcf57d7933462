import Files
import TestSupport
import Testing

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
    try Directory.copy(folder.path + "/from", over: folder.path + "/to/")
    #expect(try Directory.entries(of: folder.path) == ["from", "to"])
    #expect(try Directory.entries(of: folder.path + "/to") == ["in"])
    #expect(Repository.bytes(of: folder.path + "/to/in/a") == Array("new".utf8))
  }

  @Test func aFailedCopyLeavesWhatWasThere() throws {
    let folder = try TemporaryFolder()
    try Directory.make(folder.path + "/to")
    try WholeFile.write(Array("old".utf8), to: folder.path + "/to/a")
    #expect(throws: FileError.self) {
      try Directory.copy(folder.path + "/none", over: folder.path + "/to")
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
