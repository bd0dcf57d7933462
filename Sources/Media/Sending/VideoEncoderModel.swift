package import Ladder
import Quantity
package import Statistics

/// A frame as an encoder makes it.
package struct EncodedFrame: Equatable, BitwiseCopyable, Sendable {
  /// Size without packet overhead [byte].
  package var bytes: Int
  package var temporalLayer: Int
  /// Place in the group of its temporal pattern.
  package var groupPosition: Int
  package var isKeyFrame: Bool

  package init(bytes: Int, temporalLayer: Int, groupPosition: Int, isKeyFrame: Bool) {
    self.bytes = bytes
    self.temporalLayer = temporalLayer
    self.groupPosition = groupPosition
    self.isKeyFrame = isKeyFrame
  }
}

/// The sizes of an encoder's frames.
///
/// Our model, fitted to measured talking-head video: delta frames scatter around their temporal layer's share of the
/// target as a Laplace distribution (RFC 8593 section 5.1) with the mean absolute deviation measured at the
/// encoding's picture size; a key frame's size depends on the picture size alone and is capped like libvpx caps it
/// (0.5 x 600 ms x frame rate / 10 percent of a mean frame); what a key frame or a run of large frames overspends is
/// taken back from the frames that follow, so that the mean over some seconds is the target.
package struct VideoEncoderModel: BitwiseCopyable {
  private let pattern: TemporalPattern
  /// Nominal bytes of a frame of each layer at the encoding's full rate.
  private let nominal0: Double
  private let nominal1: Double
  private let nominal2: Double
  private let deviation: Double
  private let keyFrameBytes: Double
  private let framesPerSecond: Double
  private var position = 0
  /// Bytes spent beyond the target so far.
  private var overspent = 0.0

  /// - Parameters:
  ///   - encoding: what is encoded.
  ///   - keyFrameScale: size of key frames relative to camera video; screens have larger ones.
  package init(encoding: Encoding, keyFrameScale: Double = 1) {
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
    keyFrameBytes = min(TalkingHead.keyFrameBytes(pixels: pixels) * keyFrameScale, max(cap, nominal0))
  }

  /// Makes the next frame.
  ///
  /// - Parameters:
  ///   - isKeyFrame: whether it must be a key frame; the temporal pattern then begins anew.
  ///   - scale: the target relative to the encoding's own rate, above 0.
  ///   - sizes: how this picture differs from others, the same for all encodings of a source; a coded delta frame
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
      // Half a second to repay, never more than 40 % of a frame: a key frame is smoothed out like libvpx's buffer does.
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
