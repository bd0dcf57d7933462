import Allocation
import Quantity
import Serving
import TestSupport
import Testing

/// What a server's decision is said to have been made with.
@Suite("The budget of a server's decision")
struct ViewerBudgetTests {
  private func budget() throws -> ViewerBudget { try ServingBench().sfu.allocator.budgets[ServingBench.v] }

  /// Before anything was reported, the estimate and the client's cap.
  @Test func theFirstIsTheEstimate() throws {
    var budget = try budget()
    budget.noteDecision(
      within: .kilobits(900), clientCap: RateLimit(.kilobits(700)), acted: nil, serverCap: nil)
    #expect(budget.decided?.estimate == .kilobits(900))
    #expect(budget.decided?.total == RateLimit(.kilobits(700)))
  }

  /// The server acts on 500 kbps: that is the last decision's budget if it left as much, and otherwise what was
  /// reported with its reserves.
  @Test func aServerMayActOnAnEarlierEstimate() throws {
    var budget = try budget()
    var reported = VideoBudget(estimate: .kilobits(800))
    reported.repairs = .kilobits(50)
    budget.reported = reported
    budget.noteDecision(
      within: .kilobits(1), clientCap: .unlimited, acted: .kilobits(500), serverCap: nil)
    #expect(budget.decided?.estimate == .kilobits(550) && budget.decided?.repairs == .kilobits(50))

    budget.decided = VideoBudget(estimate: .kilobits(500))
    budget.noteDecision(
      within: .kilobits(1), clientCap: .unlimited, acted: .kilobits(500), serverCap: nil)
    #expect(budget.decided == VideoBudget(estimate: .kilobits(500)))
  }

  /// A cap above the estimate is what the server takes the path to carry.
  @Test(arguments: [(Int64(300), Int64(800)), (800, 800), (801, 801)])
  func theServersOwnCap(cap: Int64, estimate: Int64) throws {
    var budget = try budget()
    budget.noteDecision(
      within: .kilobits(800), clientCap: .unlimited, acted: nil, serverCap: .kilobits(cap))
    #expect(budget.decided?.estimate == .kilobits(estimate))
    #expect(budget.decided?.total == RateLimit(.kilobits(cap)))
  }
}
