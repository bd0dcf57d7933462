import Allocation
import Ladder
import Media
import Network
import Plan
import Quantity
import Systems
import YAML

extension PlanBuilder {
  func readParticipants(_ fields: Fields) {
    let before = reading.diagnostics.count
    guard let nodes = fields.list("participants"), !nodes.isEmpty else {
      faults.note(nil)
      guard reading.diagnostics.count == before, !fields.reportsOther(for: "participants") else { return }
      fields.report(nil, "the scenario needs 'participants', a list of entries such as '{id: ann, …}'")
      return
    }
    system = system.adapted(toClients: Self.count(of: nodes))
    var views: [(range: Range<Int>, node: Node)] = []
    for node in nodes {
      guard let entry = Fields(node, "participant", reading) else {
        faults.note(nil)
        continue
      }
      let first = participants.count
      readParticipant(entry)
      if let view = entry.take("view") { views.append((first..<participants.count, view)) }
      entry.finish()
    }
    // Views may refer to participants further down the list.
    for view in views {
      guard let plan = readView(view.node, of: view.range) else {
        faults.views.formUnion(view.range)
        continue
      }
      for index in view.range { participants[index].view = plan }
    }
    checkPublishers()
  }

  /// Counts the participants that the entries stand for, as far as they can be read.
  private static func count(of nodes: [Node]) -> Int {
    nodes.reduce(0) { sum, node in
      guard case .mapping(let entry) = node,
        case .scalar(let count)? = entry.first(where: { $0.key.string == "count" })?.value
      else { return sum + 1 }
      return sum + max(1, min(Int(count.string) ?? 1, participantLimit))
    }
  }

  private func readParticipant(_ entry: Fields) {
    let idNode = entry.require("id", example: "ann")
    let id = idNode.flatMap { entry.text(of: $0, "id") }
    let limit = PlanBuilder.participantLimit
    let statesCount = entry.take("count") != nil
    let count = entry.integer("count", in: 1...limit)
    if statesCount, count == nil { faults.note(id, isGroup: true) }
    let total = participants.count + (count ?? 1)
    guard total <= limit else {
      entry.stop()
      entry.report(nil, "the meeting has more than \(limit) participants, each of which may have two links")
      return
    }
    let isModerator = readRole(entry)
    let up = profile(of: "up", entry)?.up ?? Self.ample.up
    let down = profile(of: "down", entry)?.down ?? Self.ample.down
    let household = readShared(entry)
    let joinsAt = entry.duration("join") ?? .zero
    if joinsAt > duration {
      entry.report(entry.take("join"), "join: \(joinsAt) is after the meeting's end (\(duration))")
    }
    let before = reading.diagnostics.count
    let publish = readPublish(entry)
    let isFaulty = reading.diagnostics.count > before
    let capabilities = readCapabilities(entry)
    guard let id, let idNode, isNamed(id, idNode, entry) else { return faults.note(id, isGroup: statesCount) }
    for number in 1...(count ?? 1) {
      let name = count == nil ? id : "\(id)-\(number)"
      guard participantNumbers[name] == nil else {
        entry.report(idNode, "duplicate participant id '\(name)': choose another")
        return
      }
      participantNumbers[name] = participants.count
      if isFaulty { faults.sources.insert(participants.count) }
      let upLink = addLink("\(name)/up", up)
      let downLink = addLink("\(name)/down", down)
      participants.append(
        ParticipantPlan(
          id: name, isModerator: isModerator, up: [upLink] + household.map(\.up),
          down: household.reversed().map(\.down) + [downLink], camera: publish.camera,
          screen: publish.screen, publishesAudio: publish.audio, joinsAt: .zero + joinsAt,
          capabilities: capabilities))
      declarations.append((entry.node, id))
    }
  }

  private func isNamed(_ id: String, _ node: Node, _ entry: Fields) -> Bool {
    guard !PlanBuilder.isIdentifier(id) else { return true }
    entry.report(node, "id: '\(id)': \(PlanBuilder.identifierRule)")
    return false
  }

  func addLink(_ name: String, _ parameters: LinkParameters) -> Int {
    // If a participant and a shared link have the same name, it refers to the first.
    if linkNumbers[name] == nil { linkNumbers[name] = links.count }
    links.append(LinkPlan(name: name, parameters: parameters))
    return links.count - 1
  }

  private func readRole(_ entry: Fields) -> Bool {
    guard let node = entry.take("role"), let text = entry.text(of: node, "role") else { return false }
    guard ["moderator", "guest"].contains(text) else {
      entry.report(node, "role: '\(text)' is neither moderator nor guest")
      return false
    }
    return text == "moderator"
  }

