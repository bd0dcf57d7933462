import Meeting
import Metrics
import Quantity
import TestSupport
import Testing

@Suite("Agora's dual stream, packet by packet")
struct AgoraDualStreamMeetingTests {
  /// A guest of the audience requests the low stream at 3 s, a host at 8 s.
  private func meeting(_ mode: String) -> String {
    """
    name: test
    duration: 14s
    policy: {name: agora, dual-stream: \(mode)}
    participants:
      - {id: sender, publish: {camera: 640x360@15, audio: false}}
      - {id: host, publish: {camera: 640x360@15}, view: {tiles: [{participant: sender, size: 640x360}]}}
      - {id: guest, view: {tiles: [{participant: sender, size: 640x360}]}}
    timeline:
      - {at: 3s, participant: guest, stream-type: {participant: sender, type: low}}
      - {at: 8s, participant: host, stream-type: {participant: sender, type: low}}
    """
  }

  @Test(
    arguments: [
      // Heights at 2, 7 and 13 s, for the guest and for the host.
      ("auto", ["360", "360", "108"], ["360", "360", "108"]),
      ("enable", ["360", "108", "108"], ["360", "360", "108"]),
      ("disable", ["360", "360", "360"], ["360", "360", "360"]),
    ])
  func theAudienceMayTakeTheLowStreamOnceAHostAskedForIt(mode: String, guest: [String], host: [String]) throws
  {
    let run = try Meetings.run(Meetings.scenario(meeting(mode))).tables
    for (viewer, heights) in [("guest", guest), ("host", host)] {
      let rows = run.stream(viewer: viewer, source: "sender")
      #expect([1, 6, 12].map { rows[$0]["frame_height_px"] } == heights, "\(viewer)")
      // Requests without effect are not sent.
      #expect(
        rows.allSatisfy { $0["requested_height_px"] == $0["target_height_px"] || $0["time_s"] == "1.000" })
    }
  }

  @Test func theHighStreamIsAlwaysSentAndTheLowOneWhenItIsOn() throws {
    func up(_ mode: String) throws -> [Double] {
      try Meetings.run(Meetings.scenario(meeting(mode))).tables.rows(of: .participants)
        .filter { $0["participant"] == "sender" }.map { $0.number("up_bitrate_bps") / 1000 }
    }
    func mean(_ rates: [Double], _ seconds: Range<Int>) -> Double {
      rates[seconds].reduce(0, +) / Double(seconds.count)
    }
    let (auto, enable, disable) = (try up("auto"), try up("enable"), try up("disable"))
    // 800 kbps with headers of 4 to 10 %.
    #expect(mean(disable, 3..<14) > 800 && mean(disable, 3..<14) < 880)
    // Before a host requests it, 'auto' sends the same as 'disable', to the byte; 'enable' adds the low stream's 50
    // kbps.
    #expect(auto[..<8] == disable[..<8])
    let low = mean(enable, 0..<8) - mean(disable, 0..<8)
    #expect(low > 45 && low < 70)
    let later = mean(auto, 9..<14) - mean(disable, 9..<14)
    #expect(later > 30 && later < 90)
  }

  @Test func aHighStreamIsSentEvenToNobody() throws {
    let text = """
      name: test
      duration: 5s
      policy: agora
      participants:
        - {id: sender, publish: {camera: 640x360@15, audio: false}}
        - {id: other, publish: {camera: 640x360@15, audio: false}}
      """
    let run = try Meetings.run(Meetings.scenario(text)).tables
    let up = run.rows(of: .participants).filter { $0["participant"] == "sender" }
    #expect(up[3].number("up_bitrate_bps") > 700_000)
  }

  /// An audience member's request does not start the low stream, but the limit of its window applies first: 192x108 of
  /// the low streams' table instead of 1280x720.
  @Test func aWindowOfTheAudienceCountsAsAHost() throws {
    let text = """
      name: test
      duration: 20s
      policy: agora
      participants:
        - {id: sender, publish: {camera: 720p30}}
        - id: guest
          view: {tiles: [{participant: sender, size: 640x360}], picture-in-picture: {participant: sender, size: 320x240}}
      timeline:
        - {at: 8s, participant: guest, background: true}
        - {at: 14s, participant: guest, foreground: true}
      """
    let rows = try Meetings.run(Meetings.scenario(text)).tables.stream(viewer: "guest", source: "sender")
    #expect([6, 11, 18].map { rows[$0]["frame_height_px"] } == ["720", "108", "720"])
    #expect(rows[10...12].allSatisfy { $0.number("bitrate_bps") < 80_000 })
  }

  /// Only the limit withholds three of 20 cameras: scrolling would not bring them either.
  @Test(arguments: [
    "everybody: 160x90", "grid: agora-squares, screen: 390x844",
    "container: {kind: list, size: 300x100}, screen: 320x300",
  ])
  func whomTheLimitLeavesOutIsLimitedByThePolicy(view: String) throws {
    let text = """
      name: test
      duration: 5s
      policy: agora
      participants:
        - {id: p, count: 20, publish: {camera: 640x360@15, audio: false}}
        - {id: guest, view: {\(view)}}
      """
    let rows = try Meetings.run(Meetings.scenario(text)).tables.rows(of: .streams)
      .filter { $0["time_s"] == "5.000" && $0["limitation"] == "policy" }
    #expect(rows.count == 3)
    #expect(rows.allSatisfy { $0["state"] == "hidden" && $0["bitrate_bps"] == "0" })
  }

  /// A tile that is not in the view, or that the app hides, is also off the screen.
  @Test func whomTheViewLeavesOutIsOffScreen() throws {
    let text = """
      name: test
      duration: 5s
      policy: {name: agora, user-limit: 2}
      participants:
        - {id: p, count: 6, publish: {camera: 640x360@15, audio: false}}
        - {id: some, view: {tiles: {p-1: 160x90, p-2: 160x90, p-3: 160x90}}}
        - {id: none, view: {everybody: 160x90}}
      timeline: [\((1...6).map { "{at: 1s, participant: none, hide: p-\($0)}" }.joined(separator: ", "))]
      """
    let rows = try Meetings.run(Meetings.scenario(text)).tables.rows(of: .streams)
      .filter { $0["time_s"] == "5.000" }
    let words = { (viewer: String) in rows.filter { $0["viewer"] == viewer }.map { $0["limitation"] } }
    #expect(words("some").dropFirst(3).allSatisfy { $0 == "off-screen" }, "\(words("some"))")
    #expect(words("some").prefix(3).allSatisfy { $0 == "policy" || $0 == "none" }, "\(words("some"))")
    #expect(!words("none").contains("policy"), "\(words("none"))")
  }

  @Test func somebodyOfTheAudienceReceives17Of18HostsAndAHost16() throws {
    let text = """
      name: test
      duration: 3s
      policy: agora
      participants:
        - {id: user, count: 18, publish: {camera: 640x360@15}, view: {everybody: 360p}}
        - {id: guest, view: {everybody: 360p}}
      """
    let tiles = try Meetings.run(Meetings.scenario(text)).result.tiles
    #expect(tiles.filter { $0.viewer == "guest" }.count == 17)
    #expect((1...18).allSatisfy { user in tiles.filter { $0.viewer == "user-\(user)" }.count == 16 })
  }
}
