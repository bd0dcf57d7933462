import Allocation
import Ladder
import Layout
import Network
import Plan
import Quantity
import Systems
import YAML

extension PlanBuilder {
  /// Keys for actions; an entry for a participant has exactly one.
  private enum ActionKey: String, CaseIterable {
    case speaks, mute, unmute, join, leave, background, foreground, request, layout, scroll, screen, resize,
      page, hide
    case show, pin, unpin
    case streamType = "stream-type"
    case override
    case muteRemote = "mute-remote"
    case muteContent = "mute-content"
    case source
    case pushFrames = "push-frames"
    case share, attach, detach
    case receive720p = "receive-720p"
    case preferred, signals
  }

  private static let actions = ActionKey.allCases.map(\.rawValue)

  func readTimelineEntry(_ node: Node) {
    guard let fields = Fields(node, "timeline entry", reading) else { return }
    defer { fields.finish() }
    // The action is read even if its time is unknown.
    let offset = (fields.require("at", example: "10s") == nil ? nil : fields.duration("at")) ?? .zero
    let at = SimTime.zero + offset
    if offset > duration {
      fields.report(fields.take("at"), "at: \(offset) is after the meeting's end (\(duration))")
    }
    if readTrafficSwitch(fields, at: at) { return }
    if let link = fields.take("link") {
      readLinkChanges(link, at: at, fields)
      return
    }
    guard let who = fields.require("participant", example: "ann"),
      let participant = participantID(who, "participant", fields)
    else {
      fields.know(Self.actions + Self.linkKeys)
      return
    }
    let keys = fields.keys
    let stated = keys.compactMap(ActionKey.init)
    fields.know(Self.actions)
    reportLinkKeys(fields, of: participants[participant].id)
    guard stated.count == 1, let key = stated.first, let value = fields.take(key.rawValue) else {
      if stated.count > 1 {
        let names = stated.map(\.rawValue).joined(separator: "' and '")
        fields.report(
          fields.key(stated[1].rawValue),
          "'\(names)' are \(stated.count) actions: give each an entry of its own")
      } else if keys.allSatisfy(["at", "participant"].contains) {
        fields.report(
          nil,
          "a timeline entry needs an action, such as 'speaks: 8s' or 'mute: video': 'meetsim list keys' has them all"
        )
      }
      return
    }
    warnOfForeignAction(fields, of: participant)
    guard let action = action(key, value, of: participant, fields) else { return }
    if case .shareScreen(let isOn) = action { shareEntries.append((value, at, participant, isOn)) }
    if case .client(.hide) = action, ignoresHiding(participant) {
      reading.warn(
        value,
        "hide: policy '\(system.name)' takes no notice of hidden tiles: they are asked for all the same")
    }
    if case .client(.pin(let other)) = action {
      statedPins.append(
        StatedPins(node: value, viewers: participant..<participant + 1, pinned: [other]))
    }
    timeline.append(TimelineEntry(at: at, participant: participant, action: action))
  }

  /// Reports link changes in an entry for a participant.
  private func reportLinkKeys(_ fields: Fields, of id: String) {
    for key in fields.keys where !Self.actions.contains(key) {
      let isOwn = Self.linkKeys.contains(key)
      guard isOwn || Vocabulary.meaning(of: key, among: Self.actions) == nil,
        let change = isOwn ? key : Vocabulary.meaning(of: key, among: Self.linkKeys)
      else { continue }
      fields.know([key])
      fields.report(
        fields.key(key),
        "\(key): the \(change) is a link's: write 'link: \(id)/down' in place of 'participant: \(id)'")
    }
  }

