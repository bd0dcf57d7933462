import Quantity

/// A format with its reading of a file.
struct TraceChoice {
  let format: CapacityTraceFormat
  private let content: Content
  private let lines: TraceLines
  private(set) var notes: [String] = []
  private(set) var doubts: [String] = []

  private enum Content {
    case samples(RateSamples)
    /// Formats that are read as whole traces.
    case own
  }

  init(_ lines: TraceLines, as format: CapacityTraceFormat, _ columns: TraceColumns)
    throws(CapacityTraceError)
  {
    self.format = format
    self.lines = lines
    switch format {
    case .rateCSV:
      content = .own
      if (lines.first?.fields(UInt8(ascii: ",")).count ?? 0) > 2 { notes = [Self.delayAndLoss] }
    case .mahimahi: content = .own
    case .pensieve: content = .samples(try TextTraces.pairs(lines, format).scaled(.seconds, .megabits))
    case .oboe: content = .samples(try TextTraces.chunks(of: TextTraces.pairs(lines, format)))
    case .mbpsLines: content = .samples(try TextTraces.valuesWithUnit(lines))
    case .sixColumn: content = .samples(try TextTraces.sixColumns(lines))
    case .gnettrack:
      content = .samples(try TextTraces.bitrateColumn(lines))
      if lines.first?.fields(UInt8(ascii: ",")).contains(where: { $0.text == "UL_bitrate" }) == true {
        notes = ["the downlink's rates; 'columns: {rate: UL_bitrate, unit: kbps}' reads the uplink's"]
      }
    case .alphartc, .alphartcDownlink, .playerJSON, .genet, .iperf3:
      let read = try JSONTraces(lines).read(as: format)
      content = .samples(read.samples)
      notes = read.notes + (read.choice.map { [$0] } ?? [])
    case .columns:
      let read = try TraceTable(lines, columns).read()
      content = .samples(read.samples)
      notes = read.notes
      doubts = read.doubts
    case .tcScript:
      let read = try TrafficControlScript(lines, device: columns.rate).read()
      content = .samples(read.samples)
      notes = read.notes
    case .tcLog:
      let read = try TrafficControlLog(lines, device: columns.rate).read()
      content = .samples(read.samples)
      notes = read.notes
    }
  }

  /// Note on delay and loss in a file, which are ignored.
  static let delayAndLoss =
    "delay and loss in the file are ignored: set them with the link's 'delay' and 'loss'"

  private init(
    _ lines: TraceLines, _ format: CapacityTraceFormat, _ samples: RateSamples, notes: [String] = []
  ) {
    self.lines = lines
    self.format = format
    content = .samples(samples)
    self.notes = notes
  }

  func trace(_ continuation: CapacityTrace.Continuation) throws(CapacityTraceError) -> CapacityTrace {
    switch content {
    case .samples(let samples): try samples.trace(continuation, line: lines.lastNumber)
    case .own where format == .mahimahi: try OwnTraces.opportunities(lines, continuation)
    case .own: try OwnTraces.rates(lines, continuation)
    }
  }

  /// Returns the gaps between rows; formats of commands, of periods and of delivery opportunities have none.
  func gaps(of trace: CapacityTrace) -> [TraceGap] {
    switch (content, trace.content) {
    case (.samples(let samples), _)
    where ![.alphartc, .alphartcDownlink, .playerJSON, .tcScript, .tcLog].contains(format):
      TraceGap.all(samples.samples.map { ($0.time, $0.length, $0.line) })
    case (.own, .rates(let steps)):
      TraceGap.all(steps.map { ($0.at.seconds, nil, nil) })
    default: []
    }
  }

