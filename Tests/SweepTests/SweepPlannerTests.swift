import Scenario
import Sweep
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

private func plan(_ lines: String, filter: String? = nil, version: String = "1") throws -> SweepPlan {
  let text = "name: s\nscenario: one-to-one.yaml\nset: {duration: 2s, timeline: [], expect: []}\n" + lines
  let file = try SweepReader.read(
    bytes: Array(text.utf8), file: "s.yaml", directory: Repository.root + "/scenarios/")
  let condition = try filter.map { try SweepReader.condition($0, on: file) }
  return try SweepPlanner.plan(file, version: version, filter: condition).plan
}

private let grid = """
  variables:
    policy: [bluejeans, janus]
    capacity: {path: links.home.capacity, values: [1 Mbps, 2 Mbps]}
    delay: {path: links.home.delay, values: [20 ms, 40 ms]}

  """

@Suite("The sweep plan")
struct SweepPlannerTests {
  @Test func aGridHasEveryCombinationWithTheLastVariableFastest() throws {
    let plan = try plan(grid + "repetitions: 2\n")
    #expect(plan.runs.count == 16)
    #expect(plan.runs.map(\.index) == Array(0..<16))
    #expect(plan.settings.columns.map(\.name) == ["p_policy", "p_capacity_bps", "p_delay_s"])
    #expect(plan.runs[2].parameters == ["bluejeans", "1000000", "0.04"])
    #expect(plan.runs[15].pointID == "p8" && plan.runs[15].repetition == 1)
    #expect(Set(plan.runs.map(\.id)).count == 16)
  }

  /// Memory grows with the watchers: the second point takes the most; the third shard of four contains only the third
  /// point.
  @Test func theLargestMeetingIsKnown() throws {
    let text = """
      name: s
      scenario:
        {name: t, duration: 1s, participants: [{id: p, publish: {camera: 720p30}}, {id: w, count: 2, view: {everybody: 320x180}}]}
      variables: {watchers: {path: participants.w.count, values: [2, 5000, 10, 400]}}
      """
    let file = try SweepReader.read(bytes: Array(text.utf8), file: "s.yaml", directory: "")
    let whole = try SweepPlanner.plan(file, version: "1")
    #expect(whole.largest?.run.pointID == "p2")
    let shard = try SweepPlanner.plan(
      file, version: "1", shard: SweepSettings.Shard(index: 3, count: 4))
    #expect(shard.largest?.run.pointID == "p3")
  }

  @Test func aGroupAdvancesTogether() throws {
    let plan = try plan(grid + "zip: [capacity, delay]\n")
    #expect(
      plan.runs.map(\.parameters) == [
        ["bluejeans", "1000000", "0.02"], ["bluejeans", "2000000", "0.04"],
        ["janus", "1000000", "0.02"], ["janus", "2000000", "0.04"],
      ])
  }

  @Test func constraintsPruneAndFiltersKeepNumbers() throws {
    let pruned = try plan(grid + "where: [policy == janus or delay < 30 ms]\n")
    #expect(pruned.runs.map(\.pointID) == ["p1", "p2", "p3", "p4", "p5", "p6"])
    let filtered = try plan(grid, filter: "capacity == 2 Mbps and policy == janus")
    #expect(filtered.runs.map(\.pointID) == ["p7", "p8"] && filtered.runs.map(\.index) == [6, 7])
    let whole = try plan(grid)
    #expect(filtered.runs.map(\.id) == [whole.runs[6].id, whole.runs[7].id])
  }

  @Test func pointsKeepTheirOrder() throws {
    let plan = try plan("points:\n  - {policy: janus, duration: 3s}\n  - {policy: bluejeans, duration: 1s}\n")
    #expect(plan.runs.map(\.parameters) == [["janus", "3.0"], ["bluejeans", "1.0"]])
  }

  @Test func commonRandomNumbersShareTheSeedAndIndependentOnesDoNot() throws {
    #expect(Set(try plan(grid).runs.map(\.seed)) == [1])
    #expect(Set(try plan(grid + "seed: 9\n").runs.map(\.seed)) == [9])
    #expect(Set(try plan(grid + "seeds: independent\n").runs.map(\.seed)).count == 8)
  }

  @Test func aRunIsKnownByVersionScenarioSeedAndRepetition() throws {
    let ids = try plan(grid).runs.map(\.id)
    #expect(try plan(grid).runs.map(\.id) == ids)
    #expect(Set(try plan(grid, version: "2").runs.map(\.id)).isDisjoint(with: ids))
    #expect(Set(try plan(grid + "seed: 2\n").runs.map(\.id)).isDisjoint(with: ids))
  }

  @Test func anInvalidPointIsOneBadPointAndAllOfThemAreAnError() throws {
    let plan = try plan("variables:\n  policy: [janus, {name: agora, user-limit: 1}]\n")
    #expect(plan.runs[0].problem.isEmpty)
    #expect(plan.runs[1].problem.hasPrefix("user-limit: '1' is not a whole number from 2"))
    #expect(throws: SweepPlanner.Failure.self) {
      try self.plan("variables:\n  c: {path: links.home.capacity, values: [-1 Mbps]}\n")
    }
    #expect(throws: SweepPlanner.Failure.self) { try self.plan(grid, filter: "delay > 1 s") }
  }

  private func plan(_ lines: String, filter: String? = nil, version: String = "1") throws -> SweepPlan {
    try SweepTests.plan(lines, filter: filter, version: version)
  }
}

