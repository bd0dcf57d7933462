import Allocation
import Ladder
import Quantity
import SimulationKernel

/// Frames that an app makes itself: BlueJeans' custom video source.
extension MeetingSimulation {
  /// The change of source takes this long without frames; no figure is published, half a second is our model.
  static let sourceChangeGap = SimDuration.milliseconds(500)
  /// An encoder takes in at most this many frames per second (our model; no cap is published).
  static let customFrameLimit = 30_000
  /// A pushed frame may have at most this many pixels (our model for `maxFrameSizeExceeded`).
  static let customSizeLimit = Resolution.p1080.pixels

  /// Puts custom frames in the camera's place, or the other way round.
  mutating func change(sourceOf number: Int, to kind: VideoSourcePlan.Kind, now: SimTime) -> String {
    guard let source = cameraOf[number] else { return "noVideoConnection" }
    guard sources[source].kind != kind else { return "unchanged" }
    sources[source].kind = kind
    sources[source].silentUntil = now + Self.sourceChangeGap
    if kind == .camera {
      setCapture(of: source, milliFramesPerSecond: sources[source].plan.capture.milliFramesPerSecond)
      setSizes(of: source, isPortrait: false)
    }
    return "ok"
  }

  mutating func push(_ frames: CustomFrames, by number: Int, kernel: inout Kernel) -> String {
    guard let source = cameraOf[number], sources[source].kind == .custom else {
      return "NotUsingCustomVideoSource"
    }
    guard !participants[number].isVideoMuted else { return "VideoMuted" }
    guard frames.size.pixels <= Self.customSizeLimit else { return "maxFrameSizeExceeded" }
    let isWide = frames.size.width * 9 == frames.size.height * 16
    let isFourToThree = frames.size.width * 3 == frames.size.height * 4
    guard isWide || isFourToThree else { return "unsupportedAspectRatio" }
    sources[source].pushesUntil = kernel.now + frames.duration
    setCapture(of: source, milliFramesPerSecond: min(frames.milliFramesPerSecond, Self.customFrameLimit))
    setSizes(of: source, isPortrait: frames.quarterTurns % 2 == 1)
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

  private mutating func setSizes(of source: Int, isPortrait: Bool) {
    let first = sources[source].firstEncoding
    for encoding in first..<first + sources[source].encodings {
      let size = encodings[encoding].plannedSize
      encodings[encoding].format = formatNumber(isPortrait ? size.rotated : size)
    }
  }
}