  private func action(
    _ key: ActionKey, _ value: Node, of participant: Int, _ fields: Fields
  ) -> TimelineAction? {
    let name = key.rawValue
    switch key {
    case .speaks: return fields.duration(name).map(TimelineAction.speaks)
    case .mute, .unmute: return muting(name, value, fields)
    case .join: return switched(name, fields).map { _ in .join }
    case .leave: return switched(name, fields).map { _ in .leave }
    case .foreground: return switched(name, fields).map { _ in .client(.background(nil)) }
    case .background: return background(value, of: participant, fields)
    case .request: return request(value, fields, by: participant)
    case .layout: return layout(value, fields)
    case .scroll: return scroll(value, fields)
    case .screen:
      return readScreen(value, fields, scale: participants[participant].view?.screen.scale)
        .map { .client(.screen($0)) }
    case .resize: return resize(value)
    case .page: return page(fields, by: participant)
    case .hide: return participantID(value, name, fields).map { .client(.hide(participant: $0)) }
    case .show: return participantID(value, name, fields).map { .client(.show(participant: $0)) }
    case .pin: return participantID(value, name, fields).map { .client(.pin(participant: $0)) }
    case .unpin: return participantID(value, name, fields).map { .client(.unpin(participant: $0)) }
    case .detach: return participantID(value, name, fields).map { .client(.detach(participant: $0)) }
    case .receive720p: return fields.flag(name).map { .client(.receive720p($0)) }
    case .muteRemote: return fields.flag(name).map { .client(.muteRemoteVideo($0)) }
    case .muteContent: return fields.flag(name).map { .client(.muteContent($0)) }
    case .override: return override(value)
    case .streamType: return streamType(value, fields)
    case .source: return source(value, of: participant, fields)
    case .share: return share(value, fields)
    case .pushFrames: return pushFrames(value, of: participant)
    case .attach: return attach(value)
    case .preferred:
      return readPreference(value, fields).map {
        .client(.prefer(participant: $0.participant, $0.preference))
      }
    case .signals: return readSignalChange(value, by: participant)
    }
  }

  private func request(_ value: Node, _ fields: Fields, by participant: Int) -> TimelineAction {
    let entries = readRequest(value, fields, isCall: true)
    noteLargeRequest(entries.sizes, at: value, of: participant..<participant + 1)
    return .client(.request(entries))
  }

  private func page(_ fields: Fields, by participant: Int) -> TimelineAction? {
    guard let page = fields.integer("page", in: Self.pages) else { return nil }
    guard participants[participant].view?.tilesPerPage != nil else {
      if faults.views.contains(participant) { return nil }
      fields.report(
        fields.key("page"),
        "page: '\(participants[participant].id)' has a single page: add 'per-page: 16' to its view")
      return nil
    }
    return .client(.page(page))
  }

  private func switched(_ key: String, _ fields: Fields) -> Bool? {
    guard let flag = fields.flag(key) else { return nil }
    if !flag { fields.report(fields.take(key), "\(key): write true, or remove the entry") }
    return flag ? true : nil
  }

  private func muting(_ key: String, _ value: Node, _ fields: Fields) -> TimelineAction? {
    switch fields.text(of: value, key) {
    case "video": return .muteVideo(key == "mute")
    case "audio": return .muteAudio(key == "mute")
    case let text?:
      fields.report(value, "\(key): '\(text)' is neither video nor audio")
      return nil
    case nil: return nil
    }
  }

  private func layout(_ value: Node, _ fields: Fields) -> TimelineAction? {
    guard let text = fields.text(of: value, "layout") else { return nil }
    if text == "custom" { return .client(.layout(nil)) }
    return fields.choice(value, "layout", text, BuiltInLayout.self).map { .client(.layout($0)) }
  }

  /// Reads `700`, for a jump, or `{to: 700, for: 400 ms}`.
  private func scroll(_ value: Node, _ fields: Fields) -> TimelineAction? {
    let range = 0...1_000_000
    guard case .mapping = value else {
      return fields.integer("scroll", in: range).map { .client(.scroll(to: $0, over: .zero)) }
    }
    guard let own = Fields(value, "scroll", reading) else { return nil }
    defer { own.finish() }
    let offset = own.require("to", example: "700") == nil ? nil : own.integer("to", in: range)
    let length =
      own.require("for", example: "400 ms") == nil
      ? nil : own.duration("for", atLeast: .milliseconds(1), atMost: .seconds(60))
    guard let offset, let length else { return nil }
    return .client(.scroll(to: offset, over: length))
  }

