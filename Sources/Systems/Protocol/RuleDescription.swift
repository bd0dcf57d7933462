/// Human-readable description of a rule that decides a tile's allocation.
package struct RuleDescription: Hashable, Sendable {
  /// Name in `decisions.csv`.
  package var name: String
  /// Effect of the rule, as a sentence.
  package var sentence: String
  /// Document or code that it follows, and which part is our model.
  package var source: String

  package init(_ name: String, _ sentence: String, source: String) {
    self.name = name
    self.sentence = sentence
    self.source = source
  }
}
