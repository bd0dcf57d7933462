package import Ladder
package import Quantity

/// What a sender gives up first when its rate falls (W3C `degradationPreference`).
package enum DegradationPreference: String, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  case balanced
  case maintainFramerate = "maintain-framerate"
  case maintainResolution = "maintain-resolution"
}

/// The picture size of a sender with one encoding: starts small, climbs while the quantizer is low, and steps down while
/// it is high or frames are dropped.
///
/// After libwebrtc: the first size by `encoder_info_settings.cc`'s singlecast start rates (VP8); a check of the quantizer
/// every 2 s, every 5 s once the size has been lowered, over at least 60 frames (`quality_scaler.cc`); steps to 3/5 and
/// 5/3 of the pixels (`video_stream_adapter.cc`). That the quantizer is thrice as hard to lower for five seconds after a
/// key frame, while the background is built up, is our model, after recorded calls that climb a step each ten seconds or
/// more. "balanced" lowers the size alone here; libwebrtc also lowers the frame rate of pictures of 640x480 and less.
package struct SingleStreamAdaptation: BitwiseCopyable {
  private static let lowQuantizer = 29.0
  private static let highQuantizer = 95.0
  private static let droppedShare = 0.6
  private static let leastFrames = 60
  private static let firstPeriod: Int64 = 2_000_000_000
  private static let laterPeriod: Int64 = 5_000_000_000
  private static let settlingTime: Int64 = 5_000_000_000
  private static let settlingCost = 3.0
  /// The first size is looked at again while the first estimates come in (`initial_frame_dropper.cc`).
  private static let startTime: Int64 = 1_000_000_000
  /// A frame is dropped while the encoder is this far ahead of its rate [s] (libvpx: 70 % of a 600 ms buffer).
  private static let bufferLimit = 0.42

  /// Heights relative to the capture: 3/4 and 2/3 in turn are 3/5 of the pixels, roundly.
  private static let shares: InlineArray<5, Double> = [1, 0.75, 0.5, 0.375, 0.25]
  /// Rates to begin a size with, for heights of at least so many lines [bit/s].
  private static let starts: InlineArray<5, (height: Int, rate: Double)> = [
    (720, 900_000), (540, 500_000), (360, 300_000), (270, 200_000), (0, 0),
  ]

  private let capture: VideoFormat
  private let content: ContentComplexity
  private let preference: DegradationPreference
  private var rung = 0
  private var isStarted = false
  private var startedAt: Int64 = 0
  private var hasStepped = false
  private var checkedAt: Int64 = 0
  private var settledAt: Int64 = 0
  private var frames = 0
  private var drops = 0
  private var quantizers = 0.0
  /// Bytes ahead of the rate.
  private var ahead = 0.0

  package init(
    capture: VideoFormat, content: ContentComplexity, preference: DegradationPreference = .balanced
  ) {
    self.capture = capture
    self.content = content
    self.preference = preference
  }

  /// What is encoded now.
  package var size: Resolution { size(at: rung) }

  /// The greatest rate of the size (`encoder_stream_factory.cc`).
  package var greatestRate: BitRate {
    let pixels = size.pixels
    if pixels <= 320 * 240 { return .kilobits(600) }
    if pixels <= 640 * 480 { return .kilobits(1700) }
    if pixels <= 960 * 540 { return .kilobits(2000) }
    return .kilobits(2500)
  }

  /// What libvpx makes of a target while it follows a rising one: some 5 % less, in recorded calls.
  package static let yield = 0.95

  /// What a frame takes at least [byte]: the quantizer has an end.
  package var leastFrameBytes: Int {
    Int(content.leastRate(pixels: size.pixels) / 8 / capture.framesPerSecond)
  }

  /// A frame is captured.
  ///
  /// - Returns: whether the size has changed, and whether the frame is left out.
  package mutating func capture(target: BitRate, at now: SimTime) -> (sizeChanged: Bool, isDropped: Bool) {
    let rate = Double(target.bitsPerSecond)
    ahead = max(0, ahead - rate / 8 / capture.framesPerSecond)
    var isChanged = false
    if !isStarted {
      begin(rate, at: now.nanoseconds)
      isChanged = rung > 0
    } else {
      isChanged = check(rate, at: now.nanoseconds)
    }
    frames += 1
    let isDropped = !isChanged && ahead > Self.bufferLimit * rate / 8
    if isDropped {
      drops += 1
    } else {
      let isSettling = now.nanoseconds - settledAt < Self.settlingTime
      quantizers += content.quantizer(rate: isSettling ? rate / Self.settlingCost : rate, pixels: size.pixels)
    }
    return (isChanged, isDropped)
  }

  /// A frame has been encoded.
  package mutating func encoded(bytes: Int) { ahead += Double(bytes) }

  /// The sender begins anew, as after a pause.
  package mutating func restart() {
    isStarted = false
    rung = 0
  }

  private mutating func begin(_ rate: Double, at now: Int64) {
    isStarted = true
    startedAt = now
    if preference != .maintainResolution {
      while rung < Self.shares.count - 1, rate < startRate(at: rung) { rung += 1 }
    }
    hasStepped = rung > 0
    clear(at: now)
    settledAt = now
  }

  private mutating func check(_ rate: Double, at now: Int64) -> Bool {
    if now - startedAt < Self.startTime, preference != .maintainResolution, rung < Self.shares.count - 1,
      rate < startRate(at: rung)
    {
      rung += 1
      hasStepped = true
      settledAt = now
      return true
    }
    guard now - checkedAt >= (hasStepped ? Self.laterPeriod : Self.firstPeriod) else { return false }
    defer { clear(at: now) }
    guard preference != .maintainResolution, frames >= Self.leastFrames else { return false }
    let encoded = Double(frames - drops)
    let mean = encoded > 0 ? quantizers / encoded : 127
    if Double(drops) >= Self.droppedShare * Double(frames) || mean > Self.highQuantizer {
      guard rung < Self.shares.count - 1 else { return false }
      rung += 1
      hasStepped = true
    } else if mean <= Self.lowQuantizer, rung > 0, rate >= startRate(at: rung - 1) {
      rung -= 1
    } else {
      return false
    }
    settledAt = now
    return true
  }

  private mutating func clear(at now: Int64) {
    checkedAt = now
    frames = 0
    drops = 0
    quantizers = 0
  }

  private func size(at rung: Int) -> Resolution {
    // Even sides, as encoders want them.
    let width = Int((Double(capture.resolution.width) * Self.shares[rung] / 2).rounded()) * 2
    let height = Int((Double(capture.resolution.height) * Self.shares[rung] / 2).rounded()) * 2
    return Resolution(width: width, height: height)
  }

  private func startRate(at rung: Int) -> Double {
    let height = size(at: rung).height
    for place in 0..<5 where height >= Self.starts[place].height { return Self.starts[place].rate }
    return 0
  }
}
