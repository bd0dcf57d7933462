import Endpoint
import Ladder
import Media
import Network
import Plan
import Quantity
import SimulationKernel
import Transport

/// Forward error correction of a publisher's streams (RFC 5109, RFC 8627).
extension Publishers {
  /// Adapts the forward error correction of a publisher's sources to the known state of the path.
  mutating func strengthenProtection(
    of number: Int, payload: BitRate, _ endpoints: borrowing Endpoints, at now: SimTime
  ) {
    let path = endpoints.sendingPath(of: number)
    for source in streams.screenFirst(of: number) where sources[source].plan.protection != .none {
      let encoding = sources[source].encodings.lowerBound
      let rate = sources[source].plan.capture.milliFramesPerSecond
      encoders[encoding].protection.rule.update(
        LossProtection.Circumstances(
          loss: endpoints.recentLoss(on: path),
          roundTrip: endpoints.reportedRoundTrip(on: path) ?? .zero, rate: payload,
          framesPerSecond: Double(rate) / 1000, pixels: sizes[encoders[encoding].output.size].pixels), at: now
      )
    }
  }

  /// Protects the frames gathered since the last group, once there are enough.
  ///
  /// - Parameter last: the last frame's packet, with the size of its largest.
  mutating func protect(
    _ last: Packet, by protection: ForwardErrorCorrection, isKeyFrame: Bool, _ net: inout Connections,
    kernel: inout Kernel
  ) {
    let encoding = Int(last.stream)
    let path = Path.up(Int(last.destination))
    let rule = encoders[encoding].protection.rule
    let count = encoders[encoding].protection.group.add(
      packets: Int(last.count), largest: last.size,
      factor: isKeyFrame ? rule.keyFactor : rule.deltaFactor, frames: rule.frames)
    guard count > 0 else { return }
    let group = encoders[encoding].protection.group
    let isSeparate = protection == .flexfec
    var packet = last
    packet.kind = PacketKind.protection.rawValue
    packet.size =
      group.largest
      + (isSeparate
        ? Packet.separateProtectionHeader(packets: group.packets) : Packet.protectionHeader)
    packet.count = UInt16(group.packets)
    packet.format = UInt16(count)
    for index in 0..<count {
      packet.index =
        Packet.protectionIndex | (isSeparate ? Packet.separateProtection : 0) | UInt16(index)
      packet.sequence = encoders[encoding].output.nextSequence
      if !isSeparate { encoders[encoding].output.nextSequence &+= 1 }
      net.endpoints.noteProtection(bytes: Int(packet.size), on: path, at: kernel.now)
      net.endpoints.send(packet, .video, on: path, links: &net.links, kernel: &kernel)
    }
    encoders[encoding].protection.group.reset()
  }
}
