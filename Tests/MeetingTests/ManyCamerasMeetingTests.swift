import Meeting
import Metrics
import Quantity
import TestSupport
import Testing

@Suite("Meetings with more cameras than anybody shows")
struct ManyCamerasMeetingTests {
  private func meeting(_ cameras: Int, _ policy: String, _ view: String, _ timeline: String = "") throws
    -> MemorySink
  {
    try Meetings.run(
      Meetings.scenario(
        """
        name: many
        duration: 6s
        policy: \(policy)
        participants:
          - {id: p, count: \(cameras), publish: {camera: 90p15}}
          - {id: viewer, view: \(view)}
        timeline: [\(timeline)]
        """)
    ).tables
  }

  private func seen(_ run: MemorySink) -> [String] {
    run.rows(of: .streams).filter { $0["time_s"] == "6.000" && $0["state"] == "receiving" }
      .map { $0["source"] }
  }

  @Test(
    arguments: [
      "{request: [{quality: 90p7, priority: low, count: 25}]}", "{everybody: 160x90}", "{layout: gallery-25}",
      "{everybody: 160x90, per-page: 9}",
      "{container: {kind: list, size: 160x90, spacing: 0, own-tile: false}, screen: 320x480}",
    ])
  func aBlueJeansViewerReceivesThe25RecentSpeakers(view: String) throws {
    let run = try meeting(
      30, "{name: bluejeans, receive-cap: none}", view, "{at: 2s, participant: p-29, speaks: 1s}")
    let seen = seen(run)
    #expect(seen.count == 25)
    #expect(seen.contains("p-29") && !seen.contains("p-28"), "\(seen)")
    let counts = run.rows(of: .participants).filter { $0["participant"] == "viewer" }
      .map { $0.integer("videos_received") }
    // In the second of a change, one has left and another has appeared.
    #expect(counts.allSatisfy { $0 <= 26 } && counts.last == 25)
  }

  @Test func whoIsBeyondTheLimitIsLimitedByThePolicy() throws {
    let run = try meeting(30, "{name: bluejeans, receive-cap: none}", "{everybody: 160x90}")
    let last = run.rows(of: .streams).filter { $0["time_s"] == "6.000" }.map { $0["limitation"] }
    #expect(last.count { $0 == "policy" } == 5 && last.count { $0 == "off-screen" } == 0, "\(last)")
  }

  @Test func aHundredCamerasReachAViewerWhoseSystemHasNoLimit() throws {
    #expect(seen(try meeting(100, "stream", "{everybody: 160x90}")).count == 100)
  }

  @Test func aHundredPeopleSeeEachOther() throws {
    let run = try Meetings.run(
      Meetings.scenario(
        """
        name: everybody
        duration: 3s
        participants:
          - {id: p, count: 100, publish: {camera: 90p7, audio: false}, view: {layout: gallery-25}}
        """)
    ).tables
    let counts = run.rows(of: .participants).filter { $0["time_s"] == "3.000" }
      .map { $0.integer("videos_received") }
    #expect(counts.count == 100 && counts.allSatisfy { $0 == 25 })
  }
}

@Suite("Decoder limits and the cost of a meeting, packet by packet")
struct DeviceMeetingTests {
  private func run(_ policy: String, _ decode: String) throws -> MemorySink {
    try Meetings.run(
      Meetings.scenario(
        """
        name: device
        duration: 12s
        policy: \(policy)
        participants:
          - {id: ann, publish: {camera: {capture: 640x360@30, ladder: bluejeans}, audio: false}}
          - {id: bob, publish: {camera: {capture: 640x360@30, ladder: bluejeans}, audio: false}}
          - {id: viewer, publish: audio-only, \(decode) view: {everybody: 640x360}}
        """)
    ).tables
  }

