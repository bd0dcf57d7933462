import Allocation
import Decision
import Ladder
import Parameters
import Plan
import Quantity
import Scenario
import Systems
import TestSupport
import Testing
import Vendors

/// What `meetsim allocate` prints: the decision alone.
@Suite("Decisions without packets")
struct StandaloneAllocationTests {
  /// A ladder in single bits, which lets every budget be tried.
  private static let layers = [
    (0, 0, "320x180", "7.5", 50), (0, 1, "320x180", "15", 99), (0, 2, "320x180", "30", 150),
    (1, 0, "640x360", "7.5", 165), (1, 1, "640x360", "15", 330), (1, 2, "640x360", "30", 500),
    (2, 0, "1280x720", "7.5", 660), (2, 1, "1280x720", "15", 1320), (2, 2, "1280x720", "30", 2000),
  ]

  private static func scenario(_ policy: String, _ view: String) -> String {
    let list = layers.map {
      "{encoding: \($0.0), temporal: \($0.1), size: \($0.2), fps: \($0.3), bitrate: \($0.4) bps}"
    }.joined(separator: ", ")
    return """
      name: test
      policy: \(policy)
      speech-order: [c, a]
      participants:
        - {id: a, publish: {camera: {layers: [\(list)]}}}
        - {id: b, publish: {camera: {layers: [\(list)]}}}
        - {id: c, publish: {camera: {layers: [\(list)]}, screen: {layers: [\(list)]}}}
        - {id: d, publish: {camera: {layers: [\(list)]}}}
        - {id: v, view: {\(view)}, capabilities: {receive-720p: true}}
      """
  }

  private func decision(
    _ text: String, at: SimTime = .zero, previous: [PreviousLayer] = []
  ) throws -> StandaloneAllocation {
    let plan = try Meetings.scenario(text).plan
    let viewer = try #require(plan.participants.firstIndex { $0.id == "v" })
    return try #require(StandaloneAllocation(plan, viewer: viewer, at: at, previous: previous))
  }

  /// Layers such as `1.2`, or `-` for none, by source.
  private func layers(_ rows: [StandaloneAllocation.Row]) -> String {
    rows.map { row in row.layer.map { "\($0.id.encoding).\($0.id.temporal)" } ?? "-" }.joined(separator: " ")
  }

  private func outcome(_ rows: [StandaloneAllocation.Row]) -> [String] {
    rows.map { "\($0.layer?.id as Any) \($0.limitation)" }
  }

  /// GSO's levels of 360p take 400 to 800 kbit/s, and its lowest of 720p 1 Mbit/s: behind the gate, more bits add
  /// nothing.
  @Test(arguments: [(false, Limitation.requestCap), (true, .bandwidth)])
  func moreBitsOfALayerAreNoMoreOfIt(opensGate: Bool, word: Limitation) throws {
    let decision = try decision(
      """
      name: test
      policy: gso
      participants:
        - {id: a, publish: {camera: 720p30}}
        - {id: v, view: {everybody: 960x540}, capabilities: {receive-720p: \(opensGate)}}
      """)
    for budget in [400, 600] as [Int64] {
      let row = decision.rows(budget: .kilobits(budget)).rows[0]
      #expect(row.layer?.format.resolution == .p360 && row.limitation == word)
    }
  }

  @Test(
    "Between two budgets that a decision names nothing changes, in any system",
    arguments: Registry<RegisteredSystem>.systems.names)
  func thresholdsAreExact(system: String) throws {
    for view in ["stage: a, tiles: {b: 320x180, c: 320x180, d: 640x360}", "everybody: 640x360"] {
      let decision = try decision(Self.scenario(system, view))
      var expected = decision.rows(budget: .zero)
      var next = expected.rise
      for bits in 1...2000 {
        let (rows, rise) = decision.rows(budget: BitRate(bitsPerSecond: Int64(bits)))
        if Int64(bits) == next {
          expected = (rows, rise)
          next = rise.map { Int64(bits) + $0 }
        }
        #expect(outcome(rows) == outcome(expected.rows), "\(system) at \(bits) bps in \(view)")
      }
    }
  }

  @Test func liveKitsLayersGoBackAndForth() throws {
    // Four equal tracks, layer by layer: 360p7.5 replaces 180p30 where it fits (sfu-allocators, 2.4, in thousandths).
    let text = Self.scenario("livekit", "share: false, everybody: 1280x720")
    let decision = try decision(text)
    let given = [470, 500, 520].map { layers(decision.rows(budget: BitRate(bitsPerSecond: $0)).rows) }
    #expect(given == ["1.0 0.1 0.1 - 0.1", "0.2 0.2 0.1 - 0.1", "1.0 0.2 0.1 - 0.1"])
  }

  @Test func wishesAreThoseOfTheMoment() throws {
    let text =
      Self.scenario("livekit", "share: false, tiles: {a: 1280x720, b: 320x180}") + """

        timeline:
          - {at: 10s, participant: v, hide: a}
          - {at: 20s, participant: b, mute: video}
        """
    let before = try decision(text, at: .zero + .seconds(5)).rows(budget: .megabits(1)).rows
    #expect(layers(before) == "2.2 0.2 - - -")
    let hidden = try decision(text, at: .zero + .seconds(10)).rows(budget: .megabits(1)).rows
    #expect(layers(hidden) == "- 0.2 - - -" && hidden[0].limitation == .offScreen)
    let muted = try decision(text, at: .zero + .seconds(20)).rows(budget: .megabits(1)).rows
    #expect(layers(muted) == "- - - - -" && muted[1].limitation == .muted)
  }

