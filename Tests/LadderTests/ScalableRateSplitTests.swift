import Ladder
import Quantity
import Testing

@Suite("Target split across layers")
struct ScalableRateSplitTests {
  private func split(
    _ codec: VideoCodec, _ size: Resolution, _ name: String = "L3T3_KEY", isScreen: Bool = false,
    maximum: BitRate? = nil
  ) throws -> ScalableRateSplit {
    let mode = try #require(ScalabilityMode(name: name))
    return ScalableRateSplit(codec: codec, size: size, mode: mode, isScreen: isScreen, maximum: maximum)
  }

  /// Expectations of libwebrtc's `svc_rate_allocator_unittest.cc`.
  @Test func layersStartWhereLibwebrtcsDo() throws {
    let split = try split(.vp9, .p720)
    #expect(split.start(of: 1).bitsPerSecond == 30_000)
    #expect(split.start(of: 2).bitsPerSecond == 299_150)
    #expect(split.start(of: 3).bitsPerSecond == 891_052)
    #expect(split.rates(.kilobits(900)).enabled == 3)
    #expect(split.rates(.kilobits(450)).enabled == 2)
    #expect(split.rates(BitRate(bitsPerSecond: 299_149)).enabled == 1)
    #expect(split.rates(BitRate(bitsPerSecond: 299_150)).enabled == 2)
    #expect(split.rates(BitRate(bitsPerSecond: 891_051)).enabled == 2)
    #expect(split.rates(BitRate(bitsPerSecond: 891_052)).enabled == 3)
  }

  /// Layer n starts when its share among n layers reaches its minimum, within 3 bit/s of rounding.
  @Test(
    arguments: [
      (VideoCodec.vp9, Resolution.p360, [30.0, 299.149], 560), (.vp9, .p540, [30, 187.549, 624.291], 1237),
      (.vp9, .p720, [30, 299.15, 891.052], 2084), (.vp9, .p1080, [30, 522.349, 1424.571], 4503),
      (.av1, .p360, [20, 209.249], 560), (.av1, .p540, [20, 119.349, 463.123], 1237),
      (.av1, .p720, [20, 209.249, 676.159], 2084), (.av1, .p1080, [77, 387.499, 1104.088], 4503),
    ])
  func totalsAtWhichLayersStart(codec: VideoCodec, size: Resolution, starts: [Double], maximum: Int) throws {
    let split = try split(codec, size)
    #expect(split.layerCount == starts.count)
    for (index, start) in starts.enumerated() {
      #expect(abs(Double(split.start(of: index + 1).bitsPerSecond) - start * 1000) <= 3)
    }
    #expect(split.usefulMaximum == .kilobits(Int64(maximum)))
  }

  /// At 2:3, AV1's sides are truncated; VP9's are first made multiples of nine, which costs it a few lines.
  @Test func ratioOfThreeToTwoStartsLater() throws {
    let av1 = try split(.av1, .p720, "L3T3h")
    #expect((1...3).map { av1.start(of: $0).bitsPerSecond } == [109_000, 328_599, 714_054])
    let vp9 = try split(.vp9, .p720, "L3T3h")
    #expect(vp9.start(of: 2).bitsPerSecond == 446_399)
    // 340 + 704 + 1522
    #expect(vp9.usefulMaximum == .kilobits(2566))
  }

  /// Minimum, target and maximum by size.
  @Test func limitsFollowPixels() throws {
    let vp9 = try split(.vp9, .p720)
    #expect((0..<3).map { vp9.limits(of: $0).minimum.bitsPerSecond / 1000 } == [30, 193, 481])
    #expect((0..<3).map { vp9.limits(of: $0).target.bitsPerSecond / 1000 } == [95, 305, 1002])
    #expect((0..<3).map { vp9.limits(of: $0).maximum.bitsPerSecond / 1000 } == [142, 418, 1524])
    let large = try split(.vp9, .p1080)
    #expect((0..<3).map { large.limits(of: $0).target.bitsPerSecond / 1000 } == [189, 608, 2068])
    let av1 = try split(.av1, .p720)
    #expect((0..<3).map { av1.limits(of: $0).minimum.bitsPerSecond / 1000 } == [20, 135, 365])
  }

