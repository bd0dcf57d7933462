import Ladder
import Media
import Quantity
import SimulationKernel

/// Frames that an app makes itself.
extension Publishers {
  /// A change of source leaves a gap of this length without frames; no figure is published, half a second is our model.
  private static var sourceChangeGap: SimDuration { .milliseconds(500) }
  /// An encoder takes in at most this many frames per second [1/1000 Hz] (our model; no cap is published).
  private static var customFrameLimit: Int { 30_000 }
  /// A pushed frame may have at most this many pixels (our model for `maxFrameSizeExceeded`).
  private static var customSizeLimit: Int { Resolution.p1080.pixels }

  /// Puts custom frames in the camera's place, or the other way round.
  ///
  /// - Returns: the result by the vendor's name.
  mutating func change(sourceOf number: Int, to kind: VideoSourcePlan.Kind, at now: SimTime) -> String {
    guard let source = streams.cameraOf[number] else { return "noVideoConnection" }
    guard sources[source].capture.kind != kind else { return "unchanged" }
    sources[source].capture.kind = kind
    sources[source].capture.silentUntil = now + Self.sourceChangeGap
    guard kind == .camera else { return "ok" }
    setCapture(of: source, milliFramesPerSecond: sources[source].plan.capture.milliFramesPerSecond)
    setSizes(of: source, frame: nil, isTurned: false)
    return "ok"
  }

  mutating func push(_ frames: CustomFrames, by number: Int, at now: SimTime) -> String {
    guard let source = streams.cameraOf[number], sources[source].capture.kind == .custom else {
      return "NotUsingCustomVideoSource"
    }
    guard !states[number].isVideoMuted else { return "VideoMuted" }
    guard frames.size.pixels <= Self.customSizeLimit else { return "maxFrameSizeExceeded" }
    guard Self.hasAllowedShape(frames.size) else { return "unsupportedAspectRatio" }
    sources[source].capture.pushesUntil = now + frames.duration
    setCapture(of: source, milliFramesPerSecond: min(frames.milliFramesPerSecond, Self.customFrameLimit))
    setSizes(of: source, frame: frames.size, isTurned: frames.quarterTurns % 2 == 1)
    return frames.milliFramesPerSecond > Self.customFrameLimit
      ? "ok, frames beyond 30 per second dropped" : "ok"
  }

  private mutating func setCapture(of source: Int, milliFramesPerSecond: Int) {
    sources[source].capture.period = CaptureState.period(milliFramesPerSecond: milliFramesPerSecond)
    for encoding in sources[source].encodings {
      encoders[encoding].decimation = FrameDecimation(
        captured: milliFramesPerSecond, limit: encoders[encoding].milliFramesPerSecond)
      encoders[encoding].isKeyFrameRequested = true
    }
  }

  /// 16:9 or 4:3, within 1 % for sizes such as 854x480 (the tolerance is our model).
  private static func hasAllowedShape(_ size: Resolution) -> Bool {
    [(16, 9), (4, 3)].contains { across, down in
      abs(size.width * down - size.height * across) * 100 <= size.height * across
    }
  }

  /// Sets the encodings to the sizes at which they carry pushed frames, or to their own (`nil`).
  ///
  /// Their rates stay, since a sender's limits are set per encoding. Offers keep the sizes before any turn: a request
  /// for 720p means the frame's shorter side whichever way the device is held.
  private mutating func setSizes(of source: Int, frame: Resolution?, isTurned: Bool) {
    let plan = sources[source].plan
    var planned: [Resolution?] = plan.ladder.encodings.map(\.format.resolution)
    if let frame { planned = plan.ladder.sizes(carrying: frame) }
    for (index, size) in planned.enumerated() {
      // An encoding that is not made continues as the frame itself until nobody takes it.
      guard let size = size ?? frame else { continue }
      let number = sources[source].encodings.lowerBound + index
      encoders[number].output.size = sizes.number(of: isTurned ? size.rotated : size)
      var encoding = plan.ladder.encodings[index]
      encoding.format.resolution = size
      encoders[number].model = plan.model(of: encoding)
    }
    sources[source].ladder = plan.ladder.layers.compactMap { layer in
      guard let size = planned[layer.id.encoding] else { return nil }
      var layer = layer
      layer.format.resolution = size
      return layer
    }
    refreshOffers(of: source)
  }
}
