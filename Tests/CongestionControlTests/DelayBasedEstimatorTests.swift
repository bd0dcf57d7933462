import CongestionControl
import Quantity
import Testing

/// Cases of libwebrtc's `delay_based_bwe_unittest.cc`, with its tolerances.
@Suite("Delay-based estimate")
struct DelayBasedEstimatorTests {
  /// A delay-based estimator with acknowledged rate and probe results, fed without the rest of the controller.
  private struct Path: ~Copyable {
    var estimator = DelayBasedEstimator()
    var throughput = ThroughputEstimator()
    var probes = ProbeResultEstimator()
    var latest: BitRate?

    mutating func receive(_ arrivals: [PacketResult], cluster: ProbeCluster?, at now: SimTime) {
      if let cluster { for arrival in arrivals { probes.add(arrival, of: cluster) } }
      throughput.add(arrivals)
      let update = estimator.update(
        arrivals, throughput: throughput.rate, probe: probes.takeResult(), at: now)
      if let estimate = update.estimate { latest = estimate }
    }
  }

  private func cluster(packets: Int32, bytes: Int64) -> ProbeCluster {
    ProbeCluster(
      id: 1, rate: BitRate(bitsPerSecond: bytes * 8), minimumPackets: packets, minimumDuration: .seconds(1),
      createdAt: .zero)
  }

  /// InitialBehavior: 50 frames of 1200 B a second for five seconds, the first five of them a probe, give 1.5 x 480 +
  /// 10 kbit/s.
  @Test func initialBehavior() {
    var path = Path()
    for index in 0..<(5 * 50 + 1 + 2) {
      let sent = Double(index) * 20
      let probe = index < 5 ? cluster(packets: 5, bytes: 5000) : nil
      path.receive(
        [received(Int64(index), sent: sent, at: 2000 + sent)], cluster: probe, at: time(2000 + sent))
      if index < 2 { #expect(path.latest == nil) }
    }
    #expect(
      path.latest.map { abs($0.bitsPerSecond - 730_000) <= 50_000 } == true,
      "\(String(describing: path.latest))")
  }

  /// ProbeDetection: bursts of 800 and 1600 kbit/s.
  @Test func probesSetTheEstimate() {
    var path = Path()
    var now = 100_000.0
    for index in 0..<5 {
      now += 10
      path.receive(
        [received(Int64(index), sent: now, at: now, size: 1000)], cluster: cluster(packets: 5, bytes: 2000),
        at: time(now))
    }
    #expect(path.latest != nil)
    path.probes = ProbeResultEstimator()
    for index in 5..<13 {
      now += 5
      path.receive(
        [received(Int64(index), sent: now, at: now, size: 1000)], cluster: cluster(packets: 8, bytes: 4000),
        at: time(now))
    }
    #expect(path.latest.map { $0 > .kilobits(1500) } == true)
  }

  /// ProbeDetectionSlowerArrival through the estimator.
  @Test func aSlowArrivalSetsTheEstimateBelowTheCapacity() {
    var path = Path()
    for index in 0..<8 {
      let at = 100_000 + Double(index + 1) * 7
      path.receive(
        [received(Int64(index), sent: Double(index + 1) * 5, at: at, size: 1000)],
        cluster: cluster(packets: 8, bytes: 4000), at: time(at))
    }
    #expect(path.latest.map { abs($0.bitsPerSecond - 1_083_000) <= 10_000 } == true)
  }

  /// ProbeDetectionFasterArrival.
  @Test func aFasterArrivalSetsNothing() {
    var path = Path()
    for index in 0..<5 {
      let at = 100_000 + Double(index + 1)
      path.receive(
        [received(Int64(index), sent: Double(index + 1) * 10, at: at, size: 1000)],
        cluster: cluster(packets: 5, bytes: 2000), at: time(at))
    }
    #expect(path.latest == nil)
  }

  /// A 30 fps stream on a link without delay, with feedback on the last packet of each frame.
  private struct FrameLink: ~Copyable {
    var path = Path()
    var capacity = Int64(1_000_000)
    /// Offset of the receiver's clock [us].
    var offset = Int64(0)
    /// Departure time of the next frame [us].
    var now = Int64(100_000_000)
    private var linkFree = Int64(100_000_000)
    private var sequence = Int64(0)

    /// Divides, rounding to the nearest whole number.
    private static func rounded(_ a: Int64, by b: Int64) -> Int64 { (a + b / 2) / b }

    /// Sends a frame at the rate; returns true if the estimate fell below it.
    mutating func frame(_ rate: Int64) -> Bool {
      path.latest = nil
      let bits = Self.rounded(rate, by: 30)
      let count = max(Self.rounded(bits, by: 8 * 1200), 1)
      let size = Self.rounded(bits, by: 8 * count)
      var arrivals: [PacketResult] = []
      for _ in 0..<count {
        let service = Self.rounded(8000 * size, by: capacity / 1000)
        linkFree = max(now + service, linkFree + service)
        let packet = SentPacket(
          sequence: sequence, sentAt: SimTime(nanoseconds: now * 1000), size: Int32(size))
        sequence += 1
        arrivals.append(
          PacketResult(packet: packet, receivedAt: SimTime(nanoseconds: (linkFree + offset) * 1000)))
      }
      path.receive(arrivals, cluster: nil, at: SimTime(nanoseconds: linkFree * 1000))
      now += 33_333
      return path.latest.map { $0.bitsPerSecond < rate } ?? false
    }
  }

  /// CapacityDropOneStream, ...PosOffsetChange, ...NegOffsetChange: from 1000 to 500 kbit/s, while the receiver's clock
  /// may jump; measures the time until the estimate is at most 500 kbit/s.
  @Test(arguments: [(0, 500.0), (30, 867), (-30, 933)] as [(Int64, Double)])
  func capacityDrop(jumpSeconds: Int64, milliseconds: Double) {
    var link = FrameLink()
    var rate = Int64(900_000)
    var seen = false
    for frame in 0..<300 {
      let fell = link.frame(rate)
      if fell, frame > 0, link.path.latest != nil { seen = true }
      if let latest = link.path.latest { rate = latest.bitsPerSecond }
      if seen, rate > 1_000_000 { break }
    }
    #expect(seen)
    #expect(abs(rate - 1_000_000) <= 180_000, "\(rate)")
    link.offset = jumpSeconds * 1_000_000
    link.capacity = 500_000
    let begin = link.now
    var drop: Int64?
    for _ in 0..<100 {
      _ = link.frame(rate)
      if drop == nil, let latest = link.path.latest, latest <= .kilobits(500) { drop = link.now }
      if let latest = link.path.latest { rate = latest.bitsPerSecond }
    }
    // The source's clock has a resolution of one millisecond, rounded to nearest.
    let took = drop.map { Double(($0 + 500) / 1000 - (begin + 500) / 1000) } ?? .infinity
    #expect(abs(took - milliseconds) <= 33, "\(took) ms")
  }
}
