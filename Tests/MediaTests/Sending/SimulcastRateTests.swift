import Ladder
import Media
import Quantity
import Testing

@Suite("libwebrtc's simulcast tables")
struct LibwebrtcSimulcastTests {
  @Test func aCaptureOf720pIsSentInThreeEncodings() {
    let encodings = LibwebrtcSimulcast.encodings(of: .p720)
    #expect(encodings.map(\.resolution) == [.p180, .p360, .p720])
    #expect(encodings.map(\.rates.minimum) == [.kilobits(30), .kilobits(150), .kilobits(600)])
    #expect(encodings.map(\.rates.target) == [.kilobits(150), .kilobits(500), .kilobits(2500)])
    #expect(encodings.map(\.rates.maximum) == [.kilobits(200), .kilobits(700), .kilobits(2500)])
  }

  @Test func theLowestMinimumIs30KilobitsAtAnySize() {
    // 270p alone has 150.
    #expect(LibwebrtcSimulcast.encodings(of: .p1080)[0].rates.minimum == .kilobits(30))
    #expect(LibwebrtcSimulcast.rates(of: .p270).minimum == .kilobits(150))
  }

  @Test func ratesLieOnALineBetweenTheRows() {
    // 800x450 = 360,000 px: 0.55 of the way from 540p (518,400) down to 360p (230,400).
    let rates = LibwebrtcSimulcast.rates(of: Resolution(width: 800, height: 450))
    #expect(rates.maximum == .kilobits(925))
    #expect(rates.target == .kilobits(815))
    #expect(rates.minimum == .kilobits(240))
    let vp9 = LibwebrtcSimulcast.rates(of: Resolution(width: 800, height: 450), table: .vp9)
    #expect(vp9.maximum == BitRate.kilobits(627))  // 879 - 0.55 x 459 = 626.55
    // Outside the table, its first and last rows apply.
    #expect(LibwebrtcSimulcast.rates(of: Resolution(width: 3840, height: 2160)).maximum == .kilobits(5000))
    #expect(LibwebrtcSimulcast.rates(of: .p90).maximum == .kilobits(200))
  }

  @Test func aSizeWithin10PercentOfTheNextRowTakesItsLayerCount() {
    #expect(LibwebrtcSimulcast.layerLimit(of: .p720) == 3)
    #expect(LibwebrtcSimulcast.layerLimit(of: .p360) == 2)
    #expect(LibwebrtcSimulcast.layerLimit(of: .p180) == 1)
    // 540p is 518,400 px, 360p 230,400: the boundary is 489,600 px = 960 x 510.
    #expect(LibwebrtcSimulcast.layerLimit(of: Resolution(width: 960, height: 511)) == 3)
    #expect(LibwebrtcSimulcast.layerLimit(of: Resolution(width: 960, height: 510)) == 2)
    #expect(LibwebrtcSimulcast.encodings(of: .p360).map(\.resolution) == [.p180, .p360])
  }
}

@Suite("Simulcast rate allocation")
struct SimulcastRateAllocatorTests {
  private func allocator(
    _ capture: Resolution, content: SimulcastRateAllocator.Content = .camera
  ) -> SimulcastRateAllocator {
    SimulcastRateAllocator(LibwebrtcSimulcast.encodings(of: capture).map(\.rates), content: content)
  }

  private func shares(_ allocator: inout SimulcastRateAllocator, _ kilobits: Int64) -> [Int64] {
    let shares = allocator.allocate(.kilobits(kilobits))
    return (0..<shares.count).map { shares[$0].bitsPerSecond / 1000 }
  }

