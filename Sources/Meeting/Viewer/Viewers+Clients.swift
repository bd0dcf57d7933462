import Quantity
import SimulationKernel
import Systems

/// When a client wants its streams allocated anew.
extension Viewers {
  func isAllocationPending(_ viewer: Int) -> Bool { states[viewer].pendingAllocation != nil }

  /// Asks for an allocation after a client's reaction time, once for all changes until then.
  mutating func markDirty(_ viewer: Int, kernel: inout Kernel) {
    scheduleAllocation(viewer, after: states[viewer].reactionDelay, kernel: &kernel)
  }

  mutating func scheduleAllocation(_ viewer: Int, after delay: SimDuration, kernel: inout Kernel) {
    guard isViewer[viewer], !isAllocationPending(viewer) else { return }
    let event = MeetingEvent(.allocate, of: viewer, connection: states[viewer].connection)
    states[viewer].pendingAllocation = kernel.schedule(after: delay, tag: event.tag)
  }

  /// As ``scheduleAllocation(_:after:kernel:)``; a later call takes the place of an earlier one.
  mutating func debounceAllocation(_ viewer: Int, by delay: SimDuration, kernel: inout Kernel) {
    if let pending = states[viewer].pendingAllocation { kernel.cancel(pending) }
    let event = MeetingEvent(.allocate, of: viewer, connection: states[viewer].connection)
    states[viewer].pendingAllocation = kernel.schedule(after: delay, tag: event.tag)
  }

  /// Sets when the SFU is to allocate a viewer's streams anew by itself; an earlier time that is set already stays, and
  /// sets the next.
  mutating func scheduleReallocation(_ viewer: Int, at time: SimTime, kernel: inout Kernel) {
    if let set = states[viewer].reallocatesAt, set <= time { return }
    states[viewer].reallocatesAt = time
    kernel.schedule(at: time, tag: MeetingEvent(.reallocate, viewer).tag)
  }

  /// Whether the time has come that was set last.
  mutating func takeReallocation(_ viewer: Int, at now: SimTime) -> Bool {
    guard states[viewer].reallocatesAt == now else { return false }
    states[viewer].reallocatesAt = nil
    return true
  }
}
