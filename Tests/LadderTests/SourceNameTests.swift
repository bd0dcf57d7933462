import Ladder
import Quantity
import Testing

@Suite("Names of sources, and steps between their layers")
struct SourceNameTests {
  @Test(arguments: [
    ("ann", "ann", false), ("ann/screen", "ann", true), ("screen", "screen", false), ("/screen", "", true),
    ("ann/screens", "ann/screens", false),
  ])
  func aNameIsThatOfACameraOrAScreenShare(text: String, owner: String, isScreen: Bool) {
    let name = SourceName(text)
    #expect(name == SourceName(owner: owner, isScreen: isScreen) && name.description == text)
  }

  @Test func aStepIsTheRateAboveTheLayerBelow() {
    let layers = [150, 500, 1500].enumerated().map { index, kilobits in
      Layer(
        id: LayerID(encoding: index, temporal: 0), format: VideoFormat(.p360, framesPerSecond: 30),
        bitrate: .kilobits(Int64(kilobits)))
    }
    #expect([-1, 0, 1].map(layers.step) == [.kilobits(150), .kilobits(350), .kilobits(1000)])
  }
}
