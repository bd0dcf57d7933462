import Ladder
import Media
import Quantity
import Statistics
import Testing

@Suite("VP8 encoder model")
struct AdaptiveEncoderModelTests {
  private func encoder(
    _ size: Resolution, _ kilobits: Double, content: ContentComplexity = .talkingHead, layers: Int = 1
  ) -> AdaptiveEncoderModel {
    var model = AdaptiveEncoderModel(
      format: VideoFormat(size, framesPerSecond: 30), temporalLayers: layers, content: content)
    model.setRate(kilobits * 1000)
    return model
  }

  /// Returns the mean rate [kbps], mean quantizer and dropped frames over some seconds, after a first second that does
  /// not count.
  private func run(
    _ model: inout AdaptiveEncoderModel, seconds: Int = 60, seed: UInt64 = 1
  ) -> (kilobits: Double, quantizer: Double, dropped: Int) {
    var sizes = RandomStream(seed: seed, name: "sizes")
    for _ in 0..<30 { _ = model.encode(sizes: &sizes) }
    var bytes = 0
    var quantizers = 0
    var coded = 0
    for _ in 0..<seconds * 30 {
      guard let frame = model.encode(sizes: &sizes) else { continue }
      bytes += frame.frame.bytes
      quantizers += frame.quantizer
      coded += 1
    }
    return (
      Double(bytes) * 8 / 1000 / Double(seconds), Double(quantizers) / Double(max(1, coded)),
      seconds * 30 - coded
    )
  }

  @Test func packetsOfAFrameCanBeNumbered() {
    #expect(Packetization(frameBytes: 65_535 * 1_168).count == 65_535)
    let larger = Packetization(frameBytes: 65_536 * 1_168)
    #expect(larger.count == 65_535 && larger.wireSize(of: 0) == larger.wireSize(of: 65_534))
  }

  @Test func quantizerStepsAreThoseOfVP8() {
    // RFC 6386 section 14.1, AC steps.
    let table = [(2, 6), (29, 33), (54, 58), (59, 68), (83, 116), (95, 152), (102, 173), (106, 189)]
    for (index, step) in table {
      #expect(VP8Quantizer.step(index) == Double(step))
      #expect(VP8Quantizer.index(step: Double(step)) == index)
    }
    #expect(VP8Quantizer.index(step: 33.1) == 30)
    #expect(VP8Quantizer.index(step: 1) == 2)
    #expect(VP8Quantizer.index(step: 1000) == 106)
  }

  /// libvpx's table of bits per macroblock (divided by 512), key frames: 250000 at index 16, 173076 at 29, 150000 at 33,
  /// 264705 at 15, 51136 at 94, 50561 at 95, 41666 at 106: the nearest is taken. A fresh encoder of 480x270 (510
  /// macroblocks) at 500 kbps, whose first frame gets a quarter of a second of it, takes 39, and at 1700 kbps 8: so
  /// does libvpx 1.12.
  @Test(
    arguments: [
      (16, 250_000), (29, 173_076), (33, 150_000), (95, 50_561), (106, 41_666), (16, 257_000), (15, 257_500),
      (95, 50_800), (94, 50_900), (106, 100), (2, 2_000_000), (39, 125_490), (8, 426_666),
    ] as [(Int, Double)])
  func aFirstFramesQuantizerIsTheOneThatLibvpxGuesses(index: Int, bits: Double) {
    // The table's values are rounded down.
    let found = VP8Quantizer.firstFrameIndex(bits: (bits + 0.9) / 512 * 510, macroblocks: 510)
    #expect(found == index)
  }

  @Test(
    arguments: [(Resolution.p180, 150.0), (.p360, 500), (.p720, 1500)] as [(Resolution, Double)])
  func theMeanRateIsTheTarget(size: Resolution, target: Double) {
    var model = encoder(size, target)
    let result = run(&model)
    #expect(abs(result.kilobits / target - 1) < 0.03, "\(result)")
    #expect(result.dropped == 0)
  }

