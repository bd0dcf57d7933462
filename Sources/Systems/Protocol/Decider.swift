package import Quantity

/// Part of a system's SFU that decides what each viewer is given.
package enum Decider: Sendable {
  /// The system's policy, which shares a viewer's whole budget each time.
  case policy
  /// A server for each viewer, which decides with a memory, and the rule of its decision alone, by arriving layers and a
  /// budget. Without `create` the policy decides in a meeting.
  case servers(any ServerRule, create: (@Sendable (SimTime) -> any ViewerServer)?)
  /// A controller that decides for all viewers and publishers at once.
  case controller(MeetingControl)

  /// Servers that share a viewer's downlink by a rule, at the times of a schedule.
  package static func servers(_ rule: any ServerRule, at schedule: any ServerSchedule) -> Decider {
    .servers(rule) { _ in RuleServer(rule, schedule) }
  }
}

extension System {
  /// Creates the part of the SFU that decides for a viewer; `nil` where the policy or a controller does.
  package func server(at now: SimTime) -> (any ViewerServer)? {
    if case .servers(_, let create?) = decider { create(now) } else { nil }
  }

  /// Controller that decides for all viewers and publishers at once; `nil` where each viewer's allocation is separate.
  package var controller: MeetingControl? {
    if case .controller(let control) = decider { control } else { nil }
  }
}
