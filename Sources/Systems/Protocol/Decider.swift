package import Allocation
package import Quantity

/// Part of a system's SFU that decides what each viewer gets.
package struct Decider: Sendable {
  package enum Part: Sendable {
    /// The policy, which reallocates a viewer's whole budget each time.
    case policy
    /// A server with memory for each viewer, and the rule of its decision alone, given the arriving layers and a
    /// budget. Without `create`, the policy decides in a meeting.
    case servers(any ServerRule, create: (@Sendable (SimTime) -> any ViewerServer)?)
    /// A controller that decides for all viewers and publishers at once.
    case controller(MeetingControl)

    /// Servers that share a viewer's downlink by a rule, at the times of a schedule.
    package static func servers(_ rule: any ServerRule, at schedule: any ServerSchedule) -> Part {
      .servers(rule) { _ in RuleServer(rule, schedule) }
    }
  }

  /// Policy that allocates a viewer's video budget; where another part decides, this is that part's decision on ample
  /// links.
  package var policy: any AllocationPolicy
  package var part: Part

  package init(_ policy: any AllocationPolicy, _ part: Part = .policy) {
    self.policy = policy
    self.part = part
  }
}

extension Decider {
  /// Indicates whether the policy decides what viewers get in a meeting.
  package var isPolicyInMeetings: Bool {
    switch part {
    case .policy, .servers(_, create: nil): true
    case .servers, .controller: false
    }
  }

  /// Indicates whether the policy also makes the decision alone, without packets. It then applies a decoder's limit
  /// itself; the subscriptions that reach a server's rule or a controller are within it already.
  package var isPolicyAlone: Bool { if case .policy = part { true } else { false } }
}

extension System {
  /// Creates the server that decides for a viewer; `nil` if the policy or a controller does.
  package func server(at now: SimTime) -> (any ViewerServer)? {
    if case .servers(_, let create?) = decider.part { create(now) } else { nil }
  }

  /// Controller that decides for all viewers and publishers at once; `nil` if each viewer is allocated separately.
  package var controller: MeetingControl? {
    if case .controller(let control) = decider.part { control } else { nil }
  }
}
