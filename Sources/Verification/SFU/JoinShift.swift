package import Meeting
package import Quantity
import Statistics

/// When publishers joined is known to about half a second: each seed has them join up to that much later.
package enum JoinShift {
  package static let longest = SimDuration.milliseconds(500)

  /// Shifts everybody who joins at the beginning, but not the viewer, nor one for whom the timeline has entries by then.
  package static func apply(to plan: inout MeetingPlan, viewer: Int, seed: UInt64) {
    let latest = SimTime.zero + longest
    for number in plan.participants.indices
    where number != viewer && plan.participants[number].joinsAt == .zero {
      guard !plan.timeline.contains(where: { $0.participant == number && $0.at <= latest }) else { continue }
      var stream = RandomStream(seed: seed, name: "verification/sfu/join/\(plan.participants[number].id)")
      plan.participants[number].joinsAt += SimDuration(
        nanoseconds: Int64(stream.uniform() * Double(longest.nanoseconds)))
    }
  }
}
