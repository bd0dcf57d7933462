import Meeting
import Metrics
import TestSupport
import Testing

/// Repairs on a link of known capacity do not keep its queue full: a packet is requested again after a round trip that
/// includes the wait in the queue.
@Suite("Queues of links of known capacity")
struct OracleQueueMeetingTests {
  /// Nine streams of 800 kbit/s and seven of 45, 8.3 Mbit/s with headers, on 400 kbit/s and then on 12 Mbit/s.
  @Test(arguments: [true, false])
  func aShortageIsOverWhenTheLinkCarriesMore(sends: Bool) throws {
    let camera = "publish: {camera: {capture: 640x360@15, low: {size: 160x120, fps: 5, bitrate: 45 kbps}}}"
    let text = """
      name: shortage
      duration: 40s
      policy: {name: agora, dual-stream: enable, default-stream: low, fallback: disabled}
      estimator: oracle
      links: {narrow: {capacity: 3 Mbps, delay: 25 ms}}
      participants:
        - {id: me, down: narrow, \(sends ? "\(camera), " : "")view: {grid: agora-squares, screen: 390x844}}
        - {id: u, count: 16, \(camera)}
      timeline:
        - {at: 10.21s, link: me/down, capacity: 400 kbps}
        - {at: 20.63s, link: me/down, capacity: 12 Mbps}
      """
    let tables = try Meetings.run(Meetings.scenario(text)).tables
    let link = tables.rows(of: .links).filter { $0["link"] == "me/down" }
    #expect(link[14].number("queue_delay_mean_s") > 0.2)
    for row in link[26...] {
      #expect(row.number("queue_delay_mean_s") < 0.05 && row["packets_dropped"] == "0", "\(row["time_s"])")
    }
    let last = tables.rows(of: .streams).filter { $0["viewer"] == "me" && $0.number("time_s") >= 30 }
    #expect(last.count { $0["frame_height_px"] == "360" } == 9 * 11)
  }
}
