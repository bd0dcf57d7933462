import Files
import Meeting
import Plan
import Quantity
import Scenario
import TestSupport
import Testing
import Verification

/// A scenario and a recording made for it, from reading to the verdicts.
@Suite("Simulated meetings")
struct SimulatedMeetingTests {
  /// Both tiles at about what 2 Mbps and 360p30 yield, one row a second from the viewer's join on.
  private static let rows = (0..<40).flatMap { second in
    ["p-1", "p-2"].map { publisher in
      let count = max(0, second)
      return (
        time: Double(second) + 0.01, publisher: publisher,
        MadeRecording.Second(
          bytes: count * 96_000, frames: count * 30, height: count > 0 ? 360 : 0)
      )
    }
  }

  private func setup(
    _ files: [String: String] = [:]
  ) throws -> (setup: SFUFolder.Setup, folder: TemporaryFolder) {
    var all = ["made.csv": MadeRecording.table(Self.rows), "made.yaml": MadeRecording.scenario]
    all.merge(files) { $1 }
    let folder = try TemporaryFolder(all)
    let read = try SFUFolder(folder.path)
    return (try #require(read.setups.first), folder)
  }

  private func loaded(_ text: String = MadeRecording.scenario) throws -> LoadedScenario {
    try ScenarioReader.read(bytes: Array(text.utf8), file: "made.yaml", directory: "")
  }

  @Test func aScenarioIsSimulatedAndCompared() throws {
    let (setup, folder) = try setup()
    defer { withExtendedLifetime(folder) {} }
    let outcome = try SFUVerification.run(setup)
    let checks = outcome.comparison.checks
    #expect(checks.count == 13)
    let settled = checks.filter { $0.window?.from == 20 }
    #expect(settled.map(\.measure) == Measure.windowed)
    for check in settled { #expect(check.holds, "\(check.measure) \(check.recorded) \(check.other)") }
    let shown = try #require(checks.last)
    #expect(shown.measure == .allShown && shown.recorded == 1.01 && shown.other < 4)
    // The same seeds give the same values.
    #expect(try SFUVerification.run(setup).comparison == outcome.comparison)
  }

  @Test func theFirstSeedIsWrittenAsARecording() throws {
    let (setup, folder) = try setup()
    let outcome = try SFUVerification.run(setup)
    let lines = outcome.table.split(separator: "\n")
    #expect(
      lines[0]
        == "t,capacity_kbps,estimate_kbps,publisher,bytes,packets,lost,frames,keyframes,dropped,h,fps,freezes,freeze_s"
    )
    #expect(lines.count == 1 + 2 * 40)
    #expect(lines[1].hasPrefix("0.010,2000.000,") && lines[1].contains(",p-1,0,0,0,0,"))
    // The table reads as a recording, with the measured course.
    try WholeFile.write(Array(outcome.table.utf8), to: folder.path + "/again.csv")
    let again = try #require(
      try SFURecordingReader.read(path: folder.path + "/again.csv", name: "again"))
    let meeting = try SimulatedMeeting(setup.recording, scenario: loaded())
    let course = meeting.run(seed: 1).course
    #expect(again.times == setup.recording.times)
    #expect(again.course.rows.map(\.bits) == course.rows.map(\.bits))
    #expect(again.course.rows.map(\.frames) == course.rows.map(\.frames))
    #expect(again.course.rows.map(\.height) == course.rows.map(\.height))
  }

  @Test func theLastSampleMayComeLate() throws {
    // The last row is at 41.01 s of the scenario.
    let (setup, folder) = try setup([
      "made.yaml": MadeRecording.scenario.replacing("duration: 42s", with: "duration: 41s")
    ])
    defer { withExtendedLifetime(folder) {} }
    let lines = try SFUVerification.run(setup).table.split(separator: "\n")
    #expect(lines.count == 1 + 2 * 40 && lines.last?.hasPrefix("39.010,2000.000,") == true)
  }

  @Test func bytesAreThoseOfGetStats() throws {
    let plan = try loaded().plan
    let viewer = try #require(plan.participants.firstIndex { $0.id == "viewer" })
    let course = ReceptionCourse(of: plan, seed: 1, viewer: viewer, at: [SimTime.zero + plan.duration])
    #expect(course.sources == ["p-1", "p-2"])
    // Link counters include IP, UDP and SRTP: 38 B more for each packet.
    let ledger = MeetingLedger(of: plan, seed: 1)
    let total = try #require(ledger.totals.first { $0.participant == "viewer" })
    let reports = try #require(course.samples.first).reports
    let packets = reports.reduce(0) { $0 + $1.packets }
    let bytes = reports.reduce(0) { $0 + $1.bytes }
    #expect(bytes == total.receivedVideoBytes - 38 * packets)
    #expect(packets > 1000)
    for (report, reception) in zip(reports, ledger.receptions.filter { $0.viewer == "viewer" }) {
      #expect(report.frames == reception.framesDecoded && report.lost == reception.packetsLost)
      #expect(report.height == 360)
    }
  }

