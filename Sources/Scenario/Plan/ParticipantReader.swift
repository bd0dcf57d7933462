import Media
import Network
import Plan
import Quantity
import Systems
import YAML

/// Turns entries of `participants` into plans.
struct ParticipantReader: PlanReader {
  let draft: MeetingDraft

  func read(_ nodes: [Node]) {
    draft.people.clients = Self.count(of: nodes)
    var views: [(range: Range<Int>, node: Node)] = []
    for node in nodes {
      if let name = node.string {
        reading.report(node, "'\(name)' is no participant: write '\(ParticipantSection.entry(of: name))'")
        draft.faults.note(name)
        continue
      }
      guard let entry = Entry<ParticipantSection>(node, "participant", reading) else {
        draft.faults.note(nil)
        continue
      }
      let first = participants.count
      read(entry)
      if let view = entry.view { views.append((first..<participants.count, view.node)) }
    }
    // Views may refer to participants further down the list.
    for view in views {
      guard let plan = ViewReader(draft: draft, viewers: view.range).view(view.node) else {
        draft.faults.views.formUnion(view.range)
        continue
      }
      draft.people.setView(plan, of: view.range)
    }
    checkPublishers()
  }

  /// Counts the participants that the entries stand for, as far as they are readable.
  private static func count(of nodes: [Node]) -> Int {
    nodes.reduce(0) { sum, node in
      guard case .mapping(let entry) = node,
        case .scalar(let count)? = entry.first(where: { $0.key.string == "count" })?.value
      else { return sum + 1 }
      return sum + max(1, min(Int(count.string) ?? 1, ParticipantSection.limit))
    }
  }

  private func read(_ entry: Entry<ParticipantSection>) {
    let limit = ParticipantSection.limit
    let isGroup = entry.states("count")
    if isGroup, entry.count == nil { draft.faults.note(entry.id?.text, isGroup: true) }
    guard participants.count + (entry.count ?? 1) <= limit else {
      return entry.report(
        "the meeting has more than \(limit) participants, each of which may have two links")
    }
    let links = LinkReader(draft: draft)
    let up = links.profile(entry.up).up
    let down = links.profile(entry.down).down
    let shared = shared(entry)
    let joinsAt = entry.join ?? .zero
    if joinsAt > draft.duration {
      entry.report(at: "join", "join: \(joinsAt) is after the meeting's end (\(draft.duration))")
    }
    let before = reading.diagnostics.count
    let sources = SourceReader(draft: draft, id: entry.id?.text).sources(entry)
    let isFaulty = reading.diagnostics.count > before
    // An entry with an invalid id, or an id under another key, is still read, so that the rest of the file is checked
    // too.
    guard let id = entry.id ?? entry.fields.value(meantAs: "id")?.name else {
      return draft.faults.note(nil, isGroup: isGroup)
    }
    if entry.id != nil, let problem = Identifier.problem(of: id.text) {
      id.report("'\(id.text)': \(problem)")
    }
    if id.text == "every" {
      reading.warn(
        id.field.node,
        "id: in an expectation 'every' means this participant alone now: write '*' for all, or choose another id"
      )
    }
    for number in 1...(entry.count ?? 1) {
      let name = entry.count == nil ? id.text : "\(id.text)-\(number)"
      guard draft.people.numbers[name] == nil else {
        return reading.report(id.field.node, "duplicate participant id '\(name)': choose another")
      }
      if isFaulty { draft.faults.sources.insert(participants.count) }
      let upLink = draft.links.add("\(name)/up", up)
      let downLink = draft.links.add("\(name)/down", down)
      var participant = ParticipantPlan(
        id: name, isModerator: entry.isModerator, up: [upLink] + shared.map(\.up),
        down: shared.reversed().map(\.down) + [downLink], camera: sources.camera, screen: sources.screen,
        publishesAudio: sources.voice != nil, joinsAt: .zero + joinsAt,
        capabilities: entry.capabilities?.values ?? Capabilities())
      participant.voice = sources.voice ?? VoiceSettings()
      participant.transport = entry.transport ?? .udp
      draft.people.add(
        participant, declared: (entry.fields.node, id.text))
    }
  }

  /// Returns the shared links of a participant, in order from its own link to the SFU.
  private func shared(_ entry: Entry<ParticipantSection>) -> [(up: Int, down: Int)] {
    var taken: Set<String> = []
    return (entry.shared ?? []).compactMap { name in
      guard let number = draft.links.sharedNumbers[name.text] else {
        if draft.faults.explain(name.text) { return nil }
        let known = draft.links.shared.prefix(Suggestion.limit).map(\.name)
        name.report(
          "there is no shared link '\(name.text)': \(Suggestion.text(for: name.text, among: known))")
        return nil
      }
      guard taken.insert(name.text).inserted else {
        name.report("'\(name.text)' is listed twice: remove one")
        return nil
      }
      let link = draft.links.shared[number]
      return (link.up, link.down)
    }
  }

  private func checkPublishers() {
    let publishing = participants.indices.filter { participants[$0].publishesVideo }
    let limit = MeetingPlan.publisherLimit
    let design = MeetingPlan.publishersByDesign
    if publishing.count > limit {
      let first = publishing[limit]
      reading.report(
        draft.people.declarations[first].node,
        "'\(participants[first].id)' is publisher number \(limit + 1) of \(publishing.count): at most \(limit) "
          + "participants can publish; omit 'publish' for those who only watch")
    } else if publishing.count > design {
      let first = publishing[design]
      reading.warn(
        draft.people.declarations[first].node,
        "'\(participants[first].id)' is publisher number \(design + 1) of \(publishing.count): clients are "
          + "designed for at most \(design) videos at a time, so not everybody is seen at once; omit 'publish' for "
          + "those who only watch")
    }
  }
}
