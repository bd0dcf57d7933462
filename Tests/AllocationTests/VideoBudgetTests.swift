import Allocation
import Quantity
import Testing

@Suite("Video budgets from estimates")
struct VideoBudgetTests {
  /// (1,150 - 50) / 1.1 = 1,000 kbps, less 40 for repairs; a cap of 900 is below that.
  @Test func reservesComeOffBeforeTheCap() {
    var budget = VideoBudget(estimate: .kilobits(1_150), voices: .kilobits(50), headerShare: 0.1)
    #expect(budget.headers == .kilobits(100) && budget.available == .kilobits(1_000))
    budget.repairs = .kilobits(40)
    #expect(budget.available == .kilobits(960) && budget.total == .kilobits(960))
    budget.cap = .kilobits(900)
    #expect(budget.available == .kilobits(960) && budget.total == .kilobits(900))
    #expect(budget.leaving(.kilobits(500)).estimate == .kilobits(690))
  }

  @Test func voicesTakeNoMoreThanThereIs() {
    let budget = VideoBudget(estimate: .kilobits(30), voices: .kilobits(50), headerShare: 0.1)
    #expect(budget.voices == .kilobits(30) && budget.headers == .zero && budget.total == .zero)
    var unknown = VideoBudget(estimate: nil)
    #expect(unknown.available == .unlimited && unknown.total == .unlimited)
    unknown.cap = .kilobits(500)
    #expect(unknown.available == .unlimited && unknown.total == .kilobits(500))
  }
}
