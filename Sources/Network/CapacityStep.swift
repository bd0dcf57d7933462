package import Quantity

/// From a point on, a link carries this much.
package struct CapacityStep: Hashable, Sendable, BitwiseCopyable {
  package var at: SimTime
  package var rate: BitRate

  package init(at: SimTime, rate: BitRate) {
    self.at = at
    self.rate = rate
  }
}
