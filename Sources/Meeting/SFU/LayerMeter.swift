import Ladder
import Quantity
import SimulationKernel
import Systems

/// The layers of every source as they arrive: which there are, and their rates.
struct LayerMeter: ~Copyable {
  private static let temporalLayers = 4

  struct Encoding: BitwiseCopyable {
    /// Since the last measurement, and of the last one [byte, bit/s], by temporal layer.
    var bytes = InlineArray<4, Int64>(repeating: 0)
    var rates = InlineArray<4, Int64>(repeating: 0)
    var packets = 0
    var hasBegun = false
    var isAvailable = false
    /// Whether it ever arrived, and is checked since.
    var isChecked = false
    var cyclesInRow = 0
    var cyclesToRate = 0
    var ratedAt = SimTime.zero
    /// The newest step of the sliding window that has bytes, and when the last packet came.
    var newestStep: Int64 = 0
    var lastPacketAt = SimTime.zero
    /// Temporal layers with bytes in the window, a bit each.
    var temporalLayers: UInt8 = 0
  }

  private let streams: StreamNumbering
  private let rules: ForwardingRules.LayerMeasurement?
  private let window: ForwardingRules.LayerWindow?
  /// In the window: by encoding, step and temporal layer [byte].
  private var windowBytes: Table<Int32>
  private let windowSteps: Int
  /// Whether the SFU measures at all.
  let isOn: Bool
  private var encodings: Table<Encoding>
  /// By source.
  private var highestTemporalSeen: [Int?]

  init(_ forwarding: ForwardingRules, streams: StreamNumbering) {
    self.streams = streams
    rules = forwarding.layerMeasurement
    window = forwarding.layerWindow
    isOn = forwarding.measuresLayers
    encodings = Table(repeating: Encoding(), count: isOn ? streams.encodings.count : 0)
    windowSteps = window.map { max(1, Int($0.length.nanoseconds / $0.step.nanoseconds)) } ?? 0
    windowBytes = Table(repeating: 0, count: streams.encodings.count * windowSteps * Self.temporalLayers)
    highestTemporalSeen = streams.sources.map { _ in nil }
  }

  /// Between two checks of an encoding; of one that is measured in a window half of the silence that ends it.
  var cycle: SimDuration { rules?.cycle ?? (window?.silence ?? .zero) / 2 }

  /// Takes a packet.
  ///
  /// - Returns: whether its encoding arrives from now on.
  mutating func note(_ number: Int, temporal: Int, bytes: Int, at now: SimTime) -> Bool {
    if let window {
      slide(number, to: now.nanoseconds / window.step.nanoseconds)
      let step = Int(encodings[number].newestStep) % windowSteps
      windowBytes[
        (number * windowSteps + step) * Self.temporalLayers + min(temporal, Self.temporalLayers - 1)] +=
        Int32(bytes)
      encodings[number].lastPacketAt = now
      if !encodings[number].isAvailable { encodings[number].ratedAt = now }
      encodings[number].isAvailable = true
      let bit = UInt8(1) << UInt8(min(temporal, Self.temporalLayers - 1))
      defer { encodings[number].temporalLayers |= bit }
      return encodings[number].temporalLayers & bit == 0
    }
    encodings[number].bytes[min(temporal, Self.temporalLayers - 1)] += Int64(bytes)
    encodings[number].packets += 1
    guard !encodings[number].hasBegun else { return false }
    encodings[number].hasBegun = true
    encodings[number].cyclesInRow = 0
    let isNew = !encodings[number].isAvailable
    encodings[number].isAvailable = true
    return isNew
  }

  /// Empties the steps of an encoding's window that have passed.
  private mutating func slide(_ number: Int, to step: Int64) {
    let passed = min(Int64(windowSteps), step - encodings[number].newestStep)
    guard passed > 0 else { return }
    for offset in 0..<passed {
      let place = Int((step - offset) % Int64(windowSteps))
      for temporal in 0..<Self.temporalLayers {
        windowBytes[(number * windowSteps + place) * Self.temporalLayers + temporal] = 0
      }
    }
    encodings[number].newestStep = step
  }

  /// Whether the checks of an encoding have to begin.
  mutating func takeStart(of number: Int, at now: SimTime) -> Bool {
    guard !encodings[number].isChecked else { return false }
    encodings[number].isChecked = true
    if window == nil { encodings[number].ratedAt = now }
    return true
  }

  /// An encoding is asked of its publisher anew: its first packet shows that it arrives.
  mutating func reset(_ number: Int) {
    guard isOn else { return }
    encodings[number].hasBegun = false
    encodings[number].packets = 0
  }

