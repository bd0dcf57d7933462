import JSON
import Quantity

/// Parsers of traces in JSON.
struct JSONTraces {
  /// A format with its samples; `choice` is a note on another direction that was left out.
  typealias Reading = (format: CapacityTraceFormat, samples: RateSamples, notes: [String], choice: String?)

  private let bytes: [UInt8]
  private let root: PlacedJSON
  /// Values of a file that has several in a row: the events of `iperf3 --json-stream`.
  private let events: [PlacedJSON]

  init(_ lines: TraceLines) throws(CapacityTraceError) {
    bytes = [UInt8](lines.bytes)
    do throws(JSONDefect) {
      var reader = JSONReader(bytes)
      root = try PlacedJSON(from: &reader)
      var events = root["event"] == nil ? [] : [root]
      while !reader.isAtEnd {
        guard !events.isEmpty else { throw reader.trailing }
        events.append(try PlacedJSON(from: &reader))
      }
      self.events = events
    } catch {
      let place = error.place(in: bytes)
      throw CapacityTraceError(line: place.line, column: place.column, cause: .notJSON(error.text))
    }
  }

  private func failure(_ value: PlacedJSON, _ cause: CapacityTraceError.Cause) -> CapacityTraceError {
    let place = value.place(in: bytes)
    return CapacityTraceError(line: place.line, column: place.column, cause: cause)
  }

  private func number(_ value: PlacedJSON, upTo limit: Double) throws(CapacityTraceError) -> Double {
    guard let number = value.number else { throw failure(value, .notANumber(value.text ?? "this value")) }
    guard number >= 0 else { throw failure(value, .negative("\(number)")) }
    guard number <= limit else { throw failure(value, .tooLarge("\(number)")) }
    return number
  }

  /// Reads the file in the given format, or in the one that its keys indicate.
  func read(as format: CapacityTraceFormat?) throws(CapacityTraceError) -> Reading {
    switch format ?? detected {
    case .alphartc: try patterns("uplink")
    case .alphartcDownlink: try patterns("downlink")
    case .playerJSON: try periods()
    case .genet: try genet()
    case .iperf3: try intervals()
    default: throw failure(root, .unknownFormat)
    }
  }

  private var detected: CapacityTraceFormat? {
    if root["trace_pattern"] != nil || pattern("uplink") != nil { return .alphartc }
    if pattern("downlink") != nil { return .alphartcDownlink }
    if root["timestamps"] != nil, root["bandwidths"] != nil { return .genet }
    if root["intervals"] != nil || root["error"] != nil || !events.isEmpty { return .iperf3 }
    guard let first = root.elements?.first else { return nil }
    return Self.shapes.contains { first[$0.duration] != nil && first[$0.rate] != nil } ? .playerJSON : nil
  }

  // MARK: AlphaRTC

  /// Returns the pattern of a direction; `nil` if it is missing or empty.
  private func pattern(_ direction: String) -> PlacedJSON? {
    guard let pattern = root[direction]?["trace_pattern"], pattern.elements?.isEmpty == false else {
      return nil
    }
    return pattern
  }

  private func patterns(_ direction: String) throws(CapacityTraceError) -> Reading {
    let other = direction == "uplink" ? "downlink" : "uplink"
    let format = direction == "uplink" ? CapacityTraceFormat.alphartc : .alphartcDownlink
    let whole = direction == "uplink" ? root["trace_pattern"] ?? pattern("downlink") : nil
    guard let pattern = pattern(direction) ?? whole, let elements = pattern.elements else {
      throw failure(root, .missingKey(direction == "uplink" ? "trace_pattern" : "downlink", format))
    }
    var samples = RateSamples()
    var places = PlaceCounter(bytes)
    var time = 0.0
    var capacity = 0.0
    var statesMore = false
    for element in elements {
      if let stated = element["capacity"], stated.number != nil {
        capacity = try number(stated, upTo: 1e9) * 1000
      } else if let stated = element["capacity"], stated.text != nil {
        throw failure(stated, .notANumber(stated.text ?? ""))
      }
      guard let duration = element["duration"] else {
        throw failure(element, .missingKey("duration", format))
      }
      let length = try number(duration, upTo: 1e12) / 1000
      statesMore = statesMore || element["loss"] != nil || element["rtt"] != nil
      try samples.add(
        .init(time: time, rate: capacity, length: length, line: places.place(of: element.offset).line))
      time += length
    }
    var notes: [String] = []
    var choice: String?
    if let beside = self.pattern(other)?.elements, self.pattern(direction) != nil {
      let name = (direction == "uplink" ? CapacityTraceFormat.alphartcDownlink : .alphartc).rawValue
      choice =
        ("the \(direction)'s pattern; 'format: \(name)' reads the \(other)'s, of \(beside.count) entries")
    } else if self.pattern(direction) == nil, root["trace_pattern"] == nil {
      notes.append("the \(other)'s pattern, the only one")
    }
    if statesMore { notes.append(TraceChoice.delayAndLoss) }
    return (format, samples, notes, choice)
  }

  // MARK: Players

  /// Keys of a period, with the factors to seconds and bits per second.
  private static let shapes: [(duration: String, perSecond: Double, rate: String, unit: Double)] = [
    ("duration_ms", 1000, "bandwidth_kbps", 1e3), ("duration", 1, "speed", 1e3),
  ]

