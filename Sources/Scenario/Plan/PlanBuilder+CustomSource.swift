import Ladder
import Meeting
import Quantity
import Systems
import YAML

/// Frames that an app makes itself: `publish: {custom: …}` and `push-frames`.
extension PlanBuilder {
  /// What is stated of frames besides their size and rate.
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

  /// Reports what is stated of frames and cannot be of this size.
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

  /// Whether frames that a source states can be pushed at all.
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
    let limit = system.customSource.framePixels
    guard size.pixels <= limit else {
      fields.report(
        node,
        "custom: \(text) has more than \(limit) pixels, so that every push would fail (maxFrameSizeExceeded): push "
          + "smaller frames")
      return false
    }
    return check(shape, of: size, fields)
  }

  /// Adds to a main video what it is while its app pushes frames, whose rate may change at any time.
  ///
  /// Receivers learn the temporal layers of a camera's encodings at the beginning: those of its custom frames are as
  /// many, the highest ones. An encoder of dual streams is set to a frame rate, by which its bit rate is recommended: it
  /// takes no more than the stated one.
  func addCustomFrames(
    _ shape: FrameShape?, to source: inout VideoSourcePlan, _ ladders: (VideoFormat) -> Ladder
  ) {
    let limit = system.customSource.framesPerSecond
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

  /// Reads `push-frames`: `stop`, or frames by number, for a time, or until they are stopped. What is left out is as the
  /// participant's custom source states it.
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

/// Orientation of frames that an app pushes: how far they are turned for display.
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

/// Pixel formats that frames of an app may have (iOS SDK).
enum FramePixels: String, CaseIterable {
  /// 1.5 bytes a pixel, colour at half the resolution.
  case nv12
  /// 4 bytes a pixel.
  case bgra
}
