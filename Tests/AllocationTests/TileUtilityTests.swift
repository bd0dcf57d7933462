import Allocation
import Ladder
import Quantity
import Testing

@Suite("Utilities of tiles")
struct TileUtilityTests {
  private let tile = Resolution(width: 426, height: 240)

  private func layer(_ encoding: Int, _ size: Resolution, _ kilobits: Int64, _ fps: Int = 30) -> Layer {
    Layer(
      id: LayerID(encoding: encoding, temporal: 0), format: VideoFormat(size, framesPerSecond: fps),
      bitrate: .kilobits(kilobits))
  }

  @Test func aScoreIsWorthItsShareOfTheScaleTimesTheWeight() {
    #expect(TileUtility.millionths(score: 5, weight: 1) == 1_000_000)
    #expect(TileUtility.millionths(score: 3, weight: 4) == 2_000_000)
    #expect(TileUtility.millionths(score: 1, weight: 4) == 0)
    #expect(TileUtility.millionths(score: nil, weight: 4) == 0)
    #expect(TileUtility.millionths(score: 4, weight: 0) == 0)
    #expect(TileUtility.millionths(score: 4, weight: -1) == 0)
    // 3 / 4 of two millionths and of 2.6 millionths: 1.5 is rounded up.
    #expect(TileUtility.millionths(score: 4, weight: 2e-6) == 2)
    #expect(TileUtility.millionths(score: 4, weight: 1.9e-6) == 1)
    #expect(TileUtility.millionths(score: 5, weight: 1e9) == 10_000_000_000)
  }

  /// The published scores 4.05 and 2.91 of 360p at 500 kbps.
  @Test func theTileDecidesWhatALayerIsWorth() {
    let small = TileUtility.millionths(of: layer(1, .p360, 500), in: tile, weight: 1)
    let stage = TileUtility.millionths(of: layer(1, .p360, 500), in: .p720, weight: 1)
    #expect(abs(small - 762_500) < 1_500)
    #expect(abs(stage - 477_500) < 1_500)
    let own = TileUtility.millionths(of: layer(1, .p360, 500), in: nil, weight: 1)
    #expect(own == TileUtility.millionths(of: layer(1, .p360, 500), in: .p360, weight: 1))
  }

  @Test func theMemoSaysTheSame() {
    var memo = TileUtilityMemo()
    for weight in [1.0, 4] {
      for size in [tile, .p720, nil, .p720] {
        for kilobits in [150, 500, 500] as [Int64] {
          let layer = layer(1, .p360, kilobits)
          #expect(
            memo.millionths(of: layer, in: size, weight: weight, number: 3)
              == TileUtility.millionths(of: layer, in: size, weight: weight))
        }
      }
    }
  }

  // MARK: Options

  private var layers: [Layer] { [layer(0, .p180, 150), layer(1, .p360, 500), layer(2, .p720, 2000)] }

  private func places(_ wish: Subscription, _ layers: [Layer], staysWithinRequest: Bool = false) -> [Int] {
    var memo = TileUtilityMemo()
    let options = wish.options(of: layers, staysWithinRequest: staysWithinRequest)
    #expect(options == wish.options(of: layers, staysWithinRequest: staysWithinRequest, &memo, from: 5))
    #expect(options == wish.options(of: layers, staysWithinRequest: staysWithinRequest, &memo, from: 5))
    return options.indices.filter { options[$0].rate > 0 }
  }

  private func wish(_ requested: Resolution = .p360) -> Subscription {
    Subscription(
      source: 0, requested: VideoFormat(requested, framesPerSecond: 30), offers: layers, tile: tile)
  }

  @Test func allThatArrivesCountsUnlessTheRequestIsTheLimit() {
    #expect(places(wish(), layers) == [0, 1, 2])
    #expect(places(wish(), layers, staysWithinRequest: true) == [0, 1])
    #expect(places(wish(.p90), layers, staysWithinRequest: true) == [0])
    var stopped = layers
    stopped[0].bitrate = .zero
    #expect(places(wish(), stopped) == [1, 2])
    #expect(places(wish(.p90), stopped, staysWithinRequest: true) == [1])
    #expect(places(wish(), []) == [])
  }

  @Test func gatesAndWindowsAreNeverExceeded() {
    var gated = wish(.p720)
    gated.gate = .p360
    #expect(places(gated, layers) == [0, 1])
    #expect(places(gated, [layers[2]]) == [])
    var windowed = wish(.p720)
    windowed.confine(to: .p180)
    #expect(places(windowed, layers) == [0])
    // None fits: the lowest.
    #expect(places(windowed, [layers[1], layers[2]]) == [0])
  }

  @Test func whatIsNotShownIsWorthNothing() {
    var hidden = wish()
    hidden.visibility = .offScreen
    #expect(places(hidden, layers) == [])
    var muted = wish()
    muted.absence = .muted
    #expect(places(muted, layers) == [])
  }

  @Test func anUnknownTileIsTakenAsTheRequest() {
    var unknown = wish(.p720)
    unknown.tile = nil
    #expect(unknown.judgedSize == .p720)
    unknown.requested.resolution = Resolution(width: 0, height: 0)
    #expect(unknown.judgedSize == nil)
    #expect(wish().judgedSize == tile)
    unknown.weight = 4
    let options = unknown.options(of: layers, staysWithinRequest: false)
    #expect(options[1].utility == TileUtility.millionths(of: layers[1], in: .p360, weight: 4))
    #expect(options[1].rate == 500_000)
  }
}
