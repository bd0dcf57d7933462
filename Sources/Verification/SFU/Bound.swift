/// Tolerance of a recorded value: a share of it or, if greater, an absolute distance.
package struct Bound: Equatable, Sendable {
  package var share: Double
  package var distance: Double

  /// Checks a value against a recorded one.
  package func holds(recorded: Double, other: Double) -> Bool {
    abs(recorded - other) <= max(share * recorded, distance)
  }

  /// Tolerance in words, such as `±15 % or 30`.
  package var text: String {
    let distance = VerificationCheck.text(distance)
    return share > 0 ? "±\(VerificationCheck.text(share * 100)) % or \(distance)" : "±\(distance)"
  }
}

extension Measure {
  /// Tolerance within which two recordings of the same setup agree in about three of four checks.
  package var bound: Bound {
    switch self {
    case .kbps: Bound(share: 0.15, distance: 30)
    case .picture: Bound(share: 0, distance: 0.1)
    case .height: Bound(share: 0.2, distance: 20)
    case .fps: Bound(share: 0.25, distance: 2)
    case .lost: Bound(share: 0.5, distance: 2)
    case .frozen: Bound(share: 0.5, distance: 3)
    case .keyFrames: Bound(share: 0.5, distance: 3)
    case .layer0, .layer1, .layer2: Bound(share: 0.2, distance: 30)
    case .allShown: Bound(share: 0.3, distance: 2)
    }
  }

  /// Tolerance for recordings of scalable streams, as in the `compare.py` beside them.
  package var layeredBound: Bound { self == .frozen ? Bound(share: 0.5, distance: 2) : bound }
}
