import Quantity

/// Table of times and rates, with columns and units from its header or as stated.
struct TraceTable {
  private let lines: TraceLines
  private let separator: UInt8?
  /// Names of the columns; numbers from 1 where there is no header.
  private let names: [String]
  private let hasHeader: Bool
  private let stated: TraceColumns

  private static let mostColumns = 1000
  /// Maximum number of readings offered.
  private static let mostChoices = 8

  init(_ lines: TraceLines, _ stated: TraceColumns) throws(CapacityTraceError) {
    let begin = Array(lines.rows.prefix(2))
    guard let first = begin.first else { throw CapacityTraceError(line: lines.lastNumber, cause: .empty) }
    self.lines = lines
    self.stated = stated
    let separator = first.separator ?? (first.bytes.contains(0x09) ? 0x09 : nil)
    self.separator = separator
    let cells = Self.cells(first, separator)
    guard cells.count <= Self.mostColumns else {
      throw CapacityTraceError(
        line: first.number, cause: .command("a table of more than \(Self.mostColumns) columns cannot be read")
      )
    }
    let below = begin.dropFirst().first.map { Self.cells($0, separator) } ?? []
    let texts = cells.indices.filter { Self.isText(cells[$0]) }
    // Text above text, such as names of interfaces, does not make a header beside numbers.
    hasHeader =
      !texts.isEmpty
      && (cells.allSatisfy { $0.number == nil }
        || texts.contains { !below.indices.contains($0) || !Self.isText(below[$0]) })
    names = hasHeader ? cells.map(\.text) : cells.indices.map { "\($0 + 1)" }
  }

  private static func cells(_ line: TraceLine, _ separator: UInt8?) -> [TraceField] {
    separator.map(line.fields) ?? line.words
  }

  private static func isText(_ cell: TraceField) -> Bool {
    cell.number == nil && time(cell.text) == nil && !cell.isAbsent
  }

  /// Returns the time that a text other than a number states.
  private static func time(_ text: String) -> Double? {
    TraceTime.seconds(ofDate: text) ?? TraceTime.seconds(ofDay: text)
  }

  /// `true` for several columns, or for one without a header or with the name of a rate.
  var isTable: Bool { names.count > 1 || !hasHeader || TraceColumnName.rank(ofRate: names[0]) != nil }

  // MARK: Columns

  private var shownNames: [String] { names.prefix(20).map { String($0.prefix(40)) } }

  private func place(_ name: String) throws(CapacityTraceError) -> Int {
    if let exact = names.firstIndex(of: name) { return exact }
    if let other = names.firstIndex(where: { $0.lowercased() == name.lowercased() }) { return other }
    if let number = Int(name), names.indices.contains(number - 1) { return number - 1 }
    throw CapacityTraceError(
      line: lines.first?.number ?? 1, cause: .missingColumn(name, available: shownNames))
  }

  private func best(_ rank: (String) -> Int?) -> [Int] {
    let ranks = names.map(rank)
    guard let least = ranks.compactMap({ $0 }).min() else { return [] }
    return ranks.indices.filter { ranks[$0] == least }
  }

  private func timePlace() throws(CapacityTraceError) -> Int? {
    if let name = stated.time { return try place(name) }
    guard hasHeader else { return names.count > 1 ? 0 : nil }
    return best(TraceColumnName.rank(ofTime:)).first
  }

  /// Returns the places of the columns that can hold the rate.
  private func ratePlaces(_ time: Int?) throws(CapacityTraceError) -> [Int] {
    if let name = stated.rate { return [try place(name)] }
    if !hasHeader { return names.count <= 2 ? [names.count - 1] : names.indices.filter { $0 != time } }
    let found = best(TraceColumnName.rank(ofRate:)).filter { $0 != time }
    guard found.isEmpty else { return found }
    throw CapacityTraceError(
      line: lines.first?.number ?? 1, cause: .missingColumn("rate", available: shownNames))
  }

  // MARK: Rows

  /// Lines below the header.
  private var data: some Sequence<TraceLine> {
    lines.rows.dropFirst(hasHeader ? 1 : 0)
  }

  /// Rows in the file's own units: time, rate or amount, `nil` where it is missing, and line.
  private struct Raw {
    var rows: [(time: Double, rate: Double?, line: Int)] = []
    /// Number of rows without a rate, and of those before the first rate.
    var left = 0
    var leading = 0
    /// Line of a total below the rows.
    var total: Int?
    var isText = false
    /// Meaning of amounts; `nil` for rates.
    var amounts: TraceAmounts?
  }

