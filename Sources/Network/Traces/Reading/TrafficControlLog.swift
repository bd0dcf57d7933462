import Quantity

/// Outputs of `tc -s`, each preceded by a line with the time.
struct TrafficControlLog {
  private let lines: TraceLines
  private let device: String?

  init(_ lines: TraceLines, device: String?) {
    self.lines = lines
    self.device = device
  }

  /// State of a device in one output.
  private struct Output {
    var device: String
    var time: Double
    var line: Int
    var rate: Double?
    var sent: Double?
  }

  func read() throws(CapacityTraceError) -> (samples: RateSamples, notes: [String]) {
    let outputs = try outputs()
    let hasRates = outputs.allSatisfy { $0.rate != nil }
    var rates = DeviceRates()
    var before: [String: Output] = [:]
    for output in outputs {
      if let rate = output.rate, hasRates {
        try rates.add(output.device, output.time, rate, output.line)
        rates.end(output.device, at: output.time)
      } else if let sent = output.sent {
        if let last = before[output.device], output.time > last.time {
          // Counters restart with a new queue.
          let bytes = sent >= last.sent ?? 0 ? sent - (last.sent ?? 0) : sent
          let length = output.time - last.time
          try rates.add(
            output.device, .init(time: last.time, rate: bytes * 8 / length, length: length, line: output.line)
          )
        }
        before[output.device] = output
      }
    }
    let samples = try rates.samples(of: device, line: lines.first?.number ?? 1)
    return (
      samples,
      hasRates ? [] : ["rates of the bytes sent, since no rate is set: a lower bound of the capacity"]
    )
  }

  private func outputs() throws(CapacityTraceError) -> [Output] {
    var outputs: [Output] = []
    var time: Double?
    var isFirst = true
    for line in lines where !line.isBlank {
      let words = line.words.map(\.text)
      if words.first == "qdisc" || words.first == "class" {
        guard let time else {
          throw CapacityTraceError(
            line: line.number,
            cause: .command("no time before this output: log 'date +%s.%N' before each 'tc -s qdisc show'"))
        }
        let dev =
          words.firstIndex(of: "dev").flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil } ?? "device"
        isFirst = outputs.last.map { $0.device != dev || $0.time != time } ?? true
        if isFirst { outputs.append(Output(device: dev, time: time, line: line.number)) }
        let rate = TrafficControlRate.word(words).flatMap(TrafficControlRate.parse)
        if let rate { outputs[outputs.count - 1].rate = min(rate, outputs[outputs.count - 1].rate ?? rate) }
      } else if words.first == "Sent", words.count > 2, words[2] == "bytes" {
        guard let sent = Double(words[1]), sent.isFinite, (0...1e18).contains(sent) else {
          throw line.words[1].failure(.notANumber(String(words[1].prefix(40))))
        }
        // The root queue comes first and counts all bytes.
        if isFirst, !outputs.isEmpty { outputs[outputs.count - 1].sent = sent }
      } else if !TraceLine.isSpace(line.bytes[line.bytes.startIndex]), let stamp = Self.time(line.text, words)
      {
        guard stamp >= time ?? stamp else {
          throw CapacityTraceError(
            line: line.number, cause: .outOfOrder(previous: "\(time ?? 0)", this: "\(stamp)"))
        }
        time = stamp
      }
    }
    return outputs
  }

  private static func time(_ text: String, _ words: [String]) -> Double? {
    if text.first?.isNumber == true, let date = TraceTime.seconds(ofDate: text) { return date }
    for word in words {
      if let number = Double(word), let unit = TraceTimeUnit(sinceEpoch: number) {
        return number / unit.perSecond
      }
      if let time = TraceTime.seconds(ofDay: word) { return time }
    }
    return words.count == 1 ? Double(words[0]).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } : nil
  }
}