@Suite("Samples and repetitions")
struct SweepSampleTests {
  private let ranges = """
    variables:
      capacity: {path: links.home.capacity, range: {from: 1 Mbps, to: 4 Mbps, scale: log}}
      loss: {path: links.home.loss, range: {from: 0 %, to: 10 %}}
      policy: [bluejeans, janus]

    """

  @Test(arguments: ["latin-hypercube", "sobol"])
  func samplesFillTheRangesAndMeetEveryOtherValue(method: String) throws {
    let plan = try plan(ranges + "sample: {method: \(method), count: 16, seed: 4}\n")
    #expect(plan.runs.count == 32)
    #expect(plan.runs.map(\.parameters[2]) == ["bluejeans", "janus"] * 16)
    // Each sixteenth of each range contains one of 16 values.
    let shares = stride(from: 0, to: 32, by: 2).map { plan.runs[$0].parameters.compactMap { Double($0) } }
    let capacities = shares.map { log2($0[0] / 1e6) / 2 }
    let losses = shares.map { $0[1] / 0.1 }
    for values in [capacities, losses] {
      #expect(Set(values.map { Int($0 * 16) }) == Set(0..<16))
    }
    #expect(try self.plan(ranges + "sample: {method: \(method), count: 16, seed: 4}\n").runs == plan.runs)
    #expect(try self.plan(ranges + "sample: {method: \(method), count: 16, seed: 5}\n").runs != plan.runs)
  }

  @Test func aPointPerRowOfATable() throws {
    let table = "/tmp/meetsim-points-\(getpid()).csv"
    defer { unlink(table) }
    let file = try #require(fopen(table, "w"))
    fputs("capacity,policy\n512.5,janus\n1000,bluejeans\n512.5,janus\n", file)
    fclose(file)
    let lines = "variables:\n  capacity: {path: links.home.capacity, unit: kbps}\npoints: {file: \(table)}\n"
    let plan = try plan(lines)
    #expect(
      plan.runs.map(\.parameters) == [["512500", "janus"], ["1000000", "bluejeans"], ["512500", "janus"]])
    // Equal points are separate runs.
    #expect(Set(plan.runs.map(\.id)).count == 3)
  }

  private func plan(_ lines: String) throws -> SweepPlan {
    try SweepTests.plan(lines)
  }
}

extension Array {
  fileprivate static func * (array: [Element], count: Int) -> [Element] {
    Array(repeatElement(array, count: count).joined())
  }
}

@Suite("The run file")
struct RunFileTests {
  @Test func itIsReadBackAndADamagedOneIsNot() throws {
    let file = RunFile(id: "r1", status: .failed, cause: "two\nlines", rows: Array("r1,a,1.0\n".utf8))
    let read = try #require(RunFile(bytes: file.bytes, id: "r1"))
    #expect(read.status == .failed && read.cause == "two lines" && read.rows == file.rows)
    #expect(RunFile(bytes: file.bytes, id: "r2") == nil)
    for place in file.bytes.indices {
      var damaged = file.bytes
      damaged[place] ^= 1
      #expect(RunFile(bytes: damaged, id: "r1") == nil, "byte \(place)")
      #expect(RunFile(bytes: Array(file.bytes[..<place]), id: "r1") == nil, "cut at \(place)")
    }
  }
}
