package import Quantity

/// One simulcast encoding of a source: frame size, full frame rate and the bit rates of its temporal layers.
package struct Encoding: Hashable, Sendable {
  /// RTP stream id (RFC 8852), such as `q`, `h` or `f`.
  package var rid: String
  /// Frame size and full frame rate.
  package var format: VideoFormat
  /// Cumulative target bit rate of the payload up to each temporal layer, base first, ascending; 1 to 3 entries.
  package var cumulativeBitrates: [BitRate]
  /// Frame rate up to each temporal layer [1/1000 Hz], 0 where unknown; `nil` if it halves with each layer below the
  /// top (L1T3).
  package var layerRates: [Int]?
  /// Lower limit of the sender's rate allocator, if known; ``bitrate`` is the target.
  package var minimum: BitRate?
  /// Upper limit of the sender's rate allocator, if known.
  package var maximum: BitRate?

  package init(rid: String, format: VideoFormat, cumulativeBitrates: [BitRate]) {
    self.rid = rid
    self.format = format
    self.cumulativeBitrates = cumulativeBitrates
  }

  /// Bit rate with all temporal layers.
  package var bitrate: BitRate { cumulativeBitrates.last ?? .zero }

  /// `true` if ``minimum`` and ``maximum`` are known.
  package var hasLimits: Bool { minimum != nil && maximum != nil }

  /// Number of temporal layers, 1 to 3.
  package var temporalLayers: Int { cumulativeBitrates.count }

  /// Returns the frame rate up to a temporal layer [1/1000 Hz].
  package func milliFramesPerSecond(upTo temporal: Int) -> Int {
    layerRates?[temporal] ?? format.milliFramesPerSecond >> (temporalLayers - 1 - temporal)
  }
}

/// Simulcast encodings of a source, or the spatial layers of its scalable stream.
package struct Ladder: Hashable, Sendable {
  /// Encodings in ascending order of pixels; spatial layers have the rates of their own frames.
  package var encodings: [Encoding]
  /// Mode of the scalable stream whose spatial layers are ``encodings``; `nil` for simulcast.
  package var scalability: ScalabilityMode?
  /// Split of a rate over the layers of the scalable stream, within its maximum; `nil` for simulcast.
  package var split: ScalableRateSplit?
  /// Limits of the low stream in a dual-stream ladder, which has a low and a high encoding; `nil` in a simulcast
  /// ladder.
  package var lowStream: LowStreamLimits?

  package init(encodings: [Encoding], lowStream: LowStreamLimits? = nil) {
    self.encodings = encodings
    self.lowStream = lowStream
  }

  /// Names of the encodings in scenarios and tables; a single simulcast encoding is `f`.
  package var names: [String] {
    encodings.count == 1 && scalability == nil ? ["f"] : encodings.map(\.rid)
  }

  /// Mode if ``encodings`` are several layers of one stream, forwarded by their references; otherwise `nil`.
  package var layering: ScalabilityMode? { encodings.count > 1 ? scalability : nil }
  package var isLayered: Bool { layering != nil }

  /// Returns the whole RTP stream of an encoding: for layers of one stream, the top layer with the bit rate of all
  /// layers.
  package func stream(of encoding: Encoding) -> Encoding {
    guard isLayered, var whole = encodings.last else { return encoding }
    whole.cumulativeBitrates = [encodings.reduce(.zero) { $0 + $1.bitrate }]
    return whole
  }
}

/// Limits within which an app may set the low stream of a dual-stream source.
package struct LowStreamLimits: Hashable, Sendable {
  /// Maximum size, in either orientation, and maximum frame rate.
  package var format: VideoFormat
  package var bitrate: BitRate

  package init(format: VideoFormat, bitrate: BitRate) {
    self.format = format
    self.bitrate = bitrate
  }
}

/// Index of a layer in a ladder: an encoding up to one of its temporal layers.
@frozen
public struct LayerID: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Index of the encoding in its ladder.
  public var encoding: Int
  /// Highest temporal layer; 0 is the base.
  public var temporal: Int

  /// Creates the index of a layer.
  @inlinable
  public init(encoding: Int, temporal: Int) {
    self.encoding = encoding
    self.temporal = temporal
  }

  /// Orders by encoding, then by temporal layer.
  @inlinable
  public static func < (a: Self, b: Self) -> Bool {
    a.encoding == b.encoding ? a.temporal < b.temporal : a.encoding < b.encoding
  }
}

/// A layer that a policy can select.
package struct Layer: Hashable, Sendable {
  package var id: LayerID
  /// Frame size, and frame rate up to the temporal layer.
  package var format: VideoFormat
  /// Cumulative payload bit rate.
  package var bitrate: BitRate
  /// Thinning of its frames; `nil` if all are forwarded.
  package var thinning: FrameThinning?

  package init(id: LayerID, format: VideoFormat, bitrate: BitRate) {
    self.id = id
    self.format = format
    self.bitrate = bitrate
  }
}

extension [Layer] {
  /// Returns the additional bit rate of the layer after one given by its index, -1 for none.
  package func step(above index: Int) -> BitRate {
    self[index + 1].bitrate - (index >= 0 ? self[index].bitrate : .zero)
  }
}

extension Ladder {
  /// All layers, ordered by encoding, then by temporal layer; the rate of a spatial layer that is predicted from lower
  /// layers in every picture includes their rates. A layer whose rate is zero does not arrive, whatever the layers
  /// below it do. Upper layers that a stream's maximum leaves off are not among them.
  package var layers: [Layer] {
    encodings.indices.prefix(split?.fullRates.enabled ?? encodings.count).flatMap { e in
      encodings[e].cumulativeBitrates.indices.map { t in
        Layer(
          id: LayerID(encoding: e, temporal: t),
          format: VideoFormat(
            encodings[e].format.resolution,
            milliFramesPerSecond: encodings[e].milliFramesPerSecond(upTo: t)),
          bitrate: encodings[e].cumulativeBitrates[t] == .zero
            ? .zero : encodings[e].cumulativeBitrates[t] + below(e, upTo: t))
      }
    }
  }

  private func below(_ encoding: Int, upTo temporal: Int) -> BitRate {
    guard layering?.prediction == .full else { return .zero }
    return encodings[..<encoding].reduce(.zero) {
      $0 + $1.cumulativeBitrates[min(temporal, $1.temporalLayers - 1)]
    }
  }
}
