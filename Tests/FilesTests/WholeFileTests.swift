import Files
import TestSupport
import Testing

private func text(_ path: String) -> String? {
  Repository.bytes(of: path).map { String(decoding: $0, as: UTF8.self) }
}

@Suite("Atomic writes")
struct WholeFileTests {
  @Test func nothingIsThereBeforeTheEnd() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a"
    var file = try WholeFile(path)
    try file.write(Array("one ".utf8))
    try file.write(Array("two".utf8))
    #expect(!Directory.exists(path))
    try file.finish()
    #expect(text(path) == "one two")
    #expect(try Directory.entries(of: folder.path) == ["a"])
  }

  @Test func whatIsGivenUpLeavesTheOldContent() throws {
    let folder = try TemporaryFolder(["a": "old"])
    do {
      let file = try WholeFile(folder.path + "/a")
      try file.write(Array("new".utf8))
    }
    #expect(text(folder.path + "/a") == "old")
    #expect(try Directory.entries(of: folder.path) == ["a"])
  }

  @Test func aFileOfJustTheLimitIsRead() throws {
    let folder = try TemporaryFolder(["a": "four"])
    #expect(try FileReader.bytes(of: folder.path + "/a", limit: 4) == Array("four".utf8))
    let error = #expect(throws: FileError.self) { try FileReader.bytes(of: folder.path + "/a", limit: 3) }
    #expect(error?.description.hasSuffix("it is larger than 3 bytes") == true)
  }

  @Test func whatIsAppendedFollowsWhatWasThere() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a"
    for word in ["one ", "two"] { try OpenFile.append(Array(word.utf8), to: path) }
    #expect(text(path) == "one two")
    #if os(Linux)
      let error = #expect(throws: FileError.self) { try OpenFile.append([1], to: "/dev/full") }
      #expect(error?.description == "cannot write '/dev/full': no space left on device")
    #endif
  }

  @Test func aPlaceThatCannotBeWrittenIsSaidWithItsCause() throws {
    let folder = try TemporaryFolder(["a": ""])
    let missing = folder.path + "/none/a"
    let error = #expect(throws: FileError.self) { try WholeFile.write([], to: missing) }
    #expect(error?.description == "cannot write '\(missing)': no such file or directory")
    try Directory.make(folder.path + "/taken/inner")
    #expect(throws: FileError.self) { try WholeFile.write([], to: folder.path + "/taken") }
    #expect(try Directory.entries(of: folder.path) == ["a", "taken"])
  }
}
