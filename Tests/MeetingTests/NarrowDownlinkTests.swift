import Metrics
import TestSupport
import Testing

@Suite("Many tiles on a downlink that carries one")
struct NarrowDownlinkTests {
  /// Of eight cameras on 150 kbit/s, one or two are visible at any time: a tile does not give way to the next because
  /// the key frame it has just received looks expensive.
  @Test(arguments: UInt64(1)...3, ["360p30", "720p30"])
  func aPictureIsSeenInEverySecond(seed: UInt64, camera: String) throws {
    let text = """
      name: narrow
      duration: 40s
      policy: best
      links: {thin: {capacity: 150 kbps, delay: 20 ms, queue: 300 ms}}
      participants:
        - {id: p, count: 8, publish: {camera: \(camera)}}
        - {id: v, down: thin, view: {everybody: 320x180}}
      """
    let rows = try Meetings.run(Meetings.scenario(text), seed: seed).tables.rows(of: .streams)
      .filter { $0["viewer"] == "v" && $0.number("time_s") > 10 }
    let seen = Set(rows.filter { $0.number("frames_per_second") > 0 }.map { $0["time_s"] })
    #expect(seen.count == 30, "\(seen.sorted())")
    #expect(rows.reduce(0) { $0 + $1.integer("key_frames_decoded") } < 20)
  }
}