  private func periods() throws(CapacityTraceError) -> Reading {
    guard let elements = root.elements, let first = elements.first,
      let shape = Self.shapes.first(where: { first[$0.duration] != nil && first[$0.rate] != nil })
    else { throw failure(root, .missingKey("duration_ms", .playerJSON)) }
    var samples = RateSamples()
    var places = PlaceCounter(bytes)
    var time = 0.0
    for element in elements {
      guard let duration = element[shape.duration] else {
        throw failure(element, .missingKey(shape.duration, .playerJSON))
      }
      guard let rate = element[shape.rate] else {
        throw failure(element, .missingKey(shape.rate, .playerJSON))
      }
      let length = try number(duration, upTo: 1e12) / shape.perSecond
      try samples.add(
        .init(
          time: time, rate: try number(rate, upTo: 1e9) * shape.unit, length: length,
          line: places.place(of: element.offset).line))
      time += length
    }
    let statesMore = ["latency_ms", "latency", "loss", "packetloss", "rtt"].contains { first[$0] != nil }
    return (.playerJSON, samples, statesMore ? [TraceChoice.delayAndLoss] : [], nil)
  }

  // MARK: Genet

  private func genet() throws(CapacityTraceError) -> Reading {
    guard let times = root["timestamps"]?.elements else {
      throw failure(root, .missingKey("timestamps", .genet))
    }
    guard let rates = root["bandwidths"]?.elements else {
      throw failure(root, .missingKey("bandwidths", .genet))
    }
    guard rates.count == times.count || rates.count == times.count - 1 || rates.count == 1 else {
      throw failure(
        root["bandwidths"] ?? root,
        .command("\(rates.count) bandwidths and \(times.count) timestamps: one for each"))
    }
    var samples = RateSamples()
    var places = PlaceCounter(bytes)
    for (index, rate) in rates.enumerated() where index < max(1, times.count - 1) {
      let time = times.isEmpty ? 0 : try number(times[index], upTo: 1e12)
      try samples.add(
        .init(time: time, rate: try number(rate, upTo: 1e6) * 1e6, line: places.place(of: rate.offset).line))
    }
    // The last timestamp marks the end.
    if let last = times.last, times.count > 1 { samples.end = try number(last, upTo: 1e12) }
    let more = ["delays", "loss", "queue", "delay_noise"].filter { root[$0] != nil }
    return (.genet, samples, more.isEmpty ? [] : [TraceChoice.delayAndLoss], nil)
  }

  // MARK: iperf3

  /// Values of the events of a name.
  private func data(of name: String) -> [PlacedJSON] {
    events.filter { $0["event"]?.text == name }.compactMap { $0["data"] }
  }

  /// Note on a sender's rates of UDP of which some was lost: TCP sends no more than arrives, UDP does.
  private func sendersLoss(_ intervals: [PlacedJSON]) -> String? {
    let start = root["start"] ?? data(of: "start").first
    let sum = (root["end"] ?? data(of: "end").first)?["sum"]
    guard start?["test_start"]?["protocol"]?.text == "UDP", let lost = sum?["lost_percent"]?.number, lost > 0,
      intervals.first?["sum"]?["sender"]?.flag ?? (start?["test_start"]?["reverse"]?.number != 1)
    else { return nil }
    return "the rates that the sender offered over UDP, of which \((lost * 10).rounded() / 10) % were lost: "
      + "more than arrived, unlike with '--reverse', where the receiver reports"
  }

  private func intervals() throws(CapacityTraceError) -> Reading {
    if let error = root["error"] ?? data(of: "error").first, let text = error.text {
      throw failure(error, .command("iperf3 reports '\(text.prefix(80))'"))
    }
    guard let intervals = root["intervals"]?.elements ?? (events.isEmpty ? nil : data(of: "interval")),
      !intervals.isEmpty
    else {
      throw failure(root["intervals"] ?? root, .missingKey("intervals", .iperf3))
    }
    var samples = RateSamples()
    var places = PlaceCounter(bytes)
    var omitted = 0
    var isTwoWay = false
    for interval in intervals {
      guard let sum = interval["sum"] else { throw failure(interval, .missingKey("sum", .iperf3)) }
      isTwoWay = isTwoWay || interval["sum_bidir_reverse"] != nil
      guard let start = sum["start"], let end = sum["end"], let rate = sum["bits_per_second"] else {
        throw failure(sum, .missingKey("bits_per_second", .iperf3))
      }
      if sum["omitted"]?.flag == true {
        omitted += 1
        continue
      }
      let begin = try number(start, upTo: 1e9)
      let length = max(0, try number(end, upTo: 1e9) - begin)
      try samples.add(
        .init(
          time: begin, rate: try number(rate, upTo: 1e12), length: length,
          line: places.place(of: interval.offset).line))
    }
    let notes = omitted > 0 ? ["\(omitted) intervals that iperf3 omitted are left out"] : []
    let choices =
      (isTwoWay ? ["the direction from client to server; the reverse one is left out"] : [])
      + (sendersLoss(intervals).map { [$0] } ?? [])
    return (.iperf3, samples, notes, choices.isEmpty ? nil : choices.joined(separator: "; "))
  }
}
