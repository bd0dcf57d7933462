import Meeting
import Metrics
import TestSupport
import Testing

@Suite("Cameras with a few frames per second")
struct SlowCameraTests {
  /// Returns the frames in each second from the twelfth on, of the camera of 1, 2 or 3 fps, and the tile's limitations
  /// and heights.
  private func frames(_ policy: String, _ estimator: String, _ rate: Int) throws -> (
    counts: [Int], limitations: Set<String>, heights: Set<String>
  ) {
    let run = try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 30s
        policy: \(policy)
        estimator: \(estimator)
        participants:
          - {id: far, publish: {camera: 720p\(rate)}}
          - {id: viewer, capabilities: {receive-720p: true}, view: {tiles: {far: 1280x720}}}
        """)
    ).tables
    let rows = run.stream(viewer: "viewer", source: "far").filter { $0.number("time_s") > 11 }
    return (
      rows.map { Int($0.number("frames_per_second", ifEmpty: 0)) }, Set(rows.map { $0["limitation"] }),
      Set(rows.map { $0["frame_height_px"] })
    )
  }

  /// The windows over which servers measure contain two frames of the rarest layer, and a substitute for an encoding
  /// waits for two of its frames: no layer comes and goes with each frame, and no frame is shown twice.
  @Test(
    arguments: [
      "jitsi", "mediasoup", "signal", "best", "janus", "{name: janus, allocation: true}", "bluejeans",
      "stream",
      "vonage", "agora", "gso",
    ], [1, 2, 3])
  func everyFrameIsShownOnce(policy: String, rate: Int) throws {
    let seen = try frames(policy, "oracle", rate)
    #expect(seen.counts == Array(repeating: rate, count: 19), "\(seen.counts)")
    #expect(seen.heights == ["720"] && seen.limitations.isSubset(of: ["none", "sender"]), "\(seen)")
  }

  @Test(arguments: ["jitsi", "mediasoup", "signal", "best", "janus"])
  func thatHoldsOfAnEstimateAsWell(policy: String) throws {
    let seen = try frames(policy, "gcc", 1)
    #expect(seen.counts.reduce(0, +) >= 18 && seen.counts.allSatisfy { $0 <= 1 }, "\(seen.counts)")
  }

  /// An app goes from 30 frames a second to one, to none and back: the layers follow.
  @Test(arguments: ["jitsi", "mediasoup", "signal", "best", "janus"])
  func windowsFollowWhatAnAppPushes(policy: String) throws {
    let run = try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 40s
        policy: \(policy)
        participants:
          - {id: far, publish: {custom: 720p30, audio: false}}
          - {id: viewer, capabilities: {receive-720p: true}, view: {tiles: {far: 1280x720}}}
        timeline:
          - {at: 8s, participant: far, push-frames: {fps: 1}}
          - {at: 20s, participant: far, push-frames: stop}
          - {at: 28s, participant: far, push-frames: {fps: 30}}
        """)
    ).tables
    let counts = run.stream(viewer: "viewer", source: "far").map {
      Int($0.number("frames_per_second", ifEmpty: 0))
    }
    #expect(counts[4..<8].allSatisfy { $0 == 30 }, "\(counts)")
    #expect(counts[9..<20].allSatisfy { $0 == 1 }, "\(counts)")
    #expect(counts[22..<28].allSatisfy { $0 == 0 } && counts[34..<38].allSatisfy { $0 == 30 }, "\(counts)")
  }

  /// If clients request what a source has, that is what is pushed now, not what the source states.
  @Test(arguments: ["jitsi", "gso", "livekit", "mediasoup", "signal"])
  func theRequestedRateFollowsWhatIsPushed(policy: String) throws {
    let run = try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 24s
        policy: \(policy)
        participants:
          - {id: far, publish: {custom: 720p3, audio: false}}
          - {id: viewer, capabilities: {receive-720p: true}, view: {tiles: {far: 1280x720}}}
        timeline:
          - {at: 12s, participant: far, push-frames: stop}
          - {at: 18s, participant: far, push-frames: {fps: 25}}
        """)
    ).tables
    let rows = run.stream(viewer: "viewer", source: "far")
    #expect([11, 17, 23].map { rows[$0 - 1]["requested_fps"] } == ["3.00", "0.00", "25.00"])
  }
}
