import Quantity

/// The formats of other people's traces, each as rates that hold from a time on.
extension CapacityTrace {
  /// A rate from a time on, and how long it holds where the file says so.
  struct Sample {
    var time: Double
    var rate: Double
    var length: Double?
  }

  /// Makes steps of samples: they begin at zero, and of several at one time the last holds.
  static func trace(
    _ samples: [Sample], _ continuation: Continuation, _ lastLine: Int
  ) throws(CapacityTraceError) -> CapacityTrace {
    guard let first = samples.first, let last = samples.last else {
      throw CapacityTraceError(line: max(1, lastLine), cause: .empty)
    }
    var steps: [CapacityStep] = []
    for sample in samples {
      let step = CapacityStep(
        at: SimTime(nanoseconds: Int64(((sample.time - first.time) * 1e9).rounded())),
        rate: BitRate(bitsPerSecond: Int64(sample.rate.rounded())))
      if let before = steps.last, before.at == step.at { steps.removeLast() }
      steps.append(step)
    }
    guard steps.contains(where: { $0.rate > .zero }) else {
      throw CapacityTraceError(line: lastLine, cause: .noCapacity)
    }
    let end = steps[steps.count - 1].at
    let spacing = steps.count > 1 ? end - steps[steps.count - 2].at : .seconds(1)
    let length = last.length.map { SimDuration(nanoseconds: Int64(($0 * 1e9).rounded())) } ?? spacing
    return CapacityTrace(
      content: .rates(steps), period: (end - .zero) + max(length, .milliseconds(1)),
      continuation: continuation)
  }

