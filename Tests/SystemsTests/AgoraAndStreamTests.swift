import Allocation
import Ladder
import Parameters
import Quantity
import Systems
import TestSupport
import Testing
import Vendors

@Suite("Agora's rules")
struct AgoraTests {
  /// A high stream goes down to three tenths of its rate, where other systems' layers stop at six.
  @Test func aHighStreamGoesFurtherDownThanOthersLayers() throws {
    for (name, share) in [("agora", 0.3), ("stream", 0.6)] {
      let system = try #require(Registry<RegisteredSystem>.systems[name])
      #expect(system.rates([]).leastShare == share)
      #expect(system.rates([ParameterSetting("encoding-least-share", .number(0.5))]).leastShare == 0.5)
      #expect(system.parameters.first { $0.key == "encoding-least-share" }?.standard == "\(share)")
    }
  }

  @Test(arguments: [
    (320, 240, 200, 144, 108, 20), (640, 360, 400, 288, 162, 40), (640, 480, 500, 288, 216, 50),
    (1280, 720, 1130, 288, 162, 113), (240, 320, 200, 108, 144, 20), (360, 640, 400, 164, 288, 40),
    (480, 640, 500, 216, 288, 50), (720, 1280, 1130, 164, 288, 113),
    // By the rule behind these: 704 x 0.45 = 316.8 is truncated to 288, and 396 accordingly to 162.
    (704, 396, 450, 288, 162, 45),
    // 54 and 27 are less than 64; a smaller high stream caps the low one.
    (120, 120, 50, 64, 64, 5), (120, 60, 30, 64, 32, 3), (160, 120, 65, 72, 54, 7), (60, 60, 20, 60, 60, 2),
  ])
  func theLowStreamOfTheCommunicationProfileIsThePublishedOne(
    width: Int, height: Int, kilobits: Int64, lowWidth: Int, lowHeight: Int, lowKilobits: Int64
  ) {
    let low = AgoraLowStream.communication(
      of: Resolution(width: width, height: height), rate: .kilobits(kilobits))
    #expect(low.format == VideoFormat(Resolution(width: lowWidth, height: lowHeight), framesPerSecond: 5))
    #expect(low.rate == .kilobits(lowKilobits))
  }

  @Test(arguments: [
    (320, 240, 160, 120, 45), (640, 360, 192, 108, 50), (640, 480, 160, 120, 45), (1280, 720, 192, 108, 50),
    (240, 320, 120, 160, 45), (360, 640, 108, 192, 50), (480, 640, 120, 160, 45), (720, 1280, 108, 192, 50),
  ])
  func theLowStreamOfTheLiveProfileIsThePublishedOne(
    width: Int, height: Int, lowWidth: Int, lowHeight: Int, kilobits: Int64
  ) {
    let low = AgoraLowStream.live(of: Resolution(width: width, height: height))
    #expect(low.format.resolution == Resolution(width: lowWidth, height: lowHeight))
    #expect(low.rate == .kilobits(kilobits))
  }

  /// 160x160, 192x108 and 108x192 would be larger than the high stream.
  @Test(arguments: [(120, 120), (128, 128), (160, 90), (90, 160), (100, 64)])
  func aSmallHighStreamHasALowOneOfItsOwnSize(width: Int, height: Int) {
    let high = Resolution(width: width, height: height)
    #expect(AgoraLowStream.live(of: high).format == VideoFormat(high, framesPerSecond: 5))
  }

  @Test(arguments: [AgoraParameters.Profile.live, .communication], [1, 3, 5, 7, 10, 15, 30, 60])
  func noDefaultLowStreamExceedsItsHighOne(profile: AgoraParameters.Profile, framesPerSecond: Int) throws {
    let named = try #require(Agora.description.ladders.first { $0.name == "agora-dual" })
    for (width, height) in [
      (16, 16), (60, 60), (120, 120), (160, 90), (90, 160), (160, 120), (200, 100), (320, 180), (640, 360),
      (720, 1280), (1920, 1080),
    ] {
      let capture = VideoFormat(
        Resolution(width: width, height: height), framesPerSecond: framesPerSecond)
      let own = Ladder.agora(capture: capture, profile: profile).encodings
      let guide = named.of(capture).encodings
      for encodings in [own, guide] {
        let (low, high) = (encodings[0], encodings[1])
        #expect(high.format == capture)
        #expect(low.format.resolution.fits(in: capture.resolution), "\(capture) \(low.format)")
        #expect(low.format.milliFramesPerSecond <= capture.milliFramesPerSecond)
        #expect(low.bitrate <= high.bitrate, "\(capture) \(low.bitrate) of \(high.bitrate)")
      }
    }
  }

