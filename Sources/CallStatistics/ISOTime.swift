/// Times of ISO 8601, such as `2023-11-14T22:13:20.000Z`.
enum ISOTime {
  /// Returns the time [ms since 1970]; `nil` for other texts. Without an offset, the time is UTC.
  static func milliseconds(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 19, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":"), let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
      let second = number(bytes[17..<19]), (1...12).contains(month), (1...31).contains(day), hour < 24,
      minute < 60, second < 61
    else { return nil }
    var place = 19
    var fraction = 0.0
    if place < bytes.count, bytes[place] == UInt8(ascii: ".") || bytes[place] == UInt8(ascii: ",") {
      let digits = bytes[(place + 1)...].prefix { (0x30...0x39).contains($0) }
      guard let value = Double("0." + String(decoding: digits, as: UTF8.self)) else { return nil }
      fraction = value
      place += 1 + digits.count
    }
    guard let offset = minutes(bytes[place...]) else { return nil }
    let hours: Int = days(year, month, day) * 24 + hour
    let minutes: Int = hours * 60 + minute - offset
    return (Double(minutes * 60 + second) + fraction) * 1000
  }

  /// Offset from UTC [min], such as `+01:00`, `+0100` or `+01`.
  private static func minutes(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let sign = bytes.first, bytes.count > 1 || sign != UInt8(ascii: "Z") else { return 0 }
    var digits = Array(bytes.dropFirst())
    if digits.count == 5, digits[2] == UInt8(ascii: ":") { digits.remove(at: 2) }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), digits.count == 2 || digits.count == 4,
      let hours = number(digits[..<2]), let minutes = digits.count == 2 ? 0 : number(digits[2...])
    else { return nil }
    return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    digits.allSatisfy { (0x30...0x39).contains($0) } ? Int(String(decoding: digits, as: UTF8.self)) : nil
  }

  /// Days since 1970 in the Gregorian calendar, counted in years from March.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let years: Int = month > 2 ? year : year - 1
    let months: Int = (month + 9) % 12
    let leapDays: Int = years / 4 - years / 100 + years / 400
    let before: Int = (153 * months + 2) / 5 + day - 1
    return 365 * years + leapDays + before - 719_468
  }
}
