package import Ladder

/// Parameters in which encoders of different codecs differ.
package struct CodecModel: Hashable, Sendable, BitwiseCopyable {
  /// Bits for the same quality, relative to VP8.
  package var complexity = 1.0
  /// Rate control.
  package var rateControl = VP8RateControlParameters()
  /// Limits of a single stream.
  let limits: SinglecastLimits.Codec
  /// Largest key frame where it depends on the buffer: share of the optimal buffer, per frame [frames at 1 fps]; 0
  /// where it does not.
  private var keyFrameShare = 0.3
  /// Set for a layer of a scalable stream, whose structure belongs to its source.
  package let isScalable: Bool

  /// Minimum bound of a key frame [mean frames].
  private static let leastKeyFrameBound = 3.0

  /// VP8 outside a scalable stream.
  package static let vp8 = CodecModel(.vp8)

  /// Creates the parameters of a codec.
  ///
  /// Complexity follows the rates that products set for the same picture: VP9 takes 0.85 and AV1 0.7 of VP8's or
  /// H.264's in livekit-client (`publishUtils.ts`); jitsi-meet has 0.8 and 0.67 (`StandardVideoQualitySettings.ts`).
  /// libwebrtc sets buffers, deviations and the bounds of key frames (`libvpx_vp9_encoder.cc`,
  /// `libaom_av1_encoder.cc`).
  package init(_ codec: VideoCodec, isScalable: Bool = false) {
    limits = SinglecastLimits.Codec(codec)
    self.isScalable = isScalable
    switch codec {
    case .vp8, .h264: break
    case .vp9:
      complexity = 0.85
      setDeviations()
    case .av1:
      complexity = 0.7
      setDeviations()
      rateControl.initialBuffer = 0.6
      keyFrameShare = 0
    }
  }

  /// Sets the deviations of VP9 and AV1.
  private mutating func setDeviations() {
    rateControl.undershootPercent = 50
    rateControl.overshootPercent = 50
  }

  /// Returns the bound of a key frame [mean frames].
  func largestKeyFrame(framesPerSecond: Double) -> Double {
    max(Self.leastKeyFrameBound, keyFrameShare * framesPerSecond)
  }

  /// Returns content with its complexity for this codec.
  package func coded(_ content: ContentComplexity) -> ContentComplexity {
    var coded = content
    coded.factor *= complexity
    return coded
  }
}
