import Ladder
import Plan
package import Quantity
import SimulationKernel
package import Systems

/// Measured rates of a source's layers.
extension LayerMeter {
  /// Time over which the mean rate must stay within a client's cap.
  static let capTime = SimDuration.seconds(5)
  /// Maximum size of a key frame, as the time that its bits take at the stream's rate (libvpx's bound).
  private static let keyFrameTime = SimDuration.milliseconds(300)

  /// Returns the rate, averaged over the time of a cap, of the key frame that starts an encoding for a new viewer, from
  /// the source's announced rates.
  func keyFrameRate(of source: Int, _ encoding: Int) -> BitRate {
    let announced = encodings[streams.sources[source].encodings.lowerBound + encoding].announced
    let rate = announced.indices.reduce(0) { max($0, announced[$1]) }
    return BitRate(
      bitsPerSecond: rate.scaled(by: Self.keyFrameTime.nanoseconds, per: Self.capTime.nanoseconds))
  }

  /// Returns the layers of a source; a layer without packets of its own has no cumulative rate.
  ///
  /// - Parameter isCapped: `true` for a client that caps what it receives: a layer that has just begun never looks
  ///   cheap, since it counts at the announced rate or more for at least the time over which a cap holds [our model].
  package func layers(of source: Int, at now: SimTime, isCapped: Bool = false) -> MeasuredLayers {
    guard isOn else { return MeasuredLayers() }
    if window != nil { return layersInWindow(of: source, at: now, isCapped: isCapped) }
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
    if isSummed[source] { layers.sumSpatialLayers() }
    return layers
  }

  private func layersInWindow(of source: Int, at now: SimTime, isCapped: Bool) -> MeasuredLayers {
    var layers = MeasuredLayers()
    for (index, number) in streams.sources[source].encodings.enumerated() {
      let encoding = encodings[number]
      if encoding.isAvailable { layers.available.append(index) }
      if encoding.isChecked { layers.highestSeen = index }
      let elapsed = encoding.elapsed(at: now, isWhole: !isCapped)
      let isNew = isCapped && now - encoding.ratedAt < Self.capTime
      let isAnnounced = encoding.isAvailable && now - encoding.ratedAt < encoding.window.announcedTime
      var rates: [BitRate] = []
      var sum: Int64 = 0
      for temporal in 0..<Self.temporalLayers {
        let own = bytes(of: encoding, number, temporal, at: now)
        sum += own
        if own > 0 { layers.highestTemporalSeen = max(layers.highestTemporalSeen ?? 0, temporal) }
        let isMeasured = own > 0 && encoding.isAvailable
        let measured = isMeasured ? (8 * sum).scaled(by: 1_000_000_000, per: elapsed.nanoseconds) : 0
        let rate = isAnnounced ? encoding.announced[temporal] : measured
        let least = isMeasured && isNew ? encoding.announced[temporal] : 0
        rates.append(BitRate(bitsPerSecond: max(rate, least)))
      }
      layers.rates.append(rates)
    }
    if isSummed[source] { layers.sumSpatialLayers() }
    return layers
  }

  /// Returns the bytes of a layer that arrived within the window.
  func bytes(of encoding: Encoding, _ number: Int, _ temporal: Int, at now: SimTime) -> Int64 {
    let step = now.nanoseconds / encoding.window.step.nanoseconds
    let newest = encoding.newestStep
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
