package import Ladder
import Plan
package import Quantity
import SimulationKernel
package import Systems

/// Measures the layers of every source on arrival: their presence and their rates.
package struct LayerMeter: ~Copyable {
  static let temporalLayers = 4

  package struct Encoding: BitwiseCopyable {
    /// Bytes since the last measurement, by temporal layer.
    package var bytes = InlineArray<4, Int64>(repeating: 0)
    /// Rates at the last measurement, by temporal layer [bit/s].
    package var rates = InlineArray<4, Int64>(repeating: 0)
    package var packets = 0
    /// Rates announced by the source, cumulative, by temporal layer [bit/s].
    var announced = InlineArray<4, Int64>(repeating: 0)
    package var hasBegun = false
    var isAvailable = false
    /// Set once it has arrived; it is checked from then on.
    var isChecked = false
    var cycles = Cycles()
    var ratedAt = SimTime.zero
    /// Newest step of the sliding window with any bytes.
    var newestStep: Int64 = 0
    /// Time at which the last packet arrived.
    var lastPacketAt = SimTime.zero
    /// Set for a spatial layer whose presence is signalled in every packet of its stream.
    var isDeclared = false
    /// Temporal layers with bytes in the window, as bits.
    package var temporalLayers: UInt8 = 0
    /// Window over which it is measured, and the silence after which it counts as ended.
    package var window = ForwardingRules.LayerWindow(length: .zero, step: .zero, silence: .zero)

    /// Cycles of the measurement.
    struct Cycles: BitwiseCopyable {
      /// Number of cycles in a row with enough packets.
      var inRow = 0
      /// Number of cycles since the rates were last measured.
      var sinceRates = 0
    }

    package init(_ window: ForwardingRules.LayerWindow? = nil) {
      if let window { self.window = window }
    }

    /// Returns the time over which the window's bytes are averaged.
    ///
    /// A layer that has just begun is averaged over the time since it began, so that it does not look cheap; with its
    /// key frame it looks expensive for a while [our model]; see ``Systems/ForwardingRules/LayerWindow/isAlwaysWhole``.
    ///
    /// - Parameter isWhole: `false` to average over the time since it began in any case.
    package func elapsed(at now: SimTime, isWhole: Bool = true) -> SimDuration {
      if window.isAlwaysWhole, isWhole { return window.length }
      return min(window.length, max(window.length / 10, now - ratedAt))
    }
  }

  let streams: StreamNumbering
  private let rules: ForwardingRules.LayerMeasurement?
  let window: ForwardingRules.LayerWindow?
  /// Bytes in the window, by encoding, step and temporal layer.
  var windowBytes: Table<Int32>
  let windowSteps: Int
  /// Set if the SFU measures layers at all.
  package let isOn: Bool
  var encodings: Table<Encoding>
  /// Highest temporal layer that has ever arrived, by source.
  var highestTemporalSeen: [Int?]
  /// Flags, by source, set if its spatial layers are predicted from lower ones on every picture.
  let isSummed: [Bool]

  /// - Parameter modes: modes of scalable sources; `nil` for any other.
  init(_ forwarding: ForwardingRules, streams: StreamNumbering, modes: [ScalabilityMode?]) {
    self.streams = streams
    rules = forwarding.layerMeasurement
    window = forwarding.layerWindow
    isOn = forwarding.measuresLayers
    encodings = Table(repeating: Encoding(window), count: isOn ? streams.encodings.count : 0)
    windowSteps = window.map { max(1, Int($0.length.nanoseconds / $0.step.nanoseconds)) } ?? 0
    windowBytes = Table(repeating: 0, count: streams.encodings.count * windowSteps * Self.temporalLayers)
    highestTemporalSeen = streams.sources.map { _ in nil }
    isSummed = modes.map { $0.map { forwarding.sumsSpatialLayers || $0.prediction == .full } ?? false }
    guard isOn, rules != nil else { return }
    for number in streams.encodings.indices where streams.sources[streams.encodings[number].source].isScalable
    {
      encodings[number].isDeclared = true
    }
  }

  /// Follows the number of active spatial layers that a stream's packets signal: layers appear or disappear
  /// immediately.
  ///
  /// - Returns: `true` if it has changed.
  mutating func declare(_ count: Int, of source: Int) -> Bool {
    guard rules != nil else { return false }
    var isNew = false
    for (index, number) in streams.sources[source].encodings.enumerated() where encodings[number].isDeclared {
      let isOn = index < count
      guard encodings[number].isAvailable != isOn else { continue }
      encodings[number].isAvailable = isOn
      isNew = true
    }
    return isNew
  }

  /// Time between two checks of an encoding; for an encoding measured in a window, half of the silence that ends it.
  package var cycle: SimDuration { rules?.cycle ?? (window?.silence ?? .zero) / 2 }

  /// Sets the frame rates announced by a source. A window holds at least two frames of the layer with the fewest, and
  /// an encoding ends after the time of two frames at the earliest [our model]: real servers use fixed windows at any
  /// frame rate, and take an encoding with one frame per second for one that stops and restarts.
  ///
  /// - Parameter ladder: the source's layers, with the rates at which they are sent.
  package mutating func expect(_ ladder: [Layer], of source: Int, at now: SimTime) {
    guard let window else { return }
    for (index, number) in streams.sources[source].encodings.enumerated() {
      let layers = ladder.filter { $0.id.encoding == index }
      for layer in layers where layer.id.temporal < Self.temporalLayers {
        encodings[number].announced[layer.id.temporal] = layer.bitrate.bitsPerSecond
      }
      let rates = layers.map(\.format.milliFramesPerSecond)
      guard let rarest = rates.first, let all = rates.last, rarest > 0 else { continue }
      var own = window
      own.length = max(window.length, Self.twoFrames(at: rarest))
      own.silence = max(window.silence, Self.twoFrames(at: all))
      if own.length > window.length {
        own.step = SimDuration(nanoseconds: own.length.nanoseconds / Int64(windowSteps))
      }
      resize(number, to: own, at: now)
    }
  }

  /// Returns the time that two frames take at a frame rate [1/1000 Hz].
  static func twoFrames(at milliFramesPerSecond: Int) -> SimDuration {
    SimDuration(frames: 2, milliFramesPerSecond: milliFramesPerSecond)
  }

  /// Changes an encoding's window, keeping the rates of its layers.
  private mutating func resize(_ number: Int, to window: ForwardingRules.LayerWindow, at now: SimTime) {
    let before = encodings[number]
    encodings[number].window = window
    guard window.step != before.window.step else { return }
    let bytes = (0..<Self.temporalLayers).map { self.bytes(of: before, number, $0, at: now) }
    let elapsed = encodings[number].elapsed(at: now)
    let place = number * windowSteps
    for entry in place * Self.temporalLayers..<(place + windowSteps) * Self.temporalLayers {
      windowBytes[entry] = 0
    }
    let step = now.nanoseconds / window.step.nanoseconds
    encodings[number].newestStep = step
    for (temporal, bytes) in bytes.enumerated() {
      windowBytes[(place + Int(step) % windowSteps) * Self.temporalLayers + temporal] =
        Int32(clamping: bytes.scaled(by: elapsed.nanoseconds, per: before.elapsed(at: now).nanoseconds))
    }
  }

  /// Measures a packet.
  ///
  /// - Returns: `true` if its encoding counts as arriving from this packet on.
  package mutating func note(_ number: Int, temporal: Int, bytes: Int, at now: SimTime) -> Bool {
    if window != nil {
      slide(number, to: now.nanoseconds / encodings[number].window.step.nanoseconds)
      let step = Int(encodings[number].newestStep) % windowSteps
      let entry = (number * windowSteps + step) * Self.temporalLayers + min(temporal, Self.temporalLayers - 1)
      windowBytes[entry] = Int32(clamping: Int(windowBytes[entry]) + bytes)
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
    encodings[number].cycles.inRow = 0
    if encodings[number].isDeclared { return !encodings[number].isChecked }
    let isNew = !encodings[number].isAvailable
    encodings[number].isAvailable = true
    return isNew
  }

  /// Clears the steps that have moved out of an encoding's window.
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

  /// Returns `true`, once, when an encoding's checks have to begin.
  package mutating func takeStart(of number: Int, at now: SimTime) -> Bool {
    guard !encodings[number].isChecked else { return false }
    encodings[number].isChecked = true
    if window == nil { encodings[number].ratedAt = now }
    return true
  }

  /// Resets an encoding that is requested again from its publisher, unless it still counts as arriving: it does so again
  /// with its first packet.
  package mutating func reset(_ number: Int) {
    guard isOn, !encodings[number].isAvailable else { return }
    encodings[number].hasBegun = false
    encodings[number].packets = 0
  }

  /// Ends a measurement cycle.
  ///
  /// - Returns: `true` if a layer has started or stopped arriving, or rates were measured.
  package mutating func check(_ number: Int, at now: SimTime) -> Bool {
    if window != nil {
      let encoding = encodings[number]
      for temporal in 0..<Self.temporalLayers where bytes(of: encoding, number, temporal, at: now) == 0 {
        encodings[number].temporalLayers &= ~(1 << UInt8(temporal))
      }
      guard encoding.isAvailable, now - encoding.lastPacketAt >= encoding.window.silence else {
        return false
      }
      encodings[number].isAvailable = false
      encodings[number].temporalLayers = 0
      return true
    }
    guard let rules else { return false }
    let isLowest = streams.encodings[number].index == 0
    var hasNews = false
    if encodings[number].hasBegun, !encodings[number].isDeclared {
      let isFull = encodings[number].packets >= (isLowest ? rules.packets : rules.upperPackets)
      encodings[number].cycles.inRow = isFull ? encodings[number].cycles.inRow + 1 : 0
      let needed = isLowest ? rules.cycles : rules.upperCycles
      if encodings[number].cycles.inRow == 0, encodings[number].isAvailable {
        encodings[number].isAvailable = false
        hasNews = true
      } else if encodings[number].cycles.inRow >= needed, !encodings[number].isAvailable {
        encodings[number].isAvailable = true
        hasNews = true
      }
    }
    encodings[number].packets = 0
    encodings[number].cycles.sinceRates += 1
    if encodings[number].cycles.sinceRates == rules.cyclesPerRate {
      encodings[number].cycles.sinceRates = 0
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
}
