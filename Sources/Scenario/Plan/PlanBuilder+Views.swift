import Allocation
import Ladder
import Layout
import Parameters
import Plan
import Quantity
import Systems
import YAML

extension PlanBuilder {
  /// Reads the view that one or more participants have in common.
  func readView(_ node: Node, of viewers: Range<Int>) -> ViewPlan? {
    guard let first = viewers.first else { return nil }
    let id = participants[first].id
    if case .scalar(let scalar) = node {
      reading.report(
        node,
        "view of '\(id)': '\(scalar.string)' is not a mapping: write what is on the screen, such as "
          + "'{everybody: 320x180}', '{stage: ann, tiles: {bob: 320x180}}' or '{layout: gallery-25}'")
      return nil
    }
    guard let fields = Fields(node, "view of '\(id)'", reading) else { return nil }
    defer { fields.finish() }
    fields.know(Self.stageKeys)
    let request = fields.take("request")
    let layout = fields.choice("layout", BuiltInLayout.self)
    let grid = fields.word("grid", among: catalogue.systems.grids.map(\.name))
    let stage = fields.take("stage")
    let tiles = fields.take("tiles")
    let everybody = fields.take("everybody")
    let container = fields.take("container")
    let signals = fields.take("signals")
    let stated = [
      request != nil, layout != nil, grid != nil, tiles != nil, everybody != nil, container != nil,
      signals != nil,
    ].count { $0 }
    let screen = fields.take("screen").flatMap { readScreen($0, fields) }
    let pins = (fields.list("pin") ?? []).compactMap { participantID($0, "pin", fields) }
    let defaultIsLow = lowOrHigh("default-stream", fields)
    let observer = fields.choice("background", ResignObserver.self)
    let override = fields.take("override").flatMap { readOverride($0, "override", fields) }
    let follows = fields.flag("follow-screen") ?? true
    let window = readWindow(fields)
    let observers = readObservers(fields)
    let preferences = (fields.list("preferred") ?? []).compactMap { readPreference($0, fields) }
    guard stated == 1 || stated == 0 && stage != nil else {
      reportArrangement(fields)
      return nil
    }
    warnOfForeignKeys(fields)
    let arrangement: ViewPlan.Arrangement
    var ownSizes: [ViewPlan.TileSize] = []
    if let request {
      let entries = readRequest(request, fields, isCall: false)
      checkSubjects(of: entries, at: request, viewers, fields)
      noteLargeRequest(entries.sizes, at: request, of: viewers)
      arrangement = .request(entries)
    } else if let layout {
      arrangement = .layout(layout)
    } else if let grid = catalogue.systems.grids.first(where: { $0.name == grid }) {
      arrangement = .grid(grid)
    } else if let tiles {
      let sizes = readTiles(tiles, fields)
      noteLargeRequest(sizes.map(\.size), at: tiles, of: viewers)
      arrangement = .tiles(sizes)
    } else if let container {
      guard let own = readContainer(container) else { return nil }
      arrangement = .container(own.container)
      ownSizes = own.sizes
    } else if let signals {
      guard let own = readSignals(signals, of: viewers) else { return nil }
      arrangement = .signals(own)
    } else if stated == 0 {
      arrangement = .tiles([])
    } else {
      guard let everybody, let size = readSize(everybody, "everybody", fields) else { return nil }
      noteLargeRequest([size], at: everybody, of: viewers)
      arrangement = .everybody(size)
    }
    // The default screen is a phone's where there is geometry; otherwise a point is a pixel.
    let hasGeometry = grid != nil || container != nil
    var plan = ViewPlan(
      arrangement: arrangement,
      screen: screen ?? Screen(width: 390, height: 844, scale: hasGeometry ? 3 : 1),
      pins: pins.map { participants[$0].id },
      defaultStreamIsLow: defaultIsLow, followsScreen: follows, resignObserver: observer,
      override: override)
    plan.statesScreen = screen != nil
    plan.window = window
    plan.observers = observers
    plan.preferences = preferences.map { ($0.participant.map { participants[$0].id }, $0.preference) }
    plan.ownSizes = ownSizes
    readStage(stage, fields, viewers, &plan)
    noteNotions(of: plan, pinning: pins, fields, viewers)
    return plan
  }

  /// Reports that a view has no arrangement, or several; says nothing if an arrangement has an error of its own, or
  /// an unknown key was meant as one.
  private func reportArrangement(_ fields: Fields) {
    let known = ["request", "layout", "grid", "tiles", "everybody", "container", "signals"]
    let found = known.filter(fields.keys.contains)
    if found.count > 1 {
      fields.report(
        fields.key(found[1]),
        "\(fields.subject) has '\(found.joined(separator: "' and '"))', of which only one can be: remove the others"
      )
      return
    }
    let isMeant = fields.keys.contains { Vocabulary.meaning(of: $0, among: known) != nil }
    guard found.isEmpty, !isMeant else { return }
    fields.report(
      nil, "\(fields.subject) needs 'stage' or exactly one of '\(known.joined(separator: "', '"))'")
  }

