import Allocation
import Ladder
import Quantity
import Systems
import Testing
import Vendors

@Suite("Vonage's rules")
struct VonageTests {
  private let layers = Ladder.vonage(capture: VideoFormat(.p720, framesPerSecond: 30)).layers

  private func wish(
    _ source: Int, _ width: Int, _ height: Int, fps: Int = 30, visibility: Visibility = .onScreen
  ) -> Subscription {
    Subscription(
      source: source, requested: VideoFormat(Resolution(width: width, height: height), framesPerSecond: fps),
      offers: layers, visibility: visibility)
  }

  /// Returns the rate granted to each for a budget [kbit/s].
  private func rates(_ budget: Int64, _ wishes: [Subscription]) -> [Int64] {
    VonagePolicy().allocate(budget: .kilobits(budget), wishes: wishes)
      .map { ($0.layer?.bitrate ?? .zero).bitsPerSecond / 1000 }
  }

  @Test(
    arguments: [
      (1920, 1080, ["480x270 350", "960x540 1200", "1920x1080 4000"]),
      (1280, 720, ["320x180 150", "640x360 500", "1280x720 2500"]),
      (960, 540, ["480x270 350", "960x540 1200"]), (640, 360, ["320x180 150", "640x360 500"]),
      (480, 270, ["480x270 350"]), (320, 180, ["320x180 150"]),
    ])
  func scalableVideoHasTheLayersWhoseSumsArePublished(width: Int, height: Int, encodings: [String]) {
    let size = Resolution(width: width, height: height)
    let ladder = Ladder.vonage(capture: VideoFormat(size, framesPerSecond: 30))
    #expect(
      ladder.encodings.map {
        let size = $0.format.resolution
        return "\(size.width)x\(size.height) \($0.bitrate.bitsPerSecond / 1000)"
      } == encodings)
    #expect(ladder.encodings.allSatisfy { $0.temporalLayers == 3 })
  }

  @Test(
    arguments: [
      (1920, 1080, 4000), (1280, 720, 2500), (960, 540, 1200), (640, 360, 500), (480, 270, 300),
      (320, 180, 150), (160, 90, 150), (3840, 2160, 4000),
      // 307,200 px is 76,800 of 288,000 px on the way from 500 to 1200.
      (640, 480, 686),
    ])
  func withoutScalableVideoThereIsOneEncodingOfThePublishedRate(width: Int, height: Int, kilobits: Int64) {
    let size = Resolution(width: width, height: height)
    let ladder = Ladder.vonageSingle(capture: VideoFormat(size, framesPerSecond: 30))
    #expect(ladder.layers.map { $0.bitrate.bitsPerSecond / 1000 } == [kilobits])
  }

  @Test(
    arguments: [
      (1280, 720, 30, 720, 30_000), (1279, 720, 30, 360, 30_000), (1280, 719, 30, 360, 30_000),
      (640, 480, 30, 360, 30_000), (640, 359, 30, 180, 30_000), (300, 100, 30, 180, 30_000),
      (1280, 720, 15, 720, 15_000), (640, 480, 14, 360, 7_500), (640, 480, 1, 360, 7_500),
    ])
  func thePreferredSizeIsACeilingForBothSidesAndElseTheLowest(
    width: Int, height: Int, fps: Int, given: Int, milliFrames: Int
  ) {
    let grant = VonagePolicy().allocate(budget: .unlimited, wishes: [wish(0, width, height, fps: fps)])[0]
    #expect(grant.layer?.format.resolution.height == given)
    #expect(grant.layer?.format.milliFramesPerSecond == milliFrames)
  }

  /// Layers: 60, 90, 150; 200, 300, 500; 1000, 1500, 2500 kbit/s.
  @Test(
    arguments: [
      // Shares 1882 and 118: 1500 and 90; of the remaining 410 the small one gets 60.
      (2000, [1500, 150]),
      // Shares 1129 and 71: 1000 and 60, then 90 and 150.
      (1200, [1000, 150]),
      // The second lowest layer no longer fits.
      (119, [90, 0]), (120, [60, 60]), (59, [0, 0]), (2650, [2500, 150]), (2649, [1500, 150]),
    ] as [(Int64, [Int64])])
  func underPressureTheLargerPreferenceHasMore(budget: Int64, given: [Int64]) {
    #expect(rates(budget, [wish(0, 1280, 720), wish(1, 320, 180)]) == given)
    #expect(rates(budget, [wish(0, 320, 180), wish(1, 1280, 720)]) == given.reversed())
  }

  @Test func equalPreferencesShareEquallyAndOthersInProportion() {
    #expect(rates(1400, [wish(0, 1280, 720), wish(1, 1280, 720)]) == [500, 500])
    // Shares 1120 and 280: 1000 and 200, plus 100 of the remaining 200.
    #expect(rates(1400, [wish(0, 1280, 720), wish(1, 640, 360)]) == [1000, 300])
    // What a small stream does not need goes to the large ones.
    #expect(rates(5150, [wish(0, 1280, 720), wish(1, 1280, 720), wish(2, 320, 180)]) == [2500, 2500, 150])
  }

  @Test func aSourceThatCannotBeScaledHasItsPublisherFollow() {
    let single = Ladder.vonageSingle(capture: VideoFormat(.p720, framesPerSecond: 30)).layers
    func grants(_ budget: Int64) -> [Grant] {
      let format = VideoFormat(.p720, framesPerSecond: 30)
      return VonagePolicy().allocate(
        budget: .kilobits(budget),
        wishes: [0, 1].map { Subscription(source: $0, requested: format, offers: single) })
    }
    #expect(grants(5000).allSatisfy { $0.layer == single[0] && $0.bearable == nil && $0.limitation == .none })
    #expect(grants(1000).map(\.bearable) == [.kilobits(500), .kilobits(500)])
    #expect(grants(1000).allSatisfy { $0.layer == single[0] && $0.limitation == .bandwidth })
    #expect(grants(59).map(\.layer) == [single[0], nil])
  }

  /// Two streams at 500 of 1400 kbit/s request 1000. With 1500 the first gets it; the second would need 2000.
  @Test(
    arguments: [
      (1499, [.requestCap, .requestCap]), (1500, [.bandwidth, .requestCap]),
      (1999, [.bandwidth, .requestCap]), (2000, [.bandwidth, .bandwidth]),
    ] as [(Int64, [Limitation])])
  func aCapIsTheLimitOfWhatItLeavesToOthers(cap: Int64, words: [Limitation]) {
    let grants = VonagePolicy().allocate(
      budget: .kilobits(1400), cap: .kilobits(cap), wishes: [wish(0, 1280, 720), wish(1, 1280, 720)],
      within: nil)
    #expect(grants.map { $0.layer?.bitrate } == [.kilobits(500), .kilobits(500)])
    #expect(grants.map(\.limitation) == words)
  }

  /// A tile of 720p30, 27.6 million px/s, behind a gate, and one that has fallen back from 360p30, 6.9 million: both
  /// fit a device with 34.6 million.
  @Test(arguments: [(34_559_999, Limitation.device), (34_560_000, .requestCap)])
  func aDeviceComesBeforeAGateDuringAFallbackToo(pixels: Int, word: Limitation) {
    func single(_ source: Int, _ size: Resolution) -> Subscription {
      let format = VideoFormat(size, framesPerSecond: 30)
      return Subscription(
        source: source, requested: format, offers: Ladder.vonageSingle(capture: format).layers)
    }
    var wishes = [single(0, .p360), single(1, .p720)]
    wishes[0].visibility = .hidden
    wishes[0].absence = .bandwidth
    wishes[1].gate(at: .p360)
    let grants = VonagePolicy().allocate(
      budget: .kilobits(100), cap: .unlimited, wishes: wishes, within: DecoderLimit(pixelsPerSecond: pixels))
    #expect(grants.map(\.limitation) == [.bandwidth, word])
  }

  /// Minimum 150: warning below 195, off below 150, on again after 5 s from 180 on.
  @Test func theFallbackWarnsThenDisablesAndRecoversAfterFiveSeconds() {
    var fallback = AudioFallback(VonageParameters())
    func update(_ tenths: Int64, _ kilobits: Int64, lossy: Bool = false) -> [String] {
      fallback.update(
        budget: .kilobits(kilobits), minimum: .kilobits(150), isLossy: lossy,
        now: SimTime(nanoseconds: tenths * 100_000_000)
      ).map(\.rawValue)
    }
    #expect(update(0, 195) == [])
    #expect(update(2, 194) == ["videoDisableWarning"])
    #expect(update(4, 150) == [])
    #expect(update(6, 195) == ["videoDisableWarningLifted"])
    #expect(update(8, 100) == ["videoDisableWarning"])
    #expect(update(10, 149) == ["videoDisabled"] && fallback.isAudioOnly)
    #expect(update(12, 180) == [] && fallback.isRecovering)
    #expect(update(40, 179) == [] && !fallback.isRecovering)
    #expect(update(50, 1000) == [])
    #expect(update(99, 1000) == [])
    #expect(update(100, 1000) == ["videoEnabled"] && !fallback.isAudioOnly)
    #expect(update(102, 1000, lossy: true) == ["videoDisableWarning"])
    #expect(update(104, 1000, lossy: true) == ["videoDisabled"])
    #expect(update(106, 180) == [] && update(156, 180) == ["videoEnabled", "videoDisableWarning"])
  }

  /// Larger preferred sizes are served first; equal ones in the order of the subscriptions.
  @Test func theOrderIsThatOfThePreferredSizes() {
    let wishes = [wish(0, 320, 180), wish(1, 640, 480), wish(2, 1280, 720), wish(3, 640, 480)]
    #expect(VonagePolicy().order(of: wishes) == [2, 1, 3, 0])
  }
}
