import TestSupport
import Testing
import Verification

/// Recordings from any source, here handmade.
@Suite("Recorded calls")
struct RecordedCallTests {
  /// A call with one encoding at 80 % of its capacity, as a table.
  ///
  /// - Parameters:
  ///   - steps: capacity from each second on [kbps].
  ///   - heights: height from each second on.
  private func call(_ steps: [Int: Int], seconds: Int, heights: [Int: Int]) -> String {
    var rows = ["t,capacity_kbps,bwe_kbps,recv_bytes,h,fps,freeze,enc,extra"]
    var capacity = 0
    var height = 0
    var bytes = 0
    for second in 0..<seconds {
      capacity = steps[second] ?? capacity
      height = heights[second] ?? height
      let measured = second == 0 ? ",0,,," : "\(capacity),\(bytes),\(height),30,0"
      rows.append("\(second).04,\(capacity).0,\(measured),libvpx,")
      bytes += capacity * 100
    }
    return rows.joined(separator: "\n") + "\n"
  }

  private func cases(_ files: [String: String]) throws -> [VerificationCase] {
    let folder = try TemporaryFolder(files)
    return Verification.cases(calls: folder.path).filter { $0.name.hasPrefix("call") }
  }

  private func only(_ name: String, _ text: String) throws -> VerificationCase {
    let cases = try cases([name: text, "notes.txt": "x", "other.csv": "y"])
    try #require(cases.count == 1)
    return cases[0]
  }

