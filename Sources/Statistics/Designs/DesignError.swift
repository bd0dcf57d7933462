/// Why there is no design of this size.
package enum DesignError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The method can't vary so many variables together.
  case tooManyDimensions(Int, limit: Int)
  /// From 1 to `limit` points can be had.
  case pointCount(Int, limit: Int)

  package var description: String {
    switch self {
    case .tooManyDimensions(let asked, let limit):
      "\(asked) variables are too many for a Sobol sequence, which has \(limit) dimensions: "
        + "vary fewer, or use a Latin hypercube"
    case .pointCount(let asked, let limit): "a design of \(asked) points can't be had: from 1 to \(limit)"
    }
  }
}
