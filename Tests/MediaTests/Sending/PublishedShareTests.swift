import Ladder
import Media
import Quantity
import Testing

/// Sequences of libwebrtc's `bitrate_allocator_unittest.cc` and `simulcast_rate_allocator_unittest.cc`, with the rates
/// that they assert.
@Suite("Shares over published sequences")
struct PublishedShareTests {
  private func track(
    _ minimum: Int64, _ maximum: Int64, enforced: Bool = false, priority: Double = 1
  ) -> UplinkTrack {
    UplinkTrack(
      minimum: BitRate(bitsPerSecond: minimum), maximum: BitRate(bitsPerSecond: maximum),
      isMinimumEnforced: enforced, priority: priority)
  }

  private func expect(
    _ tracks: [UplinkTrack], _ steps: [(rate: Int64, shares: [Int64])],
    at location: SourceLocation = #_sourceLocation
  ) {
    var share = UplinkShare(tracks)
    // Every test starts with an estimate of 300 kbps.
    share.split(.kilobits(300))
    for step in steps {
      share.split(BitRate(bitsPerSecond: step.rate))
      let shares = tracks.indices.map { share[$0].bitsPerSecond }
      #expect(shares == step.shares, "\(step.rate)", sourceLocation: location)
    }
  }

  /// OneBitrateObserver, AvoidToggleAbsolute, AvoidTogglePercent.
  @Test func aPausedTrackComesBackLater() {
    expect([track(100_000, 400_000)], [(150_000, [150_000]), (10_000, [0])])
    expect(
      [track(30_000, 300_000)],
      [
        (30_000, [30_000]), (20_000, [0]), (30_000, [0]), (49_000, [0]), (50_000, [50_000]),
        (30_000, [30_000]),
      ])
    expect(
      [track(300_000, 600_000)],
      [
        (300_000, [300_000]), (200_000, [0]), (300_000, [0]), (329_000, [0]), (330_000, [330_000]),
        (300_000, [300_000]),
      ])
  }

  /// ThreeBitrateObservers, ThreeBitrateObserversLowBweEnforceMin.
  @Test func threeTracksWithOrWithoutEnforcedMinimums() {
    let tracks = [track(100_000, 400_000), track(200_000, 400_000), track(300_000, 400_000)]
    expect(
      tracks,
      [
        (300_000, [100_000, 200_000, 0]), (690_000, [130_000, 230_000, 330_000]),
        (300_000, [100_000, 200_000, 0]), (500_000, [200_000, 300_000, 0]), (10_000, [0, 0, 0]),
        (0, [0, 0, 0]),
      ])
    expect(
      tracks.map { track($0.minimum.bitsPerSecond, 400_000, enforced: true) },
      [(1000, [100_000, 200_000, 300_000])])
  }

  /// TwoBitrateObserversOneRtcpObserver; AddObserverWhileNetworkDown, after the network is up.
  @Test func sharesGoUpToTwiceTheMaximum() {
    expect(
      [track(100_000, 300_000, enforced: true), track(200_000, 300_000, enforced: true)],
      [
        (200_000, [100_000, 200_000]), (500_000, [200_000, 300_000]), (1_500_000, [600_000, 600_000]),
        (0, [0, 0]),
      ])
    let equal = track(50_000, 400_000, enforced: true)
    expect([equal, equal], [(0, [0, 0]), (1_500_000, [750_000, 750_000])])
  }

  /// MixedEnforecedConfigs.
  @Test func anEnforcedTrackBesideAnother() {
    expect(
      [track(6000, 30_000, enforced: true), track(30_000, 2_500_000)],
      [
        (36_000, [6000, 30_000]), (35_000, [30_000, 0]), (5000, [6000, 0]), (36_000, [30_000, 0]),
        (55_000, [30_000, 0]), (56_000, [6000, 50_000]), (56_000, [16_000, 40_000]),
      ])
  }

  /// The cases named PriorityRate...: limits and priorities of each observer, an estimate, and the allocations.
  @Test(
    arguments: [
      ([(10, 60, 2)], 30, [30]), ([(10, 60, 2), (10, 60, 2)], 60, [30, 30]),
      ([(0, 60, 2), (0, 60, 4)], 120, [60, 60]), ([(10, 50, 2), (10, 50, 4)], 90, [40, 50]),
      ([(0, 100, 2), (0, 100, 4), (0, 100, 8)], 70, [10, 20, 40]),
      ([(10, 40, 2), (10, 40, 4), (10, 40, 8)], 90, [20, 30, 40]),
      ([(0, 10, 2), (0, 60, 4), (0, 60, 8)], 100, [10, 30, 60]),
      ([(10, 40, 2), (10, 30, 4), (10, 50, 8)], 110, [30, 30, 50]),
    ] as [([(Int64, Int64, Double)], Int64, [Int64])])
  func prioritiesWeigh(tracks: [(Int64, Int64, Double)], rate: Int64, shares: [Int64]) {
    expect(tracks.map { track($0.0, $0.1, enforced: true, priority: $0.2) }, [(rate, shares)])
  }

  // MARK: simulcast_rate_allocator_unittest.cc

  private static let limits: [(Int64, Int64, Int64)] = [(10, 100, 500), (50, 500, 1000), (2000, 3000, 4000)]

  private func allocator(active: [Bool]) -> SimulcastRateAllocator {
    var allocator = SimulcastRateAllocator(
      zip(Self.limits, active).map { limits, _ in
        LayerRates(
          minimum: .kilobits(limits.0), target: .kilobits(limits.1), maximum: .kilobits(limits.2))
      })
    for (encoding, isActive) in active.enumerated() { allocator.setActive(isActive, encoding: encoding) }
    return allocator
  }

  /// OneToThreeStreams, TwoStreamsLowInactive, TwoStreamsHighInactive, ThreeStreamsMiddleInactive,
  /// ThreeStreamsInactive: totals and shares in the order of the tests [kbps].
  @Test(
    arguments: [
      (
        [true, true, true],
        [
          (10, [10, 0, 0]), (100, [100, 0, 0]), (159, [159, 0, 0]), (160, [100, 60, 0]),
          (1100, [100, 1000, 0]), (2999, [100, 1000, 0]), (3000, [100, 500, 2400]),
          (4600, [100, 500, 4000]), (5500, [100, 500, 4000]),
        ]
      ),
      (
        [false, true],
        [(40, [0, 50]), (50, [0, 50]), (500, [0, 500]), (1000, [0, 1000]), (9000, [0, 1000])]
      ),
      (
        [true, false], [(1, [10, 0]), (10, [10, 0]), (100, [100, 0]), (500, [500, 0]), (9000, [500, 0])]
      ),
      (
        [true, false, true],
        [
          (1, [10, 0, 0]), (10, [10, 0, 0]), (100, [100, 0, 0]), (2099, [500, 0, 0]),
          (3100, [100, 0, 3000]), (4100, [100, 0, 4000]), (4110, [100, 0, 4000]),
        ]
      ),
      ([false, false, false], [(2060, [0, 0, 0]), (5500, [0, 0, 0])]),
    ] as [([Bool], [(Int64, [Int64])])])
  func encodingsGetTheirShares(active: [Bool], steps: [(Int64, [Int64])]) {
    var allocator = allocator(active: active)
    for (kilobits, expected) in steps {
      let shares = allocator.allocate(.kilobits(kilobits))
      #expect(active.indices.map { shares[$0].bitsPerSecond / 1000 } == expected, "\(kilobits)")
    }
  }
}