  @Test func aConstantCallIsComparedOnceItHasSettled() throws {
    let text = call([0: 1000], seconds: 60, heights: [0: 270, 20: 360, 35: 540])
    let one = try only("p2p-office.csv", text)
    #expect(one.name == "call-p2p-office" && one.defect == nil)
    #expect(one.setup.hasPrefix("one to one, 1000 kbps; "))
    #expect(one.source == "recorded call, p2p-office.csv")
    let checks = one.run().checks
    // The last third of 60 s; a steady estimate has no sawtooth.
    #expect(
      checks.map(\.metric) == [
        "received video, 40 to 59 s [kbps]", "estimate, 40 to 59 s [kbps]", "height, 40 to 59 s",
        "frame rate, 40 to 59 s [fps]", "time to 360p [s]", "time to 540p [s]", "freezes, 0 to 59 s",
      ])
    #expect(checks.map(\.published) == ["800", "1000", "540", "30", "20", "35", "0"])
    #expect(
      checks.map(\.kind) == [.rate, .estimate, .height, .frameRate, .time, .time, .freeze])
    #expect(checks.allSatisfy { $0.verdict != .skipped })
  }

  @Test func largeStepsHaveChecksOfTheirOwn() throws {
    let text = call(
      [0: 600, 30: 2400, 70: 1600, 100: 400, 130: 2000], seconds: 150, heights: [0: 270, 50: 540])
    let one = try only("p2p-steps.csv", text)
    #expect(one.setup.hasPrefix("one to one; 600, 2400, 1600, 400, 2000 kbps from 0, 30, 70, 100, 130 s; "))
    let checks = one.run().checks
    // 15 s, but at most half of a segment.
    let windows = ["15 to 29", "55 to 69", "85 to 99", "115 to 129", "140 to 149"]
    #expect(
      checks.map(\.metric)
        == windows.flatMap {
          [
            "received video, \($0) s [kbps]", "estimate, \($0) s [kbps]", "height, \($0) s",
            "frame rate, \($0) s [fps]",
          ]
        } + [
          "time from the rise at 30 s to 90 % of the new rate [s]", "frame rate, 101 to 110 s [fps]",
          "time from the rise at 130 s to 90 % of the new rate [s]", "freezes, 0 to 29 s",
          "freezes, 30 to 69 s", "freezes, 70 to 99 s", "freezes, 100 to 129 s", "freezes, 130 to 149 s",
        ])
    #expect(
      checks.filter { $0.metric.hasPrefix("received") }.map(\.published) == [
        "480", "1920", "1280", "320", "1600",
      ])
    #expect(checks.filter { $0.kind == .time }.map(\.published) == ["1", "1"])
  }

  @Test func capacitiesThatNeverRestAreComparedAsAWhole() throws {
    let steps = Dictionary(uniqueKeysWithValues: (0..<30).map { ($0 * 2, 800 + $0 % 2 * 400) })
    let one = try only("p2p-train.csv", call(steps, seconds: 60, heights: [0: 270]))
    #expect(one.setup.hasPrefix("one to one; 30 capacities of 800 to 1200 kbps; "))
    let checks = one.run().checks
    #expect(
      checks.map(\.metric) == [
        "received video, 20 to 59 s [kbps]", "estimate, 20 to 59 s [kbps]", "height, 20 to 59 s",
        "frame rate, 20 to 59 s [fps]", "freezes, 0 to 59 s",
      ])
  }

  /// The model has no picture of 480 lines: the check fails, as do all that the model cannot meet.
  @Test func aHeightThatWeDoNotHaveFails() throws {
    let one = try only("p2p-camera.csv", call([0: 1000], seconds: 30, heights: [0: 480]))
    let height = try #require(one.run().checks.first { $0.metric == "height, 15 to 29 s" })
    #expect(height.verdict == .fail && height.published == "480" && height.remark == "equal in 0 %")
  }

  // MARK: Scenarios

  /// A path of 1 Mbps beside which a TCP flow runs from 20 to 50 s.
  private static let scenario = """
    name: office
    duration: 60s
    policy: janus
    links: {shaped: {capacity: 1 Mbps, delay: 10 ms}, open: {capacity: 100 Mbps, delay: 5 ms}}
    participants:
      - {id: sender, up: shaped, down: open, publish: {camera: {capture: 720p30, ladder: single}}}
      - {id: receiver, up: open, down: open, view: {request: [{quality: 720p30, participant: sender}]}}
    cross-traffic: [{name: bulk, link: sender/up, kind: tcp, congestion-control: bbr, start: 20s, stop: 50s}]
    """

  /// The windows are those of the scenario, whatever the recording's capacity column or name says.
  @Test func aScenarioBesideARecordingIsItsSetup() throws {
    let text = call([0: 1, 30: 7000], seconds: 60, heights: [0: 270])
      .replacing("capacity_kbps", with: "rtt_ms")
    let cases = try cases(["office.csv": text, "office.yaml": Self.scenario])
    let one = try #require(cases.first)
    #expect(cases.count == 1 && one.setup.hasPrefix("office.yaml; ") && one.defect == nil)
    let metrics = one.run().checks.map(\.metric)
    for window in ["10 to 19", "35 to 49", "55 to 59"] {
      #expect(metrics.contains("received video, \(window) s [kbps]"), "\(metrics)")
      #expect(metrics.contains("round trip, \(window) s [ms]"))
    }
    #expect(metrics.contains("frame rate, 21 to 30 s [fps]"))
    #expect(metrics.contains("time from the rise at 50 s to 90 % of the new rate [s]"))
  }

  @Test func aScenarioNeedsBothEnds() throws {
    let text = call([0: 500], seconds: 20, heights: [0: 270])
    let other = Self.scenario.replacing("id: receiver", with: "id: viewer")
    let one = try #require(try cases(["a.csv": text, "a.yaml": other]).first)
    #expect(one.defect?.hasSuffix("a.yaml:1:1: error: there is no participant 'receiver'") == true)
    let wrong = try #require(try cases(["a.csv": text, "a.yaml": "name: [\n"]).first)
    #expect(wrong.defect?.contains("a.yaml:") == true)
  }

  @Test func aBoundIsAShareOrADistance() {
    func holds(_ kind: CallCheckKind, _ recorded: Double, _ simulated: Double) -> Bool {
      kind.bound.holds(recorded: recorded, other: simulated)
    }
    #expect(holds(.rate, 1000, 850) && !holds(.rate, 1000, 849))
    #expect(holds(.frameRate, 30, 27) && !holds(.frameRate, 30, 26.9))
    #expect(holds(.time, 10, 13) && !holds(.time, 10, 13.1))
    #expect(holds(.freeze, 0, 2) && !holds(.freeze, 0, 2.1) && holds(.freeze, 10, 13))
    #expect(holds(.delay, 4, 5) && !holds(.delay, 4, 5.1) && holds(.delay, 100, 115))
  }

  /// The first picture's quantizer holds a call at 270p longer than one at 180p: each is compared with runs like it.
  @Test func climbsAreThoseOfRunsThatBeganAsTheCall() throws {
    func time(_ start: Int) throws -> Double {
      let text = call([0: 1000], seconds: 45, heights: [0: start, 20: 360])
      let check = try #require(
        try only("p2p-start.csv", text).run().checks.first { $0.metric == "time to 360p [s]" })
      return try #require(Double(check.simulated))
    }
    let times = try (small: time(180), large: time(270))
    // Two checks of 2 s.
    #expect(times.large - times.small > 3.9, "\(times)")
  }

  // MARK: Simulcast

  private func simulcast(_ capacity: [Int: Int], requests: [Int: Int], seconds: Int) -> String {
    var rows = ["h,substream,t,l_bytes,m_bytes,h_bytes,up_kbps,l_active"]
    var request = 2
    var shaped = 0
    var bytes = [0, 0]
    for second in 0..<seconds {
      shaped = capacity[second] ?? shaped
      let before = request
      request = requests[second] ?? request
      // The picture follows a request within a second.
      let height = [720, 360, 180][before]
      let lowest = shaped < 100 ? "1000" : "\(bytes[0])"
      rows.append("\(height),\(request),\(second).04,\(lowest),\(bytes[1]),5000,\(shaped),True")
      bytes[0] += 18_000
      bytes[1] += shaped < 500 ? 0 : 60_000
    }
    return rows.joined(separator: "\r\n") + "\r\n"
  }

  @Test func encodingsAreComparedByRate() throws {
    let one = try only("sim-home.csv", simulcast([0: 1200], requests: [0: 2], seconds: 40))
    #expect(one.setup == "three VP8 encodings, Janus, uplink 1200 kbps; 10 seeds")
    let checks = one.run().checks
    #expect(
      checks.map(\.metric) == [
        "encoding l, 10 to 39 s [kbps]", "encoding m, 10 to 39 s [kbps]", "encoding h",
      ])
    #expect(checks.map(\.published) == ["144", "480", "not sent"])
  }

  @Test func anEncodingWithoutValuesIsNotCompared() throws {
    // The counter of the highest encoding ends after two rows.
    let rows = simulcast([0: 1200], requests: [0: 2], seconds: 40).split(separator: "\r\n")
    let text = rows.prefix(3) + rows.dropFirst(3).map { Substring($0.replacing(",5000,", with: ",,")) }
    let one = try only("sim-short.csv", text.joined(separator: "\r\n") + "\r\n")
    let checks = one.run().checks
    #expect(checks.map(\.metric).last == "encoding h")
    #expect(checks.last?.verdict == .skipped && checks.last?.simulated == "no values in the recording")
    #expect(checks.dropLast().allSatisfy { $0.verdict != .skipped })
  }

  @Test func eachStretchOfAnUplinkIsComparedByRate() throws {
    let one = try only("sim-steps.csv", simulcast([0: 1200, 30: 200], requests: [0: 2], seconds: 45))
    let checks = one.run().checks
    #expect(
      checks.map(\.metric) == [
        "encoding l, 10 to 29 s [kbps]", "encoding m, 10 to 29 s [kbps]", "encoding h, 10 to 29 s",
        "encoding l, 37 to 44 s [kbps]", "encoding m, 37 to 44 s", "encoding h, 37 to 44 s",
      ])
    // 1200 kbps carry two encodings, 200 kbps one.
    #expect(checks[4].simulated == "not sent" && checks[4].verdict == .pass)
    #expect(Double(checks[1].simulated) ?? 0 > 400)
  }

  @Test func requestsAreComparedByTheTimeUntilTheyAreMet() throws {
    let one = try only("sim-wishes.csv", simulcast([0: 6000], requests: [0: 0, 12: 2, 24: 1], seconds: 36))
    #expect(
      one.setup
        == "three VP8 encodings, Janus, uplink 6000 kbps; the viewer requests h, l, m; 10 seeds")
    let checks = one.run().checks
    #expect(
      checks.map(\.metric) == [
        "time to 180p after the request at 12 s [s], sampled each second",
        "time to 360p after the request at 24 s [s], sampled each second",
      ])
    #expect(checks.allSatisfy { $0.published == "≤ 1" && $0.verdict == .pass })
  }

  // MARK: Files

  @Test func theKnownCallsKeepTheirNamesAndOrder() throws {
    let text = call([0: 500], seconds: 45, heights: [0: 180, 9: 270])
    let cases = try cases([
      "p2p-a.csv": text, "p2p-const-4000.csv": text, "p2p-const-500.csv": text, "sim-a.csv": "t\n",
    ])
    #expect(cases.map(\.name) == ["call-p2p-500", "call-p2p-4000", "call-p2p-a", "call-sim-a"])
    #expect(cases[0].source == "recorded call, Chromium 156, p2p-const-500.csv")
    #expect(cases[0].run().checks.map(\.metric).contains("height, 30 to 44 s"))
  }

  @Test func withoutRecordingsTheKnownOnesAreSkipped() throws {
    let cases = Verification.cases(calls: nil).filter { $0.name.hasPrefix("call") }
    #expect(
      cases.map(\.name) == [
        "call-p2p-500", "call-p2p-1200", "call-p2p-4000", "call-p2p-rfc8867-51", "call-sim-up-450",
        "call-sim-up-1300", "call-sim-up-2600", "call-sim-switch",
      ])
    #expect(cases.allSatisfy { $0.run().checks.map(\.verdict) == [.skipped] })
  }

  @Test func aFolderWithoutRecordingsIsADefect() throws {
    let other = try TemporaryFolder(["x.csv": ""])
    defer { withExtendedLifetime(other) {} }
    let cases = Verification.cases(calls: other.path).filter { $0.name.hasPrefix("call") }
    #expect(cases.map(\.name) == ["call"])
    #expect(
      cases[0].defect
        == "\(other.path): error: it has no recording: none is named p2p-*.csv or sim-*.csv, or has a scenario of "
        + "its name beside it")
  }

  /// A recording with a first row and others.
  private static func table(_ rows: String...) -> String {
    (["t,capacity_kbps,bwe_kbps,recv_bytes,h,fps,freeze", "0.1,500,300,0,,,"] + rows)
      .joined(separator: "\n") + "\n"
  }

  private static let broken: [(text: String, message: String)] = [
    ("", ":1:1: error: the file is empty"),
    ("t,h\n", ":1:1: error: there is no column 'capacity_kbps' or 'up_kbps'"),
    ("t,up_kbps,bwe_kbps,h,fps,freeze\n", ":1:1: error: there is no column 'recv_bytes'"),
    (table(), ":2:1: error: a recording must start with the call and last at least 10 s"),
    (table("1,500,300"), ":3:1: error: 3 fields where the header has 7"),
    (table("1,,300,9,180,30,0"), ":3:1: error: capacity_kbps has no value"),
    (table("1,wide,300,9,180,30,0"), ":3:1: error: capacity_kbps: 'wide' is not a number"),
    (table("1,-5,300,9,180,30,0"), ":3:1: error: the capacity is not between 0 and 10000000 kbps"),
    (table("1,500,300,9,tall,30,0"), ":3:1: error: h: 'tall' is not a number"),
    (table("1,500,300,9,1e300,30,0"), ":3:1: error: h is not between 0 and 1e15"),
    (table("1,500,-1,9,180,30,0"), ":3:1: error: bwe_kbps is not between 0 and 1e15"),
    (
      table("4,500,300,9,180,30,0"),
      ":3:1: error: t: 4.0 s after 0.1 s: times must increase, by at most 2 s"
    ),
    (
      table("0.1,500,300,9,180,30,0"),
      ":3:1: error: t: 0.1 s after 0.1 s: times must increase, by at most 2 s"
    ),
    (table("\"1,500,300,0,,,"), ":3:1: error: field 1 has no closing quote"),
    (
      table("2,500,300,0,,,", "4,500,300,1,,,", "6,500,300,2,,,", "8,500,300,3,,,", "9,500,300,4,,,"),
      ":1:1: error: column 'h' has no values"
    ),
  ]

  @Test(arguments: broken)
  func aFileThatIsNoRecordingIsNamedWithItsLine(text: String, message: String) throws {
    let one = try only("p2p-mine.csv", text)
    let defect = try #require(one.defect)
    #expect(defect.hasSuffix("/p2p-mine.csv" + message), "\(defect)")
    #expect(one.run().checks.map(\.verdict) == [.fail])
  }

  @Test func aWishIsOneOfThreeEncodings() throws {
    let text = simulcast([0: 900], requests: [0: 2], seconds: 20)
    let one = try only("sim-mine.csv", text.replacing("180,2,3.04,", with: "180,3,3.04,"))
    #expect(one.defect?.hasSuffix("sim-mine.csv:5:1: error: substream must be 0, 1 or 2") == true)
  }
}
