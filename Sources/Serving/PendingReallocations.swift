import Endpoint
package import Quantity
package import SimulationKernel

/// Times at which the SFU reallocates viewers' streams on its own.
package struct PendingReallocations {
  /// Cause of a reallocation; at most one is pending per cause.
  package enum Cause: Hashable {
    /// The ramp of a source ends.
    case rampUp(source: Int)
    /// A step of the negotiation is due, or the connection is set up.
    case negotiation
    case connection
    /// Settings of a source's track take effect.
    case settings(source: Int)
  }

  private var pending: [[(cause: Cause, at: SimTime)]]

  init(viewers: Int) { pending = Array(repeating: [], count: viewers) }

  /// Schedules a reallocation, replacing an earlier one with the same cause.
  package mutating func schedule(_ viewer: Int, for cause: Cause, at time: SimTime, kernel: inout Kernel) {
    if let place = pending[viewer].firstIndex(where: { $0.cause == cause }) {
      guard pending[viewer][place].at != time else { return }
      pending[viewer].remove(at: place)
    }
    pending[viewer].append((cause, time))
    kernel.schedule(at: time, tag: MeetingEvent(.reallocate, viewer).tag)
  }

  /// Checks whether a reallocation is due, and clears those that are.
  package mutating func take(_ viewer: Int, at now: SimTime) -> Bool {
    let count = pending[viewer].count
    pending[viewer].removeAll { $0.at <= now }
    return pending[viewer].count < count
  }

  package mutating func close(_ viewer: Int) { pending[viewer] = [] }
}
