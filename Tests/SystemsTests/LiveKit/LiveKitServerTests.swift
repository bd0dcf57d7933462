import Allocation
import CongestionControl
import Ladder
import Quantity
import Systems
import Testing
import Vendors

/// The ladder by which the rules were worked out: 49.5, 99, 150 / 165, 330, 500 / 660, 1320, 2000 kbps.
private let ladder = [
  [49_500, 99_000, 150_000], [165_000, 330_000, 500_000], [660_000, 1_320_000, 2_000_000],
]

private func measured(_ rates: [[Int64]] = ladder.map { $0.map(Int64.init) }) -> MeasuredLayers {
  MeasuredLayers(
    rates: rates.map { $0.map { BitRate(bitsPerSecond: $0) } }, available: Array(rates.indices),
    highestSeen: rates.count - 1, highestTemporalSeen: 2)
}

private let layers: [Layer] = zip([180, 360, 720], 0...).flatMap { height, encoding in
  (0..<3).map { temporal in
    Layer(
      id: LayerID(encoding: encoding, temporal: temporal),
      format: VideoFormat(
        Resolution(width: height * 16 / 9, height: height),
        milliFramesPerSecond: [7500, 15000, 30000][temporal]),
      bitrate: BitRate(bitsPerSecond: Int64(ladder[encoding][temporal])))
  }
}

private func wish(_ source: Int, lines: Int = 720, absence: Limitation? = nil) -> Subscription {
  Subscription(
    source: source,
    requested: VideoFormat(Resolution(width: lines * 16 / 9, height: lines), framesPerSecond: 30),
    offers: layers, absence: absence)
}

private func at(_ seconds: Double) -> SimTime { SimTime(nanoseconds: Int64(seconds * 1e9)) }

private func id(_ encoding: Int, _ temporal: Int) -> LayerID {
  LayerID(encoding: encoding, temporal: temporal)
}

/// A server that forwards all its tracks, congested at a capacity.
private func server(
  tracks: Int, capacity: Int64, parameters: LiveKitServerParameters = .init(), lines: Int = 720
) -> LiveKitServer {
  var server = LiveKitServer(parameters, at: .zero)
  for source in 0..<tracks {
    _ = server.handle(.subscribe(wish(source, lines: lines), measured()), at: .zero)
    _ = server.handle(.forwarded(server.decision(on: source)?.layer, source: source), at: .zero)
  }
  _ = server.handle(.report(.congestion(.congested, capacity: BitRate(bitsPerSecond: capacity))), at: at(1))
  for source in 0..<tracks {
    _ = server.handle(.forwarded(server.decision(on: source)?.layer, source: source), at: at(1))
  }
  return server
}

private func targets(_ server: LiveKitServer, _ count: Int = 4) -> [LayerID?] {
  (0..<count).map { server.decision(on: $0)?.layer }
}

struct LiveKitServerTests {
  /// Field by field [byte], each with its tag and length: a layer 21, 25 and 25; the camera's codec with mime type 11,
  /// mid 3, client's id 38, layers 71, mode 2; the camera with sid 17, type and source 4, size 6, simulcast 2, layers 71,
  /// mime type 11, mid 3, codec 127, stream 8, version 11; the microphone with sid 17, source 2, mime type 12, mid 3,
  /// codec 55, stream 8, version 11; the participant with sid 17, identity 8, state 2, times 14, name 8, version 2,
  /// permission 8, publisher 2. Framing has 4 and 22.
  @Test func aSourcesChangeIsAParticipantUpdate() throws {
    let sizes = try #require(LiveKit(LiveKit.Parameters()).traits.negotiation).sizes
    let camera = 3 + 17 + 4 + 6 + 2 + 71 + 11 + 3 + 127 + 8 + 11
    let microphone = 2 + 17 + 2 + 12 + 3 + 55 + 8 + 11
    let participant = 3 + camera + microphone + 17 + 8 + 2 + 14 + 8 + 2 + 8 + 2
    #expect(sizes.source == 3 + participant + 4 + 22)
    #expect(sizes.layers == nil)
  }

  @Test func aStableServerGivesEverythingWhateverTheLinkCarries() {
    var server = LiveKitServer(.init(), at: .zero)
    _ = server.handle(.subscribe(wish(0), measured()), at: .zero)
    #expect(server.state == .stable)
    #expect(server.decision(on: 0)?.layer == id(2, 2))
    #expect(server.cap == nil)
  }

  /// While nothing is forwarded, the target is 720p, the highest that ever arrived; a viewer whose device decodes at
  /// most 360p is granted 360p.
  @Test func beforeAKeyFrameAViewerIsGivenWhatItsDeviceDecodes() {
    var server = LiveKitServer(.init(), at: .zero)
    let format = VideoFormat(.p360, framesPerSecond: 30)
    let small = Subscription(source: 0, requested: format, offers: Array(layers.prefix(6)))
    _ = server.handle(.subscribe(small, measured()), at: .zero)
    #expect(server.decision(on: 0)?.layer == id(2, 2) && server.decision(on: 0)?.request == 1)
    #expect(server.grant(for: small).layer?.id == id(1, 2))
  }

  @Test(arguments: [
    (470_000, [id(1, 0), id(0, 1), id(0, 1), id(0, 1)]),
    (500_000, [id(0, 2), id(0, 2), id(0, 1), id(0, 1)]),
    (520_000, [id(1, 0), id(0, 2), id(0, 1), id(0, 1)]),
  ])
  func moreCapacityCanMeanLess(capacity: Int, expected: [LayerID]) {
    #expect(targets(server(tracks: 4, capacity: Int64(capacity))) == expected)
  }