  /// Returns the mean absolute deviation of delta frames relative to their mean, and their autocorrelation.
  private func scatter(_ model: inout AdaptiveEncoderModel) -> (deviation: Double, correlation: Double) {
    var sizes = RandomStream(seed: 5, name: "sizes")
    for _ in 0..<300 { _ = model.encode(sizes: &sizes) }
    // Ends before an unrequested key frame.
    let frames = (0..<2_600).compactMap { _ in (model.encode(sizes: &sizes)?.frame.bytes).map(Double.init) }
    let mean = frames.reduce(0, +) / Double(frames.count)
    let deviations = frames.map { $0 / mean - 1 }
    let products = zip(deviations, deviations.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
    return (
      deviations.reduce(0) { $0 + abs($1) } / Double(frames.count),
      products / deviations.reduce(0) { $0 + $1 * $1 }
    )
  }

  /// Measured deviations: 0.28 at 180p, 0.26 at 360p, 0.13 at 720p.
  ///
  /// The mean absolute deviation of 2600 independent Laplace draws has a standard error of 2 %, and so has their
  /// correlation; a correlation of 0.6 has 1.6 %: four standard errors of each. Correlated draws keep the standard
  /// deviation but approach a normal distribution, whose mean absolute deviation is 1.13 times as large; with twice 3
  /// %.
  @Test(
    arguments: [(Resolution.p180, 150, 0.28), (.p360, 500, 0.26), (.p720, 1500, 0.13)]
      as [(Resolution, Double, Double)])
  func framesDeviateLessWhereTheTargetLimitsThem(size: Resolution, target: Double, measured: Double) {
    var limited = encoder(size, target, content: .rich)
    let calm = scatter(&limited)
    // The quantizer's own changes add an eighth.
    let expected = 1.125 * AdaptiveEncoderModel.rateLimitedDeviation * measured
    #expect(abs(calm.deviation / expected - 1) < 0.08, "\(calm)")
    // A quarter of each deviation is corrected in the next prediction: -0.25 + 0.75 x 0.143, over 1.143.
    #expect(abs(calm.correlation + 0.125) < 0.08, "\(calm)")
    var unlimited = encoder(size, 20 * target, content: .rich)
    let lively = scatter(&unlimited)
    #expect((0.95...1.2).contains(lively.deviation / measured), "\(lively)")
    #expect(abs(lively.correlation - 0.6) < 0.064, "\(lively)")
  }

  @Test func temporalLayersTakeTheirShares() {
    var model = encoder(.p360, 500, layers: 3)
    var sizes = RandomStream(seed: 1, name: "sizes")
    var bytes = [0.0, 0, 0]
    for _ in 0..<18_000 {
      guard let frame = model.encode(sizes: &sizes)?.frame else { continue }
      bytes[frame.temporalLayer] += Double(frame.bytes)
    }
    let total = bytes.reduce(0, +)
    #expect(abs(bytes[0] / total - 0.4) < 0.01)
    #expect(abs(bytes[1] / total - 0.2) < 0.01)
  }

  /// At a target of 2000 kbps the measured talking heads spent 247, 639 and 1754 kbps.
  @Test(arguments: [(Resolution.p180, 247.0), (.p360, 639), (.p720, 1754)] as [(Resolution, Double)])
  func nothingIsSpentBeyondTheContentCeiling(size: Resolution, ceiling: Double) {
    var model = encoder(size, 2500)
    let result = run(&model, seconds: 300)
    #expect(abs(result.kilobits / ceiling - 1) < 0.03, "\(result)")
    // Richer content has a higher ceiling.
    var rich = encoder(size, 2500, content: ContentComplexity(factor: 1.2))
    #expect(abs(run(&rich, seconds: 300).kilobits / (1.2 * ceiling) - 1) < 0.03)
  }

  /// Measured lag-1 autocorrelation: 0.57 near the ceiling (180p at 200 kbps), 0.04 far from it (720p at 1000 kbps).
  @Test func framesFollowOnOneAnotherNearTheCeilingOnly() {
    func autocorrelation(_ size: Resolution, _ kilobits: Double) -> Double {
      var model = encoder(size, kilobits)
      var sizes = RandomStream(seed: 3, name: "sizes")
      var values: [Double] = []
      for frame in 0..<6000 {
        guard let coded = model.encode(sizes: &sizes), frame > 60 else { continue }
        values.append(Double(coded.frame.bytes))
      }
      let mean = values.reduce(0, +) / Double(values.count)
      let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      let lagged = zip(values, values.dropFirst()).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - mean) }
      return lagged / variance
    }
    #expect(autocorrelation(.p180, 2000) > 0.5)
    #expect(abs(autocorrelation(.p720, 600)) < 0.15)
  }

  @Test func keyFramesDependOnThePictureUpToLibwebrtcsCap() {
    func keyFrame(_ size: Resolution, _ kilobits: Double) -> Int? {
      var model = encoder(size, kilobits)
      var sizes = RandomStream(seed: 1, name: "sizes")
      for _ in 0..<60 { _ = model.encode(sizes: &sizes) }
      model.requestKeyFrame()
      let coded = model.encode(sizes: &sizes)
      return coded?.frame.isKeyFrame == true ? coded?.frame.bytes : nil
    }
    // 14,220 bytes at 720p (measured) at any rate that allows it ...
    #expect(keyFrame(.p720, 1500) == 14_220)
    #expect(keyFrame(.p720, 600) == 14_220)
    // ... otherwise nine mean frames: 200,000 / 8 / 30 x 9 = 7500 bytes.
    #expect(keyFrame(.p720, 200) == 7500)
  }

  @Test func aKeyFrameComesUnaskedAfter3000Frames() {
    var model = encoder(.p360, 500)
    var sizes = RandomStream(seed: 1, name: "sizes")
    var keys: [Int] = []
    for frame in 0..<7000 where model.encode(sizes: &sizes)?.frame.isKeyFrame == true { keys.append(frame) }
    #expect(keys == [0, 3000, 6000])
  }

  @Test func theQuantizerFollowsTheBitsPerPixel() {
    // A talking head's ceiling at 720p, 1754 kbps, is at step 10: index 29 (step 33) takes 1754 x 10 / 33 = 532 kbps,
    // index 95 (step 152) 115 kbps.
    var fine = encoder(.p720, 532)
    #expect(abs(run(&fine).quantizer - 29) < 1.5)
    var coarse = encoder(.p720, 115)
    #expect(abs(run(&coarse).quantizer - 95) < 3)
    // Richer content needs more for the same quantizer.
    var double = encoder(.p720, 532 * 2, content: ContentComplexity(factor: 2))
    #expect(abs(run(&double).quantizer - 29) < 1.5)
    // Detailed content: 8400 kbps at step 10, 2545 at step 33.
    var rich = encoder(.p720, 2545, content: .rich)
    #expect(abs(run(&rich).quantizer - 29) < 1.5)
  }

  /// 510 macroblocks at 1700 kbps and 30 fps: 2,850,000 / 512 x 510 / 56,667 is a step of 50.1, index 47. A frame of
  /// half the predicted size corrects that by an eighth, rounded to 12 %: 44.1, index 41.
  @Test func aFreshEncoderSizesItsFirstDeltaFramesBlindly() {
    var prediction = VP8SizePrediction(macroblocks: 510)
    #expect(prediction.index(bits: 56_667) == 47)
    let predicted = 2_850_000.0 / 512 * 510 / VP8Quantizer.step(47)
    prediction.learn(bits: predicted / 2, index: 47)
    #expect(prediction.index(bits: 56_667) == 41)
    // An excess of 2 % is not an error.
    let now = 0.88 * predicted * VP8Quantizer.step(47) / VP8Quantizer.step(41)
    prediction.learn(bits: 1.025 * now, index: 41)
    #expect(prediction.index(bits: 56_667) == 41)
    // libvpx's quantizers for a moving texture at 270p and 1700 kbps: 8, 66, 56, 46, 37, 32.
    var model = encoder(.p270, 1700, content: .rich)
    var sizes = RandomStream(seed: 1, name: "sizes")
    let first = (0..<6).compactMap { _ in model.encode(sizes: &sizes)?.quantizer }
    #expect(first[0] < 12 && first[1] > 50)
    #expect(zip(first.dropFirst(), first.dropFirst(2)).allSatisfy { $0 > $1 }, "\(first)")
  }

  @Test func aFrameAfterDroppedOnesCostsTheSquareRootOfTheirNumber() {
    let demand = ContentDemand(VideoFormat(.p720, framesPerSecond: 30), content: .talkingHead)
    // 1754 kbps at step 10 is 58.5 kbit a frame.
    #expect(abs(demand.bits(atStep: 10) - 58_467) < 1)
    #expect(abs(demand.bits(atStep: 189) - 3094) < 1)
    #expect(demand.bits(atStep: 40, after: 4) == 2 * demand.bits(atStep: 40))
    // The 14,220 bytes of a key frame at step 40 are 7 times a delta frame, the square root of 49.
    #expect(demand.bits(atStep: 40, after: 200) == 14_220 * 8)
  }

  @Test func whatNeverReachesTheEncoderIsLeftToTheNextFrame() throws {
    func size(skipping count: Int) throws -> Int {
      var model = encoder(.p720, 1500)
      var sizes = RandomStream(seed: 1, name: "sizes")
      for _ in 0..<300 { _ = model.encode(sizes: &sizes) }
      for _ in 0..<count { model.skip() }
      let coded = model.encode(sizes: &sizes)
      return try #require(coded).frame.bytes
    }
    #expect(abs(Double(try size(skipping: 3)) / Double(try size(skipping: 0)) - 2) < 0.01)
  }

  @Test func aRateBelowTheCoarsestQuantizerCostsFrames() {
    // 540p at the coarsest quantizer: 4900 x 10 / 189 = 259 kbps. Encoding every nth frame takes the square root of n
    // as many bits each, so half of that rate means every fourth frame.
    var model = encoder(.p540, 2000, content: .rich)
    _ = run(&model, seconds: 10)
    model.setRate(130_000)
    let result = run(&model, seconds: 20)
    let kept = 600 - result.dropped
    #expect((130...170).contains(kept), "\(kept) of 600")
    #expect(abs(result.kilobits / 130 - 1) < 0.1, "\(result.kilobits)")
    #expect(result.quantizer == 106)
    // With room again, no frame is dropped from then on.
    model.setRate(1_500_000)
    #expect(run(&model, seconds: 20).dropped == 0)
  }

  @Test func anEncoderThatStoppedBeginsWithAKeyFrame() {
    var model = encoder(.p360, 500)
    var sizes = RandomStream(seed: 1, name: "sizes")
    for _ in 0..<10 { _ = model.encode(sizes: &sizes) }
    model.setRate(0)
    #expect(model.encode(sizes: &sizes) == nil)
    model.setRate(500_000)
    let first = model.encode(sizes: &sizes)
    #expect(first?.frame.isKeyFrame == true)
  }
}
