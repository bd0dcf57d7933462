import Quantity

/// Rates as `tc` writes and reads them.
enum TrafficControlRate {
  private static let units: [String: Double] = [
    "": 1, "bit": 1, "kbit": 1e3, "mbit": 1e6, "gbit": 1e9, "tbit": 1e12, "kibit": 1024, "mibit": 1_048_576,
    "gibit": 1_073_741_824, "bps": 8, "kbps": 8e3, "mbps": 8e6, "gbps": 8e9,
  ]

  /// Parses a rate in bit/s; in tc, `bps` is bytes per second (tc(8)).
  static func parse(_ text: String) -> Double? {
    let lower = text.lowercased()
    let digits = lower.prefix { $0.isNumber || $0 == "." }
    guard let number = Double(digits), let unit = units[String(lower.dropFirst(digits.count))] else {
      return nil
    }
    return number * unit
  }

  /// Finds the rate of a command or of a line of output: an HTB class borrows up to `ceil`, CAKE has a `bandwidth`.
  static func word(_ words: [String]) -> String? {
    for key in ["ceil", "rate", "bandwidth"] {
      if let place = words.firstIndex(of: key), place + 1 < words.count { return words[place + 1] }
    }
    return nil
  }
}

/// Rates of several devices over time, of which one is read.
struct DeviceRates {
  private var devices: [(name: String, samples: RateSamples)] = []

  private static let mostDevices = 100

  private mutating func index(of device: String, _ line: Int) throws(CapacityTraceError) -> Int {
    if let place = devices.firstIndex(where: { $0.name == device }) { return place }
    guard devices.count < Self.mostDevices else {
      throw CapacityTraceError(line: line, cause: .command("there are more than \(Self.mostDevices) devices"))
    }
    devices.append((device, RateSamples()))
    return devices.count - 1
  }

  mutating func add(_ device: String, _ time: Double, _ rate: Double, _ line: Int) throws(CapacityTraceError)
  {
    let place = try index(of: device, line)
    if devices[place].samples.last?.rate == rate { return }
    try devices[place].samples.add(.init(time: time, rate: rate, line: line))
  }

  mutating func add(_ device: String, _ sample: RateSamples.Sample) throws(CapacityTraceError) {
    let place = try index(of: device, sample.line)
    try devices[place].samples.add(sample)
  }

  mutating func end(_ device: String, at time: Double) {
    for place in devices.indices where devices[place].name == device {
      if let last = devices[place].samples.last, time > last.time { devices[place].samples.end = time }
    }
  }

  var names: [String] { devices.map(\.name) }

  /// Rates of the stated device, or of the only one.
  func samples(of stated: String?, line: Int) throws(CapacityTraceError) -> RateSamples {
    if let stated {
      guard let device = devices.first(where: { $0.name == stated }) else {
        throw CapacityTraceError(
          line: line, cause: .missingColumn(stated, available: names.map { String($0.prefix(40)) }))
      }
      return device.samples
    }
    guard let only = devices.first else { throw CapacityTraceError(line: line, cause: .empty) }
    if devices.count == 1 { return only.samples }
    let candidates = devices.prefix(8).compactMap { device -> TraceCandidate? in
      guard let trace = try? device.samples.trace(.hold, line: line) else { return nil }
      return TraceCandidate(
        setting: "columns: {rate: \(device.name)}", meaning: "the device \(device.name)",
        duration: trace.period,
        mean: trace.meanRate)
    }
    throw CapacityTraceError(line: line, cause: .ambiguous(candidates))
  }
}

/// A shell script that shapes a device with `tc`.
struct TrafficControlScript {
  private let lines: TraceLines
  private let device: String?

  init(_ lines: TraceLines, device: String?) {
    self.lines = lines
    self.device = device
  }

  /// Format of a text with commands or outputs of `tc` among its first lines; `nil` for others.
  static func format(of lines: TraceLines) -> CapacityTraceFormat? {
    var isLog = false
    for line in lines.prefix(400) where line.bytes.contains(where: { $0 == UInt8(ascii: "c") }) {
      let words = line.words.map(\.text)
      if words.first == "qdisc" || words.first == "class" { isLog = true }
      if line.isComment { continue }
      if let tc = words.firstIndex(where: isTrafficControl),
        !Set(words[tc...]).isDisjoint(with: ["add", "change", "replace"])
      {
        return .tcScript
      }
    }
    return isLog ? .tcLog : nil
  }

  private static func isTrafficControl(_ word: String) -> Bool { word == "tc" || word.hasSuffix("/tc") }

  private static let control: Set<String> = ["for", "while", "until", "if", "case", "function", "select"]