  @Test func paddingCountsForTheFirstTile() throws {
    // With GCC, the SFU probes with padding before the encoders fill the link.
    var text = MadeRecording.scenario.replacing("estimator: oracle", with: "estimator: gcc")
    text = text.replacing("2 Mbps", with: "20 Mbps")
    let plan = try loaded(text).plan
    let viewer = try #require(plan.participants.firstIndex { $0.id == "viewer" })
    let course = ReceptionCourse(of: plan, seed: 1, viewer: viewer, at: [SimTime.zero + plan.duration])
    let ledger = MeetingLedger(of: plan, seed: 1)
    let total = try #require(ledger.totals.first { $0.participant == "viewer" })
    let way = try #require(ledger.ways.first { $0.participant == "viewer" && !$0.isUp })
    try #require(way.paddingBytes > 0)
    let reports = try #require(course.samples.first).reports
    let packets = reports.reduce(0) { $0 + $1.packets }
    let bytes = reports.reduce(0) { $0 + $1.bytes }
    let padding = bytes - (total.receivedVideoBytes - 38 * packets)
    #expect(padding > 0 && padding < way.paddingBytes)
  }

  @Test func publishersJoinUpToHalfASecondLater() throws {
    let plan = try loaded().plan
    var joins: [[Int64]] = []
    for seed in SimulatedMeeting.seeds {
      var shifted = plan
      JoinShift.apply(to: &shifted, viewer: 2, seed: seed)
      #expect(shifted.participants[2].joinsAt == plan.participants[2].joinsAt)
      joins.append(shifted.participants.prefix(2).map(\.joinsAt.nanoseconds))
    }
    #expect(SimulatedMeeting.seeds.count == 10 && Set(joins).count == 10)
    #expect(joins.allSatisfy { $0.allSatisfy { (0..<500_000_000).contains($0) } })
    #expect(joins.allSatisfy { $0[0] != $0[1] })
    // Over the full half second.
    let all = joins.flatMap(\.self)
    #expect(all.contains { $0 < 100_000_000 } && all.contains { $0 > 400_000_000 })
  }

  @Test func onlyThoseWhoBeginAreShifted() throws {
    let text =
      MadeRecording.scenario.replacing("{id: p-2, up", with: "{id: p-2, join: 1s, up")
      + "timeline:\n  - {at: 0.2s, participant: p-1, mute: video}\n"
    let plan = try loaded(text).plan
    var shifted = plan
    JoinShift.apply(to: &shifted, viewer: 2, seed: 1)
    #expect(shifted.participants.map(\.joinsAt) == plan.participants.map(\.joinsAt))
  }

  // MARK: Errors

  private static let foreign: [(from: String, to: String, message: String)] = [
    ("id: viewer", "id: watcher", ":1:1: error: there is no participant 'viewer', whose tiles were recorded"),
    ("id: p-2", "id: p-3", ":"),
    (
      "duration: 42s", "duration: 30s",
      ":1:1: error: the scenario ends at 30 s, the recording at 41.01 s of its time"
    ),
    ("policy: stream", "policy: strom", ":3:9: error: "),
  ]

  @Test(arguments: foreign.indices)
  func aScenarioOfAnotherMeetingIsSaid(number: Int) throws {
    let change = Self.foreign[number]
    let (setup, folder) = try setup([
      "made.yaml": MadeRecording.scenario.replacing(change.from, with: change.to)
    ])
    do {
      _ = try SFUVerification.run(setup)
      Issue.record("it ran")
    } catch {
      let line = try #require(error.lines.first)
      #expect(line.hasPrefix(folder.path + "/made.yaml" + change.message), "\(line)")

    }
  }

  @Test func aPublisherThatTheScenarioLacksIsSaid() throws {
    let rows = Self.rows.map { ($0.time, $0.publisher == "p-2" ? "p-9" : $0.publisher, $0.2) }
    let (setup, folder) = try setup(["made.csv": MadeRecording.table(rows)])
    do {
      _ = try SFUVerification.run(setup)
      Issue.record("it ran")
    } catch {
      #expect(
        error.lines == [
          "\(folder.path)/made.yaml:1:1: error: no video of 'p-9', whom \(folder.path)/made.csv has"
        ])
    }
  }

  @Test func aRoomHasOneSource() throws {
    let rows = (0..<30).map { "\($0),2000,\($0 * 50_000),0,\($0 * 30),360,0\n" }.joined()
    let table = "t,down_kbps,bytes,lost,frames,h,freeze_s\n" + rows
    let (setup, folder) = try setup(["made.csv": table])
    do {
      _ = try SFUVerification.run(setup)
      Issue.record("it ran")
    } catch {
      #expect(
        error.lines == [
          "\(folder.path)/made.yaml:1:1: error: 2 sources, but \(folder.path)/made.csv has no column 'publisher'"
        ])
    }
    let lines = MadeRecording.scenario.split(separator: "\n", omittingEmptySubsequences: false)
    let one = lines.filter { !$0.contains("{id: p-2") }.joined(separator: "\n")
      .replacing(", {quality: 360p30, participant: p-2}", with: "")
    let (room, other) = try self.setup(["made.csv": table, "made.yaml": one])
    defer { withExtendedLifetime(other) {} }
    let outcome = try SFUVerification.run(room)
    #expect(outcome.comparison.checks.count == 13)
    #expect(
      outcome.table.hasPrefix(
        "t,up_kbps,down_kbps,bwe_kbps,estimate_kbps,bytes,packets,lost,frames,keyframes,dropped,h,fps,freezes,freeze_s\n"
          + "0.000,100000.000,2000.000,"))
  }
}
