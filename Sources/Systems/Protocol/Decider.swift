package import Allocation
package import Quantity

/// Part of a system's SFU that decides what each viewer is given.
package struct Decider: Sendable {
  package enum Part: Sendable {
    /// The policy, which shares a viewer's whole budget each time.
    case policy
    /// A server for each viewer, which decides with a memory, and the rule of its decision alone, by arriving layers and
    /// a budget. Without `create` the policy decides in a meeting.
    case servers(any ServerRule, create: (@Sendable (SimTime) -> any ViewerServer)?)
    /// A controller that decides for all viewers and publishers at once.
    case controller(MeetingControl)

    /// Servers that share a viewer's downlink by a rule, at the times of a schedule.
    package static func servers(_ rule: any ServerRule, at schedule: any ServerSchedule) -> Part {
      .servers(rule) { _ in RuleServer(rule, schedule) }
    }
  }

  /// Policy that allocates a viewer's video budget; where another part decides, its decision on ample links.
  package var policy: any AllocationPolicy
  package var part: Part

  package init(_ policy: any AllocationPolicy, _ part: Part = .policy) {
    self.policy = policy
    self.part = part
  }
}

extension System {
  /// Creates the part of the SFU that decides for a viewer; `nil` where the policy or a controller does.
  package func server(at now: SimTime) -> (any ViewerServer)? {
    if case .servers(_, let create?) = decider.part { create(now) } else { nil }
  }

  /// Controller that decides for all viewers and publishers at once; `nil` where each viewer's allocation is separate.
  package var controller: MeetingControl? {
    if case .controller(let control) = decider.part { control } else { nil }
  }
}
