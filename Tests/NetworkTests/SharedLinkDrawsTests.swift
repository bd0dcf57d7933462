import Network
import Quantity
import SimulationKernel
import Testing

/// A shared link: each member's packets have random draws of their own.
@Suite("Draws on shared links")
struct SharedLinkDrawsTests {
  /// A shared link and the packets sent on it.
  private struct Household: ~Copyable, EventModel {
    var links: LinkTable
    var arrivals: [(destination: UInt16, frame: UInt32, time: Int64)] = []
    private var packets: [(time: Int64, destination: UInt16, kind: UInt8)]

    init(_ parameters: LinkParameters, packets: [(time: Int64, destination: UInt16, kind: UInt8)]) {
      self.packets = packets
      links = LinkTable(seed: 5, foreignKind: 9)
      _ = links.add(parameters, name: "house/up", members: [(3, "ann"), (7, "bob"), (8, "eve")])
      var kernel = Kernel()
      for (index, packet) in packets.enumerated() {
        kernel.schedule(at: SimTime(nanoseconds: packet.time), tag: UInt32(1 << 20 | index))
      }
      kernel.run(until: SimTime(nanoseconds: 10_000_000_000_000), model: &self)
    }

    mutating func handle(_ event: Event, kernel: inout Kernel) {
      if event.tag >= 1 << 20 {
        let index = Int(event.tag - 1 << 20)
        links.send(
          Packet(
            sentAt: kernel.now, size: 1000, destination: packets[index].destination,
            kind: packets[index].kind, frame: UInt32(packets[index].time / 1_000_000)), on: 0,
          kernel: &kernel)
      } else if let packet = links.arrive(at: 0, kernel: &kernel) {
        arrivals.append((packet.destination, packet.frame, kernel.now.nanoseconds))
      }
    }

    /// Returns the arrivals at a destination, by the time at which they were sent [ms].
    func arrived(_ destination: UInt16) -> [String] {
      arrivals.filter { $0.destination == destination }.map { "\($0.frame) \($0.time)" }
    }
  }

  private static let ms: Int64 = 1_000_000

  private func packets(
    _ destination: UInt16, offset: Int64, every spacing: Int64, count: Int64, kind: UInt8 = 0
  ) -> [(time: Int64, destination: UInt16, kind: UInt8)] {
    (0..<count).map { ((offset + $0 * spacing) * Self.ms, destination, kind) }
  }

  @Test(arguments: ["independent", "bursts"])
  func lossAndJitterOfOneMemberAreTheSameWithAnother(loss: String) throws {
    var parameters = LinkParameters(
      capacity: .constant(.megabits(100)), propagationDelay: .milliseconds(20), jitter: .milliseconds(10))
    parameters.loss = try #require(Fraction(0.2))
    if loss == "bursts" {
      // Lost in the bad state with probability one half: the state is the link's, the draws are the member's.
      parameters.loss = .zero
      parameters.burstLoss = GilbertElliott(
        toBad: try #require(Fraction(1)), toGood: .zero, lossWhenBad: try #require(Fraction(0.5)))
    }
    // 100 ms apart: no packet meets another.
    let ann = packets(3, offset: 100, every: 300, count: 400)
    let bob = packets(7, offset: 200, every: 300, count: 400)
    let cross = packets(3, offset: 300, every: 300, count: 400, kind: 9)
    let alone = Household(parameters, packets: ann).arrived(3)
    let both = Household(parameters, packets: (ann + bob).sorted { $0.time < $1.time })
    #expect(both.arrived(3) == alone)
    let all = Household(parameters, packets: (ann + bob + cross).sorted { $0.time < $1.time })
    let own = Set(ann.map { $0.time / Self.ms })
    let arrived = all.arrived(3).filter {
      own.contains($0.split(separator: " ").first.flatMap { Int64($0) } ?? -1)
    }
    #expect(arrived == alone)
    #expect(all.arrived(7) == both.arrived(7))
    // Some of each are lost, and not the same ones.
    #expect((120...380).contains(alone.count))
    #expect(both.arrived(7).map { $0.count } != alone.map { $0.count } || both.arrived(7) != alone)
  }
}
