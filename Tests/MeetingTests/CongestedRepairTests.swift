import TestSupport
import Testing

/// Repairs and holds on links that carry less than is sent.
@Suite("Repairs and holds on narrow links")
struct CongestedRepairTests {
  private func meeting(
    policy: String, estimator: String = "gcc", capacity: Int, loss: Int, delay: Int, view: String
  ) -> String {
    """
    name: congested
    duration: 40s
    policy: \(policy)
    estimator: \(estimator)
    links:
      ample: {capacity: 100 Mbps, delay: \(delay) ms}
      narrow: {capacity: \(capacity) kbps, delay: \(delay) ms, queue: 300 ms, loss: \(loss) %}
    participants:
      - {id: ann, up: ample, down: ample, publish: {camera: {capture: 720p30, ladder: agora-dual}}}
      - {id: bob, up: ample, down: narrow, capabilities: {receive-720p: true}, view: \(view)}
    """
  }

  private let agora = "{name: agora, dual-stream: enable}"

  /// 3.6 Mbps of video over an estimate of 3.2 Mbps wait in the server's pacer for up to two seconds: a packet lost
  /// then is too old to be repaired unless its age counts from its departure.
  @Test func whatHasWaitedInAPacerIsRepaired() throws {
    let text = meeting(policy: agora, capacity: 4000, loss: 2, delay: 100, view: "{everybody: 1280x720}")
    let rows = try Meetings.run(Meetings.scenario(text)).tables.stream(viewer: "bob", source: "ann")
    let dark = rows.filter { $0.number("time_s") > 10 && $0.number("frames_per_second") == 0 }
    #expect(rows.count == 40 && dark.isEmpty, "\(dark.map { $0.number("time_s") })")
  }

  /// The high stream falls back within 3 s, with four fifths of it lost. The low one takes 45 kbps plus headers of some
  /// 10 %: no packet of the high one arrives any more.
  @Test func whatAKeyFrameMakesNeedlessIsNotAskedFor() throws {
    let text = meeting(
      policy: agora, estimator: "oracle", capacity: 800, loss: 0, delay: 100, view: "{everybody: 1280x720}")
    let rows = try Meetings.run(Meetings.scenario(text)).tables.stream(viewer: "bob", source: "ann")
    let rates = rows.filter { $0.number("time_s") > 8 }.map { $0.number("bitrate_bps") }
    #expect(rates.count == 32 && rates.allSatisfy { $0 < 70_000 }, "\(rates)")
  }

  /// The high stream takes 0.64 of the link; its key frame cuts the estimate below its rate, from where it rises by
  /// some 40 kbps a second.
  @Test func aStreamStaysThroughTheCutOfItsOwnKeyFrame() throws {
    let text = meeting(
      policy: "bluejeans", capacity: 4000, loss: 2, delay: 10,
      view: "{request: [{quality: 720p30, priority: high}]}")
    let rows = try Meetings.run(Meetings.scenario(text)).tables.stream(viewer: "bob", source: "ann")
    let heights = rows.filter { $0.number("time_s") > 12 }.map { $0["target_height_px"] }
    #expect(heights.count == 28 && heights.allSatisfy { $0 == "720" }, "\(heights)")
  }
}
