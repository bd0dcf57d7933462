/// Cause and position of a parse failure.
package struct YAMLError: Error, Equatable {
  package enum Cause: Equatable, Sendable {
    /// libyaml's message.
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
  /// Position of the failure; `nil` if unknown.
  package let mark: Mark?
}