  /// Two numbers a row, a time that does not fall and a rate.
  static func pairs(
    _ lines: [Substring], perSecond: Double, unit: Double
  ) throws(CapacityTraceError) -> [Sample] {
    var samples: [Sample] = []
    for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard fields.count == 2 else {
        throw CapacityTraceError(line: index + 1, cause: .notARow(String(line.prefix(40))))
      }
      let time = try value(fields[0], line: index + 1, limit: 1e12) / perSecond
      let rate = try value(fields[1], line: index + 1, limit: 1e9) * unit
      if let last = samples.last, time < last.time {
        throw CapacityTraceError(
          line: index + 1, cause: .outOfOrder(previous: "\(last.time)", this: "\(time)"))
      }
      samples.append(Sample(time: time, rate: rate))
    }
    return samples
  }

  /// A value and its unit, a second each.
  static func valuesWithUnit(_ lines: [Substring]) throws(CapacityTraceError) -> [Sample] {
    var samples: [Sample] = []
    for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count == 2 else {
        throw CapacityTraceError(line: index + 1, cause: .notARow(String(line.prefix(40))))
      }
      let unit: Double
      switch fields[1].lowercased().filter({ !$0.isWhitespace }) {
      case "mbits/sec": unit = 1e6
      case "kbits/sec": unit = 1e3
      case "bits/sec": unit = 1
      default: throw CapacityTraceError(line: index + 1, cause: .unknownUnit(String(fields[1].prefix(20))))
      }
      samples.append(
        Sample(
          time: Double(samples.count), rate: try value(fields[0], line: index + 1, limit: 1e9) * unit,
          length: 1))
    }
    return samples
  }

  /// Bytes over the time since the row before.
  static func sixColumns(_ lines: [Substring]) throws(CapacityTraceError) -> [Sample] {
    var samples: [Sample] = []
    for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard fields.count == 6 else {
        throw CapacityTraceError(line: index + 1, cause: .notARow(String(line.prefix(40))))
      }
      let end = try value(fields[1], line: index + 1, limit: 1e12) / 1000
      let bytes = try value(fields[4], line: index + 1, limit: 1e12)
      let length = try value(fields[5], line: index + 1, limit: 1e9) / 1000
      guard length > 0 else { continue }
      let begin = end - length
      if let last = samples.last, begin < last.time {
        throw CapacityTraceError(
          line: index + 1, cause: .outOfOrder(previous: "\(last.time)", this: "\(begin)"))
      }
      samples.append(Sample(time: begin, rate: bytes * 8 / length, length: length))
    }
    return samples
  }

  /// The column `DL_bitrate`; a row with the time stamp of the one before takes its place, `-` keeps the last value.
  static func bitrateColumn(_ lines: [Substring]) throws(CapacityTraceError) -> [Sample] {
    guard let header = lines.first?.split(separator: ",", omittingEmptySubsequences: false),
      let column = header.firstIndex(of: "DL_bitrate")
    else { throw CapacityTraceError(line: 1, cause: .missingColumn("DL_bitrate")) }
    let stampColumn = header.firstIndex { $0.lowercased() == "timestamp" }
    var samples: [Sample] = []
    var stamp: Substring?
    for (index, line) in lines.enumerated().dropFirst() where !line.allSatisfy(\.isWhitespace) {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count > column else {
        throw CapacityTraceError(line: index + 1, cause: .notARow(String(line.prefix(40))))
      }
      let rate =
        fields[column] == "-"
        ? samples.last?.rate ?? 0 : try value(fields[column], line: index + 1, limit: 1e9) * 1000
      let own = stampColumn.flatMap { $0 < fields.count ? fields[$0] : nil }
      if own != nil, own == stamp, !samples.isEmpty {
        samples[samples.count - 1].rate = rate
      } else {
        samples.append(Sample(time: Double(samples.count), rate: rate, length: 1))
      }
      stamp = own
    }
    return samples
  }

  /// The objects of the first `trace_pattern`, as far as their `duration` and `capacity` go.
  static func patterns(_ text: String) throws(CapacityTraceError) -> [Sample] {
    guard let start = text.range(of: "\"trace_pattern\"") else {
      throw CapacityTraceError(line: 1, cause: .missingColumn("trace_pattern"))
    }
    var samples: [Sample] = []
    var time = 0.0
    var capacity = 0.0
    var line = 1 + text[..<start.lowerBound].count(where: \.isNewline)
    let pattern = text[start.upperBound...].prefix { $0 != "]" }
    for object in pattern.split(separator: "{").dropFirst() {
      let body = object.prefix { $0 != "}" }
      if let field = Self.field("capacity", of: body) {
        capacity = try value(field, line: line, limit: 1e9) * 1000
      }
      guard let field = Self.field("duration", of: body) else {
        throw CapacityTraceError(line: line, cause: .missingColumn("duration"))
      }
      let length = try value(field, line: line, limit: 1e12) / 1000
      samples.append(Sample(time: time, rate: capacity, length: length))
      time += length
      line += object.count(where: \.isNewline)
    }
    return samples
  }

  /// The number behind a name in a JSON object without nested ones.
  private static func field(_ name: String, of object: Substring) -> Substring? {
    guard let found = object.range(of: "\"\(name)\"") else { return nil }
    let rest = object[found.upperBound...].drop { $0 == ":" || $0.isWhitespace }
    return rest.prefix { $0 != "," && !$0.isWhitespace }
  }
}

extension CapacityTraceFormat {
  /// The format that a file's content looks like; `nil` for none.
  package init?(lookingAt bytes: [UInt8]) {
    let text = String(decoding: bytes.prefix(4096), as: UTF8.self)
    guard let line = text.split(whereSeparator: \.isNewline).first(where: { !$0.allSatisfy(\.isWhitespace) })
    else { return nil }
    if line.hasPrefix("t_s,rate_bps") {
      self = .rateCSV
    } else if line.first == "{" || line.first == "[" {
      self = .alphartc
    } else if line.contains("DL_bitrate") {
      self = .gnettrack
    } else {
      let fields = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "," })
      let numbers = fields.map { Double($0) }
      switch fields.count {
      case 1 where Int(fields[0]) != nil: self = .mahimahi
      case 2 where numbers[0] != nil && numbers[1] == nil: self = .mbpsLines
      case 2 where line.contains(","): return nil
      case 2 where Int(fields[0]) != nil && Int(fields[1]) ?? 0 >= 100: self = .oboe
      case 2 where numbers[0] != nil && numbers[1] != nil: self = .pensieve
      case 6 where numbers.allSatisfy({ $0 != nil }): self = .sixColumn
      default: return nil
      }
    }
  }
}

extension StringProtocol {
  /// Where a text occurs first.
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
