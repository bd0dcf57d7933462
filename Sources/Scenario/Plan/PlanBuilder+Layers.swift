import Ladder
import Parameters
import Plan
import Quantity
import Systems
import YAML

/// Sources whose layers are listed as measured by an SFU: `publish: {camera: {layers: […]}}`.
extension PlanBuilder {
  static let encodingNumbers = 0...7
  static let temporalNumbers = 0...3
  private static let ladderKeys = [
    "capture", "ladder", "low", "maximum", "minimum", "content", "degradation",
  ]

  /// Reads a source's `layers`.
  func readListedSource(
    _ node: Node, _ kind: VideoSourcePlan.Kind, _ source: Fields
  ) -> VideoSourcePlan? {
    for key in Self.ladderKeys where source.take(key) != nil {
      source.report(
        source.key(key), "\(key): listed layers have their own sizes and rates: remove '\(key)', or 'layers'")
    }
    let startsOn = source.flag("on") ?? true
    guard case .sequence(let nodes) = node, !nodes.isEmpty else {
      source.report(
        node,
        "'layers' must be a list of entries such as '{encoding: 0, temporal: 0, size: 320x180, fps: 7.5, bitrate: "
          + "49500 bps}'")
      return nil
    }
    var layers: [Layer] = []
    for node in nodes {
      guard let layer = readLayer(node) else { return nil }
      if layers.contains(where: { $0.id == layer.id }) {
        source.report(
          node,
          "layers: encoding \(layer.id.encoding) has temporal layer \(layer.id.temporal) already: keep one of them"
        )
        return nil
      }
      if let other = layers.first(where: { $0.id.encoding == layer.id.encoding }),
        other.format.resolution != layer.format.resolution
      {
        source.report(
          node, "layers: encoding \(layer.id.encoding) has another size already: an encoding has one")
        return nil
      }
      layers.append(layer)
    }
    let listed = ListedLayers(layers)
    let best = listed.layers.max { a, b in
      (a.format.resolution.pixels, a.format.milliFramesPerSecond)
        < (b.format.resolution.pixels, b.format.milliFramesPerSecond)
    }
    guard let best else { return nil }
    if let obstacle = listed.obstacle, purpose != .decision {
      let text =
        "layers: \(obstacle): no encoder here sends such layers, so only 'meetsim allocate' takes them"
      if purpose == .run { reading.report(node, text) } else { reading.warn(node, text) }
    }
    var plan = VideoSourcePlan(kind: kind, capture: best.format, ladder: listed.ladder, startsOn: startsOn)
    plan.listedLayers = listed
    return plan
  }

  private func readLayer(_ node: Node) -> Layer? {
    guard let own = Fields(node, "layer", reading) else { return nil }
    defer { own.finish() }
    let encoding = own.integer("encoding", in: Self.encodingNumbers) ?? 0
    let temporal = own.integer("temporal", in: Self.temporalNumbers) ?? 0
    let size = own.require("size", example: "320x180").flatMap { readSize($0, "size", own) }
    let fps = own.number("fps", in: 0...120)
    let rate = own.require("bitrate", example: "150 kbps").flatMap { _ in own.rate("bitrate") }
    guard let size, let rate else { return nil }
    guard rate <= .megabits(1_000_000) else {
      own.report(own.take("bitrate"), "bitrate: \(rate) is too large: at most 1 Tbit/s")
      return nil
    }
    return Layer(
      id: LayerID(encoding: encoding, temporal: temporal),
      format: VideoFormat(size, milliFramesPerSecond: Int(((fps ?? 0) * 1000).rounded())), bitrate: rate)
  }

  /// Reads a source's `levels`, among which a controller chooses.
  func readLevelledSource(
    _ node: Node, _ kind: VideoSourcePlan.Kind, _ source: Fields
  ) -> VideoSourcePlan? {
    for key in Self.ladderKeys where key != "capture" && source.take(key) != nil {
      source.report(
        source.key(key), "\(key): listed levels have their own sizes and rates: remove '\(key)', or 'levels'")
    }
    guard !faults.system else {
      source.stop()
      return nil
    }
    guard system.meetingRule != nil else {
      let able = catalogue.systems.entries.filter { $0.system().meetingRule != nil }.map { "'\($0.name)'" }
      source.report(
        source.key("levels"),
        "levels: policy '\(system.name)' orders no levels, only \(able.enumeration) does: write 'capture' "
          + "or 'layers'")
      return nil
    }
    let capture = source.take("capture").flatMap { readCapture($0, kind, source) }
    let startsOn = source.flag("on") ?? true
    guard case .sequence(let nodes) = node, !nodes.isEmpty else {
      source.report(
        node,
        "'levels' must be a list of entries such as '{size: 1280x720, bitrate: 1.5 Mbps, qoe: 1200}'")
      return nil
    }
    var levels: [QualityLevel] = []
    for node in nodes {
      guard let level = readLevel(node) else { return nil }
      if levels.contains(where: { $0.size == level.size && $0.bitrate == level.bitrate }) {
        source.report(node, "levels: this size has a level of \(level.bitrate) already: keep one of them")
        return nil
      }
      levels.append(level)
    }
    let sizes = levels.sizes
    guard let top = sizes.last, sizes.count <= Self.encodingNumbers.count else {
      source.report(node, "levels: \(sizes.count) sizes: at most \(Self.encodingNumbers.count)")
      return nil
    }
    let rate = capture?.milliFramesPerSecond ?? 30_000
    var plan = VideoSourcePlan(
      kind: kind, capture: capture ?? VideoFormat(top, milliFramesPerSecond: rate),
      ladder: Ladder(levels: levels, milliFramesPerSecond: rate), startsOn: startsOn)
    plan.levels = levels
    return plan
  }

  static let levelQoE = 1...QualityLevel.maximumQoE

  private func readLevel(_ node: Node) -> QualityLevel? {
    guard let own = Fields(node, "level", reading) else { return nil }
    defer { own.finish() }
    let size = own.require("size", example: "1280x720").flatMap { readSize($0, "size", own) }
    let rate = own.require("bitrate", example: "1.5 Mbps").flatMap { _ in own.rate("bitrate") }
    let qoe = own.require("qoe", example: "1200").flatMap { _ in own.integer("qoe", in: Self.levelQoE) }
    guard let size, let rate, let qoe else { return nil }
    guard rate > .zero, rate <= .megabits(1_000_000) else {
      own.report(own.take("bitrate"), "bitrate: \(rate) is out of range: above 0, at most 1 Tbit/s")
      return nil
    }
    return QualityLevel(size: size, bitrate: rate, qoe: qoe)
  }
}