  /// The totals at which the second and third encoding are enabled, at first and again, and at which all get their
  /// maximum.
  @Test(
    arguments: [
      (.p720, 300, 330, 1250, 1370, 3150), (.p1080, 700, 770, 2350, 2510, 6550),
    ] as [(Resolution, Int64, Int64, Int64, Int64, Int64)])
  func encodingsComeOnAtTheDerivedTotals(
    capture: Resolution, second: Int64, secondAgain: Int64, third: Int64, thirdAgain: Int64, full: Int64
  ) {
    func isOn(_ encoding: Int, first kilobits: Int64) -> Bool {
      var fresh = allocator(capture)
      return shares(&fresh, kilobits)[encoding] > 0
    }
    func comesBack(_ encoding: Int, at kilobits: Int64) -> Bool {
      var used = allocator(capture)
      _ = shares(&used, 30)
      return shares(&used, kilobits)[encoding] > 0
    }
    #expect(!isOn(1, first: second - 1) && isOn(1, first: second))
    #expect(!comesBack(1, at: secondAgain - 1) && comesBack(1, at: secondAgain))
    #expect(!isOn(2, first: third - 1) && isOn(2, first: third))
    // The second may be off as well: it needs less than the third leaves.
    #expect(!comesBack(2, at: thirdAgain - 1) && comesBack(2, at: thirdAgain))
    var rich = allocator(capture)
    #expect(shares(&rich, full).reduce(0, +) == full)
    #expect(shares(&rich, full + 1000).reduce(0, +) == full)
  }

  @Test func whatIsLeftGoesToTheLargestThatIsOn() {
    var camera = allocator(.p720)
    #expect(shares(&camera, 20) == [30, 0, 0])
    #expect(shares(&camera, 180) == [180, 0, 0])
    #expect(shares(&camera, 260) == [200, 0, 0])
    #expect(shares(&camera, 620) == [150, 470, 0])
    #expect(shares(&camera, 1000) == [150, 700, 0])
    #expect(shares(&camera, 1369) == [150, 700, 0])
    #expect(shares(&camera, 1370) == [150, 500, 720])
    // Once on, it stays on down to its plain minimum.
    #expect(shares(&camera, 1250) == [150, 500, 600])
    #expect(shares(&camera, 1249) == [150, 700, 0])
  }

  /// 1250 kbps at first, 1370 to come back: an encoding that the app switches off and on again gets a new allocator.
  @Test func aChangeOfActiveEncodingsForgetsWhatWasOn() {
    var allocator = allocator(.p720)
    #expect(shares(&allocator, 1300) == [150, 500, 650])
    #expect(shares(&allocator, 1249) == [150, 700, 0])
    allocator.setActive(true, encoding: 2)
    #expect(shares(&allocator, 1300) == [150, 700, 0])
    allocator.setActive(false, encoding: 2)
    #expect(shares(&allocator, 1300) == [150, 700, 0])
    allocator.setActive(true, encoding: 2)
    #expect(shares(&allocator, 1300) == [150, 500, 650])
  }

  @Test func screensComeBackMoreReluctantly() {
    var screen = allocator(.p720, content: .screen)
    _ = shares(&screen, 30)
    // 150 + 1.35 x 150 = 352.5.
    #expect(shares(&screen, 352)[1] == 0)
    #expect(shares(&screen, 353)[1] > 0)
  }

  @Test func theThresholdToComeBackIsNeverAboveTheTarget() {
    let narrow = LayerRates(minimum: .kilobits(100), target: .kilobits(110), maximum: .kilobits(200))
    var allocator = SimulcastRateAllocator([narrow, narrow])
    _ = allocator.allocate(.kilobits(50))
    let below = allocator.allocate(.kilobits(219))[1]
    let at = allocator.allocate(.kilobits(220))[1]
    #expect(below == .zero && at == .kilobits(110))
  }

  @Test func suspensionAndInactiveEncodings() {
    var camera = allocator(.p720)
    _ = shares(&camera, 2000)
    #expect(shares(&camera, 0) == [0, 0, 0])
    // The state survives a suspension: the third needs no more than its minimum.
    #expect(shares(&camera, 1250) == [150, 500, 600])
    camera.setActive(false, encoding: 0)
    #expect(shares(&camera, 100) == [0, 150, 0])
    camera.setActive(false, encoding: 1)
    camera.setActive(false, encoding: 2)
    #expect(shares(&camera, 1000) == [0, 0, 0])
  }