  /// Whole kilobits per layer; nothing beyond the layers' maxima is used: 560 kbps until the third starts.
  @Test(
    arguments: [
      (VideoCodec.vp9, Resolution.p720, 150, [142, 0, 0]), (.vp9, .p720, 300, [106, 194, 0]),
      (.vp9, .p720, 500, [142, 358, 0]), (.vp9, .p720, 800, [142, 418, 0]),
      (.vp9, .p720, 1000, [142, 318, 540]), (.vp9, .p720, 1200, [142, 410, 648]),
      (.vp9, .p720, 1500, [142, 418, 940]), (.vp9, .p720, 2000, [142, 418, 1440]),
      (.vp9, .p720, 2500, [142, 418, 1524]), (.av1, .p720, 800, [131, 238, 432]),
      (.av1, .p720, 1000, [142, 318, 540]), (.vp9, .p1080, 150, [150, 0, 0]),
      (.vp9, .p1080, 500, [257, 0, 0]), (.vp9, .p1080, 800, [257, 543, 0]),
      (.av1, .p1080, 500, [177, 323, 0]),
      (.vp9, .p1080, 1200, [257, 879, 0]), (.av1, .p1080, 1200, [196, 356, 648]),
      (.vp9, .p1080, 1500, [245, 445, 810]), (.vp9, .p1080, 2000, [257, 663, 1080]),
      (.vp9, .p1080, 2500, [257, 879, 1364]), (.vp9, .p540, 300, [101, 199, 0]),
      (.vp9, .p540, 500, [101, 257, 0]), (.av1, .p540, 500, [82, 148, 270]),
      (.vp9, .p540, 800, [101, 257, 442]), (.vp9, .p540, 1500, [101, 257, 879]),
    ])
  func totalIsSplit(codec: VideoCodec, size: Resolution, total: Int, layers: [Int]) throws {
    let rates = try split(codec, size).rates(.kilobits(Int64(total)))
    #expect((0..<3).map { Int((Double(rates[$0].bitsPerSecond) / 1000).rounded()) } == layers)
    #expect(rates.total <= .kilobits(Int64(total)))
    #expect(rates.enabled == layers.filter { $0 > 0 }.count)
  }

  @Test func baseLayerTakesATotalBelowItsMinimum() throws {
    let rates = try split(.vp9, .p720).rates(.kilobits(20))
    #expect(rates.enabled == 1 && rates[0] == .kilobits(20))
  }

  /// livekit-client's limit for a 720p camera in VP9: 0.85 x 1700 kbps; all shares are proportional.
  @Test func applicationsLimitCapsTheTotal() throws {
    let split = try split(.vp9, .p720, maximum: .kilobits(1445))
    #expect(split.rates(.kilobits(5000)).total == .kilobits(1445))
    #expect(split.usefulMaximum == .kilobits(1445))
  }

  /// 54.0, 16.3 and 29.7 % of 100 kbps; with two layers, 64.5 and 35.5 %.
  @Test func temporalLayersHaveTheSeriesShares() throws {
    let three = ScalableRateSplit.temporalRates(of: .kilobits(100), layers: 3)
    #expect([0, 1, 2].map { three[$0].bitsPerSecond } == [53_981, 16_329, 29_690])
    let two = ScalableRateSplit.temporalRates(of: .kilobits(100), layers: 2)
    #expect([0, 1, 2].map { two[$0].bitsPerSecond } == [64_516, 35_484, 0])
    // The rounding remainder goes to the highest layer.
    let odd = ScalableRateSplit.temporalRates(of: BitRate(bitsPerSecond: 1001), layers: 3)
    #expect(odd[0] + odd[1] + odd[2] == BitRate(bitsPerSecond: 1001))
  }

  /// A screen share of 720 lines: 95 and 305 kbps for the lower layers, the rest for the top one, from 95 + 305 + 481
  /// kbps on.
  @Test func screensLowerLayersGetTheirTargets() throws {
    let split = try split(.vp9, .p720, "L3T1", isScreen: true)
    #expect((1...3).map { split.start(of: $0).bitsPerSecond / 1000 } == [30, 288, 881])
    let all = split.rates(.kilobits(1000))
    #expect((0..<3).map { all[$0].bitsPerSecond / 1000 } == [95, 305, 600])
    let two = split.rates(.kilobits(880))
    #expect((0..<3).map { two[$0].bitsPerSecond / 1000 } == [95, 418, 0])
    #expect(split.rates(.kilobits(10))[0] == .kilobits(10))
  }

  /// Layers listed with 60, 200 and 400 kbps: the second starts at libwebrtc's minimum for 640x360, 193, the third at its
  /// own rate, which is below the minimum of 481.
  @Test(
    arguments: [
      (50, [50, 0, 0]), (252, [60, 0, 0]), (253, [60, 193, 0]), (659, [60, 200, 0]), (660, [60, 200, 400]),
      (5000, [60, 200, 400]),
    ] as [(Int64, [Int64])])
  func listedLayersGetTheirRates(total: Int64, expected: [Int64]) throws {
    let layers = zip([Resolution.p180, .p360, .p720], [60, 200, 400] as [Int64]).map { size, rate in
      Encoding(
        rid: "s", format: VideoFormat(size, framesPerSecond: 30), cumulativeBitrates: [.kilobits(rate)])
    }
    let mode = try #require(ScalabilityMode(name: "L3T1"))
    let rates = ScalableRateSplit(codec: .vp9, listed: layers, mode: mode).rates(.kilobits(total))
    #expect((0..<3).map { rates[$0].bitsPerSecond / 1000 } == expected)
  }
}
