package import Allocation
import Systems

/// A client's request to the SFU.
package struct SubscriptionRequest: Equatable {
  package var wishes: [Wish]
  package var demand: ViewerDemand
  /// Sources on the screen that it does not request because of the system's limit per viewer.
  package var beyondLimit: Set<Int>

  package init(wishes: [Wish], demand: ViewerDemand, beyondLimit: Set<Int>) {
    self.wishes = wishes
    self.demand = demand
    self.beyondLimit = beyondLimit
  }
}
