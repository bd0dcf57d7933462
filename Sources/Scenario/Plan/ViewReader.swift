import Ladder
import Layout
import Plan
import Systems
import Vendors
import YAML

/// Turns the view shared by one or more participants into a plan.
struct ViewReader: PlanReader {
  let draft: MeetingDraft
  /// All participants with this view.
  let viewers: Range<Int>

  func view(_ node: Node) -> ViewPlan? {
    guard let first = viewers.first else { return nil }
    let subject = "view of '\(participants[first].id)'"
    if case .scalar(let scalar) = node {
      reading.report(
        node,
        "\(subject): '\(scalar.string)' is not a mapping: write what is on the screen, such as "
          + "'{everybody: 320x180}', '{stage: ann, tiles: {bob: 320x180}}' or '{layout: gallery-25}'")
      return nil
    }
    guard let own = Entry<ViewSection>(node, subject, reading) else { return nil }
    var plan = own.plan
    let pins = (own.pin ?? []).compactMap { participant($0) }
    plan.pins = pins.map { participants[$0].id }
    plan.highPriority = id(own.highPriority)
    plan.override = own.override.flatMap { streamOverride($0) }
    plan.window = own.window.flatMap { window($0) }
    plan.observers = (own.observers ?? []).compactMap { entry in
      guard let who = id(entry.participant), let observer = entry.observer else { return nil }
      return (who, observer)
    }
    plan.preferences = (own.preferred ?? []).compactMap { preference($0) }
      .map { ($0.participant.map { participants[$0].id }, $0.preference) }
    plan.ownSizes = tiles(own.arrangement.container?.tiles)
    guard isArranged(own) else { return nil }
    warnOfForeignKeys(own)
    guard let arrangement = arrangement(own) else { return nil }
    plan.arrangement = arrangement
    plan.fallback = catalogue.systems.fallbackLayout
    // The default screen is a phone's if there is geometry; otherwise a point is a pixel.
    let hasGeometry = own.arrangement.grid != nil || own.arrangement.container != nil
    plan.screen = own.screen?.screen() ?? Screen(width: 390, height: 844, scale: hasGeometry ? 3 : 1)
    plan.statesScreen = own.screen != nil
    setStage(own, &plan)
    noteNotions(of: plan, pinning: pins, own)
    return plan
  }

  // MARK: Arrangement

  /// Checks that a view has exactly one arrangement, or only a stage.
  ///
  /// Nothing is reported if an arrangement is itself invalid, or an unknown key was meant as one.
  private func isArranged(_ own: Entry<ViewSection>) -> Bool {
    let known = ViewSection.arrangements
    let found = known.filter(own.states)
    if found.count > 1 {
      own.report(
        atKey: found[1],
        "\(own.fields.subject) has '\(found.joined(separator: "' and '"))', of which only one can be: remove the others"
      )
      return false
    }
    if found.count == 1 || own.states("stage") { return true }
    if !own.fields.keys.contains(where: { Vocabulary.meaning(of: $0, among: known) != nil }) {
      own.report(
        "\(own.fields.subject) needs 'stage' or exactly one of '\(known.joined(separator: "', '"))'")
    }
    return false
  }

