package import Quantity

/// CUBIC congestion avoidance: RFC 9438 section 4, in segments and seconds.
package struct CubicWindow: BitwiseCopyable, Sendable {
  /// C: growth constant [segment/s³].
  package static let scale = 0.4
  /// beta_cubic: multiplicative decrease factor.
  package static let decrease = 0.7
  /// alpha_cubic: growth per round trip that matches Reno's throughput at ``decrease`` (equation 4) [segment].
  package static let renoIncrease = 3 * (1 - decrease) / (1 + decrease)

  /// W_max: plateau of the curve [segment].
  package private(set) var plateau = 0.0
  /// cwnd_prior: the window before the last reduction [segment].
  private var prior = 0.0
  /// K: time from the start of the epoch to the plateau [s].
  package private(set) var timeToPlateau = 0.0
  /// W_est: the window that Reno would have [segment].
  private var reno = 0.0
  /// Start of the growth since the last reduction; `nil` before it has started.
  private var epoch: SimTime?
  private var followsTimeout = false

  package init() {}

  /// Evaluates W_cubic of equation 1, `time` [s] after the start of the epoch.
  package func curve(at time: Double) -> Double {
    let distance = time - timeToPlateau
    return Self.scale * distance * distance * distance + plateau
  }

  /// Returns the window after an acknowledgement of `count` segments in congestion avoidance [segment].
  package mutating func grown(
    from window: Double, acknowledged count: Int, roundTrip: SimDuration, at now: SimTime
  ) -> Double {
    if epoch == nil { begin(with: window, at: now) }
    let elapsed = (now - (epoch ?? now)).seconds
    let share = Double(count) / window
    reno += (reno < prior ? Self.renoIncrease : 1) * share
    guard curve(at: elapsed) >= reno else { return max(window, reno) }
    let target = min(max(curve(at: elapsed + roundTrip.seconds), window), 1.5 * window)
    return window + (target - window) * share
  }

  /// Returns the window after a loss [segment]: sections 4.6 and 4.7, with fast convergence.
  package mutating func reduced(from window: Double, isTimeout: Bool = false) -> Double {
    plateau = window < plateau ? window * (1 + Self.decrease) / 2 : window
    prior = window
    epoch = nil
    followsTimeout = isTimeout
    return window * Self.decrease
  }

  /// Starts an epoch (section 4.2); after a timeout the curve starts at its plateau (section 4.8).
  private mutating func begin(with window: Double, at now: SimTime) {
    epoch = now
    reno = window
    if followsTimeout || window >= plateau {
      plateau = window
      timeToPlateau = 0
    } else {
      timeToPlateau = Self.cubeRoot((plateau - window) / Self.scale)
    }
    followsTimeout = false
  }

  /// Computes the cube root of a positive number by Newton's method: bit-identical on every processor, unlike `cbrt`.
  static func cubeRoot(_ value: Double) -> Double {
    var root = Double(sign: .plus, exponent: value.exponent / 3, significand: 1)
    for _ in 0..<8 { root = (2 * root + value / (root * root)) / 3 }
    return root
  }
}