  /// Two equal tiles share 8,640,000 px/s with 360p15 each, 3,456,000: 360p30 for one would be 6,912,000. With Agora's
  /// senders, a host has to request the smaller stream first.
  @Test(arguments: ["bluejeans", "agora", "stream", "janus"])
  func everySystemKeepsWithinIt(policy: String) throws {
    let one = try run(policy, "capabilities: {decode: {streams: 1}},")
    let bob = try #require(one.stream(viewer: "viewer", source: "bob").last)
    #expect(bob["limitation"] == "device" && bob["target_height_px"] == "0")
    let counts = one.rows(of: .participants).filter { $0["participant"] == "viewer" }
    #expect(counts.allSatisfy { $0.integer("videos_received") <= 1 })

    let free = try run(policy, "")
    let limited = try run(policy, "capabilities: {decode: {pixels-per-second: 8640000}},")
    func pixels(_ run: MemorySink) -> Double {
      let rows = run.rows(of: .participants).filter { $0["participant"] == "viewer" }.suffix(6)
      return rows.reduce(0) { $0 + $1.number("decoded_pixels_per_s") } / 6
    }
    #expect(abs(pixels(free) - 2 * 6_912_000) < 150_000)
    #expect(abs(pixels(limited) - 2 * 3_456_000) < 150_000)
    let last = ["ann", "bob"].compactMap { limited.stream(viewer: "viewer", source: $0).last }
    #expect(last.map { $0["frame_height_px"] } == ["360", "360"])
    #expect(last.map { $0["limitation"] } == ["device", "device"])
  }

  /// Of ten packets one is lost, and arrives when it is sent again, unless that is lost as well: a tenth of what arrives
  /// has been sent again, with two bytes more. A server that pads fills a link that is wide enough for one step more.
  @Test(arguments: [("janus", "10 %", 0.1), ("janus", "0 %", 0)])
  func whatIsSentAgainIsCounted(policy: String, loss: String, share: Double) throws {
    let tables = try Meetings.tables(
      """
      name: repairs
      duration: 30s
      policy: \(policy)
      links: {far: {capacity: 50 Mbps, delay: 10 ms, loss: \(loss)}}
      participants:
        - {id: ann, publish: {camera: 720p30, audio: false}}
        - {id: bob, down: far, view: {stage: ann}}
      """)
    func value(_ metric: String) -> Double {
      tables.rows(of: .scalars).first { $0["viewer"] == "bob" && $0["metric"] == metric }?.number("value")
        ?? -1
    }
    #expect(abs(value("retransmitted_down") / value("data_down") - share) < 0.01)
    #expect(value("padding_down") == 0)
  }

  /// 1 Mbps carry 360p at 500 kbps; for 720p the server pads the rest.
  @Test func paddingIsCounted() throws {
    let tables = try Meetings.tables(
      """
      name: padding
      duration: 20s
      policy: stream
      estimator: gcc
      links: {thin: {capacity: 1 Mbps, delay: 10 ms}}
      participants:
        - {id: ann, publish: {camera: 720p30, audio: false}}
        - {id: bob, down: thin, view: {stage: ann}}
      """)
    let scalars = tables.rows(of: .scalars).filter { $0["viewer"] == "bob" && $0["scope"] == "participant" }
    func value(_ metric: String) -> Double { scalars.first { $0["metric"] == metric }?.number("value") ?? -1 }
    let video =
      tables.stream(viewer: "bob", source: "ann").map { $0.number("bitrate_bps") }.reduce(0, +) / 8e6
    #expect(value("padding_down") > 0.1)
    // Video, padding and a few reports are all that arrives.
    let rest = value("data_down") - video - value("padding_down")
    #expect(rest >= 0 && rest < 0.05 * value("data_down"), "\(rest)")
  }

  /// The totals equal the sums of the intervals.
  @Test func costsAreTheSumsOfTheIntervals() throws {
    let run = try run("bluejeans", "")
    for person in ["ann", "viewer"] {
      let rows = run.rows(of: .participants).filter { $0["participant"] == person }
      func column(_ name: String) -> [Double] { rows.map { $0.number(name) } }
      func scalar(_ metric: String, _ stat: String) -> Row? {
        run.rows(of: .scalars).first {
          $0["scope"] == "participant" && $0["viewer"] == person && $0["metric"] == metric
            && $0["stat"] == stat
        }
      }
      func value(_ metric: String, _ stat: String) throws -> Double {
        try #require(scalar(metric, stat)).number("value")
      }
      let pixels = column("decoded_pixels_per_s")
      #expect(abs(try value("decoded_pixels_per_s", "mean") - pixels.reduce(0, +) / 12) < 1)
      #expect(try value("decoded_pixels_per_s", "max") == pixels.max())
      #expect(abs(try value("data_up", "total") - column("up_bitrate_bps").reduce(0, +) / 8e6) < 0.002)
      #expect(abs(try value("data_down", "total") - column("down_bitrate_bps").reduce(0, +) / 8e6) < 0.002)
      #expect(
        scalar("data_up", "total")?["unit"] == "MB" && scalar("data_up", "total")?["direction"] == "smaller")
    }
  }
}
