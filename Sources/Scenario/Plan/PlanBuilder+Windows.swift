import Ladder
import Layout
import Plan
import Systems
import YAML

/// Reading of picture-in-picture windows, apps in the background, and containers of tiles.
extension PlanBuilder {
  /// Reads `{participant: teacher, size: 640x480, start-from-inline: true}`.
  func readWindow(_ view: Fields) -> PictureInPicture? {
    let key = "picture-in-picture"
    guard let own = Fields(view.take(key), "\(key) of \(view.subject)", reading) else { return nil }
    defer { own.finish() }
    let size = own.take("size").flatMap { readSize($0, "size", own) } ?? PictureInPicture.preferredSize
    let startsFromInline = own.flag("start-from-inline") ?? true
    guard let node = own.require("participant", example: "teacher"),
      let subject = readSubject(node, "participant", own)
    else { return nil }
    var window = PictureInPicture(subject, size: size)
    window.startsFromInline = startsFromInline
    return window
  }

  /// Reads a participant's id or `@automatic`.
  private func readSubject(_ node: Node, _ key: String, _ own: Fields) -> PictureInPicture.Subject? {
    if case .scalar(let scalar) = node, scalar.string.hasPrefix("@") {
      if scalar.string == "@automatic" { return .automatic }
      own.report(node, "\(key): '\(scalar.string)' is neither a participant nor '@automatic'")
      return nil
    }
    return participantID(node, key, own).map { .participant($0) }
  }

  /// Reads `true`, `none` or `{picture-in-picture: teacher, size: 640x480}`.
  func background(_ value: Node, of participant: Int, _ fields: Fields) -> TimelineAction? {
    if case .scalar(let scalar) = value {
      switch scalar.string {
      case "none": return .client(.background(Background()))
      case "true", "True", "TRUE":
        guard fields.plainText(of: value, "background") != nil else { return nil }
        return .client(.background(Background(startsWindow: true)))
      default:
        fields.report(value, "background: write 'true', 'none' or '{picture-in-picture: ID}'")
        return nil
      }
    }
    guard let own = Fields(value, "background", reading) else { return nil }
    defer { own.finish() }
    let usual = participants[participant].view?.window?.size ?? PictureInPicture.preferredSize
    let size = own.take("size").flatMap { readSize($0, "size", own) } ?? usual
    guard let node = own.require("picture-in-picture", example: "teacher"),
      let subject = readSubject(node, "picture-in-picture", own)
    else { return nil }
    return .client(.background(Background(window: PictureInPicture(subject, size: size))))
  }

  /// Reads a list of entries such as `{participant: teacher, observer: removed}`.
  func readObservers(_ view: Fields) -> [(participant: String, observer: ResignObserver)] {
    (view.list("observers") ?? []).compactMap { node in
      guard let own = Fields(node, "observer", reading) else { return nil }
      defer { own.finish() }
      let who = own.require("participant", example: "teacher").flatMap {
        participantID($0, "participant", own)
      }
      let observer =
        own.require("observer", example: "removed") == nil ? nil : own.choice("observer", ResignObserver.self)
      guard let who, let observer else { return nil }
      return (participants[who].id, observer)
    }
  }

  /// Reads `{kind: list, size: 390x220, spacing: 8, columns: 2, own-tile: true, tiles: […]}`.
  func readContainer(_ node: Node) -> (container: TileContainer, sizes: [ViewPlan.TileSize])? {
    guard let own = Fields(node, "the container", reading) else { return nil }
    defer { own.finish() }
    let kind =
      own.require("kind", example: "list") == nil ? nil : own.choice("kind", TileContainer.Kind.self)
    let size = own.require("size", example: "390x220").flatMap { readSize($0, "size", own) }
    let spacing = own.integer("spacing", in: 0...1000) ?? 8
    let columns = own.take("columns")
    let count = columns == nil ? nil : own.integer("columns", in: 1...100)
    let hasOwnTile = own.flag("own-tile") ?? true
    let sizes = own.take("tiles").map { readTiles($0, own) } ?? []
    guard let kind, let size else { return nil }
    if let columns, kind != .grid {
      own.report(columns, "columns: only a grid has columns: remove the key, or write 'kind: grid'")
    }
    let container = TileContainer(
      kind: kind, tile: size, spacing: Double(spacing), columns: count ?? 2, hasOwnTile: hasOwnTile)
    return (container, sizes)
  }
}
