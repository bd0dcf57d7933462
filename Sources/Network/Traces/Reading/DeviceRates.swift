import Quantity

/// Rates in `tc`'s notation.
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

  /// Returns the rate in a command or a line of output: an HTB class borrows up to `ceil`, CAKE has a `bandwidth`.
  static func word(_ words: [String]) -> String? {
    for key in ["ceil", "rate", "bandwidth"] {
      if let place = words.firstIndex(of: key), place + 1 < words.count { return words[place + 1] }
    }
    return nil
  }
}

/// Rates of several devices over time, of which one is selected.
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

  /// Returns the rates of the stated device, or of the only one.
  func samples(of stated: String?, line: Int) throws(CapacityTraceError) -> RateSamples {
    if let stated {
      let found = devices.filter { $0.name == stated || $0.name.hasSuffix(":" + stated) }
      guard let device = found.first(where: { $0.name == stated }) ?? (found.count == 1 ? found.first : nil)
      else {
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
