package import Quantity

/// One simulcast encoding of a source: a picture size, a full frame rate, and the rates of its temporal layers.
package struct Encoding: Hashable, Sendable {
  /// The RTP stream id (RFC 8852) that names it within its source, such as `q`, `h`, `f`.
  package var rid: String
  /// Size and full frame rate.
  package var format: VideoFormat
  /// Cumulative target rate of the payload up to each temporal layer, base first, rising; 1 to 3 entries.
  package var cumulativeBitrates: [BitRate]
  /// The least and the greatest rate that its sender's allocator gives it, where that is known; ``bitrate`` is its
  /// target.
  package var minimum: BitRate?
  package var maximum: BitRate?

  package init(rid: String, format: VideoFormat, cumulativeBitrates: [BitRate]) {
    self.rid = rid
    self.format = format
    self.cumulativeBitrates = cumulativeBitrates
  }

  /// The rate with every temporal layer.
  package var bitrate: BitRate { cumulativeBitrates.last ?? .zero }

  /// Whether its sender's allocator is known to move between ``minimum`` and ``maximum``.
  package var hasLimits: Bool { minimum != nil && maximum != nil }

  /// Number of temporal layers, 1 to 3.
  package var temporalLayers: Int { cumulativeBitrates.count }

  /// The frame rate up to a temporal layer [1/1000 Hz]: halved for each layer that is missing (L1T3).
  package func milliFramesPerSecond(upTo temporal: Int) -> Int {
    format.milliFramesPerSecond >> (temporalLayers - 1 - temporal)
  }
}

/// What a source may offer: its encodings, smallest picture first.
package struct Ladder: Hashable, Sendable {
  /// The encodings, rising in pixels.
  package var encodings: [Encoding]

  package init(encodings: [Encoding]) { self.encodings = encodings }
}

/// A place on a ladder: an encoding up to one of its temporal layers.
package struct LayerID: Hashable, Sendable, BitwiseCopyable {
  /// Index of the encoding in its ladder.
  package var encoding: Int
  /// Highest temporal layer, 0 is the base.
  package var temporal: Int

  package init(encoding: Int, temporal: Int) {
    self.encoding = encoding
    self.temporal = temporal
  }
}

/// What a layer is, for a policy that chooses among them.
package struct Layer: Hashable, Sendable {
  /// Where it stands on its source's ladder.
  package var id: LayerID
  /// What it looks like: size, and the frame rate up to its temporal layer.
  package var format: VideoFormat
  /// The payload rate that it costs.
  package var bitrate: BitRate

  package init(id: LayerID, format: VideoFormat, bitrate: BitRate) {
    self.id = id
    self.format = format
    self.bitrate = bitrate
  }
}

extension Ladder {
  /// Every layer, ordered by encoding and then by temporal layer.
  package var layers: [Layer] {
    encodings.indices.flatMap { e in
      encodings[e].cumulativeBitrates.indices.map { t in
        Layer(
          id: LayerID(encoding: e, temporal: t),
          format: VideoFormat(
            encodings[e].format.resolution,
            milliFramesPerSecond: encodings[e].milliFramesPerSecond(upTo: t)),
          bitrate: encodings[e].cumulativeBitrates[t])
      }
    }
  }
}
