/// How far a value may be from a recorded one: a share of it, or an absolute distance where that is more.
package struct Bound: Equatable, Sendable {
  package var share: Double
  package var distance: Double

  /// Whether a value is within the bound of a recorded one.
  package func holds(recorded: Double, other: Double) -> Bool {
    abs(recorded - other) <= max(share * recorded, distance)
  }

  /// As in `±15 % or 30`.
  package var text: String {
    let distance = VerificationCheck.text(distance)
    return share > 0 ? "±\(VerificationCheck.text(share * 100)) % or \(distance)" : "±\(distance)"
  }
}

extension Measure {
  /// The bound that two recordings of the same setup keep in about three of four checks.
  package var bound: Bound {
    switch self {
    case .kbps: Bound(share: 0.15, distance: 30)
    case .picture: Bound(share: 0, distance: 0.1)
    case .height: Bound(share: 0.2, distance: 20)
    case .fps: Bound(share: 0.25, distance: 2)
    case .lost: Bound(share: 0.5, distance: 2)
    case .frozen: Bound(share: 0.5, distance: 3)
    case .allShown: Bound(share: 0.3, distance: 2)
    }
  }
}
