import Ladder
import Quantity
import Systems
import Testing
import Vendors

@Suite("Ladders of scalable streams")
struct ScalableLadderTests {
  private func ladder(_ mode: String, _ capture: Resolution = .p720, maximum: Int64? = 1445) throws -> Ladder
  {
    .scalable(
      ScalableSending(
        .vp9, try #require(ScalabilityMode(name: mode)), maximum: maximum.map { .kilobits($0) }),
      capture: VideoFormat(capture, framesPerSecond: 30), isScreen: false)
  }

  /// livekit-client's 1445 kbps: two full layers, 142 and 418 kbps, and the rest for the third.
  @Test func theMaximumIsSplitOverTheLayers() throws {
    let ladder = try ladder("L3T3_KEY")
    #expect(ladder.names == ["s0", "s1", "s2"])
    #expect(ladder.isLayered)
    #expect(ladder.encodings.map(\.bitrate) == [.kilobits(142), .kilobits(418), .kilobits(885)])
    #expect(ladder.encodings.map(\.format.resolution) == [.p180, .p360, .p720])
    // 54.0, 16.3 and 29.7 %.
    let shares = ladder.encodings[2].cumulativeBitrates.map { $0.bitsPerSecond / 8850 }
    #expect(shares == [53, 70, 100])
    #expect(ladder.stream(of: ladder.encodings[0]).bitrate == .kilobits(1445))
  }

  @Test func fullPredictionAddsTheLayersBelow() throws {
    let own = try ladder("L3T3_KEY").layers.filter { $0.id.temporal == 2 }.map(\.bitrate)
    #expect(own == [.kilobits(142), .kilobits(418), .kilobits(885)])
    let sums = try ladder("L3T3").layers.filter { $0.id.temporal == 2 }.map(\.bitrate)
    #expect(sums == [.kilobits(142), .kilobits(560), .kilobits(1445)])
  }

  @Test func aSmallCaptureHasFewerLayers() throws {
    #expect(try ladder("L3T3_KEY", .p360).names == ["s0", "s1"])
    let one = try ladder("L1T3", maximum: nil)
    #expect(one.names == ["s0"] && !one.isLayered)
    #expect(one.encodings[0].bitrate == .kilobits(2500) && one.encodings[0].minimum == .kilobits(30))
  }

  /// stream-video-js uses the rate of its highest encoding: 1250 kbps for a 720p capture.
  @Test func streamSendsOneStreamAtTheRateOfItsHighestEncoding() throws {
    let stream = Stream(StreamParameters())
    let capture = VideoFormat(.p720, framesPerSecond: 30)
    let sending = try #require(stream.scalableSending(of: .camera, codec: .vp9, capture: capture))
    #expect(sending.mode == ScalabilityMode(name: "L3T3_KEY") && sending.maximum == .kilobits(1250))
    let ladder = Ladder.scalable(sending, capture: capture, isScreen: false)
    #expect(ladder.encodings.map(\.bitrate) == [.kilobits(142), .kilobits(418), .kilobits(690)])
    let share = try #require(stream.scalableSending(of: .screen, codec: .av1, capture: capture))
    #expect(share.mode == ScalabilityMode(name: "L1T3") && share.maximum == .kilobits(3000))
  }

  /// Rates of listed layers agree with those of a ladder: a layer that does not arrive stays at zero, whatever is below
  /// it.
  @Test func aLayerThatDoesNotArriveHasNoRate() throws {
    var ladder = Ladder(encodings: [
      Encoding(
        rid: "s0", format: VideoFormat(.p180, framesPerSecond: 30),
        cumulativeBitrates: [.kilobits(50), .kilobits(100)]),
      Encoding(
        rid: "s1", format: VideoFormat(.p360, framesPerSecond: 30),
        cumulativeBitrates: [.zero, .kilobits(300)]),
    ])
    ladder.scalability = ScalabilityMode(name: "L2T2")
    #expect(ladder.layers.map { $0.bitrate.bitsPerSecond / 1000 } == [50, 100, 0, 400])
  }
}
