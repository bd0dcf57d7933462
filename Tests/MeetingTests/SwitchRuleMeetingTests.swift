import Ladder
import Meeting
import Metrics
import Quantity
import Scenario
import TestSupport
import Testing

/// Behavior of servers between a decision and its key frame, event by event.
@Suite("Switches and key frame requests of the servers")
struct SwitchRuleMeetingTests {
  /// 20 s at 20 frames per second in two encodings, of 1000 and 4000 B in one and four packets; a key frame every 10 s.
  private static let frames =
    "frame,temporal_id,keyframe,q_bytes,f_bytes\n"
    + (0..<400).map { "\($0),0,\($0 % 200 == 0 ? 1 : 0),1000,4000\n" }.joined()

  private func scenario(_ text: String) throws -> LoadedScenario {
    let folder = try TemporaryFolder(["frames.csv": Self.frames])
    let text = "name: test\nestimator: oracle\n" + text
    do {
      return try ScenarioReader.read(
        bytes: Array(text.utf8), file: "test.yaml", directory: folder.path + "/")
    } catch {
      throw Meetings.Failure(description: error.diagnostics.map(\.description).joined(separator: "\n"))
    }
  }

  /// Returns the encodings forwarded to a viewer, each with the time of its first packet [ms].
  private func routes(_ text: String, viewer: String) throws -> [(encoding: Int?, at: Double)] {
    var routes: [(encoding: Int?, at: Double)] = []
    for change in try MeetingInspection.changes(of: scenario(text).plan, seed: 1)
    where change.viewer == viewer {
      let encoding = change.routed?.id.encoding
      if routes.isEmpty ? encoding != nil : routes[routes.count - 1].encoding != encoding {
        routes.append((encoding, (Double(change.at.nanoseconds) / 1e6)))
      }
    }
    return routes
  }

  /// Returns the key frame requests sent to a publisher, by second.
  private func requests(_ text: String) throws -> [Int] {
    let run = try Meetings.run(scenario(text))
    var counts: [Int] = []
    for row in run.tables.rows(of: .sent) where row["source"] == "ann" {
      let second = Int(row.number("time_s")) - 1
      while counts.count <= second { counts.append(0) }
      counts[second] += row.integer("pli_count")
    }
    return counts
  }

  // MARK: While a lower encoding is awaited

