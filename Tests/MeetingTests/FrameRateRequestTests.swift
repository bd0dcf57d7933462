import Meeting
import Metrics
import TestSupport
import Testing

/// Delivery of requests for a frame rate.
@Suite("A request for N frames per second never delivers more")
struct FrameRateRequestTests {
  /// Returns the frames in each second from the sixth on, and the tile's limitations and heights.
  private func frames(
    _ run: MemorySink, _ viewer: String, _ source: String = "far", from: Double = 5, to: Double = 100
  ) -> (counts: [Int], limitations: Set<String>, heights: Set<String>) {
    let rows = run.stream(viewer: viewer, source: source)
      .filter { $0.number("time_s") > from && $0.number("time_s") <= to }
    return (
      rows.map { Int($0.number("frames_per_second", ifEmpty: 0)) }, Set(rows.map { $0["limitation"] }),
      Set(rows.map { $0["frame_height_px"] }).subtracting([""])
    )
  }

  /// The base layer has 3.75 fps at 90p and 7.5 above. In 16 s: 3/4 of 60 frames, all of 120.
  @Test func theBaseLayerIsThinnedToARequestBelowIt() throws {
    let run = try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 21s
        policy: {name: bluejeans, receive-cap: none}
        participants:
          - {id: far, publish: {camera: 720p30, audio: false}}
          - {id: three, view: {request: [{quality: r90p_3fps, priority: high}]}}
          - {id: seven, view: {request: [{quality: r180p_7fps, priority: high}]}}
        """)
    ).tables
    for (viewer, most, total, height) in [("three", 3, 45, "90"), ("seven", 8, 120, "180")] {
      let seen = frames(run, viewer)
      #expect(seen.counts.allSatisfy { $0 <= most }, "\(viewer): \(seen.counts)")
      #expect(abs(seen.counts.reduce(0, +) - total) <= 1, "\(viewer): \(seen.counts)")
      #expect(seen.limitations == ["none"] && seen.heights == [height], "\(viewer)")
      #expect(run.stream(viewer: viewer, source: "far").allSatisfy { $0.integer("freeze_count") == 0 })
    }
    #expect(run.stream(viewer: "three", source: "far").last?["requested_fps"] == "3.00")
  }

  /// Vonage's lowest preferred frame rates are 7 and 1; its base layer has 7.5 fps of 30 and 15 of 60: seven of eight
  /// and seven of fifteen frames are passed on, 105 and 112 in 16 s.
  @Test(arguments: [30, 60]) func aPreferredFrameRateIsACeiling(captured: Int) throws {
    let run = try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 21s
        policy: vonage
        participants:
          - {id: far, publish: {camera: 720p\(captured), audio: false}}
          - {id: one, view: {everybody: 1280x720, preferred: [{fps: 1}]}}
          - {id: seven, view: {everybody: 1280x720, preferred: [{fps: 7}]}}
        """)
    ).tables
    let one = frames(run, "one")
    #expect(one.counts.allSatisfy { $0 <= 1 } && one.counts.reduce(0, +) >= 14 && one.limitations == ["none"])
    let seven = frames(run, "seven")
    let total = captured == 30 ? 105 : 112
    #expect(seven.counts.allSatisfy { $0 <= 7 }, "\(seven)")
    #expect(abs(seven.counts.reduce(0, +) - total) <= 1 && seven.limitations == ["none"], "\(seven)")
    #expect(run.stream(viewer: "seven", source: "far").last?["requested_fps"] == "7.00")
  }

  /// Base layers have 6 fps of 24, 7.5 of 30 and 15 of 60, middle layers twice as many: three of six, of eight and of
  /// fifteen frames are passed on, or ten of fifteen; otherwise the layer within the request passes whole.
  @Test(
    arguments: [("bluejeans", 7), ("bluejeans", 15)]
      + ["janus", "best", "mediasoup", "stream", "vonage"].flatMap { system in
        [3, 7, 10, 15].map { (system, $0) }
      })
  func systemsWithTemporalLayersKeepToAFrameRate(system: String, rate: Int) throws {
    let totals = [3: [48, 45, 48], 7: [96, 120, 112], 10: [96, 120, 160], 15: [192, 240, 240]]
    // BlueJeans' and Stream's encoders accept at most 30 fps.
    let captured = system == "bluejeans" || system == "stream" ? [24, 30] : [24, 30, 60]
    let cameras = captured.map { "  - {id: c\($0), publish: {camera: 720p\($0), audio: false}}" }
    let entries = captured.map { "{quality: 360p\(rate), participant: c\($0)}" }
    let run = try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 21s
        policy: \(system == "bluejeans" ? "{name: bluejeans, receive-cap: none}" : system)
        participants:
        \(cameras.joined(separator: "\n"))
          - {id: viewer, view: {request: [\(entries.joined(separator: ", "))]}}
        """)
    ).tables
    // 7 stands for 7.5 in the names of qualities.
    let most = rate == 7 ? 8 : rate
    for (source, total) in zip(captured, try #require(totals[rate])) {
      let seen = frames(run, "viewer", "c\(source)")
      #expect(seen.counts.allSatisfy { $0 <= most }, "\(source): \(seen.counts)")
      #expect(abs(seen.counts.reduce(0, +) - total) <= 2, "\(source): \(seen.counts)")
      #expect(seen.heights == ["360"], "\(source)")
    }
  }

  /// LiveKit takes the lowest layer with at least 0.9 of the rate: of 6, 12 and 24 fps, the last for 15 and the second
  /// for 13 and 12. Signal, GSO and Agora have no temporal layers. More frames than requested do not match the request.
  @Test(
    arguments: [
      ("livekit", "signals: {tracks: {far: {size: 1280x720, fps: 15}}}", 24, "policy"),
      ("livekit", "signals: {tracks: {far: {size: 1280x720, fps: 13}}}", 12, "layer-missing"),
      ("livekit", "signals: {tracks: {far: {size: 1280x720, fps: 12}}}", 12, "none"),
      ("signal", "request: [{quality: 720p15, participant: far}]", 24, "policy"),
      ("gso", "request: [{quality: 720p15, participant: far}]", 24, "policy"),
      ("agora", "request: [{quality: 720p15, participant: far}]", 24, "policy"),
      ("jitsi", "request: [{quality: 720p15, participant: far}]", 24, "none"),
    ])
  func aRuleThatKeepsToNoFrameRateSaysSo(system: String, view: String, rate: Int, word: String) throws {
    let run = try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 12s
        policy: \(system)
        participants:
          - {id: far, publish: {camera: 720p24, audio: false}}
          - {id: viewer, capabilities: {receive-720p: true}, view: {\(view)}}
        """)
    ).tables
    let seen = frames(run, "viewer")
    #expect(seen.counts.allSatisfy { abs($0 - rate) <= 1 }, "\(seen.counts)")
    #expect(seen.limitations == [word])
  }

  /// Down from 15 fps to 3 and up again, on lossy links: each change starts with a key frame.
  @Test func aRequestChangesToAFewFramesAndBack() throws {
    let lossy = "{capacity: 5 Mbps, delay: 20 ms, loss: 2 %}"
    let run = try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 60s
        policy: bluejeans
        participants:
          - {id: far, up: \(lossy), publish: {camera: 720p30, audio: false}}
          - {id: v, down: \(lossy), view: {request: [{quality: 90p15, priority: high}]}}
          - {id: w, view: {request: [{quality: 90p15, priority: high}]}}
        timeline:
          - {at: 15s, participant: v, request: [{quality: 90p3, priority: high}]}
          - {at: 45s, participant: v, request: [{quality: 90p15, priority: high}]}
        """)
    ).tables
    let few = frames(run, "v", from: 17, to: 45).counts
    #expect(few.allSatisfy { $0 <= 3 } && few.reduce(0, +) >= 70, "\(few)")
    // Frames that wait for a repair at the end of a second count in the next one.
    let again = frames(run, "v", from: 48).counts
    #expect(again.allSatisfy { $0 >= 10 } && again.reduce(0, +) >= 14 * again.count, "\(again)")
    #expect(frames(run, "w").counts.allSatisfy { $0 >= 13 })
  }
}
