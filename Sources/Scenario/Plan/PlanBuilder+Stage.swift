import Ladder
import Plan
import Systems
import YAML

/// The neutral view: a stage, tiles, pages and screen shares.
extension PlanBuilder {
  static let stageKeys = ["stage", "share", "page", "per-page"]
  static let pages = 1...10_000
  static let weights = 0.001...1000.0

  /// Reads a view's `stage`, `share`, `page` and `per-page`.
  func readStage(_ stage: Node?, _ fields: Fields, _ viewers: Range<Int>, _ plan: inout ViewPlan) {
    plan.showsShares = fields.flag("share") ?? true
    plan.tilesPerPage = fields.integer("per-page", in: Self.pages)
    if let page = fields.integer("page", in: Self.pages) { plan.page = page }
    switch plan.arrangement {
    case .tiles, .everybody: break
    case .request, .layout, .grid, .container, .signals:
      for key in ["page", "per-page"] where fields.take(key) != nil {
        fields.report(
          fields.key(key), "\(key): only 'tiles' and 'everybody' have pages: remove it, or write 'tiles'")
      }
    }
    if fields.take("page") != nil, plan.tilesPerPage == nil {
      fields.report(fields.key("page"), "page: without 'per-page' there is one page: add 'per-page: 16'")
    }
    guard let stage else { return }
    switch plan.arrangement {
    case .tiles, .everybody: break
    case .request, .layout, .grid, .container, .signals:
      fields.report(
        stage, "stage: only 'tiles' and 'everybody' stand beside a stage: remove it, or write 'tiles'")
      return
    }
    plan.stage = readStage(stage, fields)
    if let size = plan.stage?.size { noteLargeRequest([size], at: stage, of: viewers) }
  }

  /// Reads `ann` or `{participant: ann, size: 960x540}`.
  private func readStage(_ node: Node, _ fields: Fields) -> ViewPlan.TileSize? {
    guard case .mapping = node else {
      if case .scalar(let scalar) = node, Vocabulary.speaker.contains(scalar.string),
        participantNumbers[scalar.string] == nil
      {
        fields.report(node, "stage: '\(scalar.string)' is no participant: \(speakerView)")
        return nil
      }
      return participantID(node, "stage", fields).map {
        ViewPlan.TileSize(participant: participants[$0].id, size: ViewPlan.TileSize.stageSize)
      }
    }
    guard let own = Fields(node, "stage", reading) else { return nil }
    defer { own.finish() }
    let who = own.require("participant", example: "ann").flatMap { participantID($0, "participant", own) }
    let size = own.take("size").map { readSize($0, "size", own) } ?? ViewPlan.TileSize.stageSize
    let weight = own.number("weight", in: Self.weights)
    guard let who, let size else { return nil }
    var tile = ViewPlan.TileSize(participant: participants[who].id, size: size)
    tile.weight = weight
    return tile
  }

  /// Hint at views that follow the speaker.
  private var speakerView: String {
    let slots = "'request: [{quality: 720p30, priority: high}]', an entry without a participant"
    let view =
      !faults.system && type(of: system).description.features.contains(.layouts)
      ? "'layout: speaker', or \(slots)," : slots + ","
    return "a stage shows the one it names; in its place \(view) follows whoever speaks"
  }

  /// Reads a list of `{participant: ann, size: 640x360}`, or a mapping `{ann: 640x360}`; `ann/screen` is a screen share.
  func readTiles(_ node: Node, _ fields: Fields) -> [ViewPlan.TileSize] {
    switch node {
    case .sequence(let entries): return entries.compactMap(readTile)
    case .mapping(let entries):
      return entries.compactMap { name, size in
        guard let source = sourceID(name, "tiles", fields), let size = readSize(size, "tiles", fields) else {
          return nil
        }
        return tile(of: source, size)
      }
    case .scalar(let scalar) where Vocabulary.everybody.contains(scalar.string):
      fields.report(
        node, "tiles: for everybody write 'everybody: 320x180' in place of 'tiles: \(scalar.string)'")
      return []
    case .scalar:
      fields.report(
        node,
        "'tiles' must be a mapping such as '{ann: 640x360}', or a list of entries such as '{participant: ann, size: "
          + "640x360}'")
      return []
    }
  }

  private func readTile(_ entry: Node) -> ViewPlan.TileSize? {
    if case .scalar(let scalar) = entry {
      reading.report(
        entry,
        "tiles: '\(scalar.string)' has no size: write '{participant: \(scalar.string), size: 320x180}', or "
          + "'tiles: {\(scalar.string): 320x180}'")
      return nil
    }
    guard let own = Fields(entry, "tile", reading) else { return nil }
    defer { own.finish() }
    let source = own.require("participant", example: "ann").flatMap { sourceID($0, "participant", own) }
    let size = own.require("size", example: "640x360").flatMap { readSize($0, "size", own) }
    let weight = own.number("weight", in: Self.weights)
    guard let source, let size else { return nil }
    var tile = tile(of: source, size)
    tile.weight = weight
    return tile
  }

  private func tile(of source: SignalledSource, _ size: Resolution) -> ViewPlan.TileSize {
    var tile = ViewPlan.TileSize(participant: participants[source.participant].id, size: size)
    tile.isScreenShare = source.isScreen
    return tile
  }
}
