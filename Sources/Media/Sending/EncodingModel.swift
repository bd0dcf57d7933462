package import Ladder
package import Quantity
package import Statistics

/// How the frames of one encoding are made.
package enum EncodingModel: BitwiseCopyable {
  /// At the rate that an SDK documents for the encoding, whatever is filmed, or a share of it.
  case documented(VideoEncoderModel, fullRate: BitRate)
  /// As libwebrtc makes them, at any rate up to what the content can use.
  case adaptive(AdaptiveEncoding)

  /// One of several simulcast encodings: libwebrtc's where the rates between which its allocator moves are known.
  package static func simulcast(_ encoding: Encoding, content: ContentComplexity) -> EncodingModel {
    guard encoding.hasLimits else {
      return .documented(VideoEncoderModel(encoding: encoding), fullRate: encoding.bitrate)
    }
    return .adaptive(
      AdaptiveEncoding(
        simulcast: encoding.format, content: content, temporalLayers: encoding.temporalLayers,
        minimum: encoding.minimum ?? SinglecastLimits.least))
  }

  /// A source's only encoding; an SDK's documented rate is taken as one that its content can use.
  package static func single(
    _ encoding: Encoding, content: ContentComplexity, degradation: DegradationPreference
  ) -> EncodingModel {
    let content =
      encoding.hasLimits ? content : content.using(atLeast: encoding.bitrate, at: encoding.format)
    return .adaptive(
      AdaptiveEncoding(
        single: encoding.format, preference: degradation, content: content,
        temporalLayers: encoding.temporalLayers))
  }

  /// The size of its pictures; `nil` for one that never changes it.
  package var resolution: Resolution? {
    switch self {
    case .documented: nil
    case .adaptive(let encoding): encoding.format.resolution
    }
  }

  /// The most that an allocation gives it now: a single encoding's limit follows its size
  /// (libwebrtc `video/config/encoder_stream_factory.cc`).
  package var greatestRate: BitRate {
    switch self {
    case .documented(_, let fullRate): fullRate
    case .adaptive(let encoding): encoding.formatMaximum
    }
  }

  /// The most that it can use now.
  package var usableRate: BitRate {
    switch self {
    case .documented(_, let fullRate): fullRate
    case .adaptive(let encoding): encoding.usableRate
    }
  }

  /// The first frames come before the transport is up; of no effect on documented rates and simulcast encodings.
  package mutating func awaitAllocation(_ wait: AllocationWait) {
    guard case .adaptive(var encoding) = self else { return }
    encoding.awaitAllocation(wait)
    self = .adaptive(encoding)
  }

  /// Another encoding of the source was switched on or off.
  package mutating func noteLayoutChange() {
    guard case .adaptive(var encoding) = self else { return }
    encoding.noteLayoutChange()
    self = .adaptive(encoding)
  }

  /// Codes a captured frame; `nil` for one that is left out.
  ///
  /// - Parameters:
  ///   - target: payload rate, above 0.
  ///   - headroom: what the link has beyond it.
  ///   - isKeyFrame: whether it, or the next one that is coded, must be a key frame.
  ///   - sizes: how this picture differs from others, the same for all encodings of a source; a coded delta frame
  ///     takes one draw.
  package mutating func encode(
    at now: SimTime, target: BitRate, headroom: BitRate, isKeyFrame: Bool, sizes: inout RandomStream
  ) -> EncodedFrame? {
    switch self {
    case .documented(var model, let fullRate):
      let scale = Double(target.bitsPerSecond) / Double(max(fullRate.bitsPerSecond, 1))
      let frame = model.encode(isKeyFrame: isKeyFrame, scale: scale, sizes: &sizes)
      self = .documented(model, fullRate: fullRate)
      return frame
    case .adaptive(var encoding):
      encoding.setTarget(target, headroom: headroom)
      if isKeyFrame { encoding.requestKeyFrame() }
      let coded = encoding.encode(at: now, sizes: &sizes)
      self = .adaptive(encoding)
      return coded?.frame
    }
  }
}
