import Endpoint
import Ladder
import Media
package import Plan
package import Quantity
package import SimulationKernel
import Transport

/// Headers and payload descriptors of the packets that a publisher is about to send.
package struct ExpectedPackets {
  private var count = 0
  private var headerBytes = 0
  private var descriptorRate: Int64 = 0

  package init() {}

  /// Mean size of a packet's RTP header with its extensions, over the wanted encodings [byte].
  package var headers: Int { headerBytes / max(count, 1) }

  /// Rate of the payload descriptors of the encodings that are sent.
  package var descriptors: BitRate { BitRate(bitsPerSecond: descriptorRate) }

  /// Adds the wanted encodings of a source that is on.
  ///
  /// - Parameter streams: numbering of the encodings' streams.
  package mutating func add(
    _ source: SourceState, _ encoders: borrowing Table<EncoderState>, _ streams: StreamNumbering
  ) {
    let isSingle = source.hasOneEncoding || source.layering != nil
    for encoding in source.encodings where source.demand.isWanted(encoders[encoding].index) {
      count += 1
      headerBytes += PacketOverhead.rtp + PacketOverhead.videoExtensions
      if !encoders[streams.encodings[encoding].stream].output.hasRepaired {
        headerBytes +=
          isSingle
          ? PacketOverhead.unacknowledgedSingleExtensions : PacketOverhead.unacknowledgedRepairExtensions
      }
      guard encoders[encoding].isSending else { continue }
      let frames = Int64(encoders[encoding].milliFramesPerSecond)
      let bytes = Int(encoders[encoding].target.bitsPerSecond * 125 / frames)
      let packets = Packetization(frameBytes: bytes).count
      let sent = Int64(Double(frames) * encoders[encoding].rates.share)
      descriptorRate += sent * Int64(packets * PacketOverhead.vp8Descriptor) * 8 / 1000
    }
  }
}
