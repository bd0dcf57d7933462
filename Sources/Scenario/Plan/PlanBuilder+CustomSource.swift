import Ladder
import Plan
import Quantity
import Systems
import YAML

/// Frames made by an app: `publish: {custom: …}` and `push-frames`.
extension PlanBuilder {
  /// Properties stated for frames besides their size and rate.
  struct FrameShape {
    var aspect: (ratio: FrameAspectRatio, node: Node)?
    var format: (pixels: FramePixels, node: Node)?
    var orientation: Orientation?
  }

  func readFrameShape(_ own: Fields) -> FrameShape {
    var shape = FrameShape()
    if let node = own.take("aspect") {
      shape.aspect = own.choice("aspect", FrameAspectRatio.self).map { ($0, node) }
    }
    if let node = own.take("format") {
      shape.format = own.choice("format", FramePixels.self).map { ($0, node) }
    }
    shape.orientation = own.choice("orientation", Orientation.self)
    return shape
  }

  /// Reports stated properties that frames of this size cannot have; `false` if there are any.
  private func check(_ shape: FrameShape?, of size: Resolution, _ fields: Fields) -> Bool {
    let text = "\(size.width)x\(size.height)"
    var isPossible = true
    if let aspect = shape?.aspect, FrameAspectRatio(of: size) != aspect.ratio {
      let own = FrameAspectRatio(of: size).map { "it is \($0.rawValue)" } ?? "it is neither 16:9 nor 4:3"
      fields.report(
        aspect.node, "aspect: \(text) is not \(aspect.ratio.rawValue), \(own): change one of the two")
      isPossible = false
    }
    if let format = shape?.format, format.pixels == .nv12, size.width % 2 + size.height % 2 > 0 {
      fields.report(
        format.node,
        "format: nv12 needs an even width and height, not \(text): change the size, or write bgra")
      isPossible = false
    }
    return isPossible
  }

  /// Checks whether the frames that a source states can be pushed at all; reports an error if not.
  func isPushable(_ format: VideoFormat, _ shape: FrameShape?, _ node: Node, _ fields: Fields) -> Bool {
    let size = format.resolution
    let text = "\(size.width)x\(size.height)"
    guard FrameAspectRatio(of: size) != nil else {
      fields.report(
        node,
        "custom: \(text) is neither 16:9 nor 4:3, as custom frames must be: for an upright picture push a wide frame, "
          + "such as 1280x720, with 'orientation: landscape-left'")
      return false
    }
    let limit = system.traits.customSource.framePixels
    guard size.pixels <= limit else {
      fields.report(
        node,
        "custom: \(text) has more than \(limit) pixels, so that every push would fail (maxFrameSizeExceeded): push "
          + "smaller frames")
      return false
    }
    return check(shape, of: size, fields)
  }

  /// Adds to a main video the properties that it has while its app pushes frames, whose rate may change at any time.
  ///
  /// Receivers learn the temporal layers of a camera's encodings at the beginning, so its custom frames have the same
  /// number of layers, the highest ones. A dual-stream encoder is configured with a frame rate, which determines its
  /// recommended bit rate, so it accepts no more than the stated rate.
  func addCustomFrames(
    _ shape: FrameShape?, to source: inout VideoSourcePlan, _ ladders: (VideoFormat) -> Ladder
  ) {
    let limit = system.traits.customSource.framesPerSecond
    var full = ladders(VideoFormat(source.capture.resolution, framesPerSecond: limit))
    if full.lowStream != nil, source.capture.milliFramesPerSecond < limit * 1000 {
      full = ladders(source.capture)
    }
    if source.kind == .custom {
      source.ladder = full
      source.customFrames = CustomFrames(
        milliFramesPerSecond: source.capture.milliFramesPerSecond, size: source.capture.resolution,
        quarterTurns: shape?.orientation?.quarterTurns ?? 0, extent: .untilStopped)
      return
    }
    guard full.encodings.count == source.ladder.encodings.count else { return }
    for (index, encoding) in source.ladder.encodings.enumerated() {
      guard full.encodings[index].temporalLayers >= encoding.temporalLayers else { return }
      full.encodings[index].cumulativeBitrates = full.encodings[index].cumulativeBitrates
        .suffix(encoding.temporalLayers)
    }
    source.otherLadder = full
  }

  /// Reads `push-frames`: `stop`, or frames by number, for a time, or until they are stopped. Omitted values are
  /// taken from the participant's custom source.
  func pushFrames(_ value: Node, of participant: Int) -> TimelineAction? {
    if case .scalar(let scalar) = value {
      if scalar.string == "stop" { return .stopPushing }
      reading.report(
        value,
        "push-frames: '\(scalar.string)' is neither 'stop' nor a mapping such as '{fps: 24, size: 1280x720, for: 10s}'"
      )
      return nil
    }
    guard let own = Fields(value, "push-frames", reading) else { return nil }
    defer { own.finish() }
    let stated = participants[participant].camera?.customFrames
    let fps = own.number("fps", in: 1...240)
    let size = own.take("size").flatMap { readSize($0, "size", own) }
    let count = own.integer("count", in: 1...1_000_000)
    let length = own.duration("for", atLeast: .milliseconds(1))
    let shape = readFrameShape(own)
    if own.keys.contains("count"), let node = own.take("for") {
      own.report(node, "for: 'count' says how many frames there are: remove one of the two")
      return nil
    }
    for (key, example, isNeeded) in [("fps", "24", count != 1), ("size", "1280x720", true)]
    where stated == nil && isNeeded && !own.keys.contains(key) && !faults.sources.contains(participant) {
      own.report(
        nil,
        "push-frames needs '\(key)', such as '\(key): \(example)', where the participant does not publish 'custom' "
          + "frames that have one" + (key == "fps" ? ", or 'count: 1' for a single frame" : ""))
      return nil
    }
    guard let frameSize = size ?? stated?.size, check(shape, of: frameSize, own) else { return nil }
    let rate = fps.map { Int(($0 * 1000).rounded()) } ?? stated?.milliFramesPerSecond ?? 1000
    return .pushFrames(
      CustomFrames(
        milliFramesPerSecond: rate, size: frameSize,
        quarterTurns: shape.orientation?.quarterTurns ?? stated?.quarterTurns ?? 0,
        extent: count.map { .count($0) } ?? length.map { .duration($0) } ?? .untilStopped))
  }
}

/// Orientation of frames that an app pushes, which determines their rotation for display.
enum Orientation: String, CaseIterable {
  case portrait
  case landscapeLeft = "landscape-left"
  case portraitUpsideDown = "portrait-upside-down"
  case landscapeRight = "landscape-right"
  case unknown

  var quarterTurns: Int {
    switch self {
    case .portrait, .unknown: 0
    case .landscapeLeft: 1
    case .portraitUpsideDown: 2
    case .landscapeRight: 3
    }
  }
}

/// Pixel formats that an app's frames may have (iOS SDK).
enum FramePixels: String, CaseIterable {
  /// 1.5 bytes per pixel, with colour at half the resolution.
  case nv12
  /// 4 bytes per pixel.
  case bgra
}