  @Test func aShareTakesTheStageWhileItLasts() throws {
    let text =
      Self.scenario("stream", "stage: {participant: a, size: 1280x720}, tiles: {b: 320x180}") + """

        timeline:
          - {at: 10s, participant: c, share: none}
        """
    // With ample bandwidth: the share at its best, nobody on the stage; then the participant.
    let shared = try decision(text).rows(budget: .megabits(1)).rows
    #expect(layers(shared) == "- 0.2 - 2.2 -")
    let alone = try decision(text, at: .zero + .seconds(10)).rows(budget: .megabits(1)).rows
    #expect(layers(alone) == "2.2 0.2 - - -")
  }

  @Test func anotherPageIsOffScreen() throws {
    let text =
      Self.scenario("stream", "share: false, everybody: 320x180, per-page: 2") + """

        timeline: [{at: 10s, participant: v, page: 2}]
        """
    #expect(layers(try decision(text).rows(budget: .megabits(1)).rows) == "0.2 0.2 - - -")
    #expect(
      layers(try decision(text, at: .zero + .seconds(10)).rows(budget: .megabits(1)).rows) == "- - 0.2 - 0.2")
  }

  private func alone(_ policy: String, _ camera: String, _ timeline: String, at seconds: Double) throws
    -> StandaloneAllocation.Row
  {
    let text = """
      name: moment
      duration: 20s
      policy: \(policy)
      participants:
        - {id: a, publish: {camera: \(camera)}, view: {everybody: 320x180}}
        - {id: v, view: {everybody: 1280x720}, capabilities: {receive-720p: true}}
      timeline: [\(timeline)]
      """
    return try decision(text, at: .zero + .milliseconds(Int64(seconds * 1000))).rows(budget: .megabits(5))
      .rows[0]
  }

  /// A camera is off from its mute to its end, and in the background; `picture-in-picture` is the participant's own.
  @Test(arguments: Registry<RegisteredSystem>.systems.names)
  func whatIsOffTakesNothing(policy: String) throws {
    let timeline =
      "{at: 5s, participant: a, mute: video}, {at: 8s, participant: a, unmute: video}, "
      + "{at: 11s, participant: a, background: none}, {at: 14s, participant: a, foreground: true}"
    for (moment, isOn) in [(4, true), (5, false), (7.9, false), (8, true), (11, false), (14, true)] {
      let row = try alone(policy, "360p30", timeline, at: moment)
      #expect((row.layer != nil) == isOn, "\(policy) at \(moment) s")
      #expect((row.limitation == .muted) == !isOn, "\(policy) at \(moment) s: \(row.limitation)")
    }
  }

  /// The source changes in half a second. Frames of 720p then come 20 times a second, from 5 s on, for 2 s; at 8 s there
  /// is one more, which counts as one a second.
  @Test func pushedFramesHaveTheirOwnSizeAndRate() throws {
    let timeline =
      "{at: 3s, participant: a, push-frames: {size: 1280x720, fps: 20, count: 1}}, "
      + "{at: 4s, participant: a, source: custom}, "
      + "{at: 5s, participant: a, push-frames: {size: 1280x720, fps: 20, for: 2s}}, "
      + "{at: 8s, participant: a, push-frames: {size: 640x360, count: 1}}, "
      + "{at: 9s, participant: a, source: camera}"
    func format(at seconds: Double) throws -> String {
      let row = try alone("vonage", "360p15", timeline, at: seconds)
      return row.layer.map { "\($0.format.resolution.height)@\($0.format.milliFramesPerSecond)" } ?? "-"
    }
    for (moment, expected) in [
      (3.5, "360@15000"), (4.4, "360@15000"), (4.5, "-"), (5, "720@20000"), (6.9, "720@20000"), (7, "-"),
      (8, "360@1000"), (8.9, "360@1000"), (9.4, "-"), (9.5, "360@15000"),
    ] {
      #expect(try format(at: moment) == expected, "\(moment) s")
    }
  }

  /// A camera that may film in the background goes on, and an app's frames need no camera.
  @Test func theBackgroundStopsCamerasAlone() throws {
    func isOn(_ publish: String, _ capabilities: String) throws -> Bool {
      let text = """
        name: background
        duration: 20s
        policy: livekit
        participants:
          - {id: a, publish: {\(publish)}, capabilities: {\(capabilities)}, view: {everybody: 320x180}}
          - {id: v, view: {everybody: 640x360}}
        timeline: [{at: 5s, participant: a, background: none}]
        """
      return try decision(text, at: .zero + .seconds(6)).rows(budget: .megabits(5)).rows[0].layer != nil
    }
    #expect(try !isOn("camera: 360p30", ""))
    #expect(try isOn("camera: 360p30", "multitasking-camera: true"))
    #expect(try isOn("custom: 360p30", ""))
  }
}
