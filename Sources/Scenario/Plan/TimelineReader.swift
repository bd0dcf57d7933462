import Network
import Plan
import Quantity
import Systems
import YAML

/// Turns timeline entries into actions, link changes, and starts and stops of cross traffic.
struct TimelineReader: PlanReader {
  let draft: MeetingDraft

  func read(_ node: Node) {
    let example = "{at: 10s, participant: ann, speaks: 8s}"
    guard let fields = Fields(node, "timeline entry", reading, example: example) else { return }
    defer { fields.finish() }
    // The rest is read even if the time is missing.
    let offset = fields.read(TimelineSection.self, only: ["at"]).at ?? .zero
    let at = SimTime.zero + offset
    if offset > draft.duration {
      fields.report(fields["at"], "at: \(offset) is after the meeting's end (\(draft.duration))")
    }
    if let key = TimelineSection.trafficNames.first(where: { fields[$0] != nil }) {
      let own = fields.read(TimelineSection.self, only: [key])
      guard let name = own.started ?? own.stopped,
        let flow = CrossTrafficReader(draft: draft).flow(name)
      else { return }
      draft.traffic.switches.append((flow, at, own.started != nil))
      return
    }
    fields.know(TimelineSection.trafficNames + ["link"])
    if fields["link"] != nil { readLinkChanges(fields, at: at) } else { readAction(fields, at: at) }
  }

  // MARK: Links

  /// Reads `{at: 45s, link: student-1/down, loss: 5 %, delay: 80 ms}`: one change per key, in the order of their
  /// declarations, since the keys of a mapping have none.
  private func readLinkChanges(_ fields: Fields, at time: SimTime) {
    let names = TimelineSection.changeNames
    let stated = names.filter(fields.keys.contains)
    let changes = stated.compactMap { fields.read(TimelineSection.self, only: [$0]).change }
    fields.know(names)
    if stated.isEmpty, fields.keys.allSatisfy(["at", "link"].contains) {
      fields.report(
        nil,
        "a timeline entry for a link needs at least one of \(names.joined(separator: ", ")), such as 'down: 2s'"
      )
    }
    guard let link = link(fields.read(TimelineSection.self, only: ["link"]).link) else { return }
    for change in changes {
      draft.links.changes.append((link, time, change))
      draft.timeline.append(TimelineEntry(at: time, participant: nil, action: .link(link, change)))
    }
  }

  /// Reports link changes in a participant's entry.
  private func reportLinkKeys(_ fields: Fields, of id: String) {
    let actions = TimelineSection.actionNames
    for key in fields.keys where !actions.contains(key) && !TimelineSection.personNames.contains(key) {
      let isOwn = TimelineSection.changeNames.contains(key)
      guard isOwn || Vocabulary.meaning(of: key, among: actions) == nil,
        let change = isOwn ? key : Vocabulary.meaning(of: key, among: TimelineSection.changeNames)
      else { continue }
      fields.know([key])
      fields.report(
        fields.key(key),
        "\(key): the \(change) is a link's: write 'link: \(id)/down' in place of 'participant: \(id)'")
    }
  }

  // MARK: Actions

  private func readAction(_ fields: Fields, at time: SimTime) {
    let names = TimelineSection.actionNames
    _ = fields.require("participant", example: "ann")
    guard let participant = participant(fields.read(TimelineSection.self, only: ["participant"]).participant)
    else { return fields.know(names + ["within"] + TimelineSection.changeNames) }
    fields.know(names + ["within"])
    reportLinkKeys(fields, of: participants[participant].id)
    let stated = fields.keys.filter(names.contains)
    guard let key = stated.first, stated.count == 1, let field = fields.field(key) else {
      if stated.count > 1 {
        fields.report(
          fields.key(stated[1]),
          "'\(stated.joined(separator: "' and '"))' are \(stated.count) actions: give each an entry of its own"
        )
      } else if fields.keys.allSatisfy(TimelineSection.personNames.contains) {
        fields.report(
          nil,
          "a timeline entry needs an action, such as 'speaks: 8s' or 'mute: video': 'meetsim list keys' has them all"
        )
      }
      return
    }
    warnOfForeignAction(fields, of: participant)
    let reader = ActionReader(draft: draft, actor: participant, field: field)
    guard let action = fields.read(TimelineSection.self, only: [key]).action?.plan(reader) else { return }
    note(action, of: participant, field.node, at: time)
    let within = span(fields, of: action, from: time)
    draft.timeline.append(TimelineEntry(at: time, participant: participant, action: action, within: within))
  }

  /// Reads how long after its earliest time a viewer's call may be made.
  private func span(_ fields: Fields, of action: TimelineAction, from time: SimTime) -> SimDuration {
    guard let within = fields.read(TimelineSection.self, only: ["within"]).within else { return .zero }
    guard case .client = action else {
      fields.report(
        fields.key("within"),
        "within: only calls of a viewer's client, such as 'resize', have a drawn time: remove it")
      return .zero
    }
    let end = SimTime.zero + draft.duration
    if time + within > end {
      fields.report(
        fields["within"],
        "within: \(within) from \(time.sinceStart) on ends after the meeting (\(draft.duration)): make it shorter"
      )
    }
    return within
  }

  /// Notes actions that are checked once the whole timeline is known.
  private func note(_ action: TimelineAction, of participant: Int, _ node: Node, at time: SimTime) {
    switch action {
    case .shareScreen where participants[participant].screen == nil:
      guard !draft.faults.sources.contains(participant) else { return }
      reading.report(
        node, "share: '\(participants[participant].id)' publishes no screen: add 'screen' to its 'publish'")
    case .shareScreen(let isOn): draft.statements.shares.append((node, time, participant, isOn))
    case .client(.hide) where ignoresHiding(participant):
      reading.warn(
        node, "hide: policy '\(system.name)' takes no notice of hidden tiles: they are asked for all the same"
      )
    case .client(.pin(let other)):
      draft.statements.pins.append((node, participant..<participant + 1, [other]))
    case .client(.page(let page)): draft.statements.pages.append((node, participant, page))
    default: break
    }
  }

  /// Checks whether a viewer's hidden tiles are still requested; `false` for a view that could not be read.
  private func ignoresHiding(_ viewer: Int) -> Bool {
    guard !draft.faults.system, !draft.faults.views.contains(viewer) else { return false }
    return ignores(.hiding, participants[viewer].view)
  }

  /// Warns of actions that the meeting's system does not have, and says what happens instead.
  private func warnOfForeignAction(_ entry: Fields, of participant: Int) {
    let quality = "the qualities count as sizes of tiles"
    warn("request", "stream requests", entry, effect: "priorities have no effect, and \(quality)")
    warn("layout", "built-in layouts", entry, effect: "of this one, \(quality)")
    let isFutile = gate(of: participant) == nil
    warn(
      "receive-720p", "720p gate", entry,
      effect: isFutile ? "cameras of one encoding come as they are" : "here it caps pictures all the same")
  }
}
