import Ladder
import Media
import Quantity
import Statistics
import Testing

@Suite("Codec parameters")
struct CodecModelTests {
  @Test func betterCodecsNeedFewerBits() {
    let content = ContentComplexity(factor: 2)
    #expect(CodecModel(.vp8).coded(content) == content)
    #expect(CodecModel(.h264).coded(content) == content)
    #expect(CodecModel(.vp9).coded(content).factor == 1.7)
    #expect(CodecModel(.av1).coded(content).factor == 1.4)
  }

  /// 54.0, 16.3 and 29.7 %; with two layers, 64.5 and 35.5 %.
  @Test func aScalableStreamsTemporalLayersHaveTheirShares() {
    let three = (0..<3).map { (TemporalShares.scalable($0, of: 3) * 1000).rounded() }
    #expect(three == [540, 163, 297])
    let two = (0..<2).map { (TemporalShares.scalable($0, of: 2) * 1000).rounded() }
    #expect(two == [645, 355])
    #expect(TemporalShares.scalable(0, of: 1) == 1)
  }

  /// A key frame of 720p30 of detailed content is bounded: by nine mean frames with VP9's buffer, by three with AV1.
  @Test(arguments: [(VideoCodec.vp9, 9.0), (.av1, 3)])
  func keyFramesAreBounded(codec: VideoCodec, frames: Double) throws {
    var encoding = Encoding(
      rid: "s2", format: VideoFormat(.p720, framesPerSecond: 30), cumulativeBitrates: [.kilobits(900)])
    encoding.minimum = .kilobits(30)
    encoding.maximum = .kilobits(900)
    var model = EncodingModel.spatialLayer(encoding, content: .rich, codec: codec)
    var sizes = RandomStream(seed: 1, name: "sizes")
    var bytes: [Int] = []
    for frame in 0..<90 {
      model.place(at: 0)
      let coded = model.encode(
        at: .zero + SimDuration(nanoseconds: Int64(frame) * 33_333_333), target: .kilobits(900),
        headroom: .kilobits(10_000), isKeyFrame: frame == 60, sizes: &sizes)
      if let coded, coded.isKeyFrame { bytes.append(coded.bytes) }
    }
    // 900 kbps is 3,750 bytes a frame; before that the encoder was at most a fifth below its target.
    #expect(bytes.count == 2)
    let bound = frames * 3750
    #expect(Double(bytes[1]) <= bound * 1.001 && Double(bytes[1]) > bound * 0.6)
  }
}
