import Quantity

extension CapacityTrace {
  /// Parses a trace file.
  ///
  /// - Throws: ``CapacityTraceError`` with the offending line.
  package init(
    bytes: [UInt8], format: CapacityTraceFormat, continuation: Continuation
  ) throws(CapacityTraceError) {
    guard let whole = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw CapacityTraceError(line: 1, cause: .notText)
    }
    let text = whole.withoutByteOrderMark
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let trace =
      switch format {
      case .rateCSV: try Self.rates(lines, continuation)
      case .mahimahi: try Self.opportunities(lines, continuation)
      case .pensieve:
        try Self.trace(Self.pairs(lines, format, perSecond: 1, unit: 1e6), continuation, lines.count)
      case .oboe: try Self.trace(Self.chunks(lines), continuation, lines.count)
      case .mbpsLines: try Self.trace(Self.valuesWithUnit(lines), continuation, lines.count)
      case .sixColumn: try Self.trace(Self.sixColumns(lines), continuation, lines.count)
      case .gnettrack: try Self.trace(Self.bitrateColumn(lines), continuation, lines.count)
      case .alphartc: try Self.trace(Self.patterns(text), continuation, lines.count)
      }
    guard trace.continuation == .hold || trace.period >= Self.shortestLoop else {
      throw CapacityTraceError(line: lines.count, cause: .tooShort(trace.period))
    }
    self = trace
  }

  /// Longest trace [s].
  static let longest = 31_536_000.0
  /// Greatest rate [bit/s].
  static let greatestRate = 1e12

  private static func rates(
    _ lines: [Substring], _ continuation: Continuation
  ) throws(CapacityTraceError) -> CapacityTrace {
    var steps: [CapacityStep] = []
    var hasHeader = false
    for (index, line) in lines.enumerated() where !line.isEmpty {
      let number = index + 1
      guard hasHeader else {
        guard line.hasPrefix("t_s,rate_bps") else {
          throw CapacityTraceError(line: number, cause: .missingHeader(found: String(line.prefix(40))))
        }
        hasHeader = true
        continue
      }
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count >= 2 else {
        throw CapacityTraceError(line: number, cause: .notARow(String(line.prefix(40)), .rateCSV))
      }
      let time = try value(fields[0], line: number, limit: longest)
      let rate = try value(fields[1], line: number, limit: greatestRate)
      let step = CapacityStep(
        at: SimTime(nanoseconds: Int64((time * 1e9).rounded())),
        rate: BitRate(bitsPerSecond: Int64(rate.rounded())))
      if let last = steps.last {
        guard step.at > last.at else {
          throw CapacityTraceError(
            line: number, cause: .outOfOrder(previous: "\(last.at.seconds)", this: "\(time)"))
        }
      } else if step.at != .zero {
        throw CapacityTraceError(line: number, cause: .mustBeginAtZero(String(fields[0])))
      }
      steps.append(step)
    }
    guard let last = steps.last else {
      throw CapacityTraceError(line: max(1, lines.count), cause: .empty)
    }
    guard steps.contains(where: { $0.rate > .zero }) else {
      throw CapacityTraceError(line: lines.count, cause: .noCapacity)
    }
    let lastLength = steps.count > 1 ? last.at - steps[steps.count - 2].at : .seconds(1)
    return CapacityTrace(
      content: .rates(steps), period: last.at.sinceStart + lastLength, continuation: continuation)
  }

  private static func opportunities(
    _ lines: [Substring], _ continuation: Continuation
  ) throws(CapacityTraceError) -> CapacityTrace {
    var times: [Int64] = []
    let end = (lines.lastIndex { !$0.isEmpty } ?? -1) + 1
    for (index, line) in lines[..<end].enumerated() {
      guard !line.isEmpty else { throw CapacityTraceError(line: index + 1, cause: .emptyLine) }
      let milliseconds = try value(line, line: index + 1, limit: 31_536_000_000)
      guard milliseconds == milliseconds.rounded() else {
        throw CapacityTraceError(line: index + 1, cause: .notWhole(String(line.prefix(40))))
      }
      let time = Int64(milliseconds) * 1_000_000
      if let last = times.last, time < last {
        throw CapacityTraceError(
          line: index + 1,
          cause: .outOfOrder(previous: "\(last / 1_000_000)", this: "\(time / 1_000_000)"))
      }
      times.append(time)
    }
    guard let last = times.last else {
      throw CapacityTraceError(line: max(1, lines.count), cause: .empty)
    }
    guard last > 0 else { throw CapacityTraceError(line: lines.count, cause: .noCapacity) }
    return CapacityTrace(
      content: .opportunities(times), period: SimDuration(nanoseconds: last), continuation: continuation)
  }

  static func value(
    _ text: Substring, line: Int, limit: Double
  ) throws(CapacityTraceError) -> Double {
    let trimmed = text.filter { $0 != " " && $0 != "\t" }
    func failure(_ cause: CapacityTraceError.Cause) -> CapacityTraceError {
      CapacityTraceError(line: line, column: column(of: text), cause: cause)
    }
    guard let value = Double(trimmed), value.isFinite else {
      throw failure(.notANumber(String(text.prefix(40))))
    }
    guard value >= 0 else { throw failure(.negative(String(trimmed))) }
    guard value <= limit else { throw failure(.tooLarge(String(trimmed))) }
    return value
  }

  /// Returns the column at which a part of the file's text begins, in characters from 1.
  private static func column(of part: Substring) -> Int {
    let before = part.base[..<part.startIndex]
    let start = before.lastIndex(where: \.isNewline).map { before.index(after: $0) } ?? before.startIndex
    return before.distance(from: start, to: before.endIndex) + 1
  }
}

extension String {
  /// Text without the byte order mark that some editors prepend.
  var withoutByteOrderMark: String {
    guard unicodeScalars.first == "\u{FEFF}" else { return self }
    return String(unicodeScalars.dropFirst())
  }
}
