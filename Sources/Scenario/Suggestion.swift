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

  /// The known word with the smallest edit distance, if that is at most half the shorter word's length (or 1).
  static func nearest(to word: String, among known: [String]) -> String? {
    let nearest = known.prefix(2 * limit).map { ($0, distance(word, $0)) }.min { $0.1 < $1.1 }
    guard let nearest, nearest.1 <= max(1, min(word.count, nearest.0.count) / 2) else { return nil }
    return nearest.0
  }

  /// The known words with the smallest edit distances, if those are at most half the shorter word's length (or 1); of
  /// equal ones first those that come first.
  package static func nearest(to word: String, among known: [String], atMost count: Int) -> [String] {
    let near = known.enumerated().compactMap { place, name in
      let distance = distance(word, name)
      return distance <= max(1, min(word.count, name.count) / 2) ? (distance, place, name) : nil
    }
    return near.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(count).map(\.2)
  }

  /// Levenshtein distance of the first 64 characters.
  private static func distance(_ a: String, _ b: String) -> Int {
    let a = Array(a.unicodeScalars.prefix(64))
    let b = Array(b.unicodeScalars.prefix(64))
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let cost = min(row[j + 1] + 1, row[j] + 1, diagonal + (x == y ? 0 : 1))
        diagonal = row[j + 1]
        row[j + 1] = cost
      }
    }
    return row[b.count]
  }
}