  private func resize(_ value: Node) -> TimelineAction? {
    guard let own = Fields(value, "resize", reading) else { return nil }
    defer { own.finish() }
    let who = own.require("participant", example: "ann").flatMap { participantID($0, "participant", own) }
    let size = own.require("to", example: "1280x720").flatMap { readSize($0, "to", own) }
    guard let who, let size else { return nil }
    return .client(.resize(participant: who, size))
  }

  private func streamType(_ value: Node, _ fields: Fields) -> TimelineAction? {
    guard has(.dualStreams) else {
      let able = systems(with: .dualStreams).joined(separator: ", ")
      fields.report(value, "stream-type: policy '\(system.name)' has no dual streams, only \(able) has")
      return nil
    }
    guard let own = Fields(value, "stream-type", reading) else { return nil }
    defer { own.finish() }
    let who = own.require("participant", example: "ann").flatMap { participantID($0, "participant", own) }
    guard own.require("type", example: "low") != nil, let low = lowOrHigh("type", own), let who else {
      return nil
    }
    return .client(.streamType(participant: who, low: low))
  }

  /// Reads `{participant: ann, size: 640x360}`; without a participant it applies to all, and the size may be `off` or
  /// `none`.
  private func override(_ value: Node) -> TimelineAction? {
    guard let own = Fields(value, "override", reading) else { return nil }
    defer { own.finish() }
    let stated = own.take("participant")
    let who = stated.flatMap { participantID($0, "participant", own) }
    guard let size = own.require("size", example: "640x360"), stated == nil || who != nil else { return nil }
    if case .scalar(let scalar) = size, scalar.string == "none" {
      return .client(.override(participant: who, nil))
    }
    return readOverride(size, "size", own).map { .client(.override(participant: who, $0)) }
  }

  private func source(_ value: Node, of participant: Int, _ fields: Fields) -> TimelineAction? {
    switch fields.text(of: value, "source") {
    case "camera": return .source(.camera)
    case "custom":
      if participants[participant].camera?.recordedFrames != nil {
        fields.report(
          value,
          "source: custom frames cannot take the place of a recorded camera: remove the entry, or 'frames' of "
            + "'\(participants[participant].id)'")
        return nil
      }
      return .source(.custom)
    case let text?:
      fields.report(value, "source: '\(text)' is neither camera nor custom")
      return nil
    case nil: return nil
    }
  }

  private func share(_ value: Node, _ fields: Fields) -> TimelineAction? {
    switch fields.text(of: value, "share") {
    case "screen": return .shareScreen(true)
    case "none": return .shareScreen(false)
    case let text?:
      fields.report(value, "share: '\(text)' is neither screen nor none")
      return nil
    case nil: return nil
    }
  }

  private func attach(_ value: Node) -> TimelineAction? {
    guard let own = Fields(value, "attach", reading) else { return nil }
    defer { own.finish() }
    let who = own.require("participant", example: "ann").flatMap { participantID($0, "participant", own) }
    let view = own.require("view", example: "main").flatMap { own.text(of: $0, "view") }
    guard let who, let view else { return nil }
    return .client(.attach(participant: who, view: view))
  }

  /// Reports participants who speak before they join.
  func checkTimeline() {
    for entry in timeline {
      guard let number = entry.participant, case .speaks = entry.action else { continue }
      guard entry.at < participants[number].joinsAt else { continue }
      reading.report(
        declarations[number].node,
        "'\(participants[number].id)' speaks at \(entry.at.sinceStart) but joins at "
          + "\(participants[number].joinsAt.sinceStart): change one of the times")
    }
  }
}