  private func arrangement(_ own: Entry<ViewSection>) -> ViewPlan.Arrangement? {
    if let request = own.arrangement.request {
      let entries = self.request(request, isCall: false)
      checkSubjects(of: entries, at: request)
      note(entries.sizes, at: request)
      return .request(entries)
    }
    if let name = own.arrangement.layout {
      return catalogue.systems.layouts.first { $0.name == name }.map { .layout($0) }
    }
    if let name = own.arrangement.grid {
      return catalogue.systems.grids.first { $0.name == name }.map { .grid($0) }
    }
    if let tiles = own.arrangement.tiles {
      let sizes = self.tiles(tiles)
      if let own = sizes.first(where: { isSelf($0.participant) }) { reportSelf(own.participant, at: tiles) }
      note(sizes.map(\.size), at: tiles)
      return .tiles(sizes)
    }
    if let container = own.arrangement.container {
      guard let kind = container.kind, let size = container.size else { return nil }
      if container.states("columns"), kind != .grid {
        container.report(
          at: "columns", "columns: only a grid has columns: remove the key, or write 'kind: grid'")
      }
      return .container(
        TileContainer(
          kind: kind, tile: size, spacing: Double(container.spacing), columns: container.columns,
          hasOwnTile: container.hasOwnTile))
    }
    if let signals = own.arrangement.signals {
      return SignalReader(draft: draft, viewers: viewers).signals(signals.node).map { .signals($0) }
    }
    if let size = own.arrangement.everybody {
      if let field = own.fields.field("everybody") { note([size], at: field) }
      return .everybody(size)
    }
    return ViewSection.arrangements.contains(where: own.states) ? nil : .tiles([])
  }

  // MARK: Stage and tiles

  /// Checks whether a participant is the only viewer of the view; views of several may name one of them.
  private func isSelf(_ id: String) -> Bool {
    viewers.count == 1 && participants[viewers.lowerBound].id == id
  }

  private func reportSelf(_ id: String, at field: Field) {
    field.report("'\(id)' is the viewer itself, and nobody receives its own video: name somebody else")
  }

  /// Sets a view's stage and pages.
  private func setStage(_ own: Entry<ViewSection>, _ plan: inout ViewPlan) {
    let hasPages =
      switch plan.arrangement {
      case .tiles, .everybody: true
      case .request, .layout, .grid, .container, .signals: false
      }
    if !hasPages {
      for key in ["page", "per-page"] where own.states(key) {
        own.report(
          atKey: key, "\(key): only 'tiles' and 'everybody' have pages: remove it, or write 'tiles'")
      }
    }
    if own.states("page"), !own.states("per-page") {
      own.report(atKey: "page", "page: without 'per-page' there is one page: add 'per-page: 16'")
    }
    guard let field = own.stage else { return }
    guard hasPages else {
      return field.report(
        "only 'tiles' and 'everybody' stand beside a stage: remove it, or write 'tiles'")
    }
    plan.stage = stage(field)
    if let stage = plan.stage, isSelf(stage.participant) { reportSelf(stage.participant, at: field) }
    if let size = plan.stage?.size { note([size], at: field) }
  }

  /// Reads `ann`, `[ann]` or `{participant: ann, size: 960x540}`.
  private func stage(_ field: Field) -> ViewPlan.TileSize? {
    if case .sequence(let entries) = field.node {
      guard let only = entries.first, entries.count == 1 else {
        field.report(
          "a stage shows one participant: name one, such as 'stage: ann', and the others in 'tiles'")
        return nil
      }
      return stage(field.at(only))
    }
    guard case .mapping = field.node else {
      if let word = field.node.string, Vocabulary.speaker.contains(word), draft.people.numbers[word] == nil {
        field.report("'\(word)' is no participant: \(speakerView)")
        return nil
      }
      return id(field.name).map {
        ViewPlan.TileSize(participant: $0, size: ViewPlan.TileSize.stageSize)
      }
    }
    guard let own = Entry<StageSection>(field, "stage"), let who = id(own.participant),
      own.size != nil || !own.states("size")
    else { return nil }
    var tile = ViewPlan.TileSize(participant: who, size: own.size ?? ViewPlan.TileSize.stageSize)
    tile.weight = own.weight
    return tile
  }

  /// Hint about views that follow the speaker.
  private var speakerView: String {
    let slots = "'request: [{quality: 720p30, priority: high}]', an entry without a participant"
    let view = !draft.faults.system && has(call: "layout") ? "'layout: speaker', or \(slots)," : slots + ","
    return "a stage shows the one it names; in its place \(view) follows whoever speaks"
  }

