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
    var split = ScalableRateSplit(
      codec: sending.codec, size: capture.resolution, mode: sending.mode, isScreen: isScreen,
      maximum: sending.maximum)
    var ladder: Ladder
    if split.layerCount == 1 {
      ladder = sending.maximum.map { .single(capture: capture, maximum: $0) } ?? .single(capture: capture)
      ladder.encodings[0].rid = "s0"
      ladder.encodings[0].splitTemporally(into: split.mode.temporalLayers)
      split.limit(to: ladder.encodings[0].bitrate)
    } else {
      ladder = Ladder(
        encodings: (0..<split.layerCount).map { spatial in
          let format = VideoFormat(
            split.size(of: spatial), milliFramesPerSecond: capture.milliFramesPerSecond)
          return Encoding(rid: "s\(spatial)", format: format, cumulativeBitrates: [])
        })
      ladder.split = split
      ladder.setLayerRates()
    }
    ladder.scalability = split.mode
    ladder.split = split
    return ladder
  }

  /// Sets the rates of several spatial layers to those on an uplink that carries all of the stream; a layer that the
  /// maximum leaves off has its minimum. Listed layers, which have no limits, keep the shares of their temporal layers.
  mutating func setLayerRates() {
    guard let split else { return }
    let rates = split.fullRates
    for spatial in encodings.indices {
      guard encodings[spatial].hasLimits || encodings[spatial].cumulativeBitrates.isEmpty else {
        if spatial < rates.enabled { encodings[spatial].limit(to: rates[spatial]) }
        continue
      }
      let limits = split.limits(of: spatial)
      encodings[spatial].cumulativeBitrates = [spatial < rates.enabled ? rates[spatial] : limits.minimum]
      encodings[spatial].minimum = limits.minimum
      encodings[spatial].maximum = encodings[spatial].bitrate
      encodings[spatial].splitTemporally(into: split.mode.temporalLayers)
    }
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
