import Allocation
import CongestionControl
import Quantity
import SimulationKernel

/// Streams that go on for a while though the estimate no longer carries them.
extension MeetingSimulation {
  /// What a viewer's streams may take: what its way down is believed to carry, or for a while still what they take.
  mutating func holdStreams(
    of number: Int, within budget: BitRate, voices: BitRate, at now: SimTime
  ) -> BitRate {
    // One who knows the capacity is taken at its word.
    guard usesFeedback, let given = viewers[number]?.given else { return budget }
    let needed = given.scaled(by: 1 + plan.estimator.headerShare) + voices
    let isHeld = viewers[number]?.hold.holds(
      isShort: budget < given, estimate: controllers.estimate(Path.down(number)), needed: needed, now: now)
    return isHeld == true ? given : budget
  }
}
