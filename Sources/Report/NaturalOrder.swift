/// Order of names in which `student-2` comes before `student-10`.
enum NaturalOrder {
  static func isBefore(_ first: String, _ second: String) -> Bool {
    var (a, b) = (Array(first.utf8)[...], Array(second.utf8)[...])
    while let x = a.first, let y = b.first {
      let (numberA, numberB) = (digits(&a), digits(&b))
      if let numberA, let numberB {
        if numberA.count != numberB.count { return numberA.count < numberB.count }
        if numberA != numberB { return numberA.lexicographicallyPrecedes(numberB) }
        continue
      }
      // A digit comes before anything else.
      if numberA != nil || numberB != nil { return numberA != nil }
      if x != y { return x < y }
      a.removeFirst()
      b.removeFirst()
    }
    return a.isEmpty && !b.isEmpty
  }

  /// Removes and returns leading digits, without leading zeros; `nil` if there are none.
  private static func digits(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let end = text.firstIndex { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? text.endIndex
    guard end > text.startIndex else { return nil }
    let number = text[..<end].drop { $0 == UInt8(ascii: "0") }
    text = text[end...]
    return number
  }
}
