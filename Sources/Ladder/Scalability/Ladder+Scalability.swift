package import Quantity

/// Parameters of a source that sends a scalable stream.
package struct ScalableSending: Hashable, Sendable {
  package var codec: VideoCodec
  package var mode: ScalabilityMode
  /// Application's bit rate limit for the stream; `nil` for none.
  package var maximum: BitRate?
  /// Set if the sender scales its pictures down to the height that receivers request, and sends what it would send for
  /// a capture of that height.
  package var followsRequests = false

  package init(_ codec: VideoCodec, _ mode: ScalabilityMode, maximum: BitRate? = nil) {
    self.codec = codec
    self.mode = mode
    self.maximum = maximum
  }
}

extension Ladder {
  /// Creates the layers of a scalable stream, with their rates on an uplink that carries all of it.
  ///
  /// Several spatial layers share the maximum as libwebrtc splits it; it defaults to the sum of the layers' maxima. A
  /// single layer is an encoding between libwebrtc's minimum and the maximum, by default libwebrtc's for a stream.
  package static func scalable(_ sending: ScalableSending, capture: VideoFormat, isScreen: Bool) -> Ladder {
    let mode = sending.mode.fitted(to: capture.resolution)
    var ladder: Ladder
    if mode.spatialLayers == 1 {
      ladder = sending.maximum.map { .single(capture: capture, maximum: $0) } ?? .single(capture: capture)
      ladder.encodings[0].rid = "s0"
    } else {
      let split = ScalableRateSplit(
        codec: sending.codec, size: capture.resolution, mode: mode, isScreen: isScreen,
        maximum: sending.maximum)
      let rates = split.rates(split.usefulMaximum)
      ladder = Ladder(
        encodings: (0..<split.layerCount).map { spatial in
          var layer = Encoding(
            rid: "s\(spatial)",
            format: VideoFormat(
              split.size(of: spatial), milliFramesPerSecond: capture.milliFramesPerSecond),
            cumulativeBitrates: [max(rates[spatial], split.limits(of: spatial).minimum)])
          layer.minimum = split.limits(of: spatial).minimum
          layer.maximum = layer.bitrate
          return layer
        })
    }
    ladder.scalability = mode
    for index in ladder.encodings.indices {
      ladder.encodings[index].splitTemporally(into: mode.temporalLayers)
    }
    return ladder
  }
}

extension Encoding {
  /// Splits the rate among temporal layers, as libwebrtc does in a scalable stream.
  fileprivate mutating func splitTemporally(into count: Int) {
    let own = ScalableRateSplit.temporalRates(of: bitrate, layers: count)
    var sum = BitRate.zero
    cumulativeBitrates = (0..<count).map { layer in
      sum += own[layer]
      return sum
    }
  }
}
