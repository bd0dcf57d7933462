import Endpoint
import Ladder
import Network
import Quantity
import Testing

@Suite("Frame headers of scalable streams")
struct LayerFrameHeaderTests {
  @Test(arguments: [false, true])
  func aFrameIsReadAsItWasWritten(hasLowerFrame: Bool) {
    let frame = LayerFrame(
      picture: 0xAB_CDEF, back: 127, spatial: 2, temporal: 1, position: 2, activeLayers: 3,
      isKeyPicture: false, hasLowerFrame: hasLowerFrame)
    let packet = Packet(
      sentAt: .zero, size: 100, flags: FrameHeader(frame, endsPicture: true).flags, frame: frame.number)
    #expect(LayerFrame(packet, spatial: 2) == frame)
    #expect(FrameHeader(flags: packet.flags).endsPicture)
  }

  @Test func anEncodingsFramesHaveNoneOfIt() {
    let header = FrameHeader(temporalLayer: 2, groupPosition: 3, isKeyFrame: true)
    #expect(header.flags == 2 | 3 << 2 | 16)
    #expect(
      !FrameHeader(flags: header.flags).endsPicture && FrameHeader(flags: header.flags).activeLayers == 0)
  }
}
