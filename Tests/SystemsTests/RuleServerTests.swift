import Allocation
import Ladder
import Quantity
import Systems
import TestSupport
import Testing
import Vendors

/// Decides at every estimate.
private struct EveryEstimate: ServerSchedule {
  mutating func receive(_ estimate: BitRate, allocated: BitRate, at now: SimTime) -> Bool { true }
  mutating func noteDecision(at now: SimTime) {}
  var dueAt: SimTime? { nil }
}

@Suite("A server that allocates a downlink by a rule")
struct RuleServerTests {
  /// Of a base layer of 15 fps requested at 7.5, seven of fifteen frames are passed on: 140 of its 300 kbps.
  @Test func aThinnedLayerIsChargedForTheFramesThatArePassedOn() throws {
    let base = Layer(
      id: LayerID(encoding: 0, temporal: 0), format: VideoFormat(.p360, framesPerSecond: 15),
      bitrate: .kilobits(300))
    var wish = Subscription(
      source: 0, requested: VideoFormat(.p360, milliFramesPerSecond: 7500), offers: [base])
    wish.keepFrameRate()
    let layers = MeasuredLayers(rates: [[.kilobits(300)]], available: [0], highestSeen: 0)
    let rule = try #require(Best(.init()).rule)
    let given = [139_999, 140_000, 300_000].map { (budget: Int64) -> BitRate? in
      var server = RuleServer(rule, EveryEstimate())
      #expect(server.handle(.subscribe(wish, layers), at: .zero) == [.look])
      _ = server.handle(
        .report(.estimate(BitRate(bitsPerSecond: budget), packets: 0, repeatedNACKs: 0)), at: .zero)
      #expect(server.handle(.look([layers], queued: .zero), at: .zero) == [.decide])
      return server.decision(on: 0).flatMap { $0.layer == nil ? nil : $0.bitrate }
    }
    #expect(given == [nil, .kilobits(140), .kilobits(140)])
  }

  // MARK: Triggers

  private static let source = MeasuredLayers(
    rates: [
      [.kilobits(50), .kilobits(100), .kilobits(150)], [.kilobits(165), .kilobits(330), .kilobits(500)],
    ],
    available: [0, 1], highestSeen: 1, highestTemporalSeen: 2)

  private static func layers(_ rates: [[Int64]]) -> [Layer] {
    rates.enumerated().flatMap { encoding, rates in
      rates.enumerated().map { temporal, rate in
        Layer(
          id: LayerID(encoding: encoding, temporal: temporal),
          format: VideoFormat(
            Resolution(width: 320 << encoding, height: 180 << encoding),
            milliFramesPerSecond: 30_000 >> (2 - temporal)),
          bitrate: .kilobits(rate))
      }
    }
  }

  private static func wish(
    _ source: Int = 0, lines: Int = 180, rates: [[Int64]] = [[50, 100, 150], [165, 330, 500]]
  )
    -> Subscription
  {
    var wish = Subscription(
      source: source, requested: VideoFormat(.p720, framesPerSecond: 30), offers: layers(rates))
    wish.demand.maximumLines = lines
    return wish
  }

  /// Servers by rule, each after its first decision at 0 s on one source and 1 Mbps.
  private static func servers() -> [(name: String, server: RuleServer)] {
    let jitsi = JitsiParameters()
    let best = BestSchedule(spacing: .seconds(1))
    let servers: [(String, any ServerRule, any ServerSchedule)] = [
      ("jitsi", JitsiRule(jitsi), JitsiSchedule(jitsi)), ("signal", SignalRule(), SignalSchedule()),
      ("mediasoup", MediasoupRule(), MediasoupSchedule()), ("best", JitsiRule(jitsi), best),
    ]
    return servers.map { name, rule, schedule in
      var server = RuleServer(rule, schedule)
      _ = server.handle(.begin(.megabits(1)), at: .zero)
      _ = server.handle(.subscribe(wish(), source), at: .zero)
      _ = server.handle(.look([source], queued: .zero), at: .zero)
      return (name, server)
    }
  }

  /// Returns the servers that look at all layers, and so decide, after an input.
  private static func deciding(
    after changes: [ServerInput] = [], on input: ServerInput, among names: [String]? = nil
  ) -> [String] {
    servers().compactMap { name, server in
      var server = server
      for change in changes { _ = server.handle(change, at: .zero) }
      _ = server.handle(.look([source], queued: .zero), at: .zero)
      return server.handle(input, at: SimTime.zero + .milliseconds(500)).contains(.look) ? name : nil
    }
  }

  /// Jitsi's bridge looks only when a layer starts, of whatever encoding; others when an encoding starts or stops.
  @Test func layersThatStartOrStop() {
    var one = Self.source
    one.rates[1] = [.zero, .zero, .zero]
    one.available = [0]
    var fewer = Self.source
    fewer.rates[1][2] = .zero
    let all = ["jitsi", "signal", "mediasoup", "best"]
    #expect(Self.deciding(on: .layers(one, source: 0)) == ["signal", "mediasoup", "best"])
    #expect(Self.deciding(on: .layers(fewer, source: 0)) == [])
    func started(_ before: MeasuredLayers) -> [String] {
      Self.servers().compactMap { name, server in
        var server = server
        _ = server.handle(.look([before], queued: .zero), at: .zero)
        let actions = server.handle(.layers(Self.source, source: 0), at: SimTime.zero + .milliseconds(500))
        return actions.contains(.look) ? name : nil
      }
    }
    #expect(started(one) == all)
    #expect(started(fewer) == ["jitsi"])
    #expect(started(Self.source) == [])
  }

