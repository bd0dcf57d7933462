import Metrics
import Scenario
import TestSupport
import Testing

/// A client accepts 500 kbit/s on a link of 1 Mbit/s, which three pictures of 360p would fill.
@Suite("What a client accepts")
struct ReceiveCapMeetingTests {
  private func scenario(_ policy: String, cap: String = ", receive-cap: 500 kbps") throws -> LoadedScenario {
    try Meetings.scenario(
      """
      name: t
      duration: 14s
      policy: \(policy)
      links: {ample: {capacity: 20 Mbps, delay: 5 ms}, narrow: {capacity: 1 Mbps, delay: 5 ms}}
      participants:
        - {id: ann, count: 3, up: ample, down: ample, publish: {audio: false, camera: {capture: 720p30, ladder: webrtc-vp8}}}
        - {id: bob, up: ample, down: narrow, capabilities: {receive-720p: true\(cap)}, view: {everybody: 640x360}}
      """)
  }

  @Test(arguments: ["mediasoup", "jitsi", "signal", "best", "gso"])
  func everyServerKeepsToIt(policy: String) throws {
    let tables = try Meetings.run(try scenario(policy)).tables
    let late = tables.rows(of: .streams).filter { $0["viewer"] == "bob" && $0.number("time_s") > 5 }
    let mean = late.reduce(0) { $0 + $1.number("bitrate_bps") } / 9
    // Rates vary by a tenth.
    #expect(mean > 300_000 && mean < 550_000, "\(mean)")
    let words = Set(late.map { $0["limitation"] })
    #expect(words.contains("request-cap") && !words.contains("bandwidth"), "\(words)")
    let decided = tables.rows(of: .decisions).filter { $0["viewer"] == "bob" && $0.number("time_s") >= 1 }
    #expect(!decided.isEmpty && decided.allSatisfy { $0["cap_bps"] == "500000" })
    #expect(decided.allSatisfy { $0["budget_bps"] == "500000" })
  }

  /// Without the limit the same servers share the whole link out. That is three pictures of 180 lines at least; where a
  /// larger one fits, one of them has it.
  @Test(arguments: ["mediasoup", "jitsi", "signal", "best", "gso"])
  func withoutItTheyFillTheLink(policy: String) throws {
    let tables = try Meetings.run(try scenario(policy, cap: "")).tables
    let late = tables.rows(of: .streams).filter { $0["viewer"] == "bob" && $0.number("time_s") > 11 }
    #expect(late.reduce(0) { $0 + $1.number("bitrate_bps") } / 3 > 450_000)
    let last = try #require(tables.rows(of: .decisions).last { $0["viewer"] == "bob" })
    #expect(last["cap_bps"] == "" && last.integer("budget_bps") > 900_000)
    #expect(!late.contains { $0["limitation"] == "request-cap" })
  }

  @Test(arguments: ["livekit", "janus"])
  func aServerThatDoesNotAskIsNamed(policy: String) throws {
    let loaded = try scenario(policy)
    #expect(
      loaded.warnings.map(\.description) == [
        "test.yaml:7:5: warning: receive-cap: under '\(policy)' a server does not ask what a client accepts; "
          + "remove it, or limit the link"
      ])
    #expect(try scenario(policy, cap: "").warnings.isEmpty)
  }
}
