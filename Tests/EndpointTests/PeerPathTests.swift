import Endpoint
import Ladder
import Network
import Plan
import Quantity
import Scenario
import SimulationKernel
import TestSupport
import Testing

/// The paths of a peer-to-peer connection, on links of 10 Mbps: a packet of 1250 B takes 1 ms on each.
@Suite("Paths of a peer-to-peer connection")
struct PeerPathTests {
  /// `a` has 10 ms up and 20 ms down, `b` 30 ms up and 40 ms down.
  private func plan(_ more: String = "", timeline: String = "[]") throws -> MeetingPlan {
    try Meetings.scenario(
      """
      name: peers
      duration: 10s
      policy: {name: jitsi, peer-to-peer: true}
      links:
        u-a: {capacity: 10 Mbps, delay: 10 ms}
        d-a: {capacity: 10 Mbps, delay: 20 ms}
        u-b: {capacity: 10 Mbps, delay: 30 ms}
        d-b: {capacity: 10 Mbps, delay: 40 ms}
      participants:
        - {id: a, up: u-a, down: d-a\(more)}
        - {id: b, up: u-b, down: d-b}
      timeline: \(timeline)
      """
    ).plan
  }

  /// Sends a packet of `a` to `b`, and a key frame request against it.
  ///
  /// - Returns: the path of the media.
  private func sendMediaAndRequest(on wires: inout Wires, kernel: inout Kernel) -> Int {
    let number = wires.net.links.peerConnection(of: 0)
    let up = Path.up(number)
    let media = Packet(
      sentAt: .zero, size: 1250, destination: UInt16(number), kind: PacketKind.video.rawValue)
    wires.net.links.send(media, on: up, kernel: &kernel)
    wires.net.endpoints.sendControl(
      .pictureLossIndication(stream: 0, destination: 1, at: .zero), against: up, links: &wires.net.links,
      kernel: &kernel)
    return up
  }

  /// Media of `a` takes 10 + 40 ms over its uplink and the other's downlink, RTCP about it 30 + 20 ms the other way, and
  /// each crosses each link once.
  @Test func packetsTakeBothLinks() throws {
    var wires = Wires(try plan())
    var kernel = Kernel()
    wires.net.links.connect(0, 1)
    let up = sendMediaAndRequest(on: &wires, kernel: &kernel)
    #expect(wires.net.links.delay(of: up) == .milliseconds(50))
    #expect(wires.net.links.delay(of: Path.reverse(of: up)) == .milliseconds(50))
    while wires.next(until: .ms(51), &kernel) != nil {}
    #expect(wires.packets(.video, on: up).isEmpty)
    #expect(wires.packets(.pictureLossIndication, on: Path.reverse(of: up)).count == 1)
    while wires.next(until: .ms(52), &kernel) != nil {}
    // Two transmissions of 1 ms beside the delay.
    #expect(wires.times(.video, on: up) == [2])
    wires.net.links.catchUp(to: .ms(52))
    #expect((0..<4).map { wires.net.links.counters(of: $0).deliveredPackets } == [1, 1, 1, 1])
  }

  /// In one household both paths pass its two links: media of `a` reaches `b`, and RTCP about it `a`.
  @Test func reportsTakeTheOppositePathThroughSharedLinks() throws {
    let plan = try Meetings.scenario(
      """
      name: household
      duration: 10s
      policy: {name: jitsi, peer-to-peer: true}
      links: {own: {capacity: 10 Mbps, delay: 10 ms}}
      shared-links: {house: {up: own, down: own}}
      participants:
        - {id: a, up: own, down: own, shared: house}
        - {id: b, up: own, down: own, shared: house}
      """
    ).plan
    var wires = Wires(plan)
    var kernel = Kernel()
    wires.net.links.connect(0, 1)
    let up = sendMediaAndRequest(on: &wires, kernel: &kernel)
    while wires.next(until: .ms(100), &kernel) != nil {}
    #expect(wires.packets(.video, on: up).count == 1)
    #expect(wires.packets(.pictureLossIndication, on: Path.reverse(of: up)).count == 1)
    wires.net.links.catchUp(to: .ms(100))
    let delivered = plan.links.indices.map { wires.net.links.counters(of: $0).deliveredPackets }
    let expected = plan.links.map { $0.name.hasPrefix("house") ? 2 : 1 }
    #expect(delivered.map(Int.init) == expected && expected.count == 6)
  }

