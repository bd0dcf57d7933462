import Ladder
import Media
import Quantity
import Statistics
import Systems
import Testing
import Vendors

@Suite("Encoders")
struct EncoderTests {
  @Test(arguments: [0, 1, 2, 3])
  func theMeanRateIsTheTargetInEveryTemporalLayer(rung: Int) {
    let encoding = Ladder.bluejeans([.p90, .p180, .p360, .p720]).encodings[rung]
    var model = VideoEncoderModel(encoding: encoding)
    var sizes = RandomStream(seed: 1, name: "sizes")
    var bytes = [0, 0, 0]
    let rate = encoding.format.framesPerSecond
    let frames = Int(rate) * 600
    for frame in 0..<frames {
      let encoded = model.encode(isKeyFrame: frame == 0, scale: 1, sizes: &sizes)
      bytes[encoded.temporalLayer] += encoded.bytes
    }
    let seconds = Double(frames) / rate
    for layer in 0..<3 {
      let kilobits = Double(bytes[...layer].reduce(0, +)) * 8 / 1000 / seconds
      let target = Double(encoding.cumulativeBitrates[layer].bitsPerSecond) / 1000
      #expect(abs(kilobits / target - 1) < 0.03, "layer \(layer): \(kilobits) of \(target)")
    }
  }

  @Test func keyFramesHaveTheMeasuredSizes() {
    // Mean of the key frames of 59 talking-head traces at 720p, 1500 kbps: 14,220 bytes.
    let encoding = Ladder.bluejeans([.p720]).encodings[0]
    var model = VideoEncoderModel(encoding: encoding)
    var sizes = RandomStream(seed: 1, name: "sizes")
    #expect(model.encode(isKeyFrame: true, scale: 1, sizes: &sizes).bytes == 14_220)
    #expect(TalkingHead.keyFrameBytes(pixels: 57_600) == 3_423)
  }

  @Test func aFrameIsCutIntoPacketsThatDifferByAByte() {
    let packets = Packetization(frameBytes: 5_000)
    #expect(packets.count == 5)
    #expect((0..<5).map(packets.wireSize(of:)) == Array(repeating: 1000 + 6 + 62, count: 5))
    let uneven = Packetization(frameBytes: 1_195)
    #expect(uneven.count == 2)
    #expect(uneven.wireSize(of: 0) == 598 + 68 && uneven.wireSize(of: 1) == 597 + 68)
    // RTP packets of 1200 bytes: 12 and 12 of headers, 2 that a retransmission needs, 6 of the descriptor.
    #expect(Packetization(frameBytes: 1_168).count == 1 && Packetization(frameBytes: 1_169).count == 2)
    #expect(Packetization(frameBytes: 1_168).wireSize(of: 0) == 1_200 - 2 + 38)
  }

  @Test func aSpeakingVoiceTakes58KilobitsOnTheWire() {
    #expect(OpusVoice.wireRate == BitRate(bitsPerSecond: 58_400))
  }
}

@Suite("Freezes")
struct FreezeTests {
  @Test func freezesFollowTheDefinitionOfWebrtcStats() {
    var meter = FreezeMeter()
    var time: Int64 = 0
    func render(after milliseconds: Int64) {
      time += milliseconds
      meter.render(at: SimTime(nanoseconds: time * 1_000_000))
    }
    for _ in 0...10 { render(after: 33) }
    // Including d itself, the average is (10 x 33 + d) / 11 ms: d exceeds it by 150 ms from 198 ms on.
    render(after: 197)
    #expect(meter.freezeCount == 0)
    for _ in 0..<40 { render(after: 33) }
    render(after: 400)
    #expect(meter.freezeCount == 1)
    #expect(meter.freezesDuration == .milliseconds(400))
    meter.restart()
    for _ in 0...10 { render(after: 33) }
    render(after: 198)
    #expect(meter.freezeCount == 2)
    meter.restart()
    render(after: 5_000)
    #expect(meter.freezeCount == 2)
  }
}
