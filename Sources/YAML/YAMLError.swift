/// Why a text gives no node, and where.
package struct YAMLError: Error, Equatable {
  package enum Cause: Equatable, Sendable {
    /// libyaml's sentence.
    case syntax(String)
    case noUTF8
    case severalDocuments
    case alias
    case repeatedKey(String)
    case keyIsNoScalar
    case tooDeep
    case tooLarge
  }

  package let cause: Cause
  /// `nil` where the parser knows no place.
  package let mark: Mark?
}