  /// Reads the shared links of a participant, in order from its own link to the SFU; either one name or a list.
  private func readShared(_ entry: Fields) -> [(name: String, up: Int, down: Int)] {
    guard let node = entry.take("shared") else { return [] }
    let nodes = if case .sequence(let names) = node { Array(names) } else { [node] }
    var taken: Set<String> = []
    return nodes.compactMap { node in
      guard let name = entry.text(of: node, "shared") else { return nil }
      guard let link = sharedNumbers[name] else {
        if faults.explain(name) { return nil }
        let hint = Suggestion.text(for: name, among: shared.prefix(Suggestion.limit).map(\.name))
        entry.report(node, "shared: there is no shared link '\(name)': \(hint)")
        return nil
      }
      guard taken.insert(name).inserted else {
        entry.report(node, "shared: '\(name)' is listed twice: remove one")
        return nil
      }
      return shared[link]
    }
  }

  private func readPublish(
    _ entry: Fields
  ) -> (camera: VideoSourcePlan?, screen: VideoSourcePlan?, audio: Bool) {
    guard let node = entry.take("publish") else { return (nil, nil, false) }
    if case .scalar(let scalar) = node {
      if scalar.string == "audio-only" { return (nil, nil, true) }
      entry.report(
        node, "publish: '\(scalar.string)' is neither 'audio-only' nor a mapping such as '{camera: 720p30}'")
      return (nil, nil, false)
    }
    guard let publish = Fields(node, "publish of \(entry.subject)", reading) else { return (nil, nil, false) }
    defer { publish.finish() }
    let camera = publish.take("camera").flatMap { readSource($0, .camera, publish) }
    let custom = publish.take("custom")
    if let custom, publish.take("camera") != nil {
      publish.report(
        custom,
        "custom: a participant has one main video: keep 'camera' or 'custom', and change between them by 'source' in "
          + "the timeline")
    }
    let app = custom.flatMap { readSource($0, .custom, publish) }
    let screen = publish.take("screen").flatMap { readSource($0, .screen, publish) }
    return (app ?? camera, screen, publish.flag("audio") ?? true)
  }

  private func readCapabilities(_ entry: Fields) -> Capabilities {
    var capabilities = Capabilities()
    guard let own = Fields(entry.take("capabilities"), "capabilities", reading) else { return capabilities }
    if let value = own.flag("receive-720p") { capabilities.receives720p = value }
    if let value = own.flag("custom-layout") { capabilities.customLayout = value }
    if let value = own.flag("multitasking-camera") { capabilities.multitaskingCamera = value }
    if let value = own.flag("picture-in-picture") { capabilities.pictureInPicture = value }
    capabilities.systemVersion = own.integer("ios", in: 1...99)
    capabilities.receiveCap = own.rate("receive-cap").map(RateLimit.init)
    capabilities.decode = readDecoderLimit(own)
    own.finish()
    return capabilities
  }

  static let decodeRates = 1...1_000_000_000_000

  private func readDecoderLimit(_ capabilities: Fields) -> DecoderLimit? {
    guard let node = capabilities.take("decode"), let own = Fields(node, "decode", reading) else {
      return nil
    }
    defer { own.finish() }
    guard !own.keys.isEmpty else {
      own.report(node, "decode needs 'pixels-per-second', 'streams' or both, such as '{streams: 4}'")
      return nil
    }
    return DecoderLimit(
      pixelsPerSecond: own.integer("pixels-per-second", in: Self.decodeRates),
      streams: own.integer("streams", in: 1...MeetingPlan.publisherLimit))
  }

  private func checkPublishers() {
    let publishing = participants.indices.filter { participants[$0].publishesVideo }
    let limit = MeetingPlan.publisherLimit
    let design = MeetingPlan.publishersByDesign
    if publishing.count > limit {
      let first = publishing[limit]
      reading.report(
        declarations[first].node,
        "'\(participants[first].id)' is publisher number \(limit + 1) of \(publishing.count): at most \(limit) "
          + "participants can publish; omit 'publish' for those who only watch")
    } else if publishing.count > design {
      let first = publishing[design]
      reading.warn(
        declarations[first].node,
        "'\(participants[first].id)' is publisher number \(design + 1) of \(publishing.count): clients are "
          + "designed for at most \(design) videos at a time, so not everybody is seen at once; omit 'publish' for "
          + "those who only watch")
    }
  }
}
