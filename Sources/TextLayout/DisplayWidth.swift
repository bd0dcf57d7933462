extension StringProtocol {
  /// Number of terminal columns that the text takes: two for a wide character (Unicode Standard Annex 11), one for
  /// others.
  package var columns: Int {
    utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + $1.columns }
  }

  /// Returns the longest prefix that fits in this many columns.
  package func beginning(_ width: Int) -> SubSequence {
    var room = width
    return prefix { character in
      room -= character.columns
      return room >= 0
    }
  }

  /// Returns the text truncated to a width, with an ellipsis if anything was cut.
  package func truncated(to width: Int) -> String {
    columns > width ? beginning(Swift.max(0, width - 1)) + "…" : String(self)
  }

  /// Returns lines of at most the given width; longer words are cut into pieces.
  package func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    for word in words {
      var rest = word[...]
      while rest.columns > width, width > 1 {
        let part = rest.beginning(width)
        lines.append(String(part))
        rest = rest.dropFirst(part.count)
      }
      lines.append(word: rest, to: width)
    }
    return lines
  }

  /// Words, of which a percentage is one.
  private var words: [String] {
    split(separator: " ").reduce(into: []) { words, word in
      if word.first == "%", let last = words.last {
        words[words.count - 1] = "\(last) \(word)"
      } else {
        words.append(String(word))
      }
    }
  }

  /// Returns lines of at most the given width, all but the first indented; longer words, such as a position in a file,
  /// stay whole.
  package func hanging(by indent: Int, to width: Int) -> [String] {
    guard columns > width else { return [String(self)] }
    let margin = String(prefix { $0 == " " })
    let words = words
    var lines = [margin + (words.first ?? "")]
    for word in words.dropFirst() {
      lines.append(word: word, to: width, indent: margin + String(repeating: " ", count: indent))
    }
    return lines
  }
}

extension [String] {
  /// Appends a word to the last line, or on a new line if there is no room for it.
  fileprivate mutating func append(word: some StringProtocol, to width: Int, indent: String = "") {
    if let last, last.columns + 1 + word.columns <= width {
      self[count - 1] += " " + word
    } else {
      append(indent + word)
    }
  }
}

extension Character {
  fileprivate var columns: Int {
    guard let first = unicodeScalars.first?.value, first >= 0x1100 else { return 1 }
    return Self.wide.contains { $0.contains(first) } ? 2 : 1
  }

  /// Blocks of wide characters: Hangul, CJK, Kana, full-width forms and pictographs.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x4dbf, 0x4e00...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3,
    0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f900...0x1f9ff,
    0x20000...0x3fffd,
  ]
}
