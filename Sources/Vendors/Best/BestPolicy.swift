import Allocation
import Ladder
import Quantity
import Systems

/// Allocates the best layer of every source, regardless of the budget.
struct BestPolicy: AllocationPolicy {
  func allocate(
    budget: RateLimit, cap: RateLimit, wishes: [Subscription], _ margin: inout BudgetMargin
  ) -> [Grant] {
    wishes.map { wish in
      guard wish.isReceivable else {
        return Grant(source: wish.source, layer: nil, limitation: wish.absence ?? .offScreen)
      }
      let problem = AllocationProblem([wish.options(of: wish.offers, staysWithinRequest: true)])
      return Grant.unhindered(wish, problem.ideal(of: 0).map { wish.offers[$0] })
    }
  }
}