  /// Reads a list of `{participant: ann, size: 640x360}`, or a mapping `{ann: 640x360}`; `ann/screen` is a screen share.
  private func tiles(_ field: Field?) -> [ViewPlan.TileSize] {
    guard let field else { return [] }
    switch field.node {
    case .sequence(let entries): return entries.compactMap(tile)
    case .mapping(let entries):
      return entries.compactMap { name, size in
        guard let source = source(field.at(name).name), let size = field.at(size).size() else { return nil }
        return tile(of: source, size)
      }
    case .scalar(let scalar) where Vocabulary.everybody.contains(scalar.string):
      field.report("for everybody write 'everybody: 320x180' in place of 'tiles: \(scalar.string)'")
    case .scalar(let scalar):
      if let tiles = Int(scalar.string), (1...10_000).contains(tiles) {
        field.report(
          "to have everybody on pages write '\(ViewSection.pages(of: tiles))' in place of 'tiles: \(scalar.string)'"
        )
        return []
      }
      reading.report(
        field.node,
        "'tiles' must be a mapping such as '{ann: 640x360}', or a list of entries such as '{participant: ann, size: "
          + "640x360}'")
    }
    return []
  }

  private func tile(_ entry: Node) -> ViewPlan.TileSize? {
    if case .scalar(let scalar) = entry {
      reading.report(
        entry,
        "tiles: '\(scalar.string)' has no size: write '{participant: \(scalar.string), size: 320x180}', or "
          + "'tiles: {\(scalar.string): 320x180}'")
      return nil
    }
    guard let own = Entry<TileSection>(entry, "tile", reading), let source = source(own.participant),
      let size = own.size
    else { return nil }
    var tile = tile(of: source, size)
    tile.weight = own.weight
    return tile
  }

  private func tile(of source: SignalledSource, _ size: Resolution) -> ViewPlan.TileSize {
    var tile = ViewPlan.TileSize(participant: participants[source.participant].id, size: size)
    tile.isScreenShare = source.isScreen
    return tile
  }

  // MARK: Windows, overrides and preferences

  private func window(_ own: Entry<WindowSection>) -> PictureInPicture? {
    guard let subject = windowSubject(own.participant) else { return nil }
    var window = PictureInPicture(subject, size: own.size)
    window.startsFromInline = own.startsFromInline
    return window
  }

  /// Returns a participant or `@automatic`.
  func windowSubject(_ name: Name?) -> PictureInPicture.Subject? {
    guard let name else { return nil }
    guard name.text.hasPrefix("@") else { return participant(name).map { .participant($0) } }
    if name.text == "@automatic" { return .automatic }
    name.report("'\(name.text)' is neither a participant nor '@automatic'")
    return nil
  }

  /// Reads `640x360` or `off`, which only the clients of some systems support.
  func streamOverride(_ field: Field) -> StreamOverride? {
    guard has(call: "override") else {
      let able = systems(calling: "override").joined(separator: ", ")
      reading.report(
        field.node,
        "override: policy '\(system.name)' does not support overrides of incoming video, only \(able) does")
      return nil
    }
    return field.node.string == "off" ? .off : field.size(or: "'off'").map { .size($0) }
  }

  /// Returns the preference for one subscriber, or for all if no participant is named.
  func preference(
    _ own: Entry<PreferenceSection>
  ) -> (participant: Int?, preference: StreamPreference)? {
    let who = participant(own.participant)
    guard has(call: "preferred") else {
      let able = systems(calling: "preferred").joined(separator: ", ")
      own.report(
        "preferred: policy '\(system.name)' does not support preferred resolutions, only \(able) does")
      return nil
    }
    guard own.states("size") || own.states("fps") else {
      own.report("preferred needs 'size' or 'fps', such as 'size: 640x480'")
      return nil
    }
    guard who != nil || !own.states("participant") else { return nil }
    return (who, own.preference)
  }

  /// Notes the sizes requested at a place in the file.
  func note(_ sizes: [Resolution], at field: Field) {
    draft.statements.note(sizes, requestedAt: field.node, by: viewers)
  }
}
