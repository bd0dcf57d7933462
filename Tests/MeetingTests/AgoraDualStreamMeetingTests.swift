import Meeting
import Metrics
import Quantity
import TestSupport
import Testing

@Suite("Agora's dual stream, packet by packet")
struct AgoraDualStreamMeetingTests {
  /// A guest of the audience asks for the low stream at 3 s, a host at 8 s.
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
      // Heights at 2, 7 and 13 s: of the guest, and of the host.
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
      // What has no effect is not asked for.
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
    // Before a host asks, 'auto' sends what 'disable' sends, to the byte; 'enable' the low stream's 50 kbps more.
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