  private func rows(_ time: Int?, _ rate: Int) throws(CapacityTraceError) -> Raw {
    var raw = Raw()
    var clock = TraceClock()
    let date = names.firstIndex { $0.lowercased() == "date" }.flatMap { $0 == time ? nil : $0 }
    let intervals = data.first { _ in true }.flatMap { line in
      Self.cells(line, separator).firstIndex { Self.interval($0.text) != nil }
    }
    var first: ClosedRange<Double>?
    var hasRate = false
    for line in data {
      let cells = Self.cells(line, separator)
      guard cells.count > max(time ?? 0, rate) else {
        throw CapacityTraceError(line: line.number, cause: .notARow(line.beginning, .columns))
      }
      if let intervals, cells.count > intervals, let interval = Self.interval(cells[intervals].text) {
        let one = first ?? interval
        first = one
        // The first interval's start again, and more than it: iperf 2's report on the whole.
        if interval.lowerBound == one.lowerBound, interval.upperBound > one.upperBound {
          raw.total = line.number
          continue
        }
      }
      let value = cells[rate].isAbsent ? nil : try cells[rate].value(upTo: 1e15)
      hasRate = hasRate || value != nil
      if value == nil { raw.left += 1 }
      if !hasRate { raw.leading += 1 }
      var at = Double(raw.rows.count)
      if let time {
        do throws(CapacityTraceError) {
          at = try clock.time(cells[time], on: date.flatMap { cells.indices.contains($0) ? cells[$0] : nil })
        } catch {
          // A row without a rate may have no time either.
          if value == nil { continue }
          throw error
        }
      }
      raw.rows.append((at, value, line.number))
    }
    raw.isText = clock.isText
    if isAmount(rate) {
      let words = time.map { TraceColumnName.words(of: names[$0]) } ?? []
      raw.amounts = TraceAmounts(
        raw.rows.compactMap(\.rate),
        hasStarts: raw.rows.first?.time == 0 || words.contains("start") || words.contains("begin"))
    }
    return raw
  }

  /// Parses an interval such as `0.0-1.0`.
  private static func interval(_ text: String) -> ClosedRange<Double>? {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let start = Double(ends[0]), let end = Double(ends[1]), start < end else {
      return nil
    }
    return start...end
  }

  private func samples(
    _ raw: Raw, _ time: TraceTimeUnit, _ rate: TraceRateUnit
  ) throws(CapacityTraceError) -> RateSamples {
    let rows = raw.rows.map {
      (time: $0.time / time.perSecond, amount: $0.rate.map { $0 * rate.bitsPerSecond }, line: $0.line)
    }
    if let amounts = raw.amounts { return try amounts.rates(rows) }
    var samples = RateSamples()
    for row in rows {
      guard let rate = row.amount else { continue }
      try samples.add(.init(time: row.time, rate: rate, line: row.line))
    }
    // Rows without a rate make neither the last rate nor the one before it longer or shorter.
    if raw.left > 0, let last = rows.last?.time {
      samples.end = last + (rows.last { $0.time < last }.map { last - $0.time } ?? 1)
    }
    return samples
  }

  // MARK: Reading

