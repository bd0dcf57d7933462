import Metrics
import Quantity
import TestSupport
import Testing

/// A viewer who joins between two checks of the estimates is allocated before anything is known about its downlink.
@Suite("A late watcher")
struct LateWatcherTests {
  private func scenario(_ policy: String, _ estimator: String = "gcc") -> String {
    """
    name: late
    duration: 9s
    policy: \(policy)
    estimator: \(estimator)
    links: {ample: {capacity: 20 Mbps, delay: 20 ms}}
    participants:
      - {id: ann, up: ample, down: ample, publish: {camera: 720p30}}
      - {id: bob, join: 5.3s, up: ample, down: ample, view: {everybody: 640x360}}
    """
  }

  /// The SFU checks the estimates every 200 ms: at 5.2 s nobody watches, at 5.4 s bob's request may have arrived.
  @Test(arguments: [
    "mediasoup", "{name: janus, allocation: true}", "jitsi", "best", "livekit", "signal", "gso", "janus",
    "bluejeans", "agora", "stream", "vonage",
  ])
  func isServed(policy: String) throws {
    let tables = try Meetings.run(Meetings.scenario(scenario(policy))).tables
    let last = try #require(tables.stream(viewer: "bob", source: "ann").last)
    #expect(last["state"] == "receiving", "\(policy)")
  }

  /// Jitsi's bridge takes up to 5.005 s to see that an encoding no longer arrives.
  @Test(arguments: ["oracle", "gcc", "nada", "remb"])
  func isServedWhateverTheEstimator(estimator: String) throws {
    for policy in ["mediasoup", "jitsi", "best"] {
      let text = scenario(policy, estimator).replacing("duration: 9s", with: "duration: 12s")
      let tables = try Meetings.run(Meetings.scenario(text)).tables
      let last = try #require(tables.stream(viewer: "bob", source: "ann").last)
      #expect(last["state"] == "receiving", "\(policy)")
    }
  }

  /// The tile's limitation is known with its first decision, at 5.38 s: announcing bob, announcing the others and
  /// sending bob's request take 20 ms each, and the client another 20 ms. The server checks at 5.4 s, and again with a
  /// budget at 5.6 s. Without a voice nothing is sent to bob until then, as the target of the padding is not known.
  @Test func isPaddedForOnlyOnceItsBudgetIsKnown() throws {
    let tables = try Meetings.run(
      Meetings.scenario(scenario("best")), interval: .milliseconds(20)
    ).tables
    let decision = try #require(tables.rows(of: .decisions).first { $0["viewer"] == "bob" })
    #expect(decision.number("time_s") == 5.38 && decision["given"] == "" && decision["reason"] == "starting")
    let rows = tables.rows(of: .participants).filter { $0["participant"] == "bob" }
    let before = rows.filter { $0.number("time_s") > 5.3 && $0.number("time_s") <= 5.6 }
    #expect(before.count == 15 && before.allSatisfy { $0.number("down_bitrate_bps") == 0 }, "\(before)")
    #expect(rows.contains { $0.number("time_s") > 6 && $0.number("down_bitrate_bps") > 100_000 })
  }
}
