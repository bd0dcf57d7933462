import Allocation
import Ladder
import Quantity
import Systems
import Testing
import Vendors

@Suite("LiveKit's quality for a tile")
struct LiveKitSelectionTests {
  private let layers = Ladder.livekit(capture: VideoFormat(.p720, framesPerSecond: 30)).layers

  private func encoding(_ width: Int, _ height: Int, among sizes: [Resolution], capture: Resolution = .p720)
    -> Int
  {
    LiveKitSelection.encoding(
      for: Resolution(width: width, height: height), among: sizes, capture: capture, factor: 0.9)
  }

  /// 0.9 x 201 = 180.9 is truncated to 180, 0.9 x 202 = 181.8 to 181; 360 lines have the same threshold.
  @Test(arguments: [
    (16, 0), (180, 0), (200, 0), (201, 0), (202, 1), (400, 1), (401, 1), (402, 2), (720, 2), (2000, 2),
  ])
  func aTileGetsTheLowestEncodingOfNineTenthsOfItsHeight(height: Int, place: Int) {
    #expect(encoding(height * 16 / 9, height, among: [.p180, .p360, .p720]) == place)
    // Unknown sizes count as 180 and 360 lines and the capture's.
    #expect(encoding(height * 16 / 9, height, among: []) == place)
  }

  @Test func ofEqualNeighboursTheUpperOneIsTaken() {
    #expect(encoding(320, 180, among: [.p180, .p180, .p360]) == 1)
    #expect(encoding(320, 180, among: [.p360, .p360, .p360]) == 2)
    #expect(encoding(320, 180, among: [.p720]) == 0)
  }

  @Test func knownHeightsCountInUprightPicturesTooAndWidthsWhereSizesAreUnknown() {
    let upright = [Resolution.p180, .p360, .p720].map(\.rotated)
    // Nine tenths of 640 lines are 576: the encoding of 360x640. For a tile 640 wide and 360 high, 180x320 is enough.
    #expect(encoding(360, 640, among: upright, capture: .p720.rotated) == 1)
    #expect(encoding(640, 356, among: upright, capture: .p720.rotated) == 0)
    // By width: nine tenths of 360 are 324, of 640 576.
    #expect(encoding(360, 640, among: [], capture: .p720.rotated) == 1)
    #expect(encoding(640, 360, among: [], capture: .p720.rotated) == 2)
  }

  private func layer(
    size: Resolution? = nil, quality: TrackSettings.Quality? = nil, fps: Int? = nil, isAdaptive: Bool = false,
    of layers: [Layer]? = nil
  ) -> [Int] {
    var settings = TrackSettings(size: size, quality: quality)
    settings.milliFramesPerSecond = fps.map { $0 * 1000 }
    let layer = LiveKitSelection.layer(
      settings, of: layers ?? self.layers, capture: .p720, isAdaptive: isAdaptive, factor: 0.9)
    return layer.map { [$0.id.encoding, $0.id.temporal] } ?? []
  }

  @Test func untilSomethingIsSetTheHighestCountsAndTheLowestWithAdaptiveStream() {
    #expect(layer() == [2, 2])
    #expect(layer(isAdaptive: true) == [0, 2])
    #expect(layer(size: .p360, isAdaptive: true) == [1, 2])
  }

  @Test func qualitiesAreEncodingsAndTheHighestStandsForThoseThatLack() {
    #expect(TrackSettings.Quality.allCases.map { layer(quality: $0) } == [[0, 2], [1, 2], [2, 2]])
    let two = Ladder.livekit(capture: VideoFormat(.p360, framesPerSecond: 30)).layers
    #expect(
      TrackSettings.Quality.allCases.map { layer(quality: $0, of: two) } == [[0, 2], [1, 2], [1, 2]])
    #expect(layer(of: []) == [])
  }

  /// f has 7.5, 15 and 30 frames per second, q 5, 10 and 20.
  @Test func aFrameRateGetsTheLowestTemporalLayerOfNineTenthsOfIt() {
    #expect([1, 8, 9, 16, 17, 60].map { layer(fps: $0)[1] } == [0, 0, 1, 1, 2, 2])
    #expect([5, 6, 11, 12, 15].map { layer(size: .p180, fps: $0)[1] } == [0, 1, 1, 2, 2])
  }
}

@Suite("LiveKit's allocation while no track is deficient")
struct LiveKitPolicyTests {
  private let layers = Ladder.livekit(capture: VideoFormat(.p720, framesPerSecond: 30)).layers

  private func grant(
    _ requested: VideoFormat, maximum: VideoFormat? = nil, offers: [Layer]? = nil,
    visibility: Visibility = .onScreen,
    absence: Limitation? = nil
  ) -> Grant {
    let wish = Subscription(
      source: 0, requested: requested, maximum: maximum, offers: offers ?? layers, ladder: layers,
      visibility: visibility, absence: absence)
    return LiveKitPolicy().allocate(budget: .kilobits(50), wishes: [wish])[0]
  }

  private let p720 = VideoFormat(.p720, framesPerSecond: 30)

  @Test func thereIsNoBandwidthCheck() {
    #expect(grant(p720).layer?.id == LayerID(encoding: 2, temporal: 2))
    #expect(grant(p720).limitation == Limitation.none)
  }

  @Test func withoutTheWantedEncodingTheNextLowerOneIsTakenAndElseAHigherOne() {
    let lower = grant(p720, offers: layers.filter { $0.id.encoding < 2 })
    #expect(lower.layer?.id == LayerID(encoding: 1, temporal: 2))
    #expect(lower.limitation == .senderUplink)
    let small = VideoFormat(.p180, framesPerSecond: 20)
    let higher = grant(small, offers: layers.filter { $0.id.encoding == 1 })
    #expect(higher.layer?.id == LayerID(encoding: 1, temporal: 2))
    #expect(grant(small, offers: []).layer == nil)
  }

  @Test func aTileThatTakesASlightlySmallerPictureIsNotCapped() {
    let tile = VideoFormat(Resolution(width: 356, height: 200), framesPerSecond: 20)
    let given = grant(tile, maximum: VideoFormat(.p180, framesPerSecond: 20))
    #expect(given.layer?.id == LayerID(encoding: 0, temporal: 2))
    #expect(given.limitation == .layerMissing)
  }

  @Test func aTrackThatIsDisabledOrMutedGetsNothing() {
    let hidden = grant(p720, visibility: .hidden)
    #expect(hidden.layer == nil && hidden.limitation == .offScreen)
    let muted = grant(p720, absence: .muted)
    #expect(muted.layer == nil && muted.limitation == .muted)
  }
}
