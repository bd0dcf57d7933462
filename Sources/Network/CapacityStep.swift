package import Quantity

/// Capacity of a link from a point in time on.
package struct CapacityStep: Hashable, Sendable, BitwiseCopyable {
  package var at: SimTime
  package var rate: BitRate

  package init(at: SimTime, rate: BitRate) {
    self.at = at
    self.rate = rate
  }
}