  /// The end of a cycle.
  ///
  /// - Returns: whether a layer has begun or stopped to arrive, or rates were measured.
  mutating func check(_ number: Int, at now: SimTime) -> Bool {
    if let window {
      for temporal in 0..<Self.temporalLayers where bytes(of: number, temporal, at: now, in: window) == 0 {
        encodings[number].temporalLayers &= ~(1 << UInt8(temporal))
      }
      guard encodings[number].isAvailable, now - encodings[number].lastPacketAt >= window.silence else {
        return false
      }
      encodings[number].isAvailable = false
      encodings[number].temporalLayers = 0
      return true
    }
    guard let rules else { return false }
    let isLowest = streams.encodings[number].index == 0
    var hasNews = false
    if encodings[number].hasBegun {
      let isFull = encodings[number].packets >= (isLowest ? rules.packets : rules.upperPackets)
      encodings[number].cyclesInRow = isFull ? encodings[number].cyclesInRow + 1 : 0
      let needed = isLowest ? rules.cycles : rules.upperCycles
      if encodings[number].cyclesInRow == 0, encodings[number].isAvailable {
        encodings[number].isAvailable = false
        hasNews = true
      } else if encodings[number].cyclesInRow >= needed, !encodings[number].isAvailable {
        encodings[number].isAvailable = true
        hasNews = true
      }
    }
    encodings[number].packets = 0
    encodings[number].cyclesToRate += 1
    if encodings[number].cyclesToRate == rules.cyclesPerRate {
      encodings[number].cyclesToRate = 0
      measure(number, at: now)
      hasNews = true
    }
    return hasNews
  }

  private mutating func measure(_ number: Int, at now: SimTime) {
    let elapsed = (now - encodings[number].ratedAt).nanoseconds
    encodings[number].ratedAt = now
    let source = streams.encodings[number].source
    for temporal in 0..<Self.temporalLayers {
      let bits = 8 * encodings[number].bytes[temporal]
      encodings[number].rates[temporal] = elapsed > 0 ? bits.scaled(by: 1_000_000_000, per: elapsed) : 0
      encodings[number].bytes[temporal] = 0
      if bits > 0 { highestTemporalSeen[source] = max(highestTemporalSeen[source] ?? 0, temporal) }
    }
  }

  /// The layers of a source; a layer without a rate of its own has none with those below it either.
  func layers(of source: Int, at now: SimTime) -> MeasuredLayers {
    guard isOn else { return MeasuredLayers() }
    if let window { return layers(of: source, in: window, at: now) }
    var layers = MeasuredLayers()
    for (index, number) in streams.sources[source].encodings.enumerated() {
      let encoding = encodings[number]
      if encoding.isAvailable { layers.available.append(index) }
      if encoding.isChecked { layers.highestSeen = index }
      var rates: [BitRate] = []
      var sum: Int64 = 0
      for temporal in 0..<Self.temporalLayers {
        let own = encoding.isAvailable ? encoding.rates[temporal] : 0
        sum += own
        rates.append(BitRate(bitsPerSecond: own > 0 ? sum : 0))
      }
      layers.rates.append(rates)
    }
    layers.highestTemporalSeen = highestTemporalSeen[source]
    return layers
  }

  private func layers(
    of source: Int, in window: ForwardingRules.LayerWindow, at now: SimTime
  ) -> MeasuredLayers {
    var layers = MeasuredLayers()
    for (index, number) in streams.sources[source].encodings.enumerated() {
      let encoding = encodings[number]
      if encoding.isAvailable { layers.available.append(index) }
      if encoding.isChecked { layers.highestSeen = index }
      // A layer that has just begun is rated over the time that it has, so that it does not look cheap: with its key
      // frame it looks dear for a while [our model].
      let elapsed = min(window.length, max(window.length / 10, now - encoding.ratedAt))
      var rates: [BitRate] = []
      var sum: Int64 = 0
      for temporal in 0..<Self.temporalLayers {
        let own = bytes(of: number, temporal, at: now, in: window)
        sum += own
        if own > 0 { layers.highestTemporalSeen = max(layers.highestTemporalSeen ?? 0, temporal) }
        let isMeasured = own > 0 && encoding.isAvailable
        rates.append(
          BitRate(
            bitsPerSecond: isMeasured
              ? (8 * sum).scaled(by: 1_000_000_000, per: elapsed.nanoseconds) : 0))
      }
      layers.rates.append(rates)
    }
    return layers
  }

  /// What came of a layer within the window [byte].
  private func bytes(
    of number: Int, _ temporal: Int, at now: SimTime, in window: ForwardingRules.LayerWindow
  ) -> Int64 {
    let step = now.nanoseconds / window.step.nanoseconds
    let newest = encodings[number].newestStep
    var bytes: Int64 = 0
    var other = newest
    while other > step - Int64(windowSteps), other > newest - Int64(windowSteps), other >= 0 {
      let place = number * windowSteps + Int(other % Int64(windowSteps))
      bytes += Int64(windowBytes[place * Self.temporalLayers + temporal])
      other -= 1
    }
    return bytes
  }
}
