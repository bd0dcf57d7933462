/// Suggestions for unknown names.
package enum Suggestion {
  /// Number of names considered in a long list, since a file may have as many errors as names.
  static let limit = 100

  /// Suggests `did you mean 'x'?`, or lists the valid names.
  package static func text(for word: String, among known: [String]) -> String {
    if let nearest = nearest(to: word, among: known) { return "did you mean '\(nearest)'?" }
    guard !known.isEmpty else { return "none is defined" }
    return "expected one of \(known.prefix(limit).joined(separator: ", "))\(known.count > limit ? ", …" : "")"
  }

  /// Suggests a key, which other tools may call something else; refers to the reference instead of printing a long
  /// list.
  static func text(forKey word: String, among known: [String]) -> String {
    if let meaning = Vocabulary.meaning(of: word, among: known) { return "did you mean '\(meaning)'?" }
    guard known.count > keyLimit, nearest(to: word, among: known) == nil else {
      return text(for: word, among: known)
    }
    return "'meetsim list keys' has them all"
  }

  /// Returns the notation here for what other tools call something else; `nil` for an unknown word.
  package static func synonym(of words: String, among known: [String]) -> String? {
    Vocabulary.meaning(of: words.replacing(" ", with: "-"), among: known)
  }

  /// Suggests a metric, which other tools may call something else, and those whose names begin with the word.
  package static func text(forMetric word: String, among known: [String]) -> String {
    guard let meant = Vocabulary.meaning(of: word, among: known) ?? nearest(to: word, among: known) else {
      return text(for: word, among: known)
    }
    let stem = word.hasSuffix("s") ? String(word.dropLast()) : word
    // Not the same metric with its unit.
    let related = known.filter { stem.count > 2 && $0.hasPrefix(stem) && !$0.hasPrefix(meant) }.prefix(3)
    return "did you mean \(([meant] + related).map { "'\($0)'" }.joined(separator: " or "))?"
  }

  /// Maximum number of keys listed.
  private static let keyLimit = 24

  /// Returns the known word with the smallest edit distance, if near enough; the first of several equally near.
  static func nearest(to word: String, among known: [String]) -> String? {
    nearest(to: word, among: Array(known.prefix(2 * limit)), atMost: 1).first
  }

  /// Returns the known words with the smallest edit distances, at most half the shorter word's length (or 1), nearest
  /// first; equally near words keep their order.
  package static func nearest(to word: String, among known: [String], atMost count: Int) -> [String] {
    let letters = letters(of: word)
    let near = known.enumerated().compactMap { place, name in
      distance(letters, self.letters(of: name)).map { ($0, place, name) }
    }
    return near.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(count).map(\.2)
  }

  private static func letters(of word: String) -> [Unicode.Scalar] { Array(word.unicodeScalars.prefix(64)) }

  /// Computes the Levenshtein distance; `nil`, early for most words, if it exceeds half the shorter word's length (or
  /// 1).
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int? {
    let limit = max(1, min(a.count, b.count) / 2)
    guard abs(a.count - b.count) <= limit else { return nil }
    var row = Array(0...b.count)
    for i in a.indices {
      var diagonal = i
      row[0] = i + 1
      var least = row[0]
      for j in b.indices {
        let cost = min(row[j + 1] + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0 : 1))
        diagonal = row[j + 1]
        row[j + 1] = cost
        least = min(least, cost)
      }
      // Later rows cannot fall below this row's minimum.
      if least > limit { return nil }
    }
    return row[b.count] <= limit ? row[b.count] : nil
  }
}
