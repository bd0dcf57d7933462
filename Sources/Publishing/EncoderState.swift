package import CongestionControl
package import Ladder
package import Media
import Plan
package import Quantity
import Statistics

/// One encoding of a source at its publisher.
package struct EncoderState {
  package let source: Int
  /// Place within the source, 0 for the lowest.
  package let index: Int
  package var rates: Rates
  package var model: EncodingModel
  /// Selection of the captured frames to encode.
  package var decimation: FrameDecimation
  /// Target relative to the full rate; 0 while the uplink does not carry the encoding.
  package var scale = 1.0
  /// Uplink capacity for the encoding beyond its target.
  package var headroom = BitRate.zero
  /// Value of ``usedShare`` at which its layers are offered.
  var offeredShare = 1.0
  package var isSending = false
  var keyFrames = KeyFrames()
  /// Number of frames that were due while the congestion window dropped some.
  var framesWhileDropping = 0
  var protection = Protection()
  /// Row of its next recorded frame.
  var recordedRow = 0
  package var output: Output

  /// Key frames that the other end requests.
  struct KeyFrames {
    var isRequested = false
    /// Time of the last answer to a request for this encoding alone.
    var answeredAt = LastTime.never

    /// Checks whether the next frame is to be a key frame, which answers the request.
    mutating func takeRequest() -> Bool {
      defer { isRequested = false }
      return isRequested
    }
  }

  /// Forward error correction of its stream.
  struct Protection {
    var rule = LossProtection()
    var group = ProtectedGroup()
  }

  /// Full rates of the encoding, and their state at its source's frame rate.
  package struct Rates {
    package let full: BitRate
    package let milliFramesPerSecond: Int
    /// Set if its picture size and usable rate change; kept here because the model is large to access.
    let adapts: Bool
    /// Share of the full frame rate at which an app pushes frames; 1 for a camera.
    package private(set) var share = 1.0
    /// Selection of an app's frames to encode; `nil` for a camera, whose frames are counted.
    package var intake: FrameIntake?

    init(_ encoding: Encoding, of model: EncodingModel) {
      full = encoding.bitrate
      milliFramesPerSecond = encoding.format.milliFramesPerSecond
      adapts = model.resolution != nil
    }

    /// Follows the frame rate of its source [1/1000 Hz]; `nil` for a camera's.
    package mutating func follow(_ encoding: Encoding, source: Int?) {
      share = source.map(encoding.rateShare(of:)) ?? 1
      intake =
        source == nil ? nil : intake ?? FrameIntake(milliFramesPerSecond: max(1, milliFramesPerSecond))
    }
  }

  /// RTP stream of the encoding.
  package struct Output {
    package var nextFrame: UInt32 = 0
    package var nextSequence: UInt32 = 0
    /// Number of the picture size in the meeting's table of sizes.
    package var size: UInt16
    /// RTP headers and payload since the beginning [byte].
    package var bytes: Int64 = 0
    /// Counters over the current interval.
    package var counts = SentCounts()
    /// Set once repairs or padding were sent, after which the other end knows their stream.
    var hasRepaired = false
  }

  init(_ number: StreamNumbering.Encoding, _ encoding: Encoding, of plan: VideoSourcePlan, size: UInt16) {
    source = number.source
    index = number.index
    model = plan.model(of: encoding)
    rates = Rates(encoding, of: model)
    decimation = FrameDecimation(
      captured: plan.capture.milliFramesPerSecond, limit: encoding.format.milliFramesPerSecond)
    output = Output(size: size)
  }

  /// Follows a change of its format or limits.
  ///
  /// - Parameter renewed: its new encoder, and the number of that encoder's first picture size; `nil` if it keeps the
  ///   one that it has.
  mutating func set(_ encoding: Encoding, renewed: (model: EncodingModel, size: UInt16)?) {
    if let renewed {
      model = renewed.model
      output.size = renewed.size
    }
    rates = Rates(encoding, of: model)
  }

  /// Rate at the full frame rate.
  package var fullRate: BitRate { rates.full }
  package var milliFramesPerSecond: Int { rates.milliFramesPerSecond }

  /// Rate at the current frame rate of its source.
  var runningRate: BitRate { rates.full.scaled(by: rates.share) }

  /// Returns what a rate for all encodings of its source is at the full frame rate, which allocators assume: at a share
  /// of the frame rate, an app's frames use the same share of the rate.
  func atFullFrameRate(_ total: BitRate) -> BitRate {
    rates.share < 1 ? total.scaled(by: 1 / max(rates.share, 0.001)) : total
  }

  /// Returns a rate for its frames as a share of its full rate: an encoding whose source yields few frames needs
  /// little, and one whose source yields none needs nothing.
  package func share(of rate: BitRate) -> Double {
    runningRate > .zero ? Double(rate.bitsPerSecond) / Double(runningRate.bitsPerSecond) : 1
  }

  /// Checks whether it encodes the source's next frame, given by its number from 0.
  ///
  /// - Parameter steadyRate: rate at which frames of an app's lasting series come [1/1000 Hz]; 0 for a camera. Frames
  ///   that the source has thinned already are not thinned once more to the same rate.
  package mutating func isDue(_ captures: Int64, at now: SimTime, steadyRate: Int) -> Bool {
    let isFaster = steadyRate > rates.milliFramesPerSecond
    return rates.intake?.admits(at: now, evenly: isFaster) ?? decimation.keeps(captures)
  }

  /// Encodes the next frame, a key frame if one is requested; `nil` for one that the encoder drops.
  ///
  /// - Parameter content: the source's stream for the complexity of its pictures; a delta frame takes one draw.
  mutating func encodeFrame(at now: SimTime, content: inout RandomStream) -> EncodedFrame? {
    let isKeyFrame = keyFrames.takeRequest()
    return model.encode(at: now, target: target, headroom: headroom, isKeyFrame: isKeyFrame, sizes: &content)
  }

  /// Checks whether the congestion window drops the frame that is due now.
  ///
  /// Frames are counted per encoding, because an encoding at half the frame rate would otherwise lose all or none of
  /// its frames.
  package mutating func drops(_ dropping: FrameDropping) -> Bool {
    framesWhileDropping += 1
    return framesWhileDropping % dropping.interval == 0
  }

  /// Share of its full rate that it uses, limited by its content.
  var usedShare: Double {
    guard rates.adapts else { return min(scale, 1) }
    return min(scale, Double(model.usableRate.bitsPerSecond) / Double(max(fullRate.bitsPerSecond, 1)))
  }

  /// Size of its next picture; `nil` if that never changes.
  package var resolution: Resolution? { rates.adapts ? model.resolution : nil }

  /// `true` while its pictures are smaller or less frequent than the encoding specifies.
  var isReduced: Bool { rates.adapts && model.isReduced }

  /// Rate that it may use now.
  package var target: BitRate { fullRate.scaled(by: scale) }
}