  func read() throws(CapacityTraceError) -> (samples: RateSamples, notes: [String]) {
    var rates = DeviceRates()
    /// Rates in force at each place of a device's tree of queues.
    var shapers: [(device: String, place: String, rate: Double)] = []
    var time = 0.0
    var statesMore = false
    for line in lines where !line.isBlank && !line.isComment {
      for command in Self.commands(line.text) {
        let words = command.split { $0 == " " || $0 == "\t" }.map(String.init)
        guard let first = words.first else { continue }
        if Self.control.contains(first) || first.hasSuffix("()") || words.dropFirst().first == "()" {
          throw failure(
            line,
            "'\(first)' cannot be read: only 'tc' and 'sleep' one after the other, without loops, conditions and functions"
          )
        }
        if first == "sleep" {
          time += try seconds(words.dropFirst(), line)
          guard time <= RateSamples.longest else { throw failure(line, "the script takes more than a year") }
        }
        guard let tc = words.firstIndex(where: Self.isTrafficControl) else { continue }
        let arguments = Array(words[(tc + 1)...])
        guard let dev = arguments.firstIndex(of: "dev"), dev + 1 < arguments.count else { continue }
        let device = arguments[dev + 1]
        let place = Self.place(arguments)
        statesMore = statesMore || arguments.contains("delay") || arguments.contains("loss")
        if arguments.contains("del") || arguments.contains("delete") {
          shapers.removeAll { $0.device == device && (arguments.contains("root") || $0.place == place) }
          if !shapers.contains(where: { $0.device == device }) { rates.end(device, at: time) }
          continue
        }
        if let text = TrafficControlRate.word(arguments) {
          guard let rate = TrafficControlRate.parse(text), rate <= RateSamples.greatestRate else {
            throw failure(
              line,
              "'\(text.prefix(40))' is no rate of tc: write a number with a unit, such as '2mbit', in place of variables"
            )
          }
          shapers.removeAll { $0.device == device && $0.place == place }
          shapers.append((device, place, rate))
          guard shapers.count <= 1000 else { throw failure(line, "more than 1000 rates are in force here") }
        } else if arguments.contains("add") {
          shapers.removeAll { $0.device == device && $0.place == place }
        }
        if let least = shapers.filter({ $0.device == device }).map(\.rate).min() {
          try rates.add(device, time, least, line.number)
        }
      }
    }
    for device in Set(shapers.map(\.device)).sorted() { rates.end(device, at: time) }
    let samples = try rates.samples(of: device, line: lines.first?.number ?? 1)
    var notes = statesMore ? [TraceChoice.delayAndLoss] : []
    if samples.samples.count == 1, let rate = samples.last?.rate {
      notes.append("a single rate: 'capacity: \(Int64(rate / 1000)) kbps' says the same")
    }
    return (samples, notes)
  }

  private func failure(_ line: TraceLine, _ text: String) -> CapacityTraceError {
    CapacityTraceError(line: line.number, cause: .command(text))
  }

  /// Commands of a line, without comments at its end.
  private static func commands(_ text: String) -> [Substring] {
    let code = text.split(separator: " #", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
    return code.split { $0 == ";" || $0 == "&" || $0 == "|" }
  }

  /// Place of a command in the tree of queues.
  private static func place(_ arguments: [String]) -> String {
    let kind = arguments.first { ["qdisc", "class", "filter"].contains($0) } ?? ""
    for key in kind == "class" ? ["classid", "parent"] : ["parent"] {
      if let place = arguments.firstIndex(of: key), place + 1 < arguments.count {
        return "\(kind) \(arguments[place + 1])"
      }
    }
    return "\(kind) root"
  }

  private func seconds(_ words: ArraySlice<String>, _ line: TraceLine) throws(CapacityTraceError) -> Double {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    var sum = 0.0
    for word in words {
      let unit = word.last.flatMap { units[$0] }
      guard let number = Double(unit == nil ? word : String(word.dropLast())), number.isFinite, number >= 0
      else {
        throw failure(
          line,
          "'sleep \(word.prefix(40))' is no time: write a number, such as 'sleep 10', in place of variables")
      }
      sum += number * (unit ?? 1)
    }
    return sum
  }
}

/// Outputs of `tc -s`, each after a line of time.
struct TrafficControlLog {
  private let lines: TraceLines
  private let device: String?

  init(_ lines: TraceLines, device: String?) {
    self.lines = lines
    self.device = device
  }

  /// What one output says of a device.
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
          // Counters start again with a new queue.
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
        // The root queue comes first and counts all.
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