  /// Returns the first rows and their meaning.
  func rows(of trace: CapacityTrace) -> [TraceFile.Row] {
    switch (content, trace.content) {
    case (.samples(let samples), _):
      let first = samples.samples.first?.time ?? 0
      return row(
        samples.samples.prefix(TraceFile.shownRows).map { sample in
          let time = ((sample.time - first) * 1000).rounded() / 1000
          return (sample.line, "from \(time) s \((sample.rate / 1000).rounded().formatted) kbps")
        })
    case (.own, .opportunities(let times)):
      let shown = lines.filter { !$0.isBlank }.prefix(TraceFile.shownRows)
      return row(
        zip(shown, times).map { ($0.number, "1504 bytes at \($1 / 1_000_000) ms") })
    case (.own, .rates(let steps)):
      let shown = lines.filter { !$0.isBlank }.dropFirst().prefix(TraceFile.shownRows)
      return row(zip(shown, steps).map { ($0.number, "from \($1.at.seconds) s \(TraceText.rate($1.rate))") })
    }
  }

  private func row(_ rows: [(line: Int, meaning: String)]) -> [TraceFile.Row] {
    let isJSON = [.alphartc, .alphartcDownlink, .playerJSON, .genet, .iperf3].contains(format)
    guard !isJSON else { return rows.map { .init(line: $0.line, text: "", meaning: $0.meaning) } }
    var texts: [Int: String] = [:]
    let last = rows.map(\.line).max() ?? 0
    for line in lines.prefix(last) where rows.contains(where: { $0.line == line.number }) {
      texts[line.number] = line.beginning
    }
    return rows.map { .init(line: $0.line, text: texts[$0.line] ?? "", meaning: $0.meaning) }
  }
}

extension Double {
  /// Text of a whole number, without decimals.
  fileprivate var formatted: String { abs(self) < 1e15 ? "\(Int64(self))" : "\(self)" }
}

// MARK: Detection

extension TraceChoice {
  /// Finds the format that the whole file fits.
  init(detecting lines: TraceLines) throws(CapacityTraceError) {
    guard let first = lines.first(where: { !$0.isBlank }) else {
      throw CapacityTraceError(line: lines.lastNumber, cause: .empty)
    }
    // A server rules its first lines off with dashes.
    let opening = lines.first { !$0.text.allSatisfy { $0 == "-" || $0 == " " } } ?? first
    if ["iperf ", "Connecting to host", "Server listening on", "[ ID] Interval"].contains(
      where: opening.text.hasPrefix)
    {
      throw CapacityTraceError(
        line: first.number,
        cause: .command("iperf3's text for people is not read: '--json' writes what is"))
    }
    let start = first.bytes.first { !TraceLine.isSpace($0) }
    if start == UInt8(ascii: "{") || start == UInt8(ascii: "[") {
      let read = try JSONTraces(lines).read(as: nil)
      self.init(lines, read.format, read.samples, notes: read.notes)
      // Stating the format confirms the choice.
      doubts = read.choice.map { [$0] } ?? []
      return
    }
    if first.text.hasPrefix("t_s,rate_bps") {
      try self.init(lines, as: .rateCSV, TraceColumns())
      return
    }
    if let format = TrafficControlScript.format(of: lines) {
      try self.init(lines, as: format, TraceColumns())
      return
    }
    guard let row = lines.first else { throw CapacityTraceError(line: first.number, cause: .unknownFormat) }
    let cells = row.cells
    if cells.contains(where: { $0.text == "DL_bitrate" }) {
      try self.init(lines, as: .gnettrack, TraceColumns())
      swap(&notes, &doubts)
    } else if cells.count == 2, cells[0].number != nil, TraceRateUnit(text: cells[1].text) != nil {
      try self.init(lines, as: .mbpsLines, TraceColumns())
    } else if cells.contains(where: { $0.number == nil }) {
      guard try TraceTable(lines, TraceColumns()).isTable else {
        throw CapacityTraceError(line: row.number, cause: .unknownFormat)
      }
      try self.init(lines, as: .columns, TraceColumns())
    } else {
      switch cells.count {
      case 1: try self.init(lines, as: Self.isMahimahi(lines) ? .mahimahi : .columns, TraceColumns())
      case 2 where TraceTime.seconds(ofDate: cells[0].text) == nil: try self.init(pairs: lines)
      case 6 where Self.isSixColumn(lines): try self.init(lines, as: .sixColumn, TraceColumns())
      default: try self.init(lines, as: .columns, TraceColumns())
      }
    }
  }

