import CongestionControl
import Quantity
import Systems
import Testing
import Vendors

private func at(_ seconds: Double) -> SimTime { SimTime(nanoseconds: Int64((seconds * 1e9).rounded())) }

struct RepeatedNACKWindowTests {
  @Test func theWindowOpensWithTheFirstRepeatAndTriggersAfterTwoSeconds() {
    var window = RepeatedNACKWindow(LiveKitDetectionParameters().nacks)
    window.add(packets: 1000, repeated: 0, at: at(0))
    window.add(packets: 90, repeated: 9, at: at(1))
    window.add(packets: 10, repeated: 0, at: at(3))
    #expect(window.ratio == 0.09)
    #expect(!window.isTriggered(at: at(3)))
    #expect(window.isTriggered(at: at(3.001)))
  }

  @Test func eightPercentAreNotEnough() {
    var window = RepeatedNACKWindow(LiveKitDetectionParameters().nacks)
    window.add(packets: 100, repeated: 8, at: at(0))
    #expect(!window.isTriggered(at: at(2.5)))
    window.add(packets: 0, repeated: 1, at: at(2.5))
    #expect(window.isTriggered(at: at(2.5)))
  }

  @Test func itIsDroppedThreeSecondsAfterItOpened() {
    var window = RepeatedNACKWindow(LiveKitDetectionParameters().nacks)
    window.add(packets: 10, repeated: 5, at: at(0))
    window.add(packets: 10, repeated: 0, at: at(3))
    #expect(window.ratio == 0.25)
    window.add(packets: 10, repeated: 1, at: at(3.001))
    #expect(window.ratio == 0.1)
    #expect(!window.isTriggered(at: at(5)))
  }
}

struct ServerProbeTests {
  @Test func burstsKeepUpWithTheBucketsAndGoOnUntilTheGoal() {
    // 200 ms from 300 to 500 kbps: 12.5 kB in total, 5 kB of which are probes; eleven buckets of 18.18 ms, 456 B each.
    var cluster = ServerProbe(
      usage: .kilobits(300), desired: .kilobits(500), duration: .milliseconds(200), sentBytes: 1000,
      at: at(10))
    #expect(cluster.goal == 12_501)
    var bursts: [Int] = []
    for tick in 0...24 {
      let burst = cluster.takeBurst(at: at(10 + 0.01 * Double(tick)))
      cluster.note(bytes: burst)
      bursts.append(burst)
    }
    #expect(bursts.first == 1100)
    #expect(bursts.filter { $0 > 0 }.allSatisfy { $0 == 1100 })
    #expect(!cluster.isComplete(sentBytes: 13_500, at: at(10.199)))
    #expect(!cluster.isComplete(sentBytes: 13_500, at: at(10.2)))
    #expect(cluster.isComplete(sentBytes: 13_501, at: at(10.2)))
  }

  /// With bursts of 500 B and buckets of 50 ms, there are five of 40 ms, 835 B each, whose ends are passed at 50, 90,
  /// 130, 170 and 210 ms. The first burst counts toward the second bucket's share.
  @Test func burstsAreAsTheirParametersSay() {
    var parameters = ServerProbe.Bursts()
    parameters.size = ByteCount(500)
    parameters.bucket = .milliseconds(50)
    var cluster = ServerProbe(
      usage: .kilobits(300), desired: .kilobits(500), duration: .milliseconds(200), bursts: parameters,
      sentBytes: 1000, at: at(10))
    var bursts: [Int: Int] = [:]
    for tick in 0...22 {
      let burst = cluster.takeBurst(at: .zero + .milliseconds(10_000 + 10 * Int64(tick)))
      cluster.note(bytes: burst)
      if burst > 0 { bursts[tick] = burst }
    }
    #expect(bursts == [0: 500, 5: 1170, 9: 835, 13: 835, 17: 835, 21: 500, 22: 500])
  }
}

struct RemoteBandwidthDetectorTests {
  private func falling(_ detector: inout RemoteBandwidthDetector, to last: Int64, usage: Int64) -> Bool {
    var hasChanged = false
    for index in 0..<12 {
      let value = last + Int64(11 - index) * 1000
      let change = detector.receive(
        value, usage: usage, packets: 10, repeated: 0, at: at(0.2 * Double(index)))
      if change != nil { hasChanged = true }
    }
    return hasChanged
  }

