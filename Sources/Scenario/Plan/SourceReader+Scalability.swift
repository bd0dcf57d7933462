import Ladder
import Media
import Plan
import Quantity
import Systems

/// Sources that send a scalable stream.
extension SourceReader {
  /// Way in which a source is coded.
  enum Coding {
    case simulcast
    case scalable(ScalableSending)
    /// An error has been reported.
    case unknown
  }

  /// Returns the way in which a source is coded: VP9 and AV1 as a scalable stream, other codecs as its ladder's
  /// simulcast.
  func coding(
    _ own: Entry<SourceSection>, _ kind: VideoSourcePlan.Kind, _ capture: VideoFormat
  ) -> Coding {
    let codec = own.coding.codec ?? .vp8
    guard codec.hasSpatialLayers else {
      guard own.coding.mode != nil else { return .simulcast }
      own.report(
        atKey: "scalability-mode",
        "scalability-mode: '\(codec.rawValue)' is sent as simulcast, with the temporal layers of its ladder: add 'codec: "
          + "vp9' or 'codec: av1', or remove it")
      return .unknown
    }
    guard kind != .custom else {
      own.report(at: "codec", "codec: an app's own frames are sent as simulcast: use 'vp8' or 'h264'")
      return .unknown
    }
    guard
      var sending = system.scalableSending(
        of: kind == .screen ? .screen : .camera, codec: codec, capture: capture)
    else {
      own.report(
        at: "codec",
        "codec: '\(codec.rawValue)' is sent as a scalable stream, which policy '\(system.name)' does not forward: use "
          + "'vp8' or 'h264', or one of the policies \(ScenarioSchema.scalablePolicies.joined(separator: ", "))"
      )
      return .unknown
    }
    if let mode = own.coding.mode { sending.mode = mode }
    if let maximum = own.maximum { sending.maximum = maximum }
    return isPossible(sending, own, kind, capture) ? .scalable(sending) : .unknown
  }

  private func isPossible(
    _ sending: ScalableSending, _ own: Entry<SourceSection>, _ kind: VideoSourcePlan.Kind,
    _ capture: VideoFormat
  ) -> Bool {
    let fitted = sending.mode.fitted(to: capture.resolution)
    if kind == .screen, let obstacle = fitted.sharingObstacle(in: sending.codec) {
      own.report(
        atKey: own.coding.mode == nil ? "codec" : "scalability-mode",
        "scalability-mode: '\(sending.mode.name)' has \(obstacle): use '\(fitted.withoutTemporalLayers.name)', "
          + "'L1T3', or 'codec: av1'")
      return false
    }
    if own.ladder != nil {
      own.report(
        atKey: "ladder",
        "ladder: names simulcast encodings, which '\(sending.codec.rawValue)' is not sent in: remove it")
      return false
    }
    guard let maximum = sending.maximum, maximum <= SinglecastLimits.least else { return true }
    own.report(
      at: "maximum",
      "maximum: \(maximum) leaves nothing for the stream: the encoder's minimum has \(SinglecastLimits.least); raise it"
    )
    return false
  }

  func scalableSource(
    _ own: Entry<SourceSection>, _ kind: VideoSourcePlan.Kind, _ capture: VideoFormat,
    _ sending: ScalableSending, _ field: Field
  ) -> VideoSourcePlan? {
    let ladder: @Sendable (VideoFormat) -> Ladder = {
      .scalable(sending, capture: $0, isScreen: kind == .screen)
    }
    guard var source = plan(kind, capture, ladder, shape: own, field) else { return nil }
    source.codec = sending.codec
    if own.low != nil {
      own.report(at: "low", "low: a scalable stream has no low stream: remove it, or 'codec'")
    }
    source.content = own.content
    if sending.followsRequests, own.coding.mode == nil, source.ladder.isLayered {
      source.layersAtHeight = layersAtHeight(sending.codec, maximum: own.maximum)
    }
    if source.hasOneEncoding { source.maximum = sending.maximum }
    setOthers(own, &source)
    return source
  }

  /// Returns a function for the layers at the height that receivers request: those of a capture of that height, within
  /// the app's maximum, which alone determines the maximum of the whole capture.
  private func layersAtHeight(
    _ codec: VideoCodec, maximum: BitRate?
  ) -> @Sendable (VideoFormat, Int) -> Ladder {
    let system = system
    return { capture, lines in
      let scaled = VideoFormat(
        capture.resolution.limited(toLines: lines), milliFramesPerSecond: capture.milliFramesPerSecond)
      var sending =
        system.scalableSending(of: .camera, codec: codec, capture: scaled)
        ?? ScalableSending(codec, ScalabilityMode(spatial: 1, temporal: 1))
      if let maximum {
        sending.maximum =
          lines < capture.resolution.lines ? min(maximum, sending.maximum ?? maximum) : maximum
      }
      return .scalable(sending, capture: scaled, isScreen: false)
    }
  }
}

extension ScalabilityMode {
  /// Returns why VP9's encoder refuses the layers of a screen share: several temporal ones beside several spatial ones
  /// (libwebrtc's `libvpx_vp9_encoder.cc`, InitEncode); `nil` if it does not.
  func sharingObstacle(in codec: VideoCodec) -> String? {
    guard codec != .av1, spatialLayers > 1, temporalLayers > 1 else { return nil }
    return
      "several temporal layers in each of several spatial ones, which VP9's encoder refuses for a screen share "
      + "(libwebrtc, libvpx_vp9_encoder.cc)"
  }

  fileprivate var withoutTemporalLayers: ScalabilityMode {
    ScalabilityMode(spatial: spatialLayers, temporal: 1, prediction: prediction, ratio: ratio)
  }
}
