import Allocation
import Ladder
import Quantity
import Systems
import Testing
import Vendors

/// The layers of a source that are considered: those that a rising budget grants it, one after the other. Cases named
/// by a constraint are those of jitsi-videobridge's SingleSourceAllocationTest.kt.
@Suite("Layers that Jitsi considers")
struct JitsiLayerTests {
  private func considered(_ asked: Asked) -> String {
    changes([asked]).map(\.given).filter { $0 != "-" }.joined(separator: " ")
  }

  /// Returns the layer up to which a source on the stage starves all others.
  private func preferred(_ asked: Asked) -> String? {
    var staged = asked
    staged.isOnStage = true
    staged.place = 0
    return changes([staged, Asked(lines: 180)]).first { !$0.given.hasSuffix("-") }?.given.split(
      separator: " "
    ).first
      .map(String.init)
  }

  private func silent(_ layers: [Layer], _ isSilent: (Layer) -> Bool) -> [Layer] {
    layers.map { layer in
      var layer = layer
      if isSilent(layer) { layer.bitrate = .zero }
      return layer
    }
  }

  @Test(
    arguments: [
      (720, "l7 l15 l30 s30 h30", "s30"), (360, "l7 l15 l30 s30", "s30"), (180, "l7 l15 l30", "l30"),
      (nil, "l7 l15 l30 s30 h30", "s30"), (719, "l7 l15 l30 s30", "s30"), (90, "l7 l15 l30", "l30"),
      (0, "", ""),
      // 181 lines suffice to prefer full frame rates from 360 lines on.
      (181, "l7 l15 l30", "l30"),
    ] as [(Int?, String, String)])
  func ofACamera(_ lines: Int?, _ layers: String, _ preferred: String) {
    let asked = Asked(lines: lines)
    #expect(considered(asked) == layers)
    if lines != 0 { #expect(self.preferred(asked) == preferred) }
  }

  @Test func aCameraWithoutLayersWithinTheConstraintGivesItsLowest() {
    let asked = Asked(lines: 360, layers: ladder([(720, 2_000_000)]))
    #expect(considered(asked) == "l7 l15 l30")
    #expect(preferred(asked) == "l30")
  }

  @Test func silentLayersDoNotCount() {
    let layers = silent(testLadder) { $0.id > LayerID(encoding: 1, temporal: 1) }
    #expect(considered(Asked(lines: 720, layers: layers)) == "l7 l15 l30")
    #expect(preferred(Asked(lines: 720, layers: layers)) == "l30")
    // The lowest height counts even then.
    let upper = silent(testLadder) { $0.id.encoding == 0 }
    #expect(considered(Asked(lines: 720, layers: upper)) == "s30 h30")
    #expect(considered(Asked(lines: 180, layers: upper)) == "")
  }

  @Test func ofASourceWithoutPacketsOneIsChosenToBegin() {
    let layers = silent(testLadder) { _ in true }
    // A tile's first layer costs 0, less than 1; the next costs no more than that.
    #expect(changes([Asked(lines: 720, layers: layers)]).map(\.given) == ["-", "l15"])
    // The stage takes layers that cost no more than its budget, up to 360p30, and then the next.
    #expect(changes([Asked(lines: 720, isOnStage: true, place: 0, layers: layers)]).map(\.given) == ["h30"])
  }

  /// A quirk: layers below 360 lines count whatever the constraint, if it is above 180.
  @Test func layersBelowThePreferredHeightMayExceedTheConstraint() {
    let layers = ladder([(135, 100_000), (270, 330_000), (540, 900_000)])
    #expect(considered(Asked(lines: 200, layers: layers)) == "l7 l15 l30 s7 s15 s30")
    #expect(considered(Asked(lines: 180, layers: layers)) == "l7 l15 l30")
    #expect(considered(Asked(lines: 540, layers: layers)).hasSuffix("s30 h30"))
  }

  @Test func aSlowCamerasFullFrameRateIsItsOwn() {
    // At most 20 frames per second.
    let layers = [
      layer(0, 0, lines: 180, fps: 10, 50_000), layer(0, 1, lines: 180, fps: 20, 100_000),
      layer(1, 0, lines: 360, fps: 10, 200_000), layer(1, 1, lines: 360, fps: 20, 400_000),
    ]
    #expect(considered(Asked(lines: 360, layers: layers)) == "l7 l15 s15")
    // Faster layers are not needed above 30.
    let fast = [
      layer(0, 0, lines: 360, fps: 29.999, 100_000), layer(0, 1, lines: 180, fps: 60, 150_000),
      layer(1, 0, lines: 360, fps: 30, 200_000), layer(1, 1, lines: 360, fps: 60, 400_000),
    ]
    #expect(considered(Asked(lines: 360, layers: fast)) == "l15 s7 s15")
  }

  @Test func unknownFrameRatesAreEnough() {
    let layers = [layer(0, 0, lines: 180, fps: 0, 100_000), layer(1, 0, lines: 720, fps: 0, 900_000)]
    #expect(considered(Asked(lines: 720, layers: layers)) == "l7 s7")
  }

  @Test func ofAScreenShare() {
    #expect(considered(Asked(lines: 720, isScreen: true)) == "l7 l15 l30 s7 s15 s30 h7 h15 h30")
    #expect(considered(Asked(lines: nil, isScreen: true)) == "l7 l15 l30 s7 s15 s30 h7 h15 h30")
    #expect(considered(Asked(lines: 360, isScreen: true)) == "l7 l15 l30 s7 s15 s30")
    #expect(preferred(Asked(lines: 720, isScreen: true)) == "h30")
    #expect(preferred(Asked(lines: 360, isScreen: true)) == "s30")
    // The lower encodings are off.
    let tall = silent(testLadder) { $0.id.encoding < 2 }
    #expect(considered(Asked(lines: 180, isScreen: true, layers: tall)) == "h7 h15 h30")
    let low = silent(testLadder) { $0.id.encoding == 2 }
    #expect(preferred(Asked(lines: 720, isScreen: true, layers: low)) == "s30")
    let staged = Asked(lines: 180, isOnStage: true, place: 0, isScreen: true, layers: tall)
    #expect(changes([staged]).map(\.budget) == [0, 160_000, 1_320_000, 2_000_000])
  }

  /// VP9 screen shares: 150, 370 and 750 kbps of one size, with unknown frame rates.
  @Test func ofLayersOfOneSizeOnlyTheFirstCountsOffTheStage() {
    let layers = [150_000, 370_000, 750_000].enumerated().map { layer($0, 0, lines: 720, fps: 0, $1) }
    #expect(considered(Asked(lines: 720, isScreen: true, layers: layers)) == "l7 s7 h7")
    #expect(considered(Asked(lines: 180, isScreen: true, layers: layers)) == "l7")
    let staged = Asked(lines: 180, isOnStage: true, place: 0, isScreen: true, layers: layers)
    #expect(considered(staged) == "l7 s7 h7")
    #expect(preferred(staged) == "h7")
    // The cheapest of the tallest is the first: it fits in the allowed excess of 500 kbps, which the others do not get.
    #expect(changes([staged]).map(\.budget) == [0, 370_000, 750_000])
  }

  @Test func aHigherLayerThatCostsNoMoreIsTakenAtOnce() {
    // 360p30 is measured at a lower rate than 180p30.
    var layers = testLadder
    layers[5].bitrate = .kilobits(150)
    #expect(considered(Asked(lines: 360, layers: layers)) == "l7 l15 s30")
    layers[5].bitrate = BitRate(bitsPerSecond: 150_001)
    #expect(considered(Asked(lines: 360, layers: layers)) == "l7 l15 l30 s30")
    let outcome = JitsiRule().decide(state(150_001, [Asked(lines: 360, layers: layers)]))
    #expect(outcome.decisions.map(\.rule) == ["round"])
  }
}