  /// Packets of a connection that has been replaced have no receiver.
  @Test func packetsOfAnEarlierConnectionAreNotCurrent() throws {
    var wires = Wires(try plan())
    var kernel = Kernel()
    wires.net.links.connect(0, 1)
    let number = wires.net.links.peerConnection(of: 0)
    let packet = Packet(
      sentAt: .zero, size: 1250, destination: UInt16(number), kind: PacketKind.video.rawValue)
    wires.net.links.send(packet, on: Path.up(number), kernel: &kernel)
    wires.net.links.connect(0, 1)
    wires.net.links.send(packet, on: Path.up(number), kernel: &kernel)
    while wires.next(until: .ms(60), &kernel) != nil {}
    let arrived = wires.packets(.video, on: Path.up(number)).map(\.packet)
    #expect(arrived.map { wires.net.links.isCurrent($0) } == [false, true])
  }

  /// The narrowest link counts: 10 Mbps of four, then 1 Mbps of the other's downlink.
  @Test func theCapacityIsThatOfTheNarrowestLink() throws {
    var wires = Wires(try plan(timeline: "[{at: 5s, link: b/down, capacity: 1 Mbps}]"))
    wires.net.links.connect(0, 1)
    let up = Path.up(wires.net.links.peerConnection(of: 0))
    #expect(wires.net.links.fairCapacity(of: up, at: .ms(1000)) == .megabits(10))
    #expect(wires.net.links.fairCapacity(of: up, at: .ms(6000)) == .megabits(1))
    #expect(
      wires.net.links.fairCapacity(of: Path.up(wires.net.links.peerConnection(of: 1)), at: .ms(6000))
        == .megabits(10)
    )
  }

  /// The first is told (20 ms), its offer reaches the second (10 + 40 ms), the answer returns (30 + 20 ms), and three
  /// round trips of 100 ms follow.
  @Test func connectingTakesAnExchangeAndThreeRoundTrips() throws {
    let wires = Wires(try plan())
    #expect(wires.net.links.connectionTime(between: 0, and: 1, at: .ms(30)) == .ms(450))
  }

  /// The offer, which leaves the server at 60 ms, waits for the link until 2 s: 40 + 30 + 20 + 300 ms later they are
  /// connected.
  @Test func connectingWaitsForALink() throws {
    let wires = Wires(try plan(timeline: "[{at: 50 ms, link: b/down, down: 1950 ms}]"))
    #expect(wires.net.links.connectionTime(between: 0, and: 1, at: .ms(30)) == .ms(2390))
  }

  @Test func mediaOverTCPCannotReachAPeer() throws {
    #expect(Wires(try plan()).net.links.canConnect(0, 1))
    let wires = Wires(try plan(", transport: tcp"))
    #expect(!wires.net.links.canConnect(0, 1) && !wires.net.links.canConnect(1, 0))
  }

  /// Only the highest encoding that a viewer would get is sent, whether or not it is forwarded already.
  @Test(arguments: [
    (forwarded: UInt32(0b011), desired: UInt32(0b100), sent: UInt32(0b100)), (0b010, 0b010, 0b010),
    (0b001, 0, 0b001), (0, 0, 0),
  ])
  func aPeerIsSentTheHighestEncoding(forwarded: UInt32, desired: UInt32, sent: UInt32) {
    let forwarded = EncodingSet(rawValue: forwarded)
    var demand = EncodingDemand(
      forwarded: forwarded, desired: EncodingSet(rawValue: desired), settled: forwarded)
    demand.keepHighest()
    #expect(demand.sent.rawValue == sent && demand.wanted == demand.sent)
  }
}
