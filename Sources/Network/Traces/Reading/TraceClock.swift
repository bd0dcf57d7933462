/// Reads the times of successive rows: numbers, dates, or times of day, which wrap around at midnight.
struct TraceClock {
  /// Indicates dates or times of day, which are in seconds.
  private(set) var isText = false
  private var last: (time: Double, text: String)?
  /// Time from the first row's midnight to the last one's [s].
  private var days = 0.0

  /// Returns the time of the next row, in seconds for texts, else in the file's unit.
  ///
  /// - Parameter date: date of a time of day.
  mutating func time(_ field: TraceField, on date: TraceField? = nil) throws(CapacityTraceError) -> Double {
    let shown = String(field.text.prefix(40))
    var time: Double
    let dated = date.flatMap { TraceTime.seconds(ofDate: "\($0.text) \(field.text)") }
    if let seconds = dated ?? TraceTime.seconds(ofDate: field.text) {
      time = seconds
      isText = true
    } else if let number = field.number {
      time = number
    } else if let seconds = TraceTime.seconds(ofDay: field.text) {
      isText = true
      if let last, last.time - seconds - days > 43_200 { days += 86_400 }
      time = seconds + days
    } else {
      throw field.failure(.notATime(shown))
    }
    guard time >= 0 else { throw field.failure(.negative(shown)) }
    guard time <= 1e20 else { throw field.failure(.tooLarge(shown)) }
    if let last, time < last.time { throw field.failure(.outOfOrder(previous: last.text, this: shown)) }
    last = (time, shown)
    return time
  }

  /// Returns the time of the next row in seconds: a number must count from 1970.
  mutating func seconds(_ field: TraceField) throws(CapacityTraceError) -> Double {
    let time = try time(field)
    if isText { return time }
    guard let unit = TraceTimeUnit(sinceEpoch: time) else {
      throw field.failure(
        .command(
          "'\(field.text.prefix(40))' is no date, time of day or time since 1970: 'format: columns' reads other times"
        ))
    }
    return time / unit.perSecond
  }
}
