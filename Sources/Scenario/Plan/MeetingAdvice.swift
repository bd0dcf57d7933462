import Allocation
import Decision
import Ladder
import Media
import Network
import Plan
import Quantity
import Systems
import YAML

/// Advice on scenarios that can run but probably do not show what their authors expect.
struct MeetingAdvice: PlanReader {
  let draft: MeetingDraft
  let plan: MeetingPlan

  private var declarations: [(node: Node, name: String)] { draft.people.declarations }

  /// Warns of problems with the meeting as a whole.
  func run() {
    adviseOnViewers()
    adviseOnShares()
    adviseOnPages()
    adviseOnReceiveCaps()
    guard draft.purpose == .validation else { return }
    adviseOnProfiles()
    adviseOnVoices()
    adviseOnTiles()
    adviseOnLadders()
    adviseOnSendCap()
  }

  /// Warns of a meeting without viewers, in which no video is sent.
  private func adviseOnViewers() {
    // A call may request video without a view.
    let hasCalls = plan.timeline.contains { if case .client = $0.action { true } else { false } }
    guard !hasCalls, plan.participants.allSatisfy({ $0.view == nil }),
      let first = plan.participants.firstIndex(where: \.publishesVideo)
    else { return }
    reading.warn(
      declarations[first].node,
      "nobody watches: without a 'view' no video reaches anybody; add one, such as 'view: {everybody: 640x360}'"
    )
  }

  /// Warns of a receive cap that the system's servers ignore.
  private func adviseOnReceiveCaps() {
    guard !plan.system.traits.followsReceiveCap,
      let first = plan.participants.firstIndex(where: {
        $0.capabilities.receiveCap ?? .unlimited != .unlimited
      })
    else { return }
    reading.warn(
      declarations[first].node,
      "receive-cap: under '\(plan.system.name)' a server does not ask what a client accepts; remove it, or limit the link"
    )
  }

  /// Warns of a screen share that is turned on while already on.
  private func adviseOnShares() {
    var isOn = plan.participants.map { $0.screen?.startsOn ?? false }
    for entry in draft.statements.shares.sorted(by: { $0.at < $1.at }) {
      if entry.isOn, isOn[entry.participant] {
        let id = plan.participants[entry.participant].id
        reading.warn(
          entry.node,
          "share: '\(id)' shares its screen already, from the start unless 'publish' has 'screen: {capture: …, on: "
            + "false}'")
      }
      isOn[entry.participant] = entry.isOn
    }
  }

  /// Warns of pages beyond the last one, however many people are there.
  private func adviseOnPages() {
    for (node, viewer, page) in draft.statements.pages {
      guard let view = plan.participants[viewer].view, let size = view.tilesPerPage else { continue }
      let most = plan.participants.indices.count { $0 != viewer && plan.participants[$0].camera != nil }
      let last = view.lastPage(of: most)
      guard page > last else { continue }
      reading.warn(
        node,
        "page: '\(plan.participants[viewer].id)' sees at most \(most) others, \(size) a page: there is nothing beyond page "
          + "\(last)")
    }
  }

  /// Warns of a profile or a shared link that nothing refers to.
  private func adviseOnProfiles() {
    for profile in draft.links.defined where !draft.links.used.contains(profile.name) {
      reading.warn(
        profile.key,
        "link '\(profile.name)': nothing uses it; name it in 'up' or 'down' of a participant, or remove it")
    }
    let used = Set(participants.flatMap { $0.up + $0.down })
    for link in draft.links.shared where !used.contains(link.up) && !used.contains(link.down) {
      reading.warn(
        link.key,
        "shared link '\(link.name)': nobody uses it; name it in 'shared' of a participant, or remove it")
    }
  }

  /// Returns the first participant of each entry, since the others are identical.
  private var first: [Int] {
    var last = ""
    return plan.participants.indices.filter { number in
      defer { last = declarations[number].name }
      return declarations[number].name != last
    }
  }

  /// Returns the first viewer of each entry, at most a hundred of them, since each decision takes time.
  private var viewers: ArraySlice<Int> { first.filter { plan.participants[$0].view != nil }.prefix(100) }

  /// Warns of voices that reserve more than half of a downlink before any video.
  private func adviseOnVoices() {
    let microphones = plan.participants.indices.filter { plan.participants[$0].publishesAudio }
    let speaking = Set(
      plan.timeline.compactMap { entry in
        if case .speaks = entry.action { entry.participant } else { nil }
      })
    let speakers = plan.speech == .talkSpurts ? microphones : microphones.filter(speaking.contains)
    for viewer in viewers {
      let participant = plan.participants[viewer]
      let others = speakers.count { $0 != viewer }
      let voices =
        switch plan.audioForwarding {
        case .loudest(let most): min(most, others)
        case .all: others
        case .mixed: min(1, others)
        }
      let rate = microphones.map { plan.participants[$0].voice.wireRate }.max() ?? OpusVoice.wireRate
      let reserve = BitRate(
        bitsPerSecond: Int64(voices)
          * (plan.audioForwarding == .mixed ? OpusVoice.wireRate : rate).bitsPerSecond
      )
      .scaled(by: plan.rates.voiceHeadroom)
      let link = participant.down.min { capacity(of: $0) < capacity(of: $1) }
      guard let link, !capacity(of: link).admits(reserve.scaled(by: 2)) else { continue }
      reading.warn(
        declarations[viewer].node,
        "'\(participant.id)': \(voices) \(voices == 1 ? "voice reserves" : "voices reserve") \(reserve) of the "
          + "\(capacity(of: link)) of '\(plan.links[link].name)', before any video"
          + (voices > 1 ? "; 'audio: {forward: 1}' leaves it more" : ""))
    }
  }