  /// Agora's table, with the base rates of the communication profile.
  @Test(arguments: [
    (120, 120, 15, 50), (160, 120, 15, 65), (180, 180, 15, 100), (240, 180, 15, 120), (240, 240, 15, 140),
    (320, 180, 15, 140), (320, 240, 15, 200), (360, 360, 15, 260), (360, 360, 30, 400), (424, 240, 15, 220),
    (480, 360, 15, 320), (480, 360, 30, 490), (480, 480, 15, 400), (480, 480, 30, 600), (640, 360, 15, 400),
    (640, 360, 30, 600), (640, 480, 10, 400), (640, 480, 15, 500), (640, 480, 30, 750), (848, 480, 15, 610),
    (848, 480, 30, 930), (960, 720, 15, 910), (960, 720, 30, 1380), (1280, 720, 15, 1130),
    (1280, 720, 30, 1710), (1920, 1080, 15, 2080), (1920, 1080, 30, 3150),
  ])
  func theHighStreamHasThePublishedRate(width: Int, height: Int, framesPerSecond: Int, kilobits: Int64) {
    let size = Resolution(width: width, height: height)
    for size in [size, size.rotated] {
      let format = VideoFormat(size, framesPerSecond: framesPerSecond)
      #expect(AgoraEncoderTable.rate(of: format, profile: .communication) == .kilobits(kilobits))
      #expect(AgoraEncoderTable.rate(of: format, profile: .live) == .kilobits(2 * kilobits))
    }
  }

  @Test func theLowStreamIsOnOnceAHostAsksForIt() {
    var auto = DualStreamSender(AgoraParameters().dualStream)
    #expect(!auto.sendsLow)
    _ = auto.handle(.lowStreamRequest(byHost: false), at: .zero)
    #expect(!auto.sendsLow)
    for _ in 1...2 {
      _ = auto.handle(.lowStreamRequest(byHost: true), at: .zero)
      #expect(auto.sendsLow)
    }
    for (mode, sends) in [(AgoraParameters.DualStream.enable, true), (.disable, false)] {
      var sender = DualStreamSender(mode)
      _ = sender.handle(.lowStreamRequest(byHost: true), at: .zero)
      #expect(sender.sendsLow == sends)
    }
  }

  @Test(arguments: [(16, true, 16), (17, true, 16), (17, false, 17), (24, true, 16), (24, false, 17)])
  func of18HostsEachMissesOneAndTheAudienceHas17(others: Int, sends: Bool, received: Int) {
    var limit = AgoraUserLimit(17, order: Array((0..<others).reversed()))
    let missed = limit.update(others: Array(0..<others), sends: sends)
    #expect(missed == Set(0..<(others - received)))
    #expect(limit.received.sorted() == Array((others - received)..<others))
  }

  /// Four streams including the viewer's own, in the order 5 4 3 2 1 0: users 5, 4 and 3 are received.
  @Test func whoIsReceivedStaysAndTheNextTakesAFreePlace() {
    var limit = AgoraUserLimit(4, order: [5, 4, 3, 2, 1, 0])
    #expect(limit.update(others: [0, 1, 2, 3], sends: true) == [0])
    // Users 5 and 4 join when three are received: nobody gives way.
    #expect(limit.update(others: [0, 1, 2, 3, 4, 5], sends: true) == [0, 4, 5])
    // User 2 stops: user 5 is the first in the order among the missed ones.
    #expect(limit.update(others: [0, 1, 3, 4, 5], sends: true) == [0, 4])
    // The viewer's own camera goes off, and leaves a place to user 4; on again, it takes the place of the last in the
    // order.
    #expect(limit.update(others: [0, 1, 3, 4, 5], sends: false) == [0])
    #expect(limit.isReached)
    #expect(limit.update(others: [0, 1, 3, 4, 5], sends: true) == [0, 1])
    // Three others are no more than fit.
    #expect(limit.update(others: [0, 1, 2], sends: true).isEmpty)
  }

  @Test func whereOneStreamIsSentAskingForTheOtherHasNoEffect() {
    let layers = Ladder.agora(
      capture: VideoFormat(.p360, framesPerSecond: 15), profile: .live
    ).layers
    func grant(_ offers: [Layer]) -> Grant {
      AgoraPolicy().allocate(
        budget: .unlimited,
        wishes: [
          Subscription(
            source: 0, requested: layers[1].format, offers: offers, ladder: layers, wantsLowStream: true)
        ]
      )[0]
    }
    #expect(grant(layers).layer == layers[0] && grant(layers).limitation == .policy)
    #expect(grant([layers[1]]).layer == layers[1] && grant([layers[1]]).limitation == .none)
    #expect(grant([layers[0]]).layer == layers[0] && grant([layers[0]]).limitation == .senderUplink)
  }

  /// Two high streams, of 720p30 and 360p30, take 27.6 and 6.9 million px/s: a device below their sum gets the low
  /// stream of the larger one, whether or not its uplink currently carries the high one.
  @Test(arguments: [(34_559_999, Limitation.device), (34_560_000, .senderUplink)])
  func aHighStreamThatIsOffAndNotDecodedIsTheDevices(pixels: Int, word: Limitation) {
    let wishes = [Resolution.p720, .p360].enumerated().map { source, size in
      let layers = Ladder.agora(capture: VideoFormat(size, framesPerSecond: 30), profile: .live).layers
      return Subscription(
        source: source, requested: layers[1].format, offers: source == 0 ? [layers[0]] : layers,
        ladder: layers)
    }
    let grants = AgoraPolicy().allocate(
      budget: .unlimited, cap: .unlimited, wishes: wishes, within: DecoderLimit(pixelsPerSecond: pixels))
    #expect(grants.map(\.layer) == [wishes[0].ladder[0], wishes[1].ladder[1]])
    #expect(grants.map(\.limitation) == [word, .none])
  }