  /// `true` for whole numbers that do not decrease.
  private static func isMahimahi(_ lines: TraceLines) -> Bool {
    var last = 0.0
    for line in lines where !line.isBlank {
      guard let value = line.words.first?.number, value == value.rounded(), value >= last else {
        return false
      }
      last = value
    }
    return true
  }

  /// `true` if the last column is the step of the second in at least half of the rows.
  private static func isSixColumn(_ lines: TraceLines) -> Bool {
    var last: Double?
    var steps = 0
    var equal = 0
    for line in lines where !line.isBlank {
      let numbers = line.words.compactMap(\.number)
      guard numbers.count == 6 else { continue }
      if let last {
        steps += 1
        if abs(numbers[1] - last - numbers[5]) <= max(1, 0.02 * numbers[5]) { equal += 1 }
      }
      last = numbers[1]
    }
    return 2 * equal >= steps
  }

  /// Determines what rows of two numbers mean from all of them: time steps, equal pairs, plausible rates, and columns
  /// that are not always whole.
  private init(pairs lines: TraceLines) throws(CapacityTraceError) {
    let pairs = try TextTraces.pairs(lines, .pensieve)
    let raw = pairs.samples
    let units = PlausibleUnits(times: raw.map(\.time), rates: raw.map(\.rate))
    let isPaired =
      raw.count >= 4 && raw.count % 2 == 0
      && stride(from: 0, to: raw.count, by: 2).allSatisfy { raw[$0].rate == raw[$0 + 1].rate }
      && raw.contains { $0.rate != raw[0].rate }
    if isPaired, units.hasLongSteps {
      self.init(lines, .oboe, try TextTraces.chunks(of: pairs))
      return
    }
    var readings: [(format: CapacityTraceFormat, time: TraceTimeUnit, rate: TraceRateUnit)] = []
    for time in units.timeUnits {
      if time == .seconds {
        readings += units.rateUnits(beside: time).map { ($0 == .megabits ? .pensieve : .columns, time, $0) }
      } else {
        if isPaired, time == .milliseconds { readings.append((.oboe, time, .kbps)) }
        readings += units.rateUnits(beside: time).filter { !isPaired || $0 != .kbps }.map {
          (.columns, time, $0)
        }
      }
    }
    var choices: [TraceChoice] = []
    for reading in readings {
      let samples =
        reading.format == .oboe
        ? try TextTraces.chunks(of: pairs) : pairs.scaled(reading.time, reading.rate)
      choices.append(TraceChoice(lines, reading.format, samples))
    }
    guard choices.count == 1, let choice = choices.first else {
      var candidates: [TraceCandidate] = []
      for (reading, choice) in zip(readings, choices) {
        guard let trace = try? choice.trace(.hold) else { continue }
        let settings = "columns: {unit: \(reading.rate.rawValue), time-unit: \(reading.time.rawValue)}"
        candidates.append(
          TraceCandidate(
            setting: reading.format == .columns ? settings : "format: \(reading.format.rawValue)",
            meaning: "times in \(reading.time.rawValue) and rates in \(reading.rate.rawValue)",
            duration: trace.period, mean: trace.meanRate))
      }
      throw CapacityTraceError(
        line: lines.first?.number ?? 1, cause: candidates.isEmpty ? .noCapacity : .ambiguous(candidates))
    }
    self = choice
    if choice.format == .columns {
      notes = [
        "times in \(readings[0].time.rawValue) and rates in \(readings[0].rate.rawValue), by their size"
      ]
    } else if choice.format == .pensieve, units.isDoubtful {
      doubts = [
        "its rates are read as Mbps, which 'format: pensieve' confirms: are they kbps? "
          + "'columns: {unit: kbps}' reads them so"
      ]
    }
  }
}
