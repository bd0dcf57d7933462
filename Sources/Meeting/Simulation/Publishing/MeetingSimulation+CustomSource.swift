import Allocation
import Ladder
import Media
import Quantity
import SimulationKernel

/// Frames that an app makes itself.
extension MeetingSimulation {
  /// The change of source takes this long without frames; no figure is published, half a second is our model.
  static let sourceChangeGap = SimDuration.milliseconds(500)
  /// An encoder takes in at most this many frames per second (our model; no cap is published).
  static let customFrameLimit = 30_000
  /// A pushed frame may have at most this many pixels (our model for `maxFrameSizeExceeded`).
  static let customSizeLimit = Resolution.p1080.pixels

  /// Puts custom frames in the camera's place, or the other way round.
  mutating func change(
    sourceOf number: Int, to kind: VideoSourcePlan.Kind, kernel: inout Kernel
  ) -> String {
    guard let source = cameraOf[number] else { return "noVideoConnection" }
    guard sources[source].kind != kind else { return "unchanged" }
    sources[source].kind = kind
    sources[source].silentUntil = kernel.now + Self.sourceChangeGap
    if kind == .camera {
      setCapture(of: source, milliFramesPerSecond: sources[source].plan.capture.milliFramesPerSecond)
      setSizes(of: source, frame: nil, isTurned: false, kernel: &kernel)
    }
    return "ok"
  }

  mutating func push(_ frames: CustomFrames, by number: Int, kernel: inout Kernel) -> String {
    guard let source = cameraOf[number], sources[source].kind == .custom else {
      return "NotUsingCustomVideoSource"
    }
    guard !participants[number].isVideoMuted else { return "VideoMuted" }
    guard frames.size.pixels <= Self.customSizeLimit else { return "maxFrameSizeExceeded" }
    guard Self.hasAllowedShape(frames.size) else { return "unsupportedAspectRatio" }
    sources[source].pushesUntil = kernel.now + frames.duration
    setCapture(of: source, milliFramesPerSecond: min(frames.milliFramesPerSecond, Self.customFrameLimit))
    setSizes(of: source, frame: frames.size, isTurned: frames.quarterTurns % 2 == 1, kernel: &kernel)
    return frames.milliFramesPerSecond > Self.customFrameLimit
      ? "ok, frames beyond 30 per second dropped" : "ok"
  }

  private mutating func setCapture(of source: Int, milliFramesPerSecond: Int) {
    sources[source].period = SimDuration(nanoseconds: 1_000_000_000_000 / Int64(milliFramesPerSecond))
    let first = sources[source].firstEncoding
    for encoding in first..<first + sources[source].encodings {
      let ratio = Double(milliFramesPerSecond) / Double(encodings[encoding].milliFramesPerSecond)
      encodings[encoding].captureDivisor = max(1, Int64(ratio.rounded()))
      encodings[encoding].isKeyFrameRequested = true
    }
  }

  /// 16:9 or 4:3, within 1 % for sizes such as 854x480 (the tolerance is our model).
  private static func hasAllowedShape(_ size: Resolution) -> Bool {
    [(16, 9), (4, 3)].contains { across, down in
      abs(size.width * down - size.height * across) * 100 <= size.height * across
    }
  }

  /// Gives the encodings the sizes at which they carry pushed frames, or their own (`nil`).
  ///
  /// Their rates stay, since a sender's limits are set per encoding. What viewers are offered keeps the sizes before any
  /// turn: a request for 720p means the frame's shorter side whichever way the device is held.
  private mutating func setSizes(of source: Int, frame: Resolution?, isTurned: Bool, kernel: inout Kernel) {
    let plan = sources[source].plan
    let first = sources[source].firstEncoding
    var sizes: [Resolution?] = plan.ladder.encodings.map(\.format.resolution)
    if let frame { sizes = plan.ladder.sizes(carrying: frame) }
    for (rung, size) in sizes.enumerated() {
      // An encoding that is not made goes on as the frame itself until nobody takes it.
      guard let size = size ?? frame else { continue }
      encodings[first + rung].format = formatNumber(isTurned ? size.rotated : size)
      var encoding = plan.ladder.encodings[rung]
      encoding.format.resolution = size
      encodings[first + rung].model = plan.model(of: encoding)
    }
    sources[source].ladder = plan.ladder.layers.compactMap { layer in
      guard let size = sizes[layer.id.encoding] else { return nil }
      var layer = layer
      layer.format.resolution = size
      return layer
    }
    refreshOffers(of: source)
    markViewersDirty(kernel: &kernel)
  }
}