  /// Reads the table; if several readings fit, throws an error with the settings that select each.
  func read() throws(CapacityTraceError) -> (samples: RateSamples, notes: [String], doubts: [String]) {
    let named = try timePlace()
    let rates = try ratePlaces(named)
    // A column that always rises may hold times, whatever its name.
    let rising = named == nil ? names.indices.filter { !rates.contains($0) && isRising($0) } : []
    var choices: [(place: Int?, rate: Int, raw: Raw, time: TraceTimeUnit, unit: TraceRateUnit)] = []
    var isUnitKnown = rising.isEmpty
    let times = rising.isEmpty ? [named] : rising.map { Optional($0) }
    let pairs = times.flatMap { time in rates.map { (time, $0) } }
    for (time, rate) in pairs.prefix(Self.mostChoices) {
      let raw: Raw
      do throws(CapacityTraceError) {
        raw = try rows(time, rate)
      } catch {
        // Among several columns, one that holds something else is not a candidate.
        if rates.count > 1 { continue }
        throw error
      }
      guard raw.rows.contains(where: { $0.rate != nil }) else { continue }
      let values = PlausibleUnits(times: raw.rows.map(\.time), rates: raw.rows.compactMap(\.rate))
      for unit in timeUnits(time, raw, values) {
        let known = knownUnit(rate)
        isUnitKnown = isUnitKnown && known != nil
        for rateUnit in known.map({ [$0] }) ?? values.allRateUnits {
          choices.append((time, rate, raw, unit, rateUnit))
        }
      }
    }
    guard let choice = choices.first else { throw CapacityTraceError(line: lines.lastNumber, cause: .empty) }
    if choices.count > 1 || !isUnitKnown {
      var candidates: [TraceCandidate] = []
      for choice in choices.prefix(Self.mostChoices) {
        guard let trace = try? samples(choice.raw, choice.time, choice.unit).trace(.hold, line: 1) else {
          continue
        }
        candidates.append(
          candidate(
            choice.rate, choice.place, choice.time, choice.unit, choice.raw, trace, isNamed: rising.isEmpty))
      }
      throw CapacityTraceError(
        line: lines.first?.number ?? 1, cause: candidates.isEmpty ? .noCapacity : .ambiguous(candidates))
    }
    let raw = choice.raw
    var notes = ["columns read: \(meaning(choice.rate, named, choice.time, choice.unit, raw))"]
    if raw.left > raw.leading {
      notes.append("\(raw.left - raw.leading) rows without a rate are left out: the rate before them lasts")
    }
    if raw.leading > 0 { notes.append("\(raw.leading) rows before the first rate are left out") }
    if let line = raw.total { notes.append("the total in line \(line) is left out") }
    var doubts =
      (raw.amounts?.doubt.map { [$0] } ?? [])
      + (named == nil
        ? ["it has no column of times: one row per second is assumed, which 'format: columns' confirms"] : [])
    let hidden = zip(raw.rows, raw.rows.dropFirst()).filter { row, next in
      row.time == next.time && row.rate != nil && next.rate != nil && row.rate != next.rate
    }
    if let first = hidden.first, raw.amounts == nil {
      doubts.append(
        "of rows with the same time the last counts: \(hidden.count) with another rate, such as line "
          + "\(first.0.line), are left out, which 'format: columns' confirms: are they other interfaces or streams?"
      )
    }
    // Bits are customary units of rate, even without the time.
    if raw.amounts != nil, ![.bytes, .kilobytes, .megabytes].contains(choice.unit) {
      doubts.append("it is read as amounts: 'columns: {unit: \(choice.unit.rawValue)}' reads it as rates")
    }
    return (try samples(raw, choice.time, choice.unit), notes, doubts)
  }

  /// `true` for a column whose numbers rise from each row to the next.
  private func isRising(_ place: Int) -> Bool {
    var last: Double?
    var count = 0
    for line in data {
      let cells = Self.cells(line, separator)
      guard cells.count > place, let value = cells[place].number ?? Self.time(cells[place].text),
        value >= 0, value > last ?? -1
      else { return false }
      last = value
      count += 1
    }
    return count > 2
  }

  private func timeUnits(_ place: Int?, _ raw: Raw, _ values: PlausibleUnits) -> [TraceTimeUnit] {
    guard let place, !raw.isText else { return [.seconds] }
    if let unit = stated.timeUnit { return [unit] }
    if hasHeader, let unit = TraceColumnName.words(of: names[place]).last.flatMap(TraceTimeUnit.init(word:)) {
      return [unit]
    }
    return values.timeUnits
  }

  /// Returns the unit of a column, as stated or by its name; that of amounts per second.
  private func knownUnit(_ place: Int) -> TraceRateUnit? {
    guard stated.unit == nil, hasHeader else { return stated.unit }
    return TraceRateUnit(inName: names[place]) ?? TraceRateUnit(amountIn: names[place])
  }

  /// `true` for a column of amounts, by its name.
  private func isAmount(_ place: Int) -> Bool {
    stated.unit == nil && hasHeader && TraceRateUnit(inName: names[place]) == nil
      && TraceRateUnit(amountIn: names[place]) != nil
  }

  private func meaning(
    _ rate: Int, _ time: Int?, _ timeUnit: TraceTimeUnit, _ unit: TraceRateUnit, _ raw: Raw
  ) -> String {
    let times = time.map { "times from '\(names[$0])' [\(timeUnit.rawValue)]" } ?? "one row per second"
    let rates = raw.amounts.map { "\($0.description) '\(names[rate])' [\(unit.amount)]" }
    return "\(times), rates from \(rates ?? "'\(names[rate])' [\(unit.rawValue)]")"
  }

  private func candidate(
    _ rate: Int, _ time: Int?, _ timeUnit: TraceTimeUnit, _ unit: TraceRateUnit, _ raw: Raw,
    _ trace: CapacityTrace, isNamed: Bool
  ) -> TraceCandidate {
    var settings: [String] = []
    if let time, !isNamed { settings.append("time: \(names[time])") }
    if stated.rate == nil, names.count > 2 { settings.append("rate: \(names[rate])") }
    if knownUnit(rate) == nil { settings.append("unit: \(unit.rawValue)") }
    if time != nil, stated.timeUnit == nil { settings.append("time-unit: \(timeUnit.rawValue)") }
    return TraceCandidate(
      setting: "columns: {\(settings.joined(separator: ", "))}",
      meaning: meaning(rate, time, timeUnit, unit, raw),
      duration: trace.period, mean: trace.meanRate)
  }
}
