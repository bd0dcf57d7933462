import CongestionControl
import Quantity
import Testing
import Transport

/// Expectations of libwebrtc's `bitrate_prober_unittest.cc`, and of `pacing_controller_unittest.cc` for the sending of
/// probes.
@Suite("Sending of probe clusters")
struct BitrateProberTests {
  private func cluster(_ id: Int32, _ kilobits: Int64, at milliseconds: Int64 = 0) -> ProbeCluster {
    ProbeCluster(
      id: id, rate: .kilobits(kilobits), minimumPackets: 5, minimumDuration: .milliseconds(15),
      createdAt: .zero + .milliseconds(milliseconds))
  }

  /// Five packets of 1000 B take at least 15 ms and keep to the rate within a tenth; the next cluster follows them.
  @Test func clustersFollowEachOtherAtTheirRates() {
    var prober = BitrateProber()
    prober.add(cluster(0, 900))
    prober.add(cluster(1, 1800))
    #expect(!prober.isProbing)
    prober.packetEnqueued(size: 1000)
    var now = Int64(0)
    var ends: [Int64] = []
    for id: Int32 in 0..<2 {
      now = max(now, prober.nextBurst(at: now) ?? .max)
      let began = now
      for _ in 0..<5 {
        now = max(now, prober.nextBurst(at: now) ?? .max)
        #expect(prober.currentCluster == id)
        prober.sent(bytes: 1000, at: now)
      }
      let took = now - began
      #expect(took >= 15_000_000)
      let kilobits = 4.0 * 8000 * 1e6 / Double(took)
      #expect(abs(kilobits / (id == 0 ? 900 : 1800) - 1) < 0.1)
      ends += [began, now]
    }
    #expect(!prober.isProbing)
    // The last packet of the first cluster has its own 8.9 ms.
    #expect(abs(ends[2] - ends[1] - 8_888_889) <= 2)
  }

  /// A sender with separate probe packets needs no media to start, and finishes late clusters.
  @Test func clustersOfAStreamOfTheirOwnStartAlone() {
    var prober = BitrateProber(startsAlone: true)
    prober.add(cluster(0, 1800))
    #expect(prober.isProbing)
    #expect(prober.nextBurst(at: 7) == 7)
    prober.sent(bytes: 450, at: 7)
    #expect(prober.nextBurst(at: 60_000_000) == 2_000_007)
    #expect(prober.isProbing)
  }

  /// 1 Tbit/s for 15 ms is 1.9 GB: the product of rate and time exceeds 64 bits.
  @Test func aClusterAtATerabitCountsItsBytes() {
    var prober = BitrateProber()
    prober.add(cluster(0, 1_000_000_000))
    prober.packetEnqueued(size: 250_000_000)
    var now = prober.nextBurst(at: 0) ?? 0
    for sent in 1...8 {
      #expect(prober.isProbing, "\(sent)")
      prober.sent(bytes: 250_000_000, at: now)
      now = prober.nextBurst(at: now) ?? now
    }
    #expect(!prober.isProbing)
  }

  /// A packet of 200 B, or of a burst of 2 ms, starts it.
  @Test(arguments: [(1000, 100, false), (1000, 200, true), (300, 74, false), (300, 75, true)])
  func aPacketOfSomeSizeBeginsIt(kilobits: Int64, size: Int64, begins: Bool) {
    var prober = BitrateProber()
    prober.add(cluster(0, kilobits))
    prober.packetEnqueued(size: size)
    #expect(prober.isProbing == begins)
  }

  /// Slow clusters have five packets as well.
  @Test func fivePacketsAtLeast() {
    var prober = BitrateProber()
    prober.add(cluster(0, 100))
    prober.packetEnqueued(size: 1000)
    for _ in 0..<5 {
      #expect(prober.isProbing)
      prober.sent(bytes: 1000, at: 0)
    }
    #expect(!prober.isProbing)
  }

  @Test func aClusterThatComesTooLateIsGivenUp() {
    var prober = BitrateProber()
    prober.add(cluster(0, 900))
    prober.packetEnqueued(size: 1000)
    prober.sent(bytes: 1000, at: 0)
    let due = prober.nextBurst(at: 0) ?? -1
    let inTime = prober.nextBurst(at: due + 10_000_000)
    #expect(inTime == due)
    let late = prober.nextBurst(at: due + 10_000_001)
    #expect(late == nil)
    #expect(!prober.isProbing)
  }

  @Test func sixClustersAreKept() {
    var prober = BitrateProber()
    prober.add(cluster(0, 900))
    prober.packetEnqueued(size: 1000)
    for id: Int32 in 1..<11 { prober.add(cluster(id, 900)) }
    #expect(prober.isProbing)
    #expect(prober.currentCluster == 5)
    var now = Int64(0)
    while let due = prober.nextBurst(at: now), now < 1_000_000_000 {
      now = max(now, due)
      prober.sent(bytes: 1000, at: now)
    }
    #expect(!prober.isProbing)
    #expect(now < 1_000_000_000)
  }

  /// Packets of 20 B are too small for 300 kbps but not for 30; the first cluster blocks the way for five seconds.
  @Test func anOldClusterMakesWay() {
    var prober = BitrateProber()
    var begun: [Bool] = []
    for (id, kilobits, milliseconds) in [(0, 300, 0), (1, 30, 5000), (2, 30, 5001)] {
      prober.add(cluster(Int32(id), Int64(kilobits), at: Int64(milliseconds)))
      prober.packetEnqueued(size: 20)
      begun.append(prober.isProbing)
    }
    #expect(begun == [false, false, true])
    for _ in 0..<10 {
      #expect(prober.isProbing)
      prober.sent(bytes: 20, at: 5_001_000_000)
    }
    #expect(!prober.isProbing)
  }
}
