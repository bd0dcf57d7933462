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

  /// Two layers are full at 560 kbps, and the third starts at 891: a lower maximum leaves it off, as one below the
  /// second's start of 299 does the second. AV1's second and third start at 209 and 676.
  @Test(
    arguments: [
      (.vp9, 892, [142, 268, 481]), (.vp9, 891, [142, 418]), (.vp9, 700, [142, 418]),
      (.vp9, 300, [106, 193]),
      (.vp9, 299, [142]), (.vp9, 250, [142]), (.vp9, 100, [100]), (.av1, 500, [142, 358]), (.av1, 208, [142]),
    ] as [(VideoCodec, Int64, [Int64])])
  func aMaximumLeavesUpperLayersOff(codec: VideoCodec, maximum: Int64, expected: [Int64]) throws {
    let mode = try #require(ScalabilityMode(name: "L3T3_KEY"))
    let capture = VideoFormat(.p720, framesPerSecond: 30)
    func ladder(_ maximum: Int64?) -> Ladder {
      .scalable(
        ScalableSending(codec, mode, maximum: maximum.map { .kilobits($0) }), capture: capture,
        isScreen: false)
    }
    var limited = ladder(nil)
    limited.limit(to: .kilobits(maximum))
    for ladder in [ladder(maximum), limited] {
      #expect(ladder.encodings.count == 3)
      let offered = ladder.layers.filter { $0.id.temporal == 2 }
      #expect(offered.map { $0.bitrate.bitsPerSecond / 1000 } == expected)
      let split = try #require(ladder.split)
      #expect(split.rates(.megabits(5)).enabled == expected.count && split.layerCount == 3)
    }
  }

  /// The layers are counted before VP9 rounds the sides down to multiples of 9: three need 540 lines and 960 columns.
  @Test(arguments: [
    (Resolution(width: 962, height: 541), 3, Resolution(width: 954, height: 540)),
    (Resolution(width: 960, height: 540), 3, Resolution(width: 954, height: 540)),
    (Resolution(width: 540, height: 960), 3, Resolution(width: 540, height: 954)),
    (Resolution(width: 960, height: 539), 2, Resolution(width: 960, height: 537)),
  ])
  func theCaptureDecidesOnTheNumberOfLayers(capture: Resolution, count: Int, top: Resolution) throws {
    for mode in ["L3T3h", "S3T3h", "L3T1h"] {
      let ladder = try ladder(mode, capture, maximum: nil)
      #expect(ladder.encodings.count == count && ladder.encodings.last?.format.resolution == top)
      #expect(ladder.split?.layerCount == count && ladder.split?.fullRates.enabled == count)
    }
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
