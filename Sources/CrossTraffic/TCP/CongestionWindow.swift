package import Quantity

/// Congestion window of a TCP sender: slow start and congestion avoidance.
///
/// The window is in segments and grows by acknowledged segments (RFC 3465 without its limit, as in Linux), so slow
/// start doubles it per round trip even with delayed acknowledgements. HyStart (RFC 9406) is not modelled: the first
/// slow start runs until a loss and overshoots more than Linux's.
package struct CongestionWindow: BitwiseCopyable, Sendable {
  private enum Avoidance: BitwiseCopyable, Sendable {
    case cubic(CubicWindow)
    case reno
    /// A model of the path sets the window.
    case model
  }

  /// cwnd [segment].
  package private(set) var segments: Double
  /// ssthresh [segment].
  package private(set) var threshold = Double.infinity
  private var avoidance: Avoidance

  package init(_ control: TCPCongestionControl, initial: Int) {
    segments = Double(max(1, initial))
    switch control {
    case .cubic: avoidance = .cubic(CubicWindow())
    case .reno: avoidance = .reno
    case .bbr, .bbr3: avoidance = .model
    }
  }

  /// Sets the window to a path model's [segment].
  package mutating func follow(_ segments: Int) { self.segments = Double(segments) }

  package var isInSlowStart: Bool { segments < threshold }

  /// Grows the window for newly acknowledged segments.
  package mutating func grow(acknowledged count: Int, roundTrip: SimDuration, at now: SimTime) {
    if case .model = avoidance { return }
    var rest = count
    if isInSlowStart {
      let opened = min(segments + Double(count), threshold)
      rest -= Int((opened - segments).rounded(.up))
      segments = opened
    }
    guard rest > 0 else { return }
    switch avoidance {
    case .model: break
    case .reno:
      segments += Double(rest) / segments
    case .cubic(var cubic):
      segments = cubic.grown(from: segments, acknowledged: rest, roundTrip: roundTrip, at: now)
      avoidance = .cubic(cubic)
    }
  }

  /// Reduces the window on entering fast recovery: RFC 5681 equation 4, RFC 9438 section 4.6.
  package mutating func reduce() {
    if case .model = avoidance { return }
    lowerThreshold(isTimeout: false)
    segments = threshold
  }

  /// Reduces the window to one segment after a timeout.
  ///
  /// - Parameter isRepeated: `true` if the same segment had already timed out; ssthresh is then kept (RFC 5681
  ///   section 3.1).
  package mutating func collapse(isRepeated: Bool) {
    if case .model = avoidance { return }
    if !isRepeated { lowerThreshold(isTimeout: true) }
    segments = 1
  }

  /// Exits fast recovery with at most this window, to avoid a burst (RFC 6582 section 3.2, step 3).
  package mutating func exitRecovery(atMost limit: Double) {
    if case .model = avoidance { return }
    segments = min(threshold, limit)
  }

  private mutating func lowerThreshold(isTimeout: Bool) {
    switch avoidance {
    case .model: break
    case .reno:
      threshold = max(2, segments / 2)
    case .cubic(var cubic):
      threshold = max(2, cubic.reduced(from: segments, isTimeout: isTimeout))
      avoidance = .cubic(cubic)
    }
  }
}
