import Ladder
import Media
import Plan
import Quantity
import Systems
import YAML

/// Reading of cameras, custom sources and screen shares.
extension PlanBuilder {
  /// Reads a source: a capture format, or a mapping with one.
  func readSource(_ node: Node, _ kind: VideoSourcePlan.Kind, _ parent: Fields) -> VideoSourcePlan? {
    guard case .mapping = node else {
      return readCapture(node, kind, parent).flatMap {
        plan(kind, $0, ladder(of: kind), shape: nil, node, parent)
      }
    }
    guard let own = Fields(node, "\(kind.rawValue) of \(parent.subject)", reading) else { return nil }
    defer { own.finish() }
    if kind == .camera, let frames = own.take("frames") { return readRecordedCamera(frames, own) }
    if kind != .custom, let layers = own.take("layers") { return readListedSource(layers, kind, own) }
    if kind != .custom, let levels = own.take("levels") { return readLevelledSource(levels, kind, own) }
    guard let captureNode = own.require("capture", example: "720p30"),
      let capture = readCapture(captureNode, kind, own), let ladder = readLadder(of: kind, own)
    else {
      own.stop()
      return nil
    }
    let shape = kind == .custom ? readFrameShape(own) : nil
    guard var source = plan(kind, capture, ladder, shape: shape, node, parent) else {
      own.stop()
      return nil
    }
    if let startsOn = own.flag("on") { source.startsOn = startsOn }
    readLowStream(own, &source)
    readContent(own, &source)
    readMaximum(own, &source)
    readMinimum(own, &source)
    readDegradation(own, &source)
    return source
  }

  private func plan(
    _ kind: VideoSourcePlan.Kind, _ capture: VideoFormat, _ ladder: (VideoFormat) -> Ladder,
    shape: FrameShape?, _ node: Node, _ parent: Fields
  ) -> VideoSourcePlan? {
    if kind == .custom, !isPushable(capture, shape, node, parent) { return nil }
    var source = VideoSourcePlan(kind: kind, capture: capture, ladder: ladder(capture))
    if kind != .screen { addCustomFrames(shape, to: &source, ladder) }
    // An encoding that takes more than a participant may send is never sent in full.
    if let cap = system.traits.sendCap.rate { source.changeLadders { $0.limit(to: cap) } }
    return source
  }

  private func ladder(of kind: VideoSourcePlan.Kind) -> (VideoFormat) -> Ladder {
    { [system] in system.ladder(of: kind == .screen ? .screen : .camera, capture: $0) }
  }

  /// Reads the name of a ladder, by default the system's own; `nil` for an unknown one.
  private func readLadder(of kind: VideoSourcePlan.Kind, _ source: Fields) -> ((VideoFormat) -> Ladder)? {
    guard let node = source.take("ladder"), let name = source.text(of: node, "ladder") else {
      return ladder(of: kind)
    }
    guard let named = catalogue.systems.ladders.first(where: { $0.name == name }) else {
      let hint = Suggestion.text(for: name, among: catalogue.systems.ladders.map(\.name))
      source.report(node, "ladder: there is no '\(name)': \(hint)")
      return nil
    }
    return named.of
  }

  func readCapture(_ node: Node, _ kind: VideoSourcePlan.Kind, _ parent: Fields) -> VideoFormat? {
    guard let text = parent.text(of: node, kind.rawValue),
      let capture = parent.parse(node, kind.rawValue, text, VideoFormat.init(captureText:))
    else { return nil }
    guard capture.milliFramesPerSecond <= Self.captureLimit * 1000 else {
      parent.report(
        node, "\(kind.rawValue): '\(text)' is too fast: at most \(Self.captureLimit) frames per second")
      return nil
    }
    return capture
  }

  /// Largest frame rate that a source captures [Hz].
  static let captureLimit = 60

  /// Reads the low stream of a dual-stream ladder; its size takes the orientation of the capture.
  private func readLowStream(_ source: Fields, _ plan: inout VideoSourcePlan) {
    guard let node = source.take("low"), let own = Fields(node, "low stream of \(source.subject)", reading)
    else { return }
    defer { own.finish() }
    let ladder = plan.ladder
    guard let limits = ladder.lowStream, let high = ladder.encodings.last, var low = ladder.encodings.first
    else {
      own.stop()
      source.report(
        node,
        "low: this ladder has no low stream: use 'ladder: agora-dual', or 'policy: agora' without a ladder")
      return
    }
    let fastest = limits.format.milliFramesPerSecond / 1000
    if let node = own.take("size"), let size = readSize(node, "size", own) {
      if !size.fits(in: limits.format.resolution) {
        own.report(node, "size: \(size.width)x\(size.height) is too large: at most \(limits.sizes)")
      }
      if size.pixels > high.format.resolution.pixels {
        own.report(node, "size: the low stream is larger than the capture")
      }
      let isSquare = high.format.resolution.width == high.format.resolution.height
      low.format.resolution = isSquare ? size : size.turned(like: high.format.resolution)
    }
    if let rate = own.integer("fps", in: 1...fastest) {
      if rate * 1000 > high.format.milliFramesPerSecond {
        own.report(
          own.take("fps"),
          "fps: \(rate) is more than the capture has, \(high.format): lower it, or capture more frames")
      }
      low.format.milliFramesPerSecond = rate * 1000
    }
    if let rate = own.rate("bitrate") {
      if rate == .zero || rate > limits.bitrate {
        own.report(
          own.take("bitrate"), "bitrate: \(rate) is out of range: above 0, at most \(limits.bitrate)")
      } else if rate >= high.bitrate {
        own.report(
          own.take("bitrate"), "bitrate: \(rate) is not below the high stream's \(high.bitrate)")
      }
      low.cumulativeBitrates = [rate]
    }
    plan.changeLadders { $0.setLow(low.format, bitrate: low.bitrate) }
  }

