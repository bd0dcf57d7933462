package import Ladder
package import Quantity
package import Statistics

/// Encoder model of one encoding: one of two kinds, stored side by side so that a frame is encoded in place.
package struct EncodingModel: BitwiseCopyable {
  /// Encoder that produces a constant fraction of the rate that an SDK documents for the encoding.
  private struct Documented: BitwiseCopyable {
    var model: VideoEncoderModel
    let fullRate: BitRate
  }

  private var documented: Documented?
  /// libwebrtc's adaptive encoder, at any rate up to the content ceiling.
  private var adaptive: AdaptiveEncoding?

  /// Creates a simulcast encoding: adaptive if its rate limits are known.
  ///
  /// - Parameters:
  ///   - content: `nil` for a talking head that uses whatever rate an SDK documents.
  ///   - codec: its codec.
  package static func simulcast(
    _ encoding: Encoding, content: ContentComplexity?, codec: VideoCodec = .vp8
  ) -> EncodingModel {
    guard encoding.hasLimits else {
      let model = VideoEncoderModel(encoding: encoding, content: content ?? .talkingHead)
      return EncodingModel(documented: Documented(model: model, fullRate: encoding.bitrate))
    }
    return fixed(encoding, content: content, CodecModel(codec))
  }

  /// Creates one of several spatial layers of a scalable stream: its size is fixed, and libwebrtc's quality scaler is
  /// off (`modules/video_coding/codecs/vp9/libvpx_vp9_encoder.cc`, GetEncoderInfo). Usual content uses at least the rate
  /// of a layer without known limits.
  package static func spatialLayer(
    _ encoding: Encoding, content: ContentComplexity?, codec: VideoCodec
  ) -> EncodingModel {
    let usual =
      encoding.hasLimits
      ? nil : ContentComplexity.talkingHead.using(atLeast: encoding.bitrate, at: encoding.format)
    return fixed(encoding, content: content ?? usual, CodecModel(codec, isScalable: true))
  }

  private static func fixed(
    _ encoding: Encoding, content: ContentComplexity?, _ codec: CodecModel
  ) -> EncodingModel {
    EncodingModel(
      adaptive: AdaptiveEncoding(
        simulcast: encoding.format, content: content ?? .talkingHead, temporalLayers: encoding.temporalLayers,
        minimum: encoding.minimum ?? SinglecastLimits.least, codec: codec))
  }

  /// Creates the only encoding of a source.
  ///
  /// - Parameters:
  ///   - content: `nil` for the usual one, which is assumed to use at least the rate that an SDK documents.
  ///   - usual: the usual content of such a source.
  ///   - maximum: the app's maximum rate; `nil` for libwebrtc's default.
  ///   - codec: its codec.
  ///   - isScalable: `true` if libwebrtc's allocator of scalable streams splits its rate over its temporal layers.
  package static func single(
    _ encoding: Encoding, content: ContentComplexity?, usual: ContentComplexity = .talkingHead,
    degradation: DegradationPreference, maximum: BitRate? = nil, codec: VideoCodec = .vp8,
    isScalable: Bool = false
  ) -> EncodingModel {
    let usual =
      encoding.hasLimits ? usual : usual.using(atLeast: encoding.bitrate, at: encoding.format)
    let content = content ?? usual
    return EncodingModel(
      adaptive: AdaptiveEncoding(
        single: encoding.format, preference: degradation, content: content,
        temporalLayers: encoding.temporalLayers, maximum: maximum,
        codec: CodecModel(codec, isScalable: isScalable)))
  }

  /// Current resolution; `nil` if it never changes.
  package var resolution: Resolution? { adaptive?.format.resolution }

  /// `true` while the format is below the encoding's own.
  package var isReduced: Bool { adaptive?.isReduced ?? false }

  /// Current maximum allocation: a single encoding's limit follows its resolution (libwebrtc
  /// `video/config/encoder_stream_factory.cc`).
  package var greatestRate: RateLimit {
    documented.map { RateLimit($0.fullRate) } ?? adaptive?.formatMaximum ?? .zero
  }

  /// Maximum rate it can currently use.
  package var usableRate: BitRate { documented?.fullRate ?? adaptive?.usableRate ?? .zero }

  /// Handles frames captured before the transport is connected; no effect on documented rates and simulcast encodings.
  package mutating func awaitAllocation(_ wait: AllocationWait) { adaptive?.awaitAllocation(wait) }

  /// Handles a change in the set of the source's active encodings.
  package mutating func noteLayoutChange() { adaptive?.noteLayoutChange() }

  /// Notes a captured frame that never reaches the encoder.
  package mutating func skip() { adaptive?.skip() }

  /// Sets the place of the next frame in its temporal group, which the layers of a scalable stream share.
  package mutating func place(at position: Int) { adaptive?.place(at: position) }

  /// Decides whether the rate control drops the next frame, where layers drop frames together.
  package mutating func dropsFrame(target: BitRate, headroom: BitRate) -> Bool {
    adaptive?.setTarget(target, headroom: headroom)
    return adaptive?.dropsFrame() ?? false
  }

  /// Leaves out a frame because another one of its picture is dropped.
  package mutating func leaveOut() { adaptive?.leaveOut() }

  /// Encodes a captured frame; `nil` if it is dropped.
  ///
  /// - Parameters:
  ///   - target: payload rate, above 0.
  ///   - headroom: link headroom beyond it.
  ///   - isKeyFrame: `true` if it, or the next encoded frame, must be a key frame.
  ///   - sizes: random stream of frame size variations, shared by all encodings of a source; an encoded delta frame
  ///     takes one draw.
  ///   - mayDrop: `false` for a frame already decided on by ``dropsFrame(target:headroom:)``.
  package mutating func encode(
    at now: SimTime, target: BitRate, headroom: BitRate, isKeyFrame: Bool, sizes: inout RandomStream,
    mayDrop: Bool = true
  ) -> EncodedFrame? {
    if let fullRate = documented?.fullRate {
      let scale = Double(target.bitsPerSecond) / Double(max(fullRate.bitsPerSecond, 1))
      return documented?.model.encode(isKeyFrame: isKeyFrame, scale: scale, sizes: &sizes)
    }
    adaptive?.setTarget(target, headroom: headroom)
    if isKeyFrame { adaptive?.requestKeyFrame() }
    return adaptive?.encode(at: now, sizes: &sizes, mayDrop: mayDrop)?.frame
  }
}
