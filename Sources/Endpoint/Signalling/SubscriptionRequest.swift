package import Allocation
import Systems

/// A client's request to the SFU.
package struct SubscriptionRequest: Equatable {
  package var wishes: [Subscription]
  package var demand: ViewerDemand

  package init(wishes: [Subscription], demand: ViewerDemand) {
    self.wishes = wishes
    self.demand = demand
  }
}