  @Test func theLowestLayerIsSentEvenIfItDoesNotFit() {
    #expect(targets(server(tracks: 4, capacity: 100_000)) == [id(0, 0), id(0, 0), id(0, 0), id(0, 0)])
  }

  @Test func tracksArePausedWhereThatIsAllowed() {
    var parameters = LiveKitServerParameters()
    parameters.allowsPause = true
    let server = server(tracks: 4, capacity: 100_000, parameters: parameters)
    #expect(targets(server) == [id(0, 0), id(0, 0), nil, nil])
    #expect(server.decision(on: 3)?.stopsWhileWaiting == true)
  }

  @Test func smallHeadroomBuysALargeLayerStepByStep() {
    // 200 kbps are available: 49.5, 99, 150, 165, 330, 500 and 660 are each at most 200 above the previous one; 1320 is
    // not.
    var server = server(tracks: 1, capacity: 860_000)
    #expect(targets(server, 1) == [id(2, 0)])
    _ = server.handle(.subscribe(wish(1), measured()), at: at(2))
    #expect(targets(server, 2) == [id(2, 0), id(2, 0)])
  }

  @Test func aTrackThatIsMutedGivesItsBitsToTheOthers() {
    var server = server(tracks: 2, capacity: 700_000)
    // (0,2) twice takes 300; (1,0) takes 165 each; (1,1) at 330 each fits in 660; (1,2) does not.
    #expect(targets(server, 2) == [id(1, 1), id(1, 1)])
    _ = server.handle(.subscribe(wish(1, absence: .muted), measured()), at: at(2))
    // 700 - 330 is available for the other: 500 is 170 more, 660 is 160 more, 1320 is too much.
    #expect(targets(server, 2) == [id(2, 0), nil])
  }

  /// At 470 kbps (1,0) and three of (0,1) take 165 and 99 kbps, which leaves 8: 330 and 150 are the next rates. At 100
  /// the lowest layers take 198 in any case.
  @Test(arguments: [(470_000, [157_000, 43_000]), (100_000, [147_500, 147_500])] as [(Int64, [Int64])])
  func whatIsMissingIsTheNextLayers(capacity: Int64, missing: [Int64]) {
    let server = server(tracks: 4, capacity: capacity)
    #expect((0..<2).map { server.decision(on: $0)?.missing.bitsPerSecond } == missing)
  }

  /// A committed 400 kbps carries (1,1) at 330 of one track; (1,2) at 500 needs 100 more. The server hears that its rate
  /// has become 400, which fits, but only decides after a probe.
  @Test(
    arguments: [(500, .bandwidth, 100), (401, .bandwidth, 1), (400, .hold, 0)] as [(Int64, Limitation, Int64)]
  )
  func aLayerThatHasComeToFitWaitsForAProbe(rate: Int64, word: Limitation, missing: Int64) {
    var server = server(tracks: 1, capacity: 400_000)
    #expect(targets(server, 1) == [id(1, 1)])
    var rates = ladder.map { $0.map(Int64.init) }
    rates[1][2] = rate * 1000
    _ = server.handle(.layers(measured(rates), source: 0), at: at(2))
    let grant = server.grant(for: wish(0))
    #expect(grant.layer?.id == id(1, 1) && grant.limitation == .bandwidth && grant.reported == word)
    #expect(grant.isWaiting || grant.missing == .kilobits(missing))
    #expect(server.decision(on: 0)?.missing == .kilobits(missing))
  }

  // MARK: Hiding

  private func hidden(_ source: Int, lines: Int = 720) -> Subscription {
    var wish = wish(source, lines: lines)
    wish.visibility = .offScreen
    return wish
  }

  /// At 100 kbps two of four tracks are paused. Hiding one of them changes nothing, not even once it is forwarded
  /// again; the next settings, such as another size, take effect.
  @Test func hidingAPausedTrackIsIgnored() {
    var parameters = LiveKitServerParameters()
    parameters.allowsPause = true
    var server = server(tracks: 4, capacity: 100_000, parameters: parameters)
    #expect(targets(server) == [id(0, 0), id(0, 0), nil, nil])
    _ = server.handle(.subscribe(hidden(3), measured()), at: at(2))
    #expect(server.grant(for: hidden(3)).limitation == .bandwidth)
    #expect(server.grant(for: hidden(3)).missing > .zero)
    _ = server.handle(.report(.congestion(.congested, capacity: .kilobits(200))), at: at(3))
    #expect(targets(server) == [id(0, 0), id(0, 0), id(0, 0), id(0, 0)])
    _ = server.handle(.subscribe(hidden(3, lines: 360), measured()), at: at(4))
    #expect(targets(server)[3] == id(0, 0))
    _ = server.handle(.forwarded(id(0, 0), source: 3), at: at(5))
    _ = server.handle(.subscribe(hidden(3, lines: 360), measured()), at: at(6))
    #expect(targets(server)[3] == id(0, 0))
    _ = server.handle(.subscribe(hidden(3), measured()), at: at(7))
    #expect(targets(server)[3] == nil)
    #expect(server.grant(for: hidden(3)).limitation == .offScreen)
  }

  @Test func hidingATrackThatIsNotPausedTakesEffect() {
    var parameters = LiveKitServerParameters()
    parameters.allowsPause = true
    var server = server(tracks: 4, capacity: 100_000, parameters: parameters)
    _ = server.handle(.subscribe(hidden(1), measured()), at: at(2))
    #expect(targets(server)[1] == nil)
    #expect(server.grant(for: hidden(1)).limitation == .offScreen)
    // A publisher's muting takes effect in any case.
    _ = server.handle(.subscribe(wish(3, absence: .muted), measured()), at: at(3))
    #expect(server.grant(for: wish(3, absence: .muted)).limitation == .muted)
  }
}