  /// Reads `390x844` or `390x844@3`: size in points, and pixels per point.
  ///
  /// - Parameter known: pixels per point if the text states none; `nil` for 1.
  func readScreen(_ node: Node, _ fields: Fields, scale known: Double? = nil) -> Screen? {
    guard let text = fields.text(of: node, "screen") else { return nil }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    let sides = parts[0].split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Double(plain: sides[0]), let height = Double(plain: sides[1]),
      let scale = parts.count == 1 ? known ?? 1 : Double(plain: parts[1]), parts.count <= 2,
      (100...10_000).contains(width),
      (100...10_000).contains(height), (1...4).contains(scale)
    else {
      fields.report(node, "screen: '\(text)' is not a size in points such as '390x844@3'")
      return nil
    }
    return Screen(width: width, height: height, scale: scale)
  }

  func readSize(
    _ node: Node, _ key: String, _ fields: Fields, or further: String? = nil
  ) -> Resolution? {
    guard let text = fields.text(of: node, key) else { return nil }
    if let named = Resolution.named.first(where: { $0.name == text }) { return named.resolution }
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int(plain: $0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1], (16...8192).contains(width),
      (16...8192).contains(height)
    else {
      fields.report(
        node,
        "\(key): '\(text)' is not a size such as '640x360' or '360p'\(further.map { ", nor \($0)" } ?? "")")
      return nil
    }
    return Resolution(width: width, height: height)
  }

  /// Reads `640x360` or `off`, which only the clients of some systems support.
  func readOverride(_ node: Node, _ key: String, _ fields: Fields) -> StreamOverrides.Override? {
    guard has(.overrides) else {
      let able = systems(with: .overrides).joined(separator: ", ")
      fields.report(
        node,
        "override: policy '\(system.name)' does not support overrides of incoming video, only \(able) does")
      return nil
    }
    if case .scalar(let scalar) = node, scalar.string == "off" { return .off }
    return readSize(node, key, fields, or: "'off'").map { .size($0) }
  }

  /// Reads a stream request. In a view it must be valid; as a call during the meeting it may have any error that the
  /// SDK reports.
  func readRequest(_ node: Node, _ fields: Fields, isCall: Bool) -> [StreamRequest] {
    guard case .sequence(let entries) = node else {
      fields.report(node, "'request' must be a list of entries such as '{quality: 720p30, priority: high}'")
      return []
    }
    var request: [StreamRequest] = []
    let before = reading.diagnostics.count
    for entry in entries {
      guard let own = Fields(entry, "request entry", reading) else { continue }
      let quality = readQuality(own, isCall: isCall)
      let priority = own.choice("priority", Priority.self)
      let count = own.integer("count", in: 1...100) ?? 1
      let subject = readSubject(own, isCall: isCall)
      own.finish()
      let one = StreamRequest(quality: quality, priority: priority, subject: subject)
      request += Array(repeating: one, count: count)
    }
    if !isCall {
      let failure = StreamRequestCheck.failure(
        of: request, isInMeeting: true, usesCustomLayout: true, hasVideoConnection: { _ in true })
      if let failure, reading.diagnostics.count == before {
        fields.report(node, "request: \(PlanBuilder.sentence(for: failure))")
      }
    }
    return request
  }

  private static func sentence(for failure: StreamRequestFailure) -> String {
    switch failure {
    case .emptyConfiguration: "the list is empty: request at least one stream"
    case .streamLimitExceeded:
      "more than \(StreamRequestCheck.limit) entries: this is the limit of custom layouts"
    case .invalidStreamPriorityCombination:
      "only some entries have a priority: set it for all or for none"
    case .duplicateParticipantIds(let ids): "'\(ids.joined(separator: "', '"))' is requested twice"
    case .missingPriorityOrParticipant: "an entry without a participant needs a priority"
    default: failure.name
    }
  }

  private func readQuality(_ own: Fields, isCall: Bool) -> VideoFormat? {
    guard let node = own.require("quality", example: "720p30"), let text = own.text(of: node, "quality")
    else {
      return nil
    }
    // The SDK's names, such as r720p_30fps, are accepted too.
    var plain = text
    if plain.hasPrefix("r"), plain.hasSuffix("fps") {
      plain = String(plain.dropFirst().dropLast(3))
      plain.replace("p_", with: "p", maxReplacements: 1)
    }
    if let format = try? VideoFormat(text: plain) {
      return checkQuality(format, at: node, text, own, isCall: isCall) ? format : nil
    }
    if !isCall { return own.parse(node, "quality", text, VideoFormat.init(text:)) }
    return nil
  }

  private func readSubject(_ own: Fields, isCall: Bool) -> StreamRequest.Subject {
    guard let node = own.take("participant"), let text = own.text(of: node, "participant") else {
      return .slot
    }
    if text == "@moderator" { return .moderator }
    if !isCall, participantID(node, "participant", own) == nil { return .slot }
    return .participant(text)
  }
}
