/// Parameters of libvpx's CBR rate control (`vp8/encoder/ratectrl.c`, `onyx_if.c`), with libwebrtc's settings
/// (`libvpx_vp8_encoder.cc`).
package struct VP8RateControlParameters: Hashable, Sendable, BitwiseCopyable {
  /// Initial buffer level [s of the target rate].
  package var initialBuffer = 0.5
  /// Optimal buffer level [s of the target rate].
  package var optimalBuffer = 0.6
  /// Maximum buffer level [s of the target rate].
  package var largestBuffer = 1.0
  /// Level below which frames are dropped [share of the optimal buffer].
  package var dropThreshold = 0.3
  /// Maximum decrease of a frame's size by the buffer level [percent; half of it takes effect].
  package var undershootPercent = 100.0
  /// Maximum increase of a frame's size by the buffer level [percent; half of it takes effect].
  package var overshootPercent = 15.0

  package init() {}
}

/// Leaky bucket of bits: every captured frame adds its share of the target rate, every encoded one removes its size.
///
/// A low level reduces frame sizes and, below 30 % of the optimal level, drops one frame in two, then two in three and
/// three in four; below zero, every frame until it has recovered. A high level allows larger frames.
package struct VP8RateControl: BitwiseCopyable, Sendable {
  private let parameters: VP8RateControlParameters
  /// Target rate [bit/s].
  private var rate = 0.0
  /// Bits added per captured frame.
  private var share = 0.0
  /// Buffer level [bit].
  package private(set) var level = 0.0
  private var isStarted = false
  /// Frames dropped per encoded one, 0 to 3.
  private var decimation = 0
  /// Frames still to be dropped before the next encoded one.
  private var toDrop = 0

  package init(parameters: VP8RateControlParameters = VP8RateControlParameters()) {
    self.parameters = parameters
  }

  /// Sets the target [bit/s] and the frame rate before drops [Hz]; the level is kept, capped at the new maximum.
  package mutating func set(rate: Double, framesPerSecond: Double) {
    self.rate = rate
    share = rate / framesPerSecond
    if isStarted {
      level = min(level, rate * parameters.largestBuffer)
    } else {
      level = rate * parameters.initialBuffer
      isStarted = true
    }
  }

  /// Decides whether to drop the next delta frame, whose share of the rate is then saved.
  package mutating func dropsFrame() -> Bool {
    updateDecimation()
    var drops = level < 0
    if decimation > 0, toDrop > 0 {
      toDrop -= 1
      drops = true
    } else {
      toDrop = decimation
    }
    if drops { fill() }
    return drops
  }

  /// Returns the target size of the next delta frame, given its nominal size [bit].
  package func targetBits(nominal: Double) -> Double {
    let optimal = rate * parameters.optimalBuffer
    guard optimal > 0 else { return nominal }
    let percent = (level - optimal) / optimal * 100
    // While frames are dropped, the remaining ones may be larger.
    let relief = decimation == 0 ? 1.0 : decimation == 1 ? 1.5 : 1.25
    let change =
      percent < 0 ? max(percent, -parameters.undershootPercent) : min(percent, parameters.overshootPercent)
    return nominal * relief * (1 + change / 200)
  }

  /// Target size of a fresh encoder's first frame [bit].
  package var firstFrameBits: Double { rate * parameters.initialBuffer / 2 }

  /// Removes an encoded frame from the bucket [bit].
  package mutating func spend(_ bits: Double) {
    level -= bits
    fill()
  }

  private mutating func fill() { level = min(level + share, rate * parameters.largestBuffer) }

  private mutating func updateDecimation() {
    let mark = rate * parameters.optimalBuffer * parameters.dropThreshold
    if level > mark, decimation > 0 { decimation -= 1 }
    if level > mark * 2 / 3, decimation > 0 {
      decimation = 1
    } else if level < mark / 8, decimation >= 2 {
      decimation = 3
    } else if level < mark / 4, decimation == 1 || decimation == 2 {
      decimation = 2
    } else if level < mark * 2 / 3, decimation <= 1 {
      decimation = 1
    }
  }
}
