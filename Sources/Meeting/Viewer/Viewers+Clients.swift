import Quantity
import SimulationKernel
import Systems

/// Times at which clients want their streams reallocated.
extension Viewers {
  func isAllocationPending(_ viewer: Int) -> Bool { states[viewer].pendingAllocation != nil }

  /// Schedules an allocation after a client's reaction time, once for all changes until then.
  mutating func markDirty(_ viewer: Int, kernel: inout Kernel) {
    scheduleAllocation(viewer, after: states[viewer].reactionDelay, kernel: &kernel)
  }

  mutating func scheduleAllocation(_ viewer: Int, after delay: SimDuration, kernel: inout Kernel) {
    guard isViewer[viewer], !isAllocationPending(viewer) else { return }
    let event = MeetingEvent(.allocate, of: viewer, connection: states[viewer].connection)
    states[viewer].pendingAllocation = kernel.schedule(after: delay, tag: event.tag)
  }

  /// Schedules an allocation as ``scheduleAllocation(_:after:kernel:)`` does; a later call replaces an earlier one.
  mutating func debounceAllocation(_ viewer: Int, by delay: SimDuration, kernel: inout Kernel) {
    if let pending = states[viewer].pendingAllocation { kernel.cancel(pending) }
    let event = MeetingEvent(.allocate, of: viewer, connection: states[viewer].connection)
    states[viewer].pendingAllocation = kernel.schedule(after: delay, tag: event.tag)
  }

  /// Schedules a reallocation of a viewer's streams by the SFU itself; an earlier time that is already set stays, and
  /// that reallocation sets the next.
  mutating func scheduleReallocation(_ viewer: Int, at time: SimTime, kernel: inout Kernel) {
    if let set = states[viewer].reallocatesAt, set <= time { return }
    states[viewer].reallocatesAt = time
    kernel.schedule(at: time, tag: MeetingEvent(.reallocate, viewer).tag)
  }

  /// Checks whether the reallocation that was scheduled last is due, and clears it if so.
  mutating func takeReallocation(_ viewer: Int, at now: SimTime) -> Bool {
    guard states[viewer].reallocatesAt == now else { return false }
    states[viewer].reallocatesAt = nil
    return true
  }
}
