/// A rule that decides what a tile is given, for people.
package struct RuleDescription: Hashable, Sendable {
  /// As in `decisions.csv`.
  package var name: String
  /// What it does, as a sentence.
  package var sentence: String
  /// Document or code that it follows, and which part is our model.
  package var source: String

  package init(_ name: String, _ sentence: String, source: String) {
    self.name = name
    self.sentence = sentence
    self.source = source
  }
}
