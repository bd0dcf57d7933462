import Metrics
import TestSupport
import Testing

@Suite("What limits a tile while its viewer begins")
struct StartingTests {
  /// The words of twelve tiles of 720p at some seconds; together they take some 30 Mbps.
  private func words(at times: [String], capacity: String) throws -> [Set<String>] {
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: starting
        duration: 10s
        policy: stream
        estimator: gcc
        links: {wide: {capacity: \(capacity), delay: 20 ms}}
        participants:
          - {id: p, count: 12, publish: {camera: {capture: 720p30, ladder: webrtc-vp8}, audio: false}}
          - {id: v, down: wide, view: {everybody: 1280x720}}
        """)
    ).tables
    let rows = tables.rows(of: .streams).filter { $0["viewer"] == "v" }
    return times.map { time in Set(rows.filter { $0["time_s"] == time }.map { $0["limitation"] }) }
  }

  /// The estimate is on its way up: that is its beginning for less than 10 s, on a link that would carry the next layer.
  @Test func aLowEstimateIsABeginningForTenSeconds() throws {
    let words = try words(at: ["9.000", "10.000"], capacity: "100 Mbps")
    #expect(words == [["starting"], ["bandwidth"]])
  }

  /// The first estimate is 300 kbps, and the link would carry no more.
  @Test func whatTheLinkWouldNotCarryIsBandwidthAtOnce() throws {
    #expect(try words(at: ["1.000"], capacity: "300 kbps") == [["bandwidth"]])
  }
}