  /// A client that has fallen back requests the low stream, as it does behind a gate.
  @Test(arguments: [(true, Limitation.requestCap), (false, .bandwidth)])
  func aGateAllowsNoMoreThanAFallback(isGated: Bool, word: Limitation) {
    let layers = Ladder.agora(capture: VideoFormat(.p720, framesPerSecond: 30), profile: .live).layers
    var wish = Subscription(
      source: 0, requested: layers[1].format, offers: layers, wantsLowStream: true, absence: .bandwidth)
    if isGated { wish.gate(at: .p360) }
    let grant = AgoraPolicy().allocate(budget: .unlimited, wishes: [wish])[0]
    #expect(grant.layer == layers[0] && grant.limitation == word)
  }
}

@Suite("Stream's rules")
struct StreamTests {
  private let layers = Ladder.threeTemporal([("q", .p180, 300), ("h", .p360, 750), ("f", .p720, 1250)]).layers

  @Test(arguments: [(720, 720), (400, 360), (401, 360), (402, 720), (200, 180), (201, 180), (202, 360)])
  func theTileChoosesTheSmallestLayerThatReachesNineTenths(tile: Int, height: Int) {
    // 402 x 0.9 = 361.8, truncated to 361: 360 is too small.
    let size = Resolution(width: 100, height: tile)
    #expect(StreamPolicy.layer(forTile: size, among: layers)?.format.resolution.height == height)
    // Upright: the widths count instead.
    let upright = layers.map { layer in
      var layer = layer
      layer.format.resolution = layer.format.resolution.rotated
      return layer
    }
    let turned = StreamPolicy.layer(forTile: size.rotated, among: upright)
    #expect(turned?.format.resolution.width == height)
  }

  @Test func theClientsDifferAsTheirSourcesDo() {
    func words(_ client: StreamParameters.Client) -> String {
      let p = StreamParameters(client: client)
      let times = [p.immediate, p.fast, p.medium].map { "\($0.nanoseconds / 1_000_000)" }
      let from = p.hiddenFrom == .max ? "never" : "\(p.hiddenFrom)"
      return "\(p.hidden) \(p.visibleShare) \(times.joined(separator: "/")) \(from) \(p.reportedUnit)"
    }
    #expect(words(.guide) == "unsubscribe 0.3 10/10/10 10 pixels")
    #expect(words(.ios) == "keep 0.3 10/10/10 10 points")
    #expect(words(.javascript) == "unsubscribe 0.35 20/100/600 never points")
    #expect(StreamParameters() == StreamParameters(client: .guide))
  }

  @Test func anOverrideOfOnesOwnCountsMoreThanTheOneForEverybody() {
    var overrides = StreamOverrides(everybody: .off)
    #expect(overrides.override(for: 1) == .off)
    overrides.set(.size(.p720), for: 1)
    overrides.set(.size(.p360), for: 1)
    #expect(overrides.override(for: 1) == .size(.p360) && overrides.override(for: 2) == .off)
    overrides.everybody = nil
    #expect(overrides.override(for: 1) == .size(.p360) && overrides.override(for: 2) == nil)
    overrides.set(nil, for: 1)
    #expect(overrides.override(for: 1) == nil)
  }

  @Test(
    arguments: [
      (1280, 720, ["320x180 250", "640x360 500", "1280x720 1000"]),
      (1920, 1080, ["480x270 250", "960x540 500", "1920x1080 1000"]),
      (640, 360, ["320x180 125", "640x360 250"]), (320, 240, ["320x240 83"]),
    ])
  func theIOSClientHalvesSizeAndRatePerStep(width: Int, height: Int, encodings: [String]) {
    let capture = VideoFormat(Resolution(width: width, height: height), framesPerSecond: 30)
    let ladder = Ladder.streamIOS(capture: capture)
    #expect(
      ladder.encodings.map {
        let size = $0.format.resolution
        return "\(size.width)x\(size.height) \($0.bitrate.bitsPerSecond / 1000)"
      } == encodings)
  }

  @Test func aTileOffScreenGetsNothing() {
    let format = VideoFormat(.p720, framesPerSecond: 30)
    let wishes = [
      Subscription(source: 0, requested: format, offers: layers, visibility: .offScreen),
      Subscription(source: 1, requested: format, offers: layers),
    ]
    let grants = StreamPolicy().allocate(budget: .megabits(10), wishes: wishes)
    #expect(grants[0].layer == nil && grants[0].limitation == .offScreen)
    #expect(grants[1].layer?.format.resolution == .p720)
  }
}
