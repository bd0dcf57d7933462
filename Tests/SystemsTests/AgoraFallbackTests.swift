import Quantity
import Systems
import Testing
import Vendors

@Suite("Agora's fallback")
struct AgoraFallbackTests {
  private typealias Change = AgoraFallback.Change

  /// A fallback for users with high streams of given rates and low ones of 100 kbit/s, who join one second apart.
  private struct Channel {
    var fallback: AgoraFallback
    var users: [AgoraFallback.User]

    /// - Parameters:
    /// - preferred: user with high priority.
    ///   - without: users without a low stream.
    init(
      _ kilobits: [Int64], _ mode: AgoraParameters.Fallback = .low, preferred: Int? = nil, without: [Int] = []
    ) {
      var parameters = AgoraParameters()
      parameters.fallback = mode
      fallback = AgoraFallback(parameters: parameters)
      users = kilobits.enumerated().map { number, rate in
        AgoraFallback.User(
          participant: number, wished: .kilobits(rate), low: without.contains(number) ? nil : .kilobits(100),
          isPreferred: number == preferred, joinedAt: SimTime(nanoseconds: Int64(number) * 1_000_000_000))
      }
    }

    mutating func update(
      _ kilobits: Int64, repairs: Int64 = 0, at milliseconds: Int64, isCongested: Bool = true
    ) -> AgoraFallback.Outcome {
      fallback.update(
        budget: .kilobits(kilobits), repairs: .kilobits(repairs), users: users, isCongested: isCongested,
        now: SimTime(nanoseconds: milliseconds * 1_000_000))
    }

    /// Returns the changes over a time in which reports arrive every 200 ms.
    mutating func changes(_ kilobits: Int64, _ milliseconds: ClosedRange<Int64>, isCongested: Bool = true)
      -> [Change]
    {
      stride(from: milliseconds.lowerBound, through: milliseconds.upperBound, by: 200).flatMap {
        update(kilobits, at: $0, isCongested: isCongested).changes
      }
    }
  }

  /// A budget below 0.95 of the requested rates for 2 s triggers a fallback only while the downlink is congested.
  @Test func aLowBudgetAloneIsNoWeakDownlink() {
    func changes(_ kilobits: Int64, isCongested: Bool, after milliseconds: Int64) -> [Change] {
      var channel = Channel([1000])
      return channel.changes(kilobits, 0...milliseconds, isCongested: isCongested)
    }
    #expect(changes(949, isCongested: true, after: 1800) == [])
    #expect(changes(949, isCongested: true, after: 2000) == [Change(0, .low)])
    #expect(changes(950, isCongested: true, after: 10_000) == [])
    #expect(changes(10, isCongested: false, after: 60_000) == [])
  }

  /// A budget above 1.1 times the requested rates for half a second.
  @Test func recoveryNeedsMoreThanWhatIsRequested() {
    func changes(_ kilobits: Int64, for milliseconds: Int64) -> [Change] {
      var channel = Channel([1000])
      _ = channel.changes(500, 0...2000)
      return channel.changes(kilobits, 2200...(2200 + milliseconds))
    }
    #expect(changes(1100, for: 20_000) == [])
    #expect(changes(1101, for: 400) == [])
    #expect(changes(1101, for: 600) == [Change(0, .asWished)])
  }

  /// Two streams of 1000 at 500: both fall back, and 200 are left. The last needs 1100 to return, times 1.1; both 2200.
  @Test func whoeverCouldReturnOnlyWaits() {
    var channel = Channel([1000, 1000])
    _ = channel.changes(500, 0...2000)
    func recovering(_ kilobits: Int64) -> Set<Int> {
      var channel = channel
      _ = channel.update(kilobits, at: 2200)
      return channel.fallback.recovering
    }
    #expect(recovering(1210) == [] && recovering(1211) == [0] && recovering(2200) == [0])
    #expect(recovering(2201) == [0, 1])
  }

  /// Four streams of 800 need 3200. Each fallback saves 700: one brings it to 2500, two to 1800, three to 1100, four to
  /// 400.
  @Test(
    arguments: [
      (3100, []), (3039, [3]), (2500, [3]), (2499, [3, 2]), (1800, [3, 2]), (1799, [3, 2, 1]),
      (1100, [3, 2, 1]),
      (1099, [3, 2, 1, 0]), (100, [3, 2, 1, 0]),
    ] as [(Int64, [Int])])
  func theFewestFallBackThatMakeTheRestFit(kilobits: Int64, expected: [Int]) {
    var channel = Channel([800, 800, 800, 800])
    #expect(channel.changes(kilobits, 0...2000).map(\.participant) == expected)
  }

  /// Four streams of 800 on a link that carries 2400, half of which is taken by repairs of the overflow: the two whose
  /// fallback saves 1400 fall back, not the three that would save 2000 if the repairs counted. For five seconds
  /// afterwards repairs alone, which fit beside the remaining 1800, do not count as weakness; after that, for 2 s, they
  /// do: 600 are too many, and one more falls back.
  @Test func repairsOfWhatOverflowsAreNoShortage() {
    var channel = Channel([800, 800, 800, 800])
    var changes: [(time: Int64, participants: [Int])] = []
    for time in stride(from: Int64(0), through: 10_000, by: 200) {
      let outcome = channel.update(1200, repairs: 1200, at: time)
      if !outcome.changes.isEmpty { changes.append((time, outcome.changes.map(\.participant))) }
    }
    #expect(changes.map(\.time) == [2000, 9000])
    #expect(changes.map(\.participants) == [[3, 2], [1]])
  }