  @Test func aFallingEstimateIsCommittedOnlyBelowWhatIsUsed() {
    var detector = RemoteBandwidthDetector(.init(), .init(), at: .zero)
    #expect(!falling(&detector, to: 950_001, usage: 1_000_000))
    #expect(detector.state == .none)
    detector = RemoteBandwidthDetector(.init(), .init(), at: .zero)
    #expect(falling(&detector, to: 950_000, usage: 1_000_000))
    #expect(detector.state == .congested)
    #expect(detector.capacity == 950_000)
  }

  @Test func repeatedRequestsLowerTheCapacityByTheirShareOfTheUsage() {
    var detector = RemoteBandwidthDetector(.init(), .init(), at: .zero)
    #expect(detector.receive(2_000_000, usage: 1_000_000, packets: 75, repeated: 25, at: at(0)) == nil)
    #expect(detector.receive(2_000_000, usage: 1_000_000, packets: 25, repeated: 0, at: at(2.001)) != nil)
    // A quarter was requested repeatedly: 1 - 0.4 x 0.25.
    #expect(detector.capacity == 900_000)
    // The allocator has lowered the usage; the same window lowers the capacity again.
    #expect(detector.receive(2_000_000, usage: 800_000, packets: 0, repeated: 0, at: at(2.01)) != nil)
    #expect(detector.capacity == 720_000)
    // Once the window is dropped, the congestion is over.
    #expect(detector.receive(2_000_000, usage: 600_000, packets: 1, repeated: 0, at: at(3.002)) != nil)
    #expect(detector.state == .none)
    #expect(detector.capacity == 720_000)
  }

  @Test func aProbeRaisesTheCapacityToTheHighestEstimateThatItLedTo() {
    var detector = RemoteBandwidthDetector(.init(), .init(), at: .zero)
    #expect(falling(&detector, to: 500_000, usage: 1_000_000))
    for index in 0..<8 {
      _ = detector.receive(
        Int64(520_000 + index), usage: 400_000, packets: 1, repeated: 0, at: at(3 + 0.1 * Double(index)))
    }
    #expect(detector.state == .none)
    #expect(detector.allowsProbe(at: at(4)))
    let cluster = ServerProbe(
      usage: .kilobits(400), desired: .kilobits(600), duration: .milliseconds(200), sentBytes: 0, at: at(4))
    detector.begin(cluster)
    #expect(!detector.allowsProbe(at: at(4)))
    for (index, value) in [530_000, 560_000, 550_000].enumerated() {
      _ = detector.receive(
        Int64(value), usage: 400_000, packets: 1, repeated: 0, at: at(4.1 + 0.1 * Double(index)))
    }
    #expect(!detector.hasReachedGoal)
    detector.endCluster(at: at(4.3))
    // Five round trips of 70 ms.
    #expect(detector.takeVerdict(at: at(4.649)) == nil)
    #expect(detector.takeVerdict(at: at(4.65)) == .notCongesting)
    #expect(detector.capacity == 560_000)
    #expect(!detector.allowsProbe(at: at(7)))
    #expect(detector.allowsProbe(at: at(7.001)))
  }

  /// Five round trips of (70 + 270) / 2, at least 250 ms and at most 5 s.
  @Test(arguments: [(270, 850), (1, 250), (5000, 5000)] as [(Int64, Double)])
  func theRoundTripThatWasReadCountsByHalf(roundTrip: Int64, settling: Double) {
    var detector = RemoteBandwidthDetector(.init(), .init(), at: .zero)
    detector.note(.milliseconds(roundTrip))
    detector.begin(
      ServerProbe(
        usage: .kilobits(400), desired: .kilobits(600), duration: .milliseconds(200), sentBytes: 0,
        at: at(4)))
    detector.endCluster(at: at(4.5))
    #expect(detector.takeVerdict(at: at(4.499 + settling / 1000)) == nil)
    #expect(detector.takeVerdict(at: at(4.501 + settling / 1000)) == .inconclusive)
  }

  @Test func aProbeWithFewEstimatesIsInconclusive() {
    var detector = RemoteBandwidthDetector(.init(), .init(), at: .zero)
    let cluster = ServerProbe(
      usage: .kilobits(400), desired: .kilobits(600), duration: .milliseconds(200), sentBytes: 0, at: at(4))
    detector.begin(cluster)
    _ = detector.receive(700_000, usage: 400_000, packets: 1, repeated: 0, at: at(4.1))
    _ = detector.receive(800_000, usage: 400_000, packets: 1, repeated: 0, at: at(4.2))
    #expect(!detector.hasReachedGoal)
    detector.endCluster(at: at(4.3))
    #expect(detector.takeVerdict(at: at(5)) == .inconclusive)
  }
}
