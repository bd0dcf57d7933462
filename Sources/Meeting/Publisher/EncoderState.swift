import CongestionControl
import Ladder
import Media
import Quantity
import Statistics

/// One encoding of a source at its publisher.
struct EncoderState {
  let source: Int
  /// Its place within the source, 0 for the lowest.
  let index: Int
  var rates: Rates
  var model: EncodingModel
  /// Which captured frames are encoded.
  var decimation: FrameDecimation
  /// Target relative to the full rate; 0 while the uplink does not carry the encoding.
  var scale = 1.0
  /// What the uplink has for the encoding beyond that.
  var headroom = BitRate.zero
  /// ``usedShare`` by which its layers are offered.
  var offeredShare = 1.0
  var isSending = false
  var isKeyFrameRequested = false
  /// When it last answered a keyframe request for itself alone.
  var lastKeyFrameAnswer = LastTime.never
  /// Frames that were due while the congestion window had some left out.
  var framesWhileDropping = 0
  /// The row of its next recorded frame.
  var recordedRow = 0
  var output: Output

  /// What it takes in full, and what its source makes of that.
  struct Rates {
    let full: BitRate
    let milliFramesPerSecond: Int
    /// Whether its pictures and what it can use change, without a look at the model, which is large.
    var adapts = false
    /// The share of its full frame rate at which frames come that an app pushes; 1 for a camera.
    private(set) var share = 1.0
    /// Which frames of an app it encodes; `nil` for a camera, whose frames are counted.
    var intake: FrameIntake?

    init(_ encoding: Encoding) {
      full = encoding.bitrate
      milliFramesPerSecond = encoding.format.milliFramesPerSecond
    }

    /// Follows the frame rate of its source [1/1000 Hz]; `nil` for a camera's.
    mutating func follow(_ encoding: Encoding, source: Int?) {
      share = source.map(encoding.rateShare(of:)) ?? 1
      intake =
        source == nil ? nil : intake ?? FrameIntake(milliFramesPerSecond: max(1, milliFramesPerSecond))
    }
  }

  /// Its RTP stream.
  struct Output {
    var nextFrame: UInt32 = 0
    var nextSequence: UInt32 = 0
    /// Number of the picture size in the meeting's table of sizes.
    var size: UInt16
    /// RTP headers and payload since the beginning [byte].
    var bytes: Int64 = 0
    /// Whether repairs or padding were sent: their stream is then known at the other end.
    var hasRepaired = false
  }

  init(_ number: StreamNumbering.Encoding, _ encoding: Encoding, of plan: VideoSourcePlan, size: UInt16) {
    source = number.source
    index = number.index
    rates = Rates(encoding)
    model = plan.model(of: encoding)
    rates.adapts = model.resolution != nil
    decimation = FrameDecimation(
      captured: plan.capture.milliFramesPerSecond, limit: encoding.format.milliFramesPerSecond)
    output = Output(size: size)
  }

  /// Its rate at its full frame rate.
  var fullRate: BitRate { rates.full }
  var milliFramesPerSecond: Int { rates.milliFramesPerSecond }

  /// Its rate at the frame rate at which its source has it run.
  var runningRate: BitRate { rates.full.scaled(by: rates.share) }

  /// What a rate for its frames is of its full rate: an encoding whose source yields few frames needs little, and one
  /// that gets none needs nothing.
  func share(of rate: BitRate) -> Double {
    runningRate > .zero ? Double(rate.bitsPerSecond) / Double(runningRate.bitsPerSecond) : 1
  }

  /// Whether it encodes the source's next frame, whose number from 0 is given.
  ///
  /// - Parameter steadyRate: frames per second that an app goes on pushing [1/1000 Hz]; 0 of a camera.
  mutating func isDue(_ captures: Int64, at now: SimTime, steadyRate: Int) -> Bool {
    let isFaster = steadyRate > rates.milliFramesPerSecond
    return rates.intake?.admits(at: now, evenly: isFaster) ?? decimation.keeps(captures)
  }

  /// The next frame, a key frame when one is requested; `nil` for one that the encoder drops.
  ///
  /// - Parameter content: the source's stream of what its pictures show; a delta frame takes one draw.
  mutating func encodeFrame(at now: SimTime, content: inout RandomStream) -> EncodedFrame? {
    let isKeyFrame = isKeyFrameRequested
    isKeyFrameRequested = false
    return model.encode(
      at: now, target: target, headroom: headroom, isKeyFrame: isKeyFrame, sizes: &content)
  }

  /// Whether the congestion window has it leave out the frame that is due now.
  ///
  /// Counted by encoding: one of half the frame rate would otherwise lose all of its frames or none.
  mutating func drops(_ dropping: FrameDropping) -> Bool {
    framesWhileDropping += 1
    return framesWhileDropping % dropping.interval == 0
  }

  /// The share of its full rate that it takes: no more than its content can use.
  var usedShare: Double {
    guard rates.adapts else { return min(scale, 1) }
    return min(scale, Double(model.usableRate.bitsPerSecond) / Double(max(fullRate.bitsPerSecond, 1)))
  }

  /// The size of its next picture; `nil` if that never changes.
  var resolution: Resolution? { rates.adapts ? model.resolution : nil }

  /// The rate that it may use now.
  var target: BitRate { fullRate.scaled(by: scale) }
}
