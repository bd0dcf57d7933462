/// Where a link leads.
enum LinkRole: Equatable {
  case toSFU
  case toParticipant
  /// To another link of an uplink.
  case onward(UInt16)
  /// From a link that several uplinks share to the next link of the packet's participant.
  case sharedUplink
  /// The same for downlinks.
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
