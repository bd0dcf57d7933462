import Quantity
import Testing

@Suite("Limits of rates")
struct RateLimitTests {
  @Test func aLimitTakesEightBytesAndNoLimitIsAboveAll() {
    #expect(MemoryLayout<RateLimit>.stride == 8)
    #expect(RateLimit.unlimited.rate == nil && RateLimit(.greatest).rate == .greatest)
    #expect(RateLimit.kilobits(5) < .megabits(1) && RateLimit(.greatest) < .unlimited)
    #expect([RateLimit.unlimited, .kilobits(3), .kilobits(2)].min() == .kilobits(2))
  }

  @Test func aLimitConfinesAndAdmits() {
    let limit = RateLimit.kilobits(300)
    #expect(limit.confining(.kilobits(200)) == .kilobits(200))
    #expect(limit.confining(.kilobits(400)) == .kilobits(300))
    #expect(limit.admits(.kilobits(300)) && !limit.admits(BitRate(bitsPerSecond: 300_001)))
    #expect(RateLimit.unlimited.confining(.greatest) == .greatest && RateLimit.unlimited.admits(.greatest))
  }

  @Test func whatIsTakenOfALimitIsLeftOut() {
    let limit = RateLimit.kilobits(300)
    #expect(limit.leaving(.kilobits(200)) == .kilobits(100))
    #expect(limit.leaving(.kilobits(400)).rate?.bitsPerSecond == -100_000)
    #expect(limit.excess(of: .kilobits(500)) == .kilobits(200))
    #expect(limit.excess(of: .kilobits(100)).bitsPerSecond == -200_000)
    #expect(limit.room(above: .kilobits(100)) == .kilobits(200))
    #expect(limit.scaled(by: 0.5) == .kilobits(150))
  }

  @Test func noLimitStaysNone() {
    let none = RateLimit.unlimited
    #expect(none.leaving(.greatest) == none && none.scaled(by: 0.1) == none && none.scaled(by: 0) == none)
    #expect(none.excess(of: .greatest) == .zero)
    #expect(none.room(above: .kilobits(100)) == none && none.room(above: none) == none)
  }

  @Test func aLimitReadsLikeItsRate() {
    #expect("\(RateLimit.kilobits(2400))" == "2400 kbps" && "\(RateLimit.unlimited)" == "unlimited")
  }
}