  /// What a publisher sends is no request, unless the encoding that was decided is gone, as mediasoup's is here; a
  /// priority waits at mediasoup alone.
  @Test func onlyWhatIsRequestedCounts() {
    let all = ["jitsi", "signal", "mediasoup", "best"]
    #expect(
      Self.deciding(on: .subscribe(Self.wish(rates: [[50, 100, 150], [165, 330, 499]]), Self.source)) == [
        "best"
      ])
    #expect(
      Self.deciding(on: .subscribe(Self.wish(rates: [[50, 100, 150]]), Self.source)) == ["mediasoup", "best"])
    #expect(Self.deciding(on: .subscribe(Self.wish(), Self.source)) == [])
    #expect(Self.deciding(on: .subscribe(Self.wish(lines: 181), Self.source)) == all)
    var preferred = Self.wish()
    preferred.numericPriority = 2
    #expect(Self.deciding(on: .subscribe(preferred, Self.source)) == ["jitsi", "signal", "best"])
    #expect(Self.deciding(on: .unsubscribe(source: 0)) == all)
  }

  // MARK: Signal

  /// A server of Signal with two sources of 150 kbps, whose publishers have not spoken, on an estimate.
  private func signal(_ estimate: Int64, speakerLines: Int? = nil) -> RuleServer {
    var server = RuleServer(SignalRule(), SignalSchedule())
    var demand = ViewerDemand()
    demand.speakerLines = speakerLines
    _ = server.handle(.begin(.kilobits(estimate)), at: .zero)
    _ = server.handle(.demand(demand), at: .zero)
    for source in 0..<2 { _ = server.handle(.subscribe(Self.wish(source), Self.source), at: .zero) }
    _ = server.handle(.look([Self.source, Self.source], queued: .zero), at: .zero)
    return server
  }

  private func given(_ server: RuleServer) -> [Int?] {
    (0..<2).map { server.decision(on: $0)?.layer?.encoding }
  }

  /// At 299 kbps one of two fits: the first in the meeting, then the last speaker once a second has passed.
  @Test func anEqualSpeakerComesFirstWithTheNextDecision() {
    var server = signal(299)
    #expect(given(server) == [0, nil])
    let later = SimTime.zero + .seconds(1) + SimDuration(nanoseconds: 1)
    #expect(server.handle(.speech(ranks: [nil, 0]), at: .zero + .milliseconds(300)) == [.wake(at: later)])
    // A request says nothing of the speakers: the server hears them itself.
    #expect(
      server.handle(.subscribe(Self.wish(1), Self.source), at: .zero + .milliseconds(400)) == [
        .wake(at: later)
      ])
    let due = server.handle(.timer(sentBytes: 0, roundTrip: nil, nil), at: later)
    #expect(due.contains(.look))
    _ = server.handle(.look([Self.source, Self.source], queued: .zero), at: later)
    #expect(given(server) == [nil, 0])
  }

  /// 180 lines are requested of everyone.
  @Test(arguments: [(180, false), (181, true)])
  func aSpeakerWhoIsShownLargerIsServedAtOnce(lines: Int, isAtOnce: Bool) {
    var server = signal(299, speakerLines: lines)
    let actions = server.handle(.speech(ranks: [nil, 0]), at: .zero + .milliseconds(300))
    #expect(actions.contains(.look) == isAtOnce)
    // Nothing is new if the same one goes on.
    _ = server.handle(.look([Self.source, Self.source], queued: .zero), at: .zero + .milliseconds(300))
    #expect(!server.handle(.speech(ranks: [1, 0]), at: .zero + .milliseconds(400)).contains(.look))
  }

  /// 150 kbps were allocated to each of two: nine tenths of 300 are 270, whatever the sources send now.
  @Test func anEstimateIsComparedWithTheRatesOfTheDecision() {
    var server = signal(500)
    #expect(given(server) == [0, 0])
    var grown = Self.source
    grown.rates[0][2] = .kilobits(300)
    for source in 0..<2 { _ = server.handle(.layers(grown, source: source), at: .zero + .milliseconds(100)) }
    func looks(_ estimate: Int64) -> Bool {
      var server = server
      let report = DownlinkReport.estimate(.kilobits(estimate), packets: 0, repeatedNACKs: 0)
      return server.handle(.report(report), at: .zero + .milliseconds(200)).contains(.look)
    }
    #expect(!looks(270))
    #expect(looks(269))
  }

  /// Only the base layer has arrived, with 50 kbps: the whole encoding is forwarded, and counts with these.
  @Test func anEncodingIsForwardedWholeFromItsBeginning() {
    var server = signal(500)
    let young = MeasuredLayers(rates: [[.kilobits(50), .zero, .zero]], available: [0], highestSeen: 0)
    _ = server.handle(.look([young, young], queued: .zero), at: .zero + .milliseconds(100))
    #expect(server.decision(on: 0)?.layer == LayerID(encoding: 0, temporal: 2))
    #expect(server.decision(on: 0)?.bitrate == .kilobits(50))
  }
}
