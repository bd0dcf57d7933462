/// Finds what a misspelt word may have meant.
enum Suggestion {
  /// ` (did you mean 'x'?)`, or the list of what is known.
  static func text(for word: String, among known: [String]) -> String {
    if let nearest = nearest(to: word, among: known) { return "did you mean '\(nearest)'?" }
    return known.isEmpty ? "nothing is known here" : "known here: \(known.joined(separator: ", "))"
  }

  /// The known word that differs in at most half its letters, if there is one.
  static func nearest(to word: String, among known: [String]) -> String? {
    let nearest = known.map { ($0, distance(word, $0)) }.min { $0.1 < $1.1 }
    guard let nearest, nearest.1 <= max(1, min(word.count, nearest.0.count) / 2) else { return nil }
    return nearest.0
  }

  /// Edit distance of Levenshtein, on at most the first 64 characters.
  private static func distance(_ a: String, _ b: String) -> Int {
    let a = Array(a.prefix(64))
    let b = Array(b.prefix(64))
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
