import Plan

/// Destination of a link.
@usableFromInline
enum LinkRole: Equatable {
  case toSFU
  case toParticipant
  /// Leads to another link of an uplink.
  case onward(UInt16)
  /// Leads from a link that several uplinks share to the next link of the packet's participant.
  case sharedUplink
  /// Leads from a link that several downlinks share to the next link of the packet's participant.
  case sharedDownlink

  static func roles(in plan: MeetingPlan) -> [LinkRole] {
    var roles = [LinkRole?](repeating: nil, count: plan.links.count)
    for participant in plan.participants {
      for (place, link) in participant.up.enumerated() {
        let role =
          place + 1 < participant.up.count ? LinkRole.onward(UInt16(participant.up[place + 1])) : .toSFU
        roles[link] = roles[link] == nil || roles[link] == role ? role : .sharedUplink
      }
      for (place, link) in participant.down.enumerated() {
        let role = place + 1 < participant.down.count ? LinkRole.sharedDownlink : .toParticipant
        roles[link] = roles[link] == nil || roles[link] == role ? role : .sharedDownlink
      }
    }
    return roles.map { $0 ?? .toSFU }
  }
}
