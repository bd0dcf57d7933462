package import Ladder
import Quantity
package import Statistics

/// Encoded frame.
package struct EncodedFrame: Equatable, BitwiseCopyable, Sendable {
  /// The most bytes of a frame, whose packets have numbers of 16 bits.
  package static let largest =
    Int(UInt16.max) * (PacketOverhead.largestPayload - PacketOverhead.vp8Descriptor)

  /// Size without packet overhead [byte].
  package var bytes: Int
  package var temporalLayer: Int
  /// Position in its temporal group.
  package var groupPosition: Int
  package var isKeyFrame: Bool

  package init(bytes: Int, temporalLayer: Int, groupPosition: Int, isKeyFrame: Bool) {
    self.bytes = min(bytes, Self.largest)
    self.temporalLayer = temporalLayer
    self.groupPosition = groupPosition
    self.isKeyFrame = isKeyFrame
  }
}

/// Frame size model of a video encoder.
///
/// Our model, fitted to measured talking-head video: delta frame sizes vary around their temporal layer's share of the
/// target as a Laplace distribution (RFC 8593 section 5.1) with the mean absolute deviation measured at the encoding's
/// resolution; a key frame's size depends on the resolution only and is capped as in libvpx (0.5 x 600 ms x frame rate
/// / 10 percent of a mean frame); overspending by key frames or runs of large frames is compensated by later frames, so
/// that the mean over a few seconds is the target.
package struct VideoEncoderModel: BitwiseCopyable {
  private let pattern: TemporalPattern
  /// Nominal size of a base-layer frame at the encoding's full rate [byte].
  private let nominal0: Double
  /// Nominal size of a frame of temporal layer 1 at the full rate [byte].
  private let nominal1: Double
  /// Nominal size of a frame of temporal layer 2 at the full rate [byte].
  private let nominal2: Double
  private let deviation: Double
  private let keyFrameBytes: Double
  private let framesPerSecond: Double
  private var position = 0
  /// Bytes accumulated above the target.
  private var overspent = 0.0

  package init(encoding: Encoding, content: ContentComplexity = .talkingHead) {
    pattern = TemporalPattern(layers: encoding.temporalLayers)
    let rates = encoding.cumulativeBitrates.map { Double($0.bitsPerSecond) / 8 }
    let frameRate = encoding.format.framesPerSecond
    framesPerSecond = frameRate
    switch rates.count {
    case 3:
      nominal0 = rates[0] / (frameRate / 4)
      nominal1 = (rates[1] - rates[0]) / (frameRate / 4)
      nominal2 = (rates[2] - rates[1]) / (frameRate / 2)
    case 2:
      nominal0 = rates[0] / (frameRate / 2)
      nominal1 = (rates[1] - rates[0]) / (frameRate / 2)
      nominal2 = 0
    default:
      nominal0 = (rates.last ?? 0) / frameRate
      nominal1 = 0
      nominal2 = 0
    }
    let pixels = Double(encoding.format.resolution.pixels)
    deviation = TalkingHead.deviation(pixels: pixels)
    let mean = (rates.last ?? 0) / frameRate
    let cap = max(3, 0.3 * frameRate) * mean
    keyFrameBytes = min(
      ContentDemand(encoding.format, content: content).keyFrameBits / 8, max(cap, nominal0))
  }

  /// Encodes the next frame.
  ///
  /// - Parameters:
  ///   - isKeyFrame: `true` for a key frame, which restarts the temporal pattern.
  ///   - scale: target relative to the encoding's full rate, above 0.
  ///   - sizes: random stream of frame size variations, shared by all encodings of a source; an encoded delta frame
  ///     takes one draw.
  package mutating func encode(
    isKeyFrame: Bool, scale: Double, sizes: inout RandomStream
  ) -> EncodedFrame {
    if isKeyFrame { position = 0 }
    let layer = pattern.layer(at: position)
    let nominal = (layer == 0 ? nominal0 : layer == 1 ? nominal1 : nominal2) * scale
    var bytes: Double
    if isKeyFrame {
      bytes = keyFrameBytes
    } else {
      let noise = min(max(sizes.laplace(scale: deviation), -0.9), 3)
      // Compensates within half a second, by at most 40 % of a frame: smooths key frames like libvpx's buffer.
      let share = overspent / (0.5 * framesPerSecond * max(meanFrame * scale, 1))
      bytes = nominal * (1 + noise) * (1 - min(max(share, -0.4), 0.4))
    }
    bytes = max(bytes.rounded(), 10)
    overspent += bytes - nominal
    let frame = EncodedFrame(
      bytes: Int(bytes), temporalLayer: layer, groupPosition: position, isKeyFrame: isKeyFrame)
    position = (position + 1) & (pattern.groupLength - 1)
    return frame
  }

  private var meanFrame: Double {
    switch pattern.layers {
    case 3: (nominal0 + nominal1 + 2 * nominal2) / 4
    case 2: (nominal0 + nominal1) / 2
    default: nominal0
    }
  }
}
