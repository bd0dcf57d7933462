/// Names of participants or sources on one line: `student-2…24 (23)`.
enum NameList {
  /// Width to which a list is limited by counting its last ranges instead of naming them.
  private static let width = 26

  /// Lists the names in order, with consecutive numbers as ranges, followed by their count.
  static func text(of names: [String]) -> String {
    guard names.count > 1 else { return names.first ?? "" }
    var ranges: [[Parts]] = []
    for name in names.map(Parts.init) {
      if let last = ranges.last?.last, last.isFollowed(by: name) {
        ranges[ranges.count - 1].append(name)
      } else {
        ranges.append([name])
      }
    }
    let texts = [3, 2, 1].map { text(of: ranges, first: $0) + " (\(names.count))" }
    return texts.first { $0.count <= width } ?? texts[2]
  }

  /// Returns a name without its number; names with the same stem come from one scenario entry with a `count`.
  static func stem(of name: String) -> String {
    let parts = Parts(name)
    return String(parts.digits.isEmpty ? parts.stem : parts.stem + "0" + parts.tail)
  }

  /// Lists each name once; names with the same stem are ordered by number.
  static func ordered(_ names: [String]) -> [String] {
    var stems: [String] = []
    var found: Set<String> = []
    let known = names.filter { found.insert($0).inserted }.map { name in
      let stem = stem(of: name)
      let place = stems.firstIndex(of: stem) ?? stems.count
      if place == stems.count { stems.append(stem) }
      return (stem: place, number: Parts(name).number ?? 0, name: name)
    }
    return known.enumerated().sorted { a, b in
      (a.element.stem, a.element.number, a.offset) < (b.element.stem, b.element.number, b.offset)
    }.map(\.element.name)
  }

  private static func text(of ranges: [[Parts]], first count: Int) -> String {
    var text = ""
    var previous: Parts?
    for range in ranges.prefix(count) {
      guard let first = range.first, let last = range.last else { continue }
      // A repeated stem is omitted: 'student-1, 3…8'.
      let isSame = first.number != nil && previous?.stem == first.stem && previous?.tail == first.tail
      text += (text.isEmpty ? "" : ", ") + (isSame ? "" : first.stem) + first.digits
      if range.count > 1 { text += "…" + last.digits }
      text += first.tail
      previous = last
    }
    let rest = ranges.dropFirst(count).reduce(0) { $0 + $1.count }
    return text + (rest > 0 ? " and \(rest) more" : "")
  }

  /// A name such as `student-2/screen`, split into stem, number and tail.
  private struct Parts {
    let stem: Substring
    let digits: Substring
    let number: Int?
    let tail: Substring

    init(_ text: String) {
      let end = text.firstIndex(of: "/") ?? text.endIndex
      tail = text[end...]
      let digit = UInt8(ascii: "0")...UInt8(ascii: "9")
      let last = text.utf8[..<end].lastIndex { !digit.contains($0) }
      let begin = last.map(text.utf8.index(after:)) ?? text.startIndex
      stem = text[..<begin]
      digits = text[begin..<end]
      number = digits.first == "0" ? nil : Int(digits)
    }

    func isFollowed(by other: Parts) -> Bool {
      guard let number, let next = other.number else { return false }
      return stem == other.stem && tail == other.tail && next == number + 1
    }
  }
}
