/// Suggestions for unknown names.
package enum Suggestion {
  /// Of a long list of names only these many are considered: a file may have an error for each of as many.
  static let limit = 100

  /// `did you mean 'x'?`, or the list of valid names.
  package static func text(for word: String, among known: [String]) -> String {
    if let nearest = nearest(to: word, among: known) { return "did you mean '\(nearest)'?" }
    guard !known.isEmpty else { return "none is defined" }
    return "expected one of \(known.prefix(limit).joined(separator: ", "))\(known.count > limit ? ", …" : "")"
  }

  /// The same for a key, which other tools may call otherwise; a long list is named, not printed.
  static func text(forKey word: String, among known: [String]) -> String {
    if let meaning = Vocabulary.meaning(of: word, among: known) { return "did you mean '\(meaning)'?" }
    guard known.count > keyLimit, nearest(to: word, among: known) == nil else {
      return text(for: word, among: known)
    }
    return "'meetsim list keys' has them all"
  }

  /// The most keys that are listed.
  private static let keyLimit = 24

  /// The known word with the smallest edit distance of those that are near enough; of equal ones the first.
  static func nearest(to word: String, among known: [String]) -> String? {
    nearest(to: word, among: Array(known.prefix(2 * limit)), atMost: 1).first
  }

  /// The known words with the smallest edit distances, if those are at most half the shorter word's length (or 1); of
  /// equal ones first those that come first.
  package static func nearest(to word: String, among known: [String], atMost count: Int) -> [String] {
    let letters = letters(of: word)
    let near = known.enumerated().compactMap { place, name in
      distance(letters, self.letters(of: name)).map { ($0, place, name) }
    }
    return near.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(count).map(\.2)
  }

  private static func letters(of word: String) -> [Unicode.Scalar] { Array(word.unicodeScalars.prefix(64)) }

  /// Levenshtein distance; `nil` if it is above half the shorter word's length (or 1), as it soon proves to be for most
  /// words.
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
      // No later row has a smaller number than the least of this one.
      if least > limit { return nil }
    }
    return row[b.count] <= limit ? row[b.count] : nil
  }
}