  /// 400, 1200, 400, 800 and 400 need 3200 and save 300, 1100, 300, 700 and 300.
  @Test(
    arguments: [
      // Saving 300 is enough: the last to join.
      (2900, [4]),
      // Saving 301 is not: the later of the two who save more.
      (2899, [3]), (2500, [3]), (2499, [1]),
      // Saving 1101 takes two, one of whom has to be the largest; the other is the last.
      (2099, [4, 1]), (1800, [4, 1]), (1799, [3, 1]), (1399, [4, 3, 1]),
    ] as [(Int64, [Int])])
  func unequalStreamsAreAsFewAsPossible(kilobits: Int64, expected: [Int]) {
    var channel = Channel([400, 1200, 400, 800, 400])
    #expect(channel.changes(kilobits, 0...2000).map(\.participant) == expected)
  }

  /// The last to join has high priority: everybody else falls back first, even two instead of one.
  @Test(
    arguments: [(2500, [2]), (2499, [2, 1]), (1100, [2, 1, 0]), (1099, [2, 1, 0, 3])] as [(Int64, [Int])])
  func highPriorityComesLast(kilobits: Int64, expected: [Int]) {
    var channel = Channel([800, 800, 800, 800], preferred: 3)
    #expect(channel.changes(kilobits, 0...2000).map(\.participant) == expected)
  }

  /// Three streams of 800, two of which have fallen back to 100, return in reverse order: the first needs 1.1 x 1700,
  /// the second 1.1 x 2400. A user with room for half a second returns with the next report.
  @Test func usersReturnOneByOneInTheReverseOrder() {
    var channel = Channel([800, 800, 800])
    #expect(channel.changes(1100, 0...2000) == [Change(2, .low), Change(1, .low)])
    #expect(channel.changes(1870, 2200...9000) == [])
    #expect(channel.changes(1871, 9200...9600) == [])
    #expect(channel.changes(1871, 9800...20_000) == [Change(1, .asWished)])
    #expect(channel.changes(2641, 20_200...20_600) == [])
    #expect(channel.changes(2641, 20_800...20_800) == [Change(2, .asWished)])
    // Room for both at once.
    _ = channel.changes(1100, 30_000...32_000)
    #expect(channel.changes(2641, 32_200...32_600) == [])
    #expect(channel.changes(2641, 32_800...32_800) == [Change(1, .asWished)])
    #expect(channel.changes(2641, 33_000...33_000) == [Change(2, .asWished)])
  }

  /// Two low streams take 200 of 1600; audio only takes nothing, and one user falling back to it is enough for 199.
  @Test func audioOnlyComesAfterTheLowStreams() {
    var channel = Channel([800, 800], .audioOnly)
    #expect(channel.changes(150, 0...2000) == [Change(1, .low), Change(0, .low)])
    #expect(channel.changes(150, 2200...4000) == [])
    #expect(channel.changes(150, 4200...4200) == [Change(1, .audioOnly)])
    #expect(channel.changes(20, 4400...6400) == [Change(0, .audioOnly)])
    // Room for one low stream, for both, and for everything.
    #expect(channel.changes(111, 7000...7600) == [Change(0, .low)])
    #expect(channel.changes(221, 8000...8600) == [Change(1, .low)])
    #expect(channel.changes(1761, 9000...9800) == [Change(0, .asWished), Change(1, .asWished)])
  }

  /// Without a low stream, audio only is the next step if it is allowed, after everybody's low streams; otherwise the
  /// shortage is reported, once for each.
  @Test func withoutALowStreamThereIsAudioOnlyOrNothing() {
    var audio = Channel([800, 800], .audioOnly, without: [1])
    #expect(audio.changes(800, 0...2000) == [Change(0, .low)])
    #expect(audio.changes(800, 2200...4200) == [Change(1, .audioOnly)])
    var none = Channel([800, 800], without: [0, 1])
    let reports = stride(from: Int64(0), through: 10_000, by: 200).filter {
      none.update(800, at: $0).hasNoStream
    }
    #expect(reports == [2000])
    #expect(none.update(1600, at: 10_200).hasNoStream == false)
    #expect(none.update(800, at: 10_400).hasNoStream == false)
    #expect(none.update(800, at: 12_400).hasNoStream)
    var disabled = Channel([800, 800], .disabled, without: [0, 1])
    _ = disabled.update(800, at: 0)
    #expect(disabled.update(800, at: 2000) == AgoraFallback.Outcome())
  }

  /// A user who has left has nothing to return to.
  @Test func whoLeavesIsForgotten() {
    var channel = Channel([800, 800])
    _ = channel.changes(300, 0...2000)
    channel.fallback.remove(0)
    channel.users.removeFirst()
    #expect(channel.changes(881, 2200...2800) == [Change(1, .asWished)])
    #expect(channel.fallback.level(of: 0) == .asWished)
  }

  @Test func fiveOfAHundredPacketsLostOr100MillisecondsAreCongestion() {
    let fallback = AgoraFallback(parameters: AgoraParameters())
    func isCongested(_ loss: Double, _ milliseconds: Int64) -> Bool {
      fallback.isCongested(Downlink.Signs(loss: loss, queueDelay: .milliseconds(milliseconds)))
    }
    #expect(isCongested(0.05, 0) && isCongested(0, 100) && !isCongested(0.049, 99))
    // An estimator that knows the capacity needs no signs.
    #expect(fallback.isCongested(nil))
  }
}
