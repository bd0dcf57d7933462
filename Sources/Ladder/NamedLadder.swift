package import Quantity

/// A ladder that a scenario can name.
package struct NamedLadder: Sendable {
  package var name: String
  package var summary: String
  /// Source of the ladder's rates.
  package var source: String
  package var ladder: Ladder
  /// Builds the ladder for a capture format; `nil` to fit ``ladder`` to it.
  private var fitted: (@Sendable (VideoFormat) -> Ladder)?

  package init(
    name: String, summary: String, source: String, ladder: Ladder,
    fitted: (@Sendable (VideoFormat) -> Ladder)? = nil
  ) {
    self.name = name
    self.summary = summary
    self.source = source
    self.ladder = ladder
    self.fitted = fitted
  }

  /// Returns the ladder for a capture format.
  package func of(_ capture: VideoFormat) -> Ladder { fitted?(capture) ?? ladder.fitted(to: capture) }

  /// Vendor-neutral ladders.
  package static let common: [NamedLadder] = [
    NamedLadder(
      name: "webrtc-vp8",
      summary:
        "from a 720p capture 180p30 150, 360p30 500, 720p30 2500 kbps, scaled for other sizes; three temporal layers "
        + "40/20/40",
      source:
        "libwebrtc video/config/simulcast.cc (sizes and rates) and simulcast_rate_allocator.cc (shares)",
      ladder: .libwebrtcVP8(capture: VideoFormat(.p720, framesPerSecond: 30)),
      fitted: { .libwebrtcVP8(capture: $0) }),
    NamedLadder(
      name: "single", summary: "one encoding at the capture size, up to 2500 kbps; less for smaller frames",
      source: "libwebrtc video/config/encoder_stream_factory.cc",
      ladder: .single(capture: VideoFormat(.p720, framesPerSecond: 30)), fitted: { .single(capture: $0) }),
  ]
}

extension Ladder {
  /// Creates a ladder of one encoding between libwebrtc's minimum stream bit rate and a maximum, by default libwebrtc's
  /// (`video/config/encoder_stream_factory.cc`).
  package static func single(capture: VideoFormat, maximum: BitRate = .kilobits(2500)) -> Ladder {
    var encoding = Encoding(rid: "f", format: capture, cumulativeBitrates: [maximum])
    encoding.minimum = .kilobits(30)
    encoding.maximum = maximum
    return Ladder(encodings: [encoding])
  }

  /// Creates the ladder of libwebrtc's VP8 encodings for a capture format, with their limits
  /// (`video/config/simulcast.cc`).
  ///
  /// - Parameter count: maximum number of encodings that the application requests.
  package static func libwebrtcVP8(capture: VideoFormat, encodings count: Int = 3) -> Ladder {
    let rids = ["q", "h", "f"]
    let encodings = LibwebrtcSimulcast.encodings(of: capture.resolution, requested: count)
    return Ladder(
      encodings: encodings.enumerated().map { index, own in
        Encoding(
          rid: rids[index],
          format: VideoFormat(own.resolution, milliFramesPerSecond: capture.milliFramesPerSecond),
          rates: own.rates)
      })
  }

  /// Caps the bit rate of the highest encoding, or of all layers of one stream together.
  package mutating func limit(to maximum: BitRate) {
    guard !encodings.isEmpty else { return }
    split?.limit(to: maximum)
    guard !isLayered else { return setLayerRates() }
    encodings[encodings.count - 1].limit(to: maximum)
  }

  /// Raises the bit rate of the highest encoding.
  package mutating func raise(to maximum: BitRate) {
    guard !encodings.isEmpty else { return }
    encodings[encodings.count - 1].raise(to: maximum)
  }

  /// Creates a ladder of a high and a low stream without temporal layers; the low stream's frame rate is capped at the
  /// high stream's.
  package static func dualStream(
    high: VideoFormat, highRate: BitRate, low: VideoFormat, lowRate: BitRate, lowStream: LowStreamLimits
  ) -> Ladder {
    var ladder = Ladder(
      encodings: [
        Encoding(rid: "low", format: low, cumulativeBitrates: [lowRate]),
        Encoding(rid: "high", format: high, cumulativeBitrates: [highRate]),
      ], lowStream: lowStream)
    ladder.setLow(low, bitrate: lowRate)
    return ladder
  }

  /// Replaces a dual-stream ladder's low stream.
  package mutating func setLow(_ format: VideoFormat, bitrate: BitRate) {
    let rate = min(format.milliFramesPerSecond, encodings.last?.format.milliFramesPerSecond ?? .max)
    encodings[0].format = VideoFormat(format.resolution, milliFramesPerSecond: rate)
    encodings[0].cumulativeBitrates = [bitrate]
  }
}
