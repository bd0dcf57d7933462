/// Times as text.
enum TraceTime {
  /// Seconds of a date and time since a fixed epoch, in UTC if an offset is stated; `nil` for any other form.
  ///
  /// Dates are such as `2019.12.14_10.16.30`, `2019-12-14T10:16:30.5+01:00`, `2019-12-14 10:16:30 PM`,
  /// `14.12.2019 10:16:30` and `20191214101630`.
  static func seconds(ofDate text: String) -> Double? {
    guard text.utf8.count >= 11 else { return nil }
    let numbers = text.split { !($0.isASCII && $0.isNumber) }
    if let digits = numbers.first, digits.count == 14, ["19", "20"].contains(digits.prefix(2)) {
      return seconds(ofDigits: digits, text[digits.endIndex...])
    }
    var values = numbers.prefix(6).compactMap { Int($0) }
    if values.count == 6, values[2] > 31, text[numbers[0].endIndex] == "." { values.swapAt(0, 2) }
    let ranges = [0...9999, 1...12, 1...31, 0...24, 0...60, 0...60]
    guard values.count == 6, zip(ranges, values).allSatisfy({ $0.contains($1) }) else { return nil }
    // Days of the Gregorian calendar, with years starting in March.
    let year = values[1] > 2 ? values[0] : values[0] - 1
    let month = (values[1] + 9) % 12
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + values[2]
    let (fraction, rest) = Self.fraction(text[numbers[5].endIndex...])
    let words = rest.lowercased().split { $0 == " " || $0 == "." }
    let hour = Self.hour(values[3], words)
    return Double(((days * 24 + hour) * 60 + values[4]) * 60 + values[5]) + fraction - offset(words)
  }

  /// Seconds of a date and time of 14 digits, as iperf 2 writes it, and what follows it.
  private static func seconds(ofDigits text: Substring, _ rest: Substring) -> Double? {
    let digits = Array(text)
    let parts = [0..<4, 4..<6, 6..<8, 8..<10, 10..<12, 12..<14].map { String(digits[$0]) }
    return seconds(ofDate: parts.joined(separator: "-") + rest)
  }

  /// Seconds since midnight of a time of day such as `10:16:30.5` or `10:16:30 PM`.
  static func seconds(ofDay text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hours = Int(parts[0]), let minutes = Int(parts[1]) else { return nil }
    let digits = parts[2].prefix { $0.isNumber || $0 == "." }
    let words = parts[2].dropFirst(digits.count).lowercased().split { $0 == " " || $0 == "." }
    guard let seconds = Double(digits), words.isEmpty || isAfternoon(words) != nil,
      (0...24).contains(hours), (0...60).contains(minutes), (0...61).contains(seconds)
    else { return nil }
    return Double((hour(hours, words) * 60 + minutes) * 60) + seconds
  }

  /// Returns the decimals that follow a number of seconds, and what follows them.
  private static func fraction(_ rest: Substring) -> (Double, Substring) {
    guard let mark = rest.first, mark == "." || mark == "," else { return (0, rest) }
    let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
    return (Double("0." + digits) ?? 0, rest.dropFirst(1 + digits.count))
  }

  /// `true` for PM, `false` for AM, `nil` for neither.
  private static func isAfternoon(_ words: [Substring]) -> Bool? {
    switch words.first?.count == 1 ? words.prefix(2).joined() : words.first.map(String.init) {
    case "am": false
    case "pm": true
    default: nil
    }
  }

  /// Hour of the day, of 12 hours if AM or PM follows.
  private static func hour(_ hour: Int, _ words: [Substring]) -> Int {
    isAfternoon(words).map { hour % 12 + ($0 ? 12 : 0) } ?? hour
  }

  /// Offset from UTC, such as `+02:00` or `-0500` [s]; zero if there is none.
  private static func offset(_ words: [Substring]) -> Double {
    guard let word = words.first(where: { $0.hasPrefix("+") || $0.hasPrefix("-") }) else { return 0 }
    let digits = word.dropFirst().filter { $0 != ":" }
    guard digits.count == 2 || digits.count == 4, let hours = Int(digits.prefix(2)),
      let minutes = Int("0" + digits.dropFirst(2))
    else { return 0 }
    return Double(hours * 60 + minutes) * (word.hasPrefix("-") ? -60 : 60)
  }
}
