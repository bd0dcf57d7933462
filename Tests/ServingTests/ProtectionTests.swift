import Endpoint
import Network
import Quantity
import Serving
import TestSupport
import Testing

private let v = ServingBench.v

/// Packets that the server recovers from protection packets. A group is the last `members` of four packets, 0 to 3.
@Suite("Forward error correction at the SFU")
struct ProtectionTests {
  private func protection(
    _ place: UInt16, of count: UInt16, members: UInt16, isSeparate: Bool, sequence: UInt32
  ) -> Packet {
    Packet(
      sentAt: .zero, size: ServingBench.size, stream: 0, sequence: sequence,
      kind: PacketKind.protection.rawValue, frame: 3,
      index: Packet.protectionIndex | (isSeparate ? Packet.separateProtection : 0) | place, count: members,
      format: count)
  }

  private func recovered(_ frames: String, _ packet: Packet) throws -> (packet: UInt32?, forwarded: Int) {
    var bench = try ServingBench()
    bench.decide(v, 0)
    bench.arrive(frames)
    let recovered = bench.protect(packet)
    bench.run(to: bench.time + 10)
    return (recovered, bench.sequences(.protection, to: v).count)
  }

  @Test(
    arguments: [
      ("K212", 4, nil), ("K2x2", 4, 2), ("Kxx2", 4, nil), ("Kx12", 4, 1), ("Kx12", 2, nil),
      // The last packets of a group, which no later packet reveals as missing.
      ("K21x", 4, 3), ("K2xx", 4, nil), ("Kx1x", 2, 3), ("xxxx", 4, nil),
    ] as [(String, UInt16, UInt32?)])
  func theOnlyMissingPacketIsRecovered(frames: String, members: UInt16, expected: UInt32?) throws {
    let result = try recovered(frames, protection(0, of: 1, members: members, isSeparate: true, sequence: 4))
    #expect(result.packet == expected)
    #expect(result.forwarded == 0)
  }

  @Test func twoPacketsCoverEverySecondPacketEach() throws {
    for (place, expected) in [(0, 2), (1, 3)] as [(UInt16, UInt32)] {
      let result = try recovered("K2xx", protection(place, of: 2, members: 4, isSeparate: true, sequence: 4))
      #expect(result.packet == expected)
    }
  }

  /// The second protection packet of two is number 5 of the stream, after the first. Without the middle layer's frame,
  /// the last frame of the group is not forwarded, nor is the packet that protects it.
  @Test func protectionAmongTheVideoIsForwardedWithIt() throws {
    let first = try recovered("Kx12", protection(0, of: 1, members: 4, isSeparate: false, sequence: 4))
    #expect(first.packet == 1 && first.forwarded == 1)
    let unforwarded = try recovered("K2x2", protection(0, of: 1, members: 4, isSeparate: false, sequence: 4))
    #expect(unforwarded.packet == 2 && unforwarded.forwarded == 0)
    let second = try recovered("Kx12", protection(1, of: 2, members: 4, isSeparate: false, sequence: 5))
    #expect(second.packet == 1 && second.forwarded == 1)
  }

  @Test(arguments: [(1, 20), (15, 20), (16, 24), (46, 24), (47, 32)] as [(Int, UInt16)])
  func theMaskGrowsWithTheGroup(packets: Int, header: UInt16) {
    #expect(Packet.separateProtectionHeader(packets: packets) == header)
  }
}
