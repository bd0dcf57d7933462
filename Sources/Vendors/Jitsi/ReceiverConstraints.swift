import Allocation
import Layout
import Systems

/// Constraints on the videos that a client receives, as signalled to the bridge (`ReceiverVideoConstraints`). Sources
/// are indices.
struct ReceiverConstraints: Hashable, Sendable {
  struct Constraint: Hashable, Sendable {
    /// Maximum lines; 0 for no video, `nil` for any.
    var lines: Int?
    /// Rule that makes the lines fewer than the tile would show; `nil` for none.
    var rule: String?
  }

  /// Maximum number of videos; `nil` for any number.
  var lastN: Int?
  var onStage: [Int] = []
  var selected: [Int] = []
  /// Constraints by source, for lookup only.
  private var constraints: [Int: Constraint] = [:]
  /// Constraint of all other sources.
  var standard: Constraint

  init(standard: Constraint) { self.standard = standard }

  subscript(source: Int) -> Constraint {
    get { constraints[source] ?? standard }
    set { constraints[source] = newValue }
  }

  /// Returns the demand for a source.
  ///
  /// - Parameter rank: rank of its publisher in the order of speech; `nil` for a participant who has not spoken.
  func demand(of source: Int, speechRank rank: Int?) -> SourceDemand {
    var demand = SourceDemand()
    let staged = onStage.firstIndex(of: source)
    demand.isOnStage = staged != nil
    demand.place = staged ?? selected.firstIndex(of: source).map { $0 + onStage.count }
    demand.maximumLines = self[source].lines
    demand.speechRank = rank
    return demand
  }
}

/// Constraints from a view's `signals`.
extension ReceiverConstraints {
  static let declarations = [
    SignalDeclaration("last-n", .integer(-1...100_000), "most videos; -1, the default, for any number"),
    SignalDeclaration(
      "on-stage", .list(.source),
      "sources that are served first, up to 360p30 before all others; by default none"),
    SignalDeclaration(
      "selected", .list(.source), "sources that come next in order, and share with others; by default none"),
    SignalDeclaration(
      "constraints", .bySource(.integer(lines)), "maximum height of sources [px]; -1 for any, 0 for no video",
      sample: "{ann: 720}"),
    SignalDeclaration(
      "default-max-height", .integer(lines),
      "maximum height of sources without a constraint [px]; by default the policy's 'default-height'",
      sample: "180"),
  ]

  private static let lines = -1...16_384

  init(_ signals: ViewSignals, defaultHeight: Int, _ roster: Roster) {
    self.init(standard: Self.constraint(signals.integer("default-max-height") ?? defaultHeight))
    if signals.integer("default-max-height") == nil { standard.rule = "default-height" }
    lastN = signals.integer("last-n").flatMap { $0 < 0 ? nil : $0 }
    onStage = (signals.sources("on-stage") ?? []).compactMap { roster.source($0) }
    selected = (signals.sources("selected") ?? []).compactMap { roster.source($0) }
    for entry in signals.bySource("constraints") ?? [] {
      guard let source = roster.source(entry.source), let lines = entry.value.integer else { continue }
      self[source] = Self.constraint(lines)
    }
  }

  private static func constraint(_ lines: Int) -> Constraint { Constraint(lines: lines < 0 ? nil : lines) }
}

/// Constraints that jitsi-meet derives from its screen (`subscriber.ts`).
///
/// A view with a stage maps to its stage view, one with several pinned cameras to its stage filmstrip, and any other to
/// its tile view. A single pinned camera next to a stage has no effect; without a stage, that camera is the stage [our
/// model].
extension ReceiverConstraints {
  init(_ shown: [ShownSource], pins: [Int], screen: Screen, _ parameters: JitsiParameters, _ roster: Roster) {
    self.init(standard: Constraint(lines: 0))
    lastN = parameters.lastN < 0 ? nil : parameters.lastN
    let visible = shown.filter(\.isVisible)
    let pinned = pins.compactMap { pin in
      visible.first { $0.isPinned && Self.camera($0, roster) == pin }
    }
    if pinned.count > 1 {
      showFilmstrip(visible, pinned: pinned, screen, parameters, roster)
    } else if let staged = visible.first(where: \.isOnStage) ?? pinned.first {
      showStage(visible, staged: staged, screen, parameters, roster)
    } else {
      showTiles(visible, screen, parameters, roster)
    }
  }

