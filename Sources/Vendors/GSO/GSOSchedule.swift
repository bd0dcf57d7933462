package import Quantity
package import Systems

/// Decision times of GSO-Simulcast's controller, and the links that it holds at the capacity at which they failed.
///
/// Links report periodically and on significant changes. The controller decides every 1.8 s, or earlier on a
/// significant change or a changed subscription, but at least 1 s after the last decision.
package struct GSOSchedule: MeetingSchedule {
  /// A link between a participant and the server.
  private struct Link: Sendable {
    /// Budget at the last decision; `nil` before the first.
    var decidedOn: BitRate?
    /// Budget when a stream was lowered; `nil` if the link is not held.
    var heldAt: BitRate?
  }

  private let parameters: GSOParameters
  private var uplinks: [Link] = []
  private var downlinks: [Link] = []
  private var decidedAt: SimTime?
  /// Time since which a change has been waiting for a decision.
  private var pendingSince: SimTime?

  package init(_ parameters: GSOParameters) { self.parameters = parameters }

  package mutating func receive(_ estimate: BitRate, of link: MeetingLink, at now: SimTime) {
    guard let last = self[link].decidedOn else { return noteChange(at: now) }
    let change = max(estimate, last) - min(estimate, last)
    if change > last.scaled(by: parameters.significantChange) { noteChange(at: now) }
  }

  package mutating func noteChange(at now: SimTime) { pendingSince = pendingSince ?? now }

  package mutating func noteDecision(
    _ state: MeetingAllocationState, _ outcome: MeetingAllocationOutcome, at now: SimTime
  ) {
    decidedAt = now
    pendingSince = nil
    for (viewer, decisions) in zip(state.viewers, outcome.viewers) {
      note(
        viewer.allocation.budget, of: .down(participant: viewer.participant),
        isDowngrade: decisions.contains { $0.isDowngrade })
    }
    for (publisher, orders) in zip(state.publishers, outcome.publishers) {
      note(
        publisher.uplink, of: .up(participant: publisher.participant),
        isDowngrade: orders.contains { $0.isDowngrade })
    }
  }

  private mutating func note(_ budget: BitRate, of link: MeetingLink, isDowngrade: Bool) {
    var own = self[link]
    own.decidedOn = budget
    if isDowngrade {
      own.heldAt = budget
    } else if let held = own.heldAt, budget > parameters.releaseLimit(held) {
      own.heldAt = nil
    }
    self[link] = own
  }

  package var dueAt: SimTime? {
    guard let decidedAt else { return pendingSince }
    let periodic = decidedAt + max(parameters.interval, parameters.minimumInterval)
    return pendingSince.map { min(periodic, max($0, decidedAt + parameters.minimumInterval)) } ?? periodic
  }

  package func complete(_ state: inout MeetingAllocationState) {
    for index in state.viewers.indices {
      state.viewers[index].heldAt = self[.down(participant: state.viewers[index].participant)].heldAt
    }
    for index in state.publishers.indices {
      state.publishers[index].heldAt = self[.up(participant: state.publishers[index].participant)].heldAt
    }
  }

  private subscript(link: MeetingLink) -> Link {
    get {
      switch link {
      case .up(let participant): uplinks.indices.contains(participant) ? uplinks[participant] : Link()
      case .down(let participant): downlinks.indices.contains(participant) ? downlinks[participant] : Link()
      }
    }
    set {
      switch link {
      case .up(let participant):
        while uplinks.count <= participant { uplinks.append(Link()) }
        uplinks[participant] = newValue
      case .down(let participant):
        while downlinks.count <= participant { downlinks.append(Link()) }
        downlinks[participant] = newValue
      }
    }
  }
}
