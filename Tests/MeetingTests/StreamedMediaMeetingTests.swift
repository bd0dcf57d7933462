import Meeting
import Metrics
import TestSupport
import Testing

/// Meetings with participants whose media use TCP.
@Suite("Meetings over TCP")
struct StreamedMediaMeetingTests {
  private func tables(
    sender: String = "udp", viewer: String = "udp", up: String = "", down: String = "",
    estimator: String = "gcc",
    camera: String = "360p30, ladder: single", timeline: String = "[]"
  ) throws -> MemorySink {
    try Meetings.run(
      Meetings.scenario(
        """
        name: streamed
        duration: 30s
        policy: janus
        estimator: \(estimator)
        links:
          up: {capacity: 3 Mbps, delay: 20 ms\(up)}
          down: {capacity: 3 Mbps, delay: 20 ms\(down)}
          open: {capacity: 100 Mbps, delay: 20 ms}
        participants:
          - {id: a, transport: \(sender), up: up, down: open, publish: {camera: {capture: \(camera)}}}
          - {id: b, transport: \(viewer), up: open, down: down, view: {request: [{quality: 360p30, participant: a}]}}
        timeline: \(timeline)
        """)
    ).tables
  }

  /// Sums a column from 5 s on.
  private func sum(_ tables: MemorySink, _ table: ResultTable, _ column: String) -> Double {
    tables.rows(of: table).filter { $0.number("time_s") > 5 }.reduce(0) {
      $0 + $1.number(column, ifEmpty: 0)
    }
  }

  /// With a loss of 5 %, UDP receivers request packets again; TCP receivers never see a gap, only late packets.
  @Test(arguments: [("tcp", "udp"), ("udp", "tcp"), ("tcp", "tcp")])
  func nothingIsLostOverALossyLink(sender: String, viewer: String) throws {
    let loss = ", loss: 5 %"
    let (up, down) = (sender == "tcp" ? loss : "", viewer == "tcp" ? loss : "")
    let streamed = try tables(sender: sender, viewer: viewer, up: up, down: down)
    let plain = try tables(up: up, down: down)
    #expect(sum(plain, .sent, "nack_count") + sum(plain, .streams, "nack_count") > 100)
    #expect(sum(streamed, .sent, "nack_count") + sum(streamed, .streams, "nack_count") == 0)
    #expect(sum(streamed, .streams, "packets_lost") == 0)
    #expect(sum(streamed, .sent, "retransmitted_packets_sent") == 0)
    #expect(sum(streamed, .links, "packets_dropped") > 20)
    #expect(sum(streamed, .streams, "bitrate_bps") > 0.5 * sum(streamed, .sent, "bitrate_bps"))
  }

  /// The connection retries 0.2, 0.6, 1.4 and 3 s after its last segment: the waiting data arrive a second after the
  /// link returns.
  @Test func anOutageDelaysWhatIsSent() throws {
    let outage = "[{at: 15s, link: a/up, down: 2s}]"
    let camera = "180p15, ladder: single, maximum: 100 kbps"
    let streamed = try tables(sender: "tcp", camera: camera, timeline: outage)
    #expect(sum(streamed, .streams, "packets_lost") == 0)
    #expect(sum(streamed, .sent, "nack_count") == 0)
    let frozen = sum(streamed, .streams, "freezes_duration_s")
    #expect((2.5...4.5).contains(frozen), "\(frozen)")
    let plain = try tables(camera: camera, timeline: outage)
    #expect(sum(plain, .streams, "freezes_duration_s") < frozen)
  }

  @Test func udpIsTheDefault() throws {
    let text = """
      name: default
      duration: 5s
      participants:
        - {id: a, TRANSPORTpublish: {camera: 360p30}}
        - {id: b, view: {tiles: {a: 640x360}}}
      """
    let events = try ["", "transport: udp, "].map {
      try Meetings.run(Meetings.scenario(text.replacing("TRANSPORT", with: $0))).result.eventCount
    }
    #expect(events[0] == events[1])
  }

  /// With an estimator that knows the capacity, the connection's headers are known too, and nothing queues up.
  @Test func knownCapacitiesLeaveRoomForHeaders() throws {
    let streamed = try tables(
      sender: "tcp", viewer: "tcp", up: ", queue: 300 ms", estimator: "oracle",
      camera: "720p30, ladder: single, content: rich")
    let delay = streamed.rows(of: .links).filter { $0["link"] == "a/up" && $0.number("time_s") > 20 }
      .map { $0.number("queue_delay_mean_s", ifEmpty: 0) }
    #expect(delay.count == 10 && delay.allSatisfy { $0 < 0.15 }, "\(delay)")
    #expect(sum(streamed, .streams, "packets_lost") == 0)
  }

  /// At a loss of 1 % and a round trip of 80 ms, TCP carries about 1.8 of 3 Mbps: an estimator that knows the capacity
  /// sends what the connection carries, so nothing is dropped for lack of room.
  @Test func knownCapacitiesFollowTheConnection() throws {
    let streamed = try tables(
      sender: "tcp", up: ", loss: 1 %", estimator: "oracle", camera: "720p30, ladder: single, content: rich",
      timeline: "[{at: 10s, link: a/up, down: 700 ms}]")
    let late = streamed.stream(viewer: "b", source: "a").filter { $0.number("time_s") > 20 }
    #expect(late.allSatisfy { $0.number("packets_lost", ifEmpty: 0) == 0 })
    let frames = late.map { $0.number("frames_per_second", ifEmpty: 0) }
    #expect(frames.reduce(0, +) / Double(frames.count) > 20, "\(frames)")
  }

  /// A participant who returns has a new connection.
  @Test func aReturnBeginsAnew() throws {
    let timeline = "[{at: 10s, participant: a, leave: true}, {at: 14s, participant: a, join: true}]"
    let streamed = try tables(sender: "tcp", viewer: "tcp", up: ", loss: 2 %", timeline: timeline)
    let late = streamed.stream(viewer: "b", source: "a").filter { $0.number("time_s") > 20 }
    #expect(late.count == 10 && late.allSatisfy { $0.number("frames_per_second", ifEmpty: 0) > 20 })
  }
}
