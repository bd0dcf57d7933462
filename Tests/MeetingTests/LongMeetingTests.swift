import Meeting
import Metrics
import Quantity
import TestSupport
import Testing

/// Meetings of hours: a scaled-down form of `Tests/Long/run.sh`, which runs a day.
@Suite("Long meetings")
struct LongMeetingTests {
  private func meeting(of minutes: Int, camera: String) throws -> MemorySink {
    let scenario = try Meetings.scenario(
      """
      name: long
      duration: \(minutes) min
      policy: stream
      links: {wide: {capacity: 100 Mbps, delay: 10 ms}}
      participants:
        - {id: ann, up: wide, down: wide, publish: {camera: \(camera)}}
        - {id: bob, up: wide, down: wide, view: {everybody: 1280x720}}
      """)
    return try Meetings.run(scenario, interval: .seconds(120)).tables
  }

  /// 12 minutes at some 1.9 Mbit/s of video are 170 MB, which in tenths of bits times nanoseconds need 67 bits.
  @Test func aMeetingMayDeliverMoreThan115MegabytesToATile() throws {
    let tables = try meeting(of: 12, camera: "720p30")
    let rows = tables.stream(viewer: "bob", source: "ann")
    let delivered = rows.map { Int64($0.integer("bitrate_bps")) }
    #expect(delivered.count == 6)
    #expect(delivered.reduce(0, +) * 120 / 8 > 115_292_151)
    let scalars = tables.rows(of: .scalars).filter { $0["scope"] == "tile" && $0["viewer"] == "bob" }
    let mean = try #require(scalars.first { $0["metric"] == "bitrate" }).number("value")
    // Over the time from the tile's appearance on, to the millisecond.
    let appeared = try #require(tables.rows(of: .layout).first { $0["source"] == "ann" }).number("time_s")
    let expected = Double(delivered.reduce(0, +)) * 120 / (720 - appeared)
    #expect(abs(mean / expected - 1) < 2e-6)
  }
}
