/// An estimator by name, with its parameters.
package enum EstimatorConfiguration: Hashable, Sendable {
  case gcc(GoogleCongestionControlParameters)
  case nada(NADAParameters)
  case oracle(OracleParameters)

  package var name: String {
    switch self {
    case .gcc: "gcc"
    case .nada: "nada"
    case .oracle: "oracle"
    }
  }

  /// Packet headers relative to video payload: 72 bytes on packets of some 700 bytes, as small pictures have them.
  package var headerShare: Double {
    switch self {
    case .gcc, .nada: 0.1
    case .oracle(let parameters): parameters.overhead
    }
  }

  /// Every estimator, with a line on it and where its rules come from.
  package static let all: [(name: String, summary: String, source: String)] = [
    (
      "gcc",
      "Google Congestion Control at the sender: delay trend, loss, probing, pacing, from real feedback",
      "libwebrtc's goog_cc of 2026; where it differs from draft-ietf-rmcat-gcc-02, the code"
    ),
    ("nada", "Network-Assisted Dynamic Adaptation: delay, warped by loss, from real feedback", "RFC 8698"),
    (
      "oracle", "knows the path's capacity: falls count at once, rises as the mean over the last second",
      "our model: an upper bound for congestion controllers"
    ),
  ]
}