  /// Returns the highest capacity that a link ever has, as far as it is stated.
  private func capacity(of link: Int) -> RateLimit {
    let profile = plan.links[link].parameters.capacity
    let changes = profile.changes.map(\.rate)
    let base: [BitRate]
    switch profile.base {
    case .constant(let rate): base = [rate]
    case .steps(let steps): base = steps.map(\.rate)
    case .trace: return .unlimited
    }
    return (base + changes).max().map(RateLimit.init) ?? .unlimited
  }

  /// Budget that limits nothing.
  private static let ample = BitRate.megabits(1_000_000)

  /// Warns of tiles that get nothing even with an unlimited budget, because no layer fits or because of the system's
  /// own limit. Notes settings that limit pictures although nobody may have set them.
  private func adviseOnTiles() {
    let rules = (type(of: plan.system).description.rules + RuleDescription.common).filter {
      $0.setting != nil
    }
    for viewer in viewers {
      let own = plan.participants[viewer]
      guard let decision = StandaloneAllocation(plan, viewer: viewer, at: own.joinsAt) else { continue }
      let rows = decision.rows(budget: Self.ample).rows
      noteLimits(of: viewer, rules, joining: rows)
      let empty = rows.filter { $0.layer == nil }
      if own.joinsAt == .zero, let row = empty.first(where: { $0.limitation == .layerMissing }) {
        let source = decision.sources[row.source]
        let least = source.layers.map(\.format.resolution).min { $0.pixels < $1.pixels }
        reading.warn(
          declarations[viewer].node,
          "'\(own.id)': no layer of '\(source.name)' fits its tile"
            + (least.map { ", the smallest is \($0.width)x\($0.height)" } ?? "")
            + ": make the tile larger, or give the source a smaller layer")
      }
      let hidden = empty.filter { $0.limitation == .policy }
      guard let first = hidden.first else { continue }
      let setting = rules.first { $0.name == first.rule }?.setting
      reading.warn(
        declarations[viewer].node,
        "'\(own.id)': policy '\(plan.system.name)' limits the streams of a viewer, and leaves out \(hidden.count) of those "
          + "on the screen" + (setting.map { ", by its '\($0)'" } ?? ""))
    }
  }

  /// Maximum number of moments in a viewer's own timeline at which its pictures are checked, since a decision takes
  /// time.
  private static let moments = 8

  /// Notes each setting that limits a viewer's pictures when links are no limit.
  ///
  /// - Parameter joining: decision at the time the viewer joins.
  private func noteLimits(
    of viewer: Int, _ rules: [RuleDescription], joining: [StandaloneAllocation.Row]
  ) {
    var left = rules
    func look(at rows: [StandaloneAllocation.Row]) {
      left.removeAll { rule in
        // A gate that blocks a request has its own warning.
        let limited = rows.filter {
          $0.rule == rule.name && $0.layer != nil && !($0.rule == "ReceiveGate" && $0.limitation != .none)
        }
        let lines = limited.compactMap { $0.layer?.format.resolution.lines }.max()
        guard let lines, let setting = rule.setting else { return false }
        let isOwn = RuleDescription.common.contains { $0.name == rule.name }
        note(
          viewer,
          "\(limited.count) \(limited.count == 1 ? "picture is" : "pictures are") limited to \(lines) lines by '\(setting)' of "
            + (isOwn ? "its 'capabilities'" : "policy '\(plan.system.name)'"))
        return true
      }
    }
    look(at: joining)
    let own = plan.participants[viewer]
    let acts = plan.timeline.filter { $0.participant == viewer && $0.at > own.joinsAt }
    for act in acts.prefix(Self.moments) where !left.isEmpty {
      let decision = StandaloneAllocation(plan, viewer: viewer, at: act.at + act.within)
      look(at: decision?.rows(budget: Self.ample).rows ?? [])
    }
  }

  /// Notes the sources for which the policy's own ladder has fewer lines or frames than are captured.
  private func adviseOnLadders() {
    for number in first {
      let own = plan.participants[number]
      for source in [own.camera, own.screen].compactMap({ $0 }) {
        guard source.fit != nil, let top = source.ladder.encodings.last?.format,
          !source.capture.isWithin(top),
          plan.system.ladder(
            of: source.kind == .screen ? .screen : .camera, capture: source.capture,
            clients: plan.participants.count
          ).encodings.last?.format == top
        else { continue }
        note(
          number,
          "policy '\(plan.system.name)' sends \(top) at most of a \(source.kind.rawValue) of \(source.capture), by its ladder"
        )
      }
    }
  }

  private func note(_ number: Int, _ message: String) {
    let (node, _) = declarations[number]
    let position = reading.position(of: node)
    draft.notes.append(
      Diagnostic(
        file: position.file, line: position.line, column: position.column,
        message: "'\(plan.participants[number].id)': \(message)", severity: .note))
  }

  /// Warns of a system's limit on what a participant may send.
  private func adviseOnSendCap() {
    guard let cap = plan.system.traits.sendCap.rate else { return }
    for number in first {
      let own = plan.participants[number]
      let encodings = [own.camera, own.screen].compactMap { $0 }.flatMap(\.ladder.encodings)
      let rate = encodings.reduce(BitRate.zero) { $0 + $1.bitrate }
      guard rate > cap else { continue }
      reading.warn(
        declarations[number].node,
        "'\(own.id)': policy '\(plan.system.name)' sends at most \(cap) of video, by its 'send-cap', of encodings of \(rate)"
      )
    }
  }
}
