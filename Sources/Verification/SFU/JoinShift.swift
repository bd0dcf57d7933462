package import Plan
package import Quantity
import Statistics

/// Random delay of the publishers' joins in each run, since recordings give their times only to about half a second.
package enum JoinShift {
  package static let longest = SimDuration.milliseconds(500)

  /// Delays everybody that joins at the beginning, except for the viewer and participants with timeline entries within
  /// the maximum delay.
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
