import Files
import JSON
import Metrics
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Ownership of results")
struct ResultOwnershipTests {
  /// Writes a result with one non-empty table.
  private func result(_ path: String) throws {
    var directory = try ResultDirectory(path: path, replaces: false)
    try directory.write(Array("run_id\nr\n".utf8), to: .links)
    let manifest = ResultDescription.manifest(
      version: "1", scenario: "s", resolved: "",
      estimators: EstimatorRecord(
        up: "gcc", down: "gcc", deployedUp: "gcc", deployedDown: "gcc", isOwn: true), seed: 1, repetition: 0,
      interval: "1 s", traces: [],
      eventCount: 0, packetHops: 0, cost: nil, simulatedSeconds: 1,
      tables: TableRecord.all(
        rowCounts: ResultTable.allCases.map { _ in 1 }, hashes: directory.hashes))
    try directory.add(file: "manifest.json", content: manifest.description)
    try directory.finish()
  }

  private func problem(_ path: String) -> String? {
    do {
      _ = try ResultDirectory(path: path, replaces: true)
      return nil
    } catch {
      return error.isUsage ? error.cause : "not usage"
    }
  }

  @Test func anUntouchedResultMayBeReplaced() throws {
    let folder = try TemporaryFolder()
    try result(folder.path + "/a")
    #expect(problem(folder.path + "/a") == nil)
    // A missing table loses nothing.
    Directory.remove(folder.path + "/a/links.csv")
    #expect(problem(folder.path + "/a") == nil)
  }

  @Test func aTableThatWasEditedIsKept() throws {
    let folder = try TemporaryFolder()
    try result(folder.path + "/a")
    try WholeFile.write(Array("run_id\nmine\n".utf8), to: folder.path + "/a/links.csv")
    #expect(
      problem(folder.path + "/a")?.hasPrefix("its 'links.csv' was changed after meetsim wrote it") == true)
  }

  @Test(arguments: ["note.txt", ".note", "streams.csv.bak"])
  func anythingElseInItIsKept(name: String) throws {
    let folder = try TemporaryFolder()
    try result(folder.path + "/a")
    try WholeFile.write([], to: "\(folder.path)/a/\(name)")
    #expect(
      problem(folder.path + "/a")?.hasPrefix("it contains '\(name)', which meetsim did not write") == true)
    #expect(Directory.exists("\(folder.path)/a/\(name)"))
  }

  @Test func folderAndLinksInItAreKept() throws {
    let folder = try TemporaryFolder()
    for (name, make) in [("a", { mkdir($0, 0o777) }), ("b", { symlink("/dev/null", $0) })]
      as [(String, (String) -> Int32)]
    {
      try result("\(folder.path)/\(name)")
      Directory.remove("\(folder.path)/\(name)/datapackage.json")
      #expect(make("\(folder.path)/\(name)/datapackage.json") == 0)
      #expect(problem("\(folder.path)/\(name)")?.hasPrefix("it contains 'datapackage.json'") == true)
    }
  }

  @Test(arguments: ["{}", "{\"tool\": \"webpack\", \"tables\": []}", "", "{\"name\": \"my web app\"}"])
  func aManifestOfSomethingElseIsNone(manifest: String) throws {
    let folder = try TemporaryFolder(["manifest.json": manifest])
    #expect(problem(folder.path)?.hasPrefix("its manifest.json is not that of a run") == true)
  }
}

@Suite("Texts of tables")
struct FormulaTests {
  @Test(arguments: [
    ("=1+1", "'=1+1"), ("@SUM(A1)", "'@SUM(A1)"), ("+x", "'+x"), ("-x", "'-x"), ("\t=1", "'\t=1"),
    ("=a,b", "\"'=a,b\""), ("-0.5", "-0.5"), ("+2", "+2"), ("-1e-7", "-1e-7"), ("-", "-"), ("a=b", "a=b"),
    ("", ""),
  ])
  func formulasAreNeutralised(text: String, expected: String) {
    var writer = ByteWriter()
    writer.field(text)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
  }
}
