import Endpoint
import Ladder
import Network
import Plan
import Quantity
import Serving
import SimulationKernel
import Systems
import TestSupport
import Testing
import Transport

/// A repaired packet of a key frame is treated alike in an encoding and in a spatial layer.
@Suite("Late packets at the SFU")
struct LateLayerTests {
  private func bench(isScalable: Bool) throws -> ServingBench {
    var system = PlainSystem()
    system.traits.forwarding.keyFrames.repetition = .pending
    system.traits.forwarding.layerFilter = .init(DecodeTargetFilter.self)
    return try ServingBench(system) { plan in
      guard isScalable else { return }
      plan.participants[0].camera?.ladder.scalability = ScalabilityMode(name: "L3T3_KEY")
    }
  }

  /// A key frame of encoding `a`, or a key picture's frame of the lowest layer.
  private func keyFrame(_ number: UInt32) -> Packet {
    let frame = LayerFrame(
      picture: number, back: 0, spatial: 0, temporal: 0, position: 0, activeLayers: 1, isKeyPicture: true)
    return Packet(
      sentAt: .zero, size: ServingBench.size, stream: 0, sequence: number,
      kind: PacketKind.video.rawValue, flags: FrameHeader(frame, endsPicture: true).flags, frame: number)
  }

  @Test(arguments: [false, true])
  func aRepairedKeyFrameAnswersTheRequest(isScalable: Bool) throws {
    var bench = try bench(isScalable: isScalable)
    #expect(bench.streams.sources[0].isScalable == isScalable)
    bench.decide(ServingBench.v, 0)
    bench.give(keyFrame(0))
    bench.run(to: 600)
    bench.requestKeyFrame(by: ServingBench.v)
    #expect(bench.sfu.forwarder.keyFrames[0].isPending)
    // The key frame is lost, and shows as a gap before the next one.
    bench.give(plain(2))
    #expect(bench.sfu.forwarder.sequences.hasMissing(0) && bench.sfu.forwarder.keyFrames[0].isPending)
    bench.giveAgain(keyFrame(1))
    #expect(!bench.sfu.forwarder.sequences.hasMissing(0) && !bench.sfu.forwarder.keyFrames[0].isPending)
  }

  private func plain(_ number: UInt32) -> Packet {
    var packet = keyFrame(number)
    var header = FrameHeader(flags: packet.flags)
    header.isKeyFrame = false
    packet.flags = header.flags
    packet.frame = number | 1 << 24
    return packet
  }

  /// The number of the last key frame, over all layers, by which freezes are explained.
  @Test func aKeyPictureIsNotedAsAKeyFrameIs() throws {
    var bench = try bench(isScalable: true)
    bench.decide(ServingBench.v, 0)
    bench.give(keyFrame(7))
    #expect(bench.sfu.forwarder.ingress[0].base.keyFrame == 7)
  }
}
