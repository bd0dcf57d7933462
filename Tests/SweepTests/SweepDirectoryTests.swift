import Files
import Metrics
import Scenario
import Sweep
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

private func plan(version: String, name: String = "s", repetitions: Int = 3) throws -> SweepPlan {
  let text = "name: \(name)\nscenario: one-to-one.yaml\nrepetitions: \(repetitions)\n"
  let file = try SweepReader.read(
    bytes: Array(text.utf8), file: "s.yaml", directory: Repository.root + "/scenarios/")
  return try SweepPlanner.plan(file, version: version).plan
}

@Suite("The sweep directory")
struct SweepDirectoryTests {
  private func problem(_ plan: SweepPlan, _ path: String, _ existing: SweepDirectory.Existing) -> String? {
    do {
      _ = try SweepDirectory(path: path, plan: plan, existing: existing)
      return nil
    } catch {
      return error.cause
    }
  }

  @Test func resultsOfAnotherVersionAreNotGoneOnWith() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a"
    #expect(problem(try plan(version: "1"), path, .refuse) == nil)
    #expect(problem(try plan(version: "1"), path, .resume) == nil)
    #expect(problem(try plan(version: "1"), path, .refuse)?.hasPrefix("it exists and is not empty") == true)
    #expect(
      problem(try plan(version: "2"), path, .resume)?.hasPrefix("it was written by meetsim 1, but this is 2")
        == true)
    #expect(problem(try plan(version: "1", name: "t"), path, .resume) == nil)
    #expect(problem(try plan(version: "2"), path, .replace) == nil)
    #expect(try SweepDirectory.read(path).settings.version == "2")
  }

  @Test(arguments: [SweepDirectory.Existing.resume, .replace])
  func aStartThatWasBrokenOffIsGoneOnWithOrReplaced(existing: SweepDirectory.Existing) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a"
    try Directory.make(path + "/runs")
    let other = folder.path + "/other"
    #expect(problem(try plan(version: "2"), other, .refuse) == nil)
    #expect(rename(other + "/manifest.json", path + "/manifest.json") == 0)
    try WholeFile.write([], to: "\(path)/plan.csv.partial-17")
    #expect(problem(try plan(version: "1"), path, existing) == nil)
    #expect(try Directory.entries(of: path) == [".lock", "manifest.json", "plan.csv", "runs"])
    #expect(try SweepDirectory.read(path).settings.version == "1")
  }

  @Test func whatIsNoSweepIsNotGoneOnWith() throws {
    let folder = try TemporaryFolder(["manifest.json": "", "streams.csv": ""])
    #expect(
      problem(try plan(version: "1"), folder.path, .resume)
        == "it has no plan.csv, so it is not a sweep directory")
  }

  @Test func versionsAreNotMerged() throws {
    let folder = try TemporaryFolder()
    let paths = ["1", "2"].map { folder.path + "/" + $0 }
    for path in paths {
      #expect(problem(try plan(version: String(path.suffix(1))), path, .refuse) == nil)
    }
    let error = #expect(throws: ResultError.self) { try SweepMerge.plan(of: paths) }
    #expect(error?.cause == "they were written by meetsim 2 and 1: rerun one of them")
  }

  @Test func resultsOfAnotherBuildAreNeitherGoneOnWithNorMerged() throws {
    let folder = try TemporaryFolder()
    var first = try plan(version: "1")
    var second = first
    first.identify(fingerprint: "a")
    second.identify(fingerprint: "b")
    #expect(problem(first, folder.path + "/a", .refuse) == nil)
    #expect(problem(second, folder.path + "/b", .refuse) == nil)
    #expect(problem(first, folder.path + "/a", .resume) == nil)
    #expect(
      problem(second, folder.path + "/a", .resume)?.hasPrefix("it was written by another build of meetsim 1")
        == true)
    var other = try plan(version: "1", name: "t", repetitions: 4)
    other.identify(fingerprint: "a")
    #expect(problem(other, folder.path + "/a", .resume)?.hasPrefix("it belongs to another sweep") == true)
    let error = #expect(throws: ResultError.self) {
      try SweepMerge.plan(of: [folder.path + "/a", folder.path + "/b"])
    }
    #expect(
      error?.cause.hasPrefix("they were written by two builds of meetsim 1 that simulate differently") == true
    )
  }

  @Test func differentResultsOfOneRunAreSeenBeforeAMerge() throws {
    let folder = try TemporaryFolder()
    let plan = try plan(version: "1")
    let paths = ["a", "b", "c"].map { folder.path + "/" + $0 }
    for path in paths { #expect(problem(plan, path, .refuse) == nil) }
    let run = plan.runs[1].id
    try RunFile(id: run, status: .failed, cause: "x").write(in: paths[0])
    try RunFile(id: run, status: .ok, rows: [1]).write(in: paths[1])
    try RunFile(id: run, status: .ok, rows: [1]).write(in: paths[2])
    try SweepMerge.check(paths, plan)
    try RunFile(id: run, status: .ok, rows: [2]).write(in: paths[2])
    let error = #expect(throws: ResultError.self) { try SweepMerge.check(paths, plan) }
    #expect(error?.action == "merge '\(paths[2])' with '\(paths[1])'")
    #expect(error?.cause.hasPrefix("run \(run) has different results in them") == true)
    #expect(paths.allSatisfy { !SweepMerge.isInUse($0) })
    do {
      let writer = try SweepDirectory(path: paths[1], plan: plan, existing: .resume)
      let inUse = #expect(throws: ResultError.self) { try SweepMerge.check([paths[0], writer.path], plan) }
      #expect(inUse?.action == "read '\(paths[1])'")
    }
  }

  @Test func runsAreSpreadOverFoldersAndEarlierOnesAreStillRead() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a"
    let plan = try plan(version: "1")
    #expect(problem(plan, path, .refuse) == nil)
    let ids = plan.runs.map(\.id)
    try RunFile(id: ids[0], status: .ok, rows: [1]).write(in: path)
    #expect(Directory.exists("\(path)/runs/\(ids[0].dropFirst().prefix(2))/\(ids[0]).run"))
    // As written by earlier builds.
    try WholeFile.write(RunFile(id: ids[1], status: .ok, rows: [2]).bytes, to: "\(path)/runs/\(ids[1]).run")
    #expect(RunFile.read(ids[0], in: path)?.rows == [1] && RunFile.read(ids[1], in: path)?.rows == [2])
    #expect(RunFile.read(ids[2], in: path) == nil && !RunFile.exists(ids[2], in: path))
    #expect(SweepTables.outcome(of: plan, in: [path]).counts == [.ok: 2, .missing: 1])
    #expect(problem(plan, path, .replace) == nil)
    #expect(try Directory.entries(of: path + "/runs").isEmpty)
  }

  @Test func onlyOneHoldsADirectory() throws {
    let folder = try TemporaryFolder()
    let plan = try plan(version: "1")
    do {
      let first = try SweepDirectory(path: folder.path, plan: plan, existing: .refuse)
      #expect(problem(plan, folder.path, .resume)?.hasPrefix("it is in use by another process") == true)
      #expect(first.path == folder.path && SweepMerge.isInUse(folder.path))
    }
    #expect(problem(plan, folder.path, .resume) == nil)
  }

  @Test func whatIsNoSweepIsNeverReplaced() throws {
    let folder = try TemporaryFolder()
    _ = system("echo precious > '\(folder.path)/note'")
    for existing in [SweepDirectory.Existing.refuse, .resume, .replace] {
      #expect(problem(try plan(version: "1"), folder.path, existing) != nil)
    }
    #expect(Repository.bytes(of: folder.path + "/note") == Array("precious\n".utf8))
  }

  @Test func aPlanThatWasChangedIsRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a"
    #expect(problem(try plan(version: "1"), path, .refuse) == nil)
    _ = system("sed -i 's/,0,p1,/,9,p1,/' '\(path)/plan.csv'")
    #expect(problem(try plan(version: "1"), path, .resume)?.hasPrefix("its plan.csv is damaged") == true)
  }
}
