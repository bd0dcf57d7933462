import Allocation
import CongestionControl
import Ladder
import Quantity
import SimulationKernel

/// Streams that go on though the estimate no longer carries them.
extension MeetingSimulation {
  /// What a viewer's streams may take: what its way down is believed to carry; for a while still what they take; and,
  /// as long as the path carries them without the voices' reserve, the lowest layers of the pictures that are shown.
  ///
  /// A reserve for voices keeps larger pictures away, but takes none that is there: Jitsi, LiveKit and mediasoup
  /// reserve nothing at all, and voices leave before video in any case.
  mutating func holdStreams(
    of number: Int, within budget: BitRate, voices: BitRate, at now: SimTime
  ) -> BitRate {
    // One who knows the capacity is taken at its word.
    guard usesFeedback, let given = viewers[number]?.given else { return budget }
    let path = Path.down(number)
    let needed = given.scaled(by: 1 + plan.estimator.headerShare) + voices
    let isHeld = viewers[number]?.hold.holds(
      isShort: budget < given, estimate: controllers.estimate(path), needed: needed, now: now)
    if isHeld == true { return given }
    return max(budget, min(leastShown(to: number), videoBudget(of: path, voices: .zero, at: now)))
  }

  /// What the lowest layers of the pictures take that a viewer is given now.
  private func leastShown(to viewer: Int) -> BitRate {
    var sum = BitRate.zero
    for source in sources.indices where grants[trackNumber(viewer: viewer, source: source)]?.layer != nil {
      sum += sources[source].offers.first?.bitrate ?? .zero
    }
    return sum
  }
}