  /// Returns the participant whose camera a source is; `nil` for a screen share.
  private static func camera(_ shown: ShownSource, _ roster: Roster) -> Int? {
    let source = roster.sources[shown.source]
    return source.isScreen ? nil : source.participant
  }

  /// Treats all tiles alike; screen shares are selected.
  private mutating func showTiles(
    _ visible: [ShownSource], _ screen: Screen, _ parameters: JitsiParameters, _ roster: Roster
  ) {
    let isMany = parameters.hasMore(visible.count)
    for tile in visible { ask(tile, JitsiQuality.tile(tile.size, screen), among: isMany, parameters) }
    selected = visible.map(\.source).filter { roster.sources[$0].isScreen }
  }

  private mutating func showStage(
    _ visible: [ShownSource], staged: ShownSource, _ screen: Screen, _ parameters: JitsiParameters,
    _ roster: Roster
  ) {
    let large = JitsiQuality.largeVideo(staged.size, screen)
    let tiles = visible.filter { $0.source != staged.source }
    let isMany = parameters.hasMore(tiles.count + (large.isFull ? 1 : 0))
    for tile in tiles { ask(tile, JitsiQuality.tile(tile.size, screen), among: isMany, parameters) }
    onStage = [staged.source]
    askStage(staged, large, parameters, roster)
  }

  /// Lets several cameras share the stage: they are selected, so no single one is served before all others.
  private mutating func showFilmstrip(
    _ visible: [ShownSource], pinned: [ShownSource], _ screen: Screen, _ parameters: JitsiParameters,
    _ roster: Roster
  ) {
    let share = visible.first { $0.isOnStage && roster.sources[$0.source].isScreen }
    let isShareFull = share.map { JitsiQuality.tile($0.size, screen).isFull } ?? false
    selected = pinned.map(\.source)
    onStage = share.map { [$0.source] } ?? []
    let tiles = visible.filter { !selected.contains($0.source) && $0.source != share?.source }
    let isCrowded = parameters.hasMore(pinned.count + (isShareFull ? 1 : 0))
    let isMany = isCrowded || parameters.hasMore(tiles.count + pinned.count)
    for tile in tiles { ask(tile, JitsiQuality.tile(tile.size, screen), among: isMany, parameters) }
    for tile in pinned { ask(tile, JitsiQuality.tile(tile.size, screen), among: isCrowded, parameters) }
    if let share { askStage(share, JitsiQuality.tile(share.size, screen), parameters, roster) }
  }

  /// Sets the constraint of a source: its quality, lowered among many tiles.
  private mutating func ask(
    _ shown: ShownSource, _ quality: JitsiQuality, among isMany: Bool = false, _ parameters: JitsiParameters
  ) {
    let capped = quality.capped(isMany)
    var constraint = Constraint(lines: min(capped.lines, parameters.preferredQuality))
    if parameters.preferredQuality < capped.lines {
      constraint.rule = "preferred-quality"
    } else if capped != quality {
      constraint.rule = "full-resolution"
    }
    self[shown.source] = constraint
  }

  /// Sets the constraint of a source on the stage; a screen share may come in any size.
  private mutating func askStage(
    _ shown: ShownSource, _ quality: JitsiQuality, _ parameters: JitsiParameters, _ roster: Roster
  ) {
    ask(shown, quality, parameters)
    if roster.sources[shown.source].isScreen, parameters.preferredQuality >= JitsiQuality.ultra.lines {
      self[shown.source] = Constraint(lines: nil)
    }
  }
}

extension JitsiParameters {
  /// Checks whether there are more tiles than may request full resolution.
  fileprivate func hasMore(_ count: Int) -> Bool {
    fullResolutionParticipants >= 0 && count > fullResolutionParticipants
  }
}