  @Test func nothingIsGivenTwice() {
    var camera = allocator(.p720)
    for kilobits in stride(from: Int64(30), through: 4000, by: 7) {
      let sum = camera.allocate(.kilobits(kilobits)).total
      #expect(sum <= .kilobits(kilobits))
    }
  }

  @Test func temporalLayersTakeLibwebrtcsShares() {
    func cumulative(_ layers: Int, heavy: Bool = false) -> [Int] {
      (0..<layers).map { TemporalShares.cumulativePercent(upTo: $0, of: layers, isBaseHeavy: heavy) }
    }
    #expect(cumulative(1) == [100])
    #expect(cumulative(2) == [60, 100])
    #expect(cumulative(3) == [40, 60, 100])
    #expect(cumulative(3, heavy: true) == [60, 80, 100])
    #expect(cumulative(4) == [25, 40, 60, 100])
  }

  /// Chromium on a publisher's uplink of 450, 1300 and 2600 kbps: two encodings, two (the second at its maximum of 700
  /// kbps), all three. Its bitrate adjuster scales all targets of a row alike, by the share that the lowest gets of its
  /// 150 kbps.
  @Test(
    .enabled(if: RecordedCall.isPresent, "the recorded calls are not beside the checkout"),
    arguments: ["sim-up-450", "sim-up-1300", "sim-up-2600"])
  func theSplitIsThatOfRealCalls(name: String) throws {
    let call = try #require(RecordedCall(named: name))
    let time = try call.column("t").map { $0 ?? 0 }
    let targets = try ["l", "m", "h"].map { try call.column("\($0)_target_kbps").map { $0 ?? 0 } }
    var camera = allocator(.p720)
    var compared = 0
    for row in time.indices where time[row] > 6 && targets[1][row] > 0 {
      let scale = targets[0][row] / 150
      let sum = targets.reduce(0) { $0 + $1[row] } / scale
      let mine = camera.allocate(BitRate(bitsPerSecond: Int64(sum * 1000)))
      for encoding in 0..<3 {
        let recorded = targets[encoding][row] / scale
        let own = Double(mine[encoding].bitsPerSecond) / 1000
        #expect(abs(own - recorded) <= max(0.12 * recorded, 8), "\(name) at \(time[row]) s, \(encoding)")
      }
      compared += 1
    }
    #expect(compared > 25)
  }
}

@Suite("The ladder webrtc-vp8")
struct WebRTCLadderTests {
  private func rows(_ capture: VideoFormat) throws -> [[Int64]] {
    let ladder = try #require(NamedLadder.common.first { $0.name == "webrtc-vp8" })
    return ladder.of(capture).encodings.map { encoding in
      [Int64(encoding.format.resolution.height)]
        + [encoding.minimum, encoding.bitrate, encoding.maximum].map { ($0?.bitsPerSecond ?? 0) / 1000 }
    }
  }

  /// Rows of libwebrtc's table (`video/config/simulcast.cc`); the lowest minimum is 30 kbps.
  @Test func itsEncodingsAreThoseOfTheCapture() throws {
    #expect(
      try rows(VideoFormat(.p720, framesPerSecond: 30))
        == [[180, 30, 150, 200], [360, 150, 500, 700], [720, 600, 2500, 2500]])
    #expect(
      try rows(VideoFormat(.p360, framesPerSecond: 15)) == [[180, 30, 150, 200], [360, 150, 500, 700]])
    #expect(
      try rows(VideoFormat(.p1080, framesPerSecond: 30))
        == [[270, 30, 350, 450], [540, 350, 1200, 1200], [1080, 800, 4000, 5000]])
  }
}
