package import Ladder
package import Quantity

/// Rates allocated to simulcast encodings, smallest first; zero is off.
package struct SimulcastShares: BitwiseCopyable, Sendable {
  private var rates = InlineArray<4, BitRate>(repeating: .zero)
  /// Number of encodings, 1 to 4.
  package let count: Int

  fileprivate init(count: Int) { self.count = count }

  /// Payload rate of an encoding.
  package fileprivate(set) subscript(encoding: Int) -> BitRate {
    get { rates[encoding] }
    set { rates[encoding] = newValue }
  }

  /// Sum over all encodings.
  package var total: BitRate {
    var sum = BitRate.zero
    for encoding in 0..<count { sum += rates[encoding] }
    return sum
  }
}

/// Allocator of a source's rate to its simulcast encodings, as in libwebrtc
/// (`modules/video_coding/utility/simulcast_rate_allocator.cc`).
///
/// From the smallest up, each encoding gets up to its target; the first whose minimum does not fit ends the pass and,
/// with those above it, is off. The remainder goes to the largest active encoding, up to its maximum. The smallest one
/// always gets its minimum. As hysteresis, an encoding that was off needs 1.2 times its minimum (screens 1.35), at most
/// its target; the first allocation has no hysteresis.
package struct SimulcastRateAllocator: BitwiseCopyable, Sendable {
  /// Content type, which selects the hysteresis.
  package enum Content: Sendable, BitwiseCopyable {
    case camera
    case screen

    /// Rate at which an encoding is re-enabled [percent of its minimum].
    package var reenablePercent: Int64 {
      switch self {
      case .camera: 120
      case .screen: 135
      }
    }
  }

  private var rates: InlineArray<4, LayerRates>
  private let count: Int
  private let content: Content
  /// Bit per encoding, set while the application has it active.
  private var active: UInt8
  /// Bit per encoding, set if the last allocation enabled it; `nil` before the first.
  package private(set) var enabled: UInt8?

  /// - Parameter rates: one entry per encoding, smallest first.
  /// - Precondition: 1 to 4 entries.
  package init(_ rates: [LayerRates], content: Content = .camera) {
    precondition((1...4).contains(rates.count), "1 to 4 encodings, not \(rates.count)")
    self.rates = InlineArray(repeating: rates[0])
    for index in rates.indices { self.rates[index] = rates[index] }
    count = rates.count
    self.content = content
    active = (1 << UInt8(rates.count)) - 1
  }

  /// Activates or deactivates an encoding (`RTCRtpEncodingParameters.active`); a change forgets what was enabled, since
  /// libwebrtc reconfigures the encoder, and creates a new allocator (`media/engine/webrtc_video_engine.cc`,
  /// SetRtpParameters; `video/video_stream_encoder.cc`, ReconfigureEncoder).
  package mutating func setActive(_ isActive: Bool, encoding: Int) {
    precondition((0..<count).contains(encoding), "encoding \(encoding) of \(count)")
    let before = active
    if isActive { active |= 1 << UInt8(encoding) } else { active &= ~(1 << UInt8(encoding)) }
    if active != before { enabled = nil }
  }

  /// Allocates a payload rate; zero suspends all encodings and keeps the hysteresis state.
  package mutating func allocate(_ total: BitRate) -> SimulcastShares {
    var shares = SimulcastShares(count: count)
    guard total > .zero, active != 0 else { return shares }
    let remembered = enabled
    var left = max(total, rates[active.trailingZeroBitCount].minimum)
    var on: UInt8 = 0
    var top = active.trailingZeroBitCount
    for encoding in 0..<count where active & 1 << UInt8(encoding) != 0 {
      let bit: UInt8 = 1 << UInt8(encoding)
      let limits = rates[encoding]
      var needed = limits.minimum
      if let remembered, remembered & bit == 0 {
        needed = min(
          BitRate(bitsPerSecond: limits.minimum.bitsPerSecond * content.reenablePercent / 100), limits.target)
      }
      guard left >= needed else { break }
      on |= bit
      top = encoding
      shares[encoding] = min(left, limits.target)
      left -= shares[encoding]
    }
    if left > .zero, on != 0 {
      shares[top] += max(.zero, min(left, rates[top].maximum - shares[top]))
    }
    enabled = on
    return shares
  }
}

/// Allocation of an encoding's rate to its temporal layers (`simulcast_rate_allocator.cc`).
package enum TemporalShares {
  /// Returns the cumulative percentage of the rate up to a temporal layer.
  ///
  /// - Parameters:
  ///   - layer: temporal layer, 0 to `layers - 1`.
  ///   - layers: 1 to 4.
  ///   - isBaseHeavy: `true` for three layers of 60/20/20 instead of 40/20/40.
  package static func cumulativePercent(upTo layer: Int, of layers: Int, isBaseHeavy: Bool = false) -> Int {
    switch (layers, layer) {
    case (2, 0): 60
    case (3, 0): isBaseHeavy ? 60 : 40
    case (3, 1): isBaseHeavy ? 80 : 60
    case (4, 0): 25
    case (4, 1): 40
    case (4, 2): 60
    default: 100
    }
  }

  /// Returns the share of a temporal layer in a scalable stream, 0 to 1: shares fall by a factor of 0.55 from layer to
  /// layer, in the order 0, 2, 1 for three layers (`modules/video_coding/svc/svc_rate_allocator.cc`).
  package static func scalable(_ layer: Int, of layers: Int) -> Double {
    let factor = 0.55
    switch (layers, layer) {
    case (2, 0): return 1 / (1 + factor)
    case (2, _): return factor / (1 + factor)
    case (3, 0): return 1 / (1 + factor + factor * factor)
    case (3, 1): return factor * factor / (1 + factor + factor * factor)
    case (3, _): return factor / (1 + factor + factor * factor)
    default: return 1
    }
  }
}