  /// The publisher is 300 ms away, so its key frame arrives at the earliest 600 ms after the link narrows; until then
  /// the picture continues according to the server's rule: its base layer, all of it, or nothing.
  @Test(arguments: [("jitsi", 0), ("best", 0), ("mediasoup", 2), ("signal", 2), ("livekit", nil)])
  func thePictureGoesOnWhereBandwidthTakesItDown(policy: String, expected: Int?) throws {
    let scenario = try scenario(
      """
      duration: 12s
      policy: \(policy)
      participants:
        - {id: ann, up: {capacity: 20 Mbps, delay: 300 ms}, down: {capacity: 20 Mbps, delay: 300 ms}, publish: {camera: 720p30, audio: false}}
        - {id: bob, down: {capacity: 5 Mbps}, view: {stage: ann}}
      timeline: [{at: 6s, link: bob/down, capacity: 700 kbps}]
      """)
    let changes = MeetingInspection.changes(of: scenario.plan, seed: 1).filter { $0.viewer == "bob" }
    let lowered = try #require(
      changes.first { $0.at >= .zero + .seconds(6) && $0.decided.map { $0.id.encoding < 2 } == true })
    #expect(lowered.routed?.id == expected.map { LayerID(encoding: 2, temporal: $0) })
  }

  // MARK: jitsi

  /// A large picture for one viewer and a small one for another, who joins at 3 s and requests a key frame of that
  /// encoding alone.
  private func groups(_ parameters: String) throws -> [(encoding: Int?, at: Double)] {
    try routes(
      """
      duration: 8s
      policy: {name: jitsi\(parameters)}
      links: {near: {capacity: 100 Mbps, delay: 10 ms}}
      participants:
        - {id: ann, up: near, down: near, publish: {audio: false, camera: {frames: {file: frames.csv, fps: 20, encodings: {q: 320x180, f: 1280x720}}}}}
        - {id: big, up: near, down: near, view: {signals: {constraints: {ann: 720}, on-stage: [ann]}}}
        - {id: small, join: 3s, up: near, down: near, view: {signals: {constraints: {ann: 180}}}}
      """, viewer: "big")
  }

  /// The lower key frame is taken, as it may be the only one. The higher one has not arrived with it: it is requested
  /// when the group is over, after 300 ms; the request takes 10 ms, the next frame follows 350 ms after the first, and
  /// takes as long to arrive.
  @Test(arguments: [("", 350), (", key-frame-group: 200 ms", 250), (", key-frame-group: 100 ms", 150)])
  func theFirstOfAGroupIsTakenEvenIfItIsLower(parameter: String, expected: Int) throws {
    let routes = try groups(parameter)
    let large = try #require(routes.lastIndex { $0.encoding == 1 })
    #expect(routes[large - 1].encoding == 0 && routes[large - 2].encoding == 1)
    #expect(routes[large - 1].at > 3000)
    #expect(Int((routes[large].at - routes[large - 1].at).rounded()) == expected)
  }

  // MARK: mediasoup

  /// Nothing arrives from the camera from 5 s on, although it counts as arriving for another 1.5 s. One request is sent
  /// for the first viewer and repeated once; a viewer who joins while the first is pending adds none, one who joins
  /// after the repetition renews it.
  @Test(
    arguments: [([5.2], [1, 1, 0, 0]), ([5.2, 5.4], [1, 1, 0, 0]), ([5.2, 6.4], [1, 1, 1, 0])]
      as [([Double], [Int])])
  func oneRequestIsPendingAndRepeatedOnce(joins: [Double], expected: [Int]) throws {
    let viewers = joins.enumerated().map { "  - {id: v\($0), join: \($1)s, view: {stage: ann}}" }
    let requests = try requests(
      """
      duration: 9s
      policy: mediasoup
      participants:
        - id: ann
          up: {capacity: 20 Mbps}
          down: {capacity: 20 Mbps, delay: 10 ms}
          publish: {camera: 720p30, audio: false}
      \(viewers.joined(separator: "\n"))
      timeline: [{at: 5s, link: ann/up, down: 10s}]
      """)
    #expect(Array(requests[5...]) == expected)
  }

  // MARK: janus

  /// The uplink falls from 5 Mbps to 300 kbps at 5 s: the highest encoding stops, then a lower one stands in.
  private func falls(_ parameters: String) throws -> [(encoding: Int?, at: Double)] {
    try routes(
      """
      duration: 20s
      policy: {name: janus\(parameters)}
      participants:
        - {id: ann, up: {capacity: 5 Mbps, delay: 10 ms}, down: {capacity: 5 Mbps, delay: 10 ms}, publish: {camera: 720p20, audio: false}}
        - {id: bob, view: {stage: ann}}
      timeline:
        - {at: 5s, link: ann/up, capacity: 300 kbps}
        - {at: 12s, link: ann/up, capacity: 5 Mbps}
      """, viewer: "bob")
  }

  /// With two encodings off, the target is lowered twice, each time more than 250 ms after the last packet or step.
  @Test func aLowerEncodingStandsInAfterASilence() throws {
    let routes = try falls("")
    let lower = try #require(routes.first { $0.at > 5000 })
    #expect(lower.encoding == 0 && lower.at > 5500 && lower.at < 7000)
    // The uplink carries everything again, and the encoding starts with a key frame.
    #expect(routes.last?.encoding == 2 && (routes.last?.at ?? 0) > 12_000)
    // With a timeout of a minute, nothing replaces the encoding before it is back.
    #expect(try falls(", fallback: 60s").allSatisfy { $0.encoding == 2 || $0.at < 5000 })
  }

  // MARK: signal

  /// A queue that has to drain in a millisecond needs everything that nine tenths of the estimate leave; one that has a
  /// minute needs hardly anything, so a higher encoding fits.
  @Test func theOutgoingQueueTakesItsShare() throws {
    func encodings(_ time: String) throws -> [Int] {
      try Meetings.run(
        Meetings.scenario(
          """
          name: test
          duration: 12s
          estimator: gcc
          policy: {name: signal, queue-drain-time: \(time)}
          links: {fast: {capacity: 20 Mbps, delay: 10 ms}, narrow: {capacity: [{at: 0s, to: 3 Mbps}, {at: 10s, to: 900 kbps}], delay: 20 ms}}
          participants:
            - {id: ann, up: fast, publish: {camera: 720p30, audio: false}}
            - {id: eve, up: fast, publish: {camera: 720p30, audio: false}}
            - {id: bob, down: narrow, view: {stage: ann, tiles: {eve: 320x180}}}
          """), seed: 29
      ).tables.rows(of: .decisions).compactMap { ["q.2", "h.2", "f.2"].firstIndex(of: $0["given"]) }
    }
    let (hurried, slow) = (try encodings("1 ms"), try encodings("60 s"))
    #expect(hurried.count == slow.count)
    #expect(zip(hurried, slow).allSatisfy { $0 <= $1 } && hurried != slow)
  }
}
