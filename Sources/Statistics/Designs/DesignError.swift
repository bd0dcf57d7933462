/// Reason why a design of the requested size is impossible.
package enum DesignError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The method does not support this many variables.
  case tooManyDimensions(Int, limit: Int)
  /// The number of points must be from 1 to `limit`.
  case pointCount(Int, limit: Int)

  package var description: String {
    switch self {
    case .tooManyDimensions(let asked, let limit):
      "\(asked) variables exceed the \(limit) dimensions of the Sobol sequence: vary fewer, "
        + "or use a Latin hypercube"
    case .pointCount(let asked, let limit): "a design has 1 to \(limit) points, not \(asked)"
    }
  }
}