  private func readMaximum(_ source: Fields, _ plan: inout VideoSourcePlan) {
    guard let maximum = source.rate("maximum") else { return }
    let ladder = plan.ladder
    let below = ladder.encodings.dropLast().last
    let least = below?.bitrate ?? ladder.encodings.last?.minimum ?? .zero
    guard maximum > least else {
      let cure = below == nil ? "raise it" : "raise it, capture a smaller picture or choose another ladder"
      let what =
        below.map { "the encoding below the highest, \($0.format.resolution)," } ?? "the encoder's minimum"
      source.report(
        source.take("maximum"),
        "maximum: \(maximum) leaves nothing for the highest encoding: \(what) has \(least); \(cure)")
      return
    }
    plan.changeLadders { $0.limit(to: maximum) }
  }

  private func readMinimum(_ source: Fields, _ plan: inout VideoSourcePlan) {
    guard let minimum = source.rate("minimum"), let lowest = plan.ladder.encodings.first else { return }
    guard sharesByItself("minimum", source) else { return }
    guard minimum <= lowest.bitrate else {
      source.report(
        source.take("minimum"),
        "minimum: \(minimum) is more than the lowest encoding's rate, \(lowest.bitrate): lower it")
      return
    }
    plan.minimum = minimum
    if lowest.hasLimits { plan.changeLadders { $0.encodings[0].minimum = minimum } }
  }

  private func readDegradation(_ source: Fields, _ plan: inout VideoSourcePlan) {
    guard let degradation = source.choice("degradation", DegradationPreference.self) else { return }
    guard sharesByItself("degradation", source) else { return }
    guard plan.ladder.encodings.count == 1 else {
      source.report(
        source.take("degradation"),
        "degradation: has no effect on \(plan.ladder.encodings.count) encodings, whose sizes are fixed: use "
          + "'ladder: single', or omit it")
      return
    }
    plan.degradation = degradation
  }

  /// Reports a key that has no effect where a controller assigns the bit rates of encodings; `false` if it does.
  private func sharesByItself(_ key: String, _ source: Fields) -> Bool {
    guard system.meetingRule != nil else { return true }
    source.report(
      source.key(key),
      "\(key): has no effect with policy '\(system.name)', whose controller orders the rates of encodings: remove it"
    )
    return false
  }

  /// Reads the content complexity: a name, or the bit rate that 720p30 needs without a limit.
  private func readContent(_ source: Fields, _ plan: inout VideoSourcePlan) {
    guard let content = readContent(source) else { return }
    plan.content = content
    plan.changeLadders { ladder in
      ladder.encodings = ladder.encodings.map { $0.hasLimits ? $0 : content.limiting($0) }
    }
  }

  private func readContent(_ source: Fields) -> ContentComplexity? {
    guard let node = source.take("content"), let text = source.text(of: node, "content") else { return nil }
    if let named = ContentComplexity.named.first(where: { $0.name == text }) { return named.content }
    if text.contains(where: \.isNumber) {
      guard let rate = source.parse(node, "content", text, BitRate.init(text:)) else { return nil }
      guard rate > .zero else {
        source.report(node, "content: '\(text)' is too small: it is the bit rate of 720p at good quality")
        return nil
      }
      guard rate <= ContentComplexity.uncompressed else {
        let most = ContentComplexity.uncompressed
        source.report(node, "content: '\(text)' is too large: 720p30 without compression takes \(most)")
        return nil
      }
      return ContentComplexity(ceiling: rate)
    }
    let names = ContentComplexity.named.map(\.name)
    source.report(
      node, "content: '\(text)' is neither \(names.joined(separator: " nor ")) nor a rate such as '1800 kbps'"
    )
    return nil
  }
}

extension LowStreamLimits {
  /// Largest sizes, in words.
  fileprivate var sizes: String {
    let size = format.resolution
    return "\(size.width)x\(size.height) or \(size.height)x\(size.width)"
  }
}

extension VideoSourcePlan {
  /// Changes the ladders of a camera and of its custom frames in the same way.
  fileprivate mutating func changeLadders(_ change: (inout Ladder) -> Void) {
    change(&ladder)
    if var other = otherLadder {
      change(&other)
      otherLadder = other
    }
  }
}
