import Ladder
import Quantity
import Systems

/// Layers of a source as measured by the server, with all rates in one array, because a decision reads them repeatedly.
struct TrackLayers: Sendable {
  private(set) var encodings = 0
  /// Number of temporal layers for which each encoding has room.
  private(set) var temporals = 0
  /// Rates by encoding, then by temporal layer: the rate of the layer and those below it, 0 if nothing has been
  /// measured [bit/s].
  private var rates: [Int64] = []
  /// Encodings that currently arrive.
  private var arriving: EncodingSet = []
  /// Highest encoding that has ever arrived; `nil` before any has.
  private(set) var highestSeen: Int?
  /// Highest temporal layer that has ever arrived; `nil` before any has.
  private(set) var highestTemporalSeen: Int?

  init() {}

  init(_ measured: MeasuredLayers) {
    encodings = measured.rates.count
    temporals = measured.rates.reduce(0) { max($0, $1.count) }
    rates = Array(repeating: 0, count: encodings * temporals)
    for encoding in measured.rates.indices {
      for temporal in measured.rates[encoding].indices {
        rates[encoding * temporals + temporal] = measured.rates[encoding][temporal].bitsPerSecond
      }
    }
    for encoding in measured.available { arriving.insert(EncodingSet(encoding)) }
    highestSeen = measured.highestSeen
    highestTemporalSeen = measured.highestTemporalSeen
  }

  /// Creates layers of which all with a nonzero rate arrive.
  init(_ layers: [Layer]) {
    let layers = layers.span
    for index in layers.indices where layers[index].bitrate > .zero {
      let id = layers[index].id
      encodings = max(encodings, id.encoding + 1)
      temporals = max(temporals, id.temporal + 1)
      arriving.insert(EncodingSet(id.encoding))
    }
    guard encodings > 0 else { return }
    // Faster than `Array(repeating:count:)`, which looks up its storage's type at run time.
    rates.reserveCapacity(encodings * temporals)
    for _ in 0..<encodings * temporals { rates.append(0) }
    for index in layers.indices where layers[index].bitrate > .zero {
      let id = layers[index].id
      rates[id.encoding * temporals + id.temporal] = layers[index].bitrate.bitsPerSecond
    }
    highestSeen = encodings - 1
    highestTemporalSeen = temporals - 1
  }

  /// Rate of a layer including those below it; 0 for an unknown one [bit/s].
  subscript(layer: LayerID) -> Int64 {
    layer.encoding < encodings && layer.temporal < temporals
      ? rates[layer.encoding * temporals + layer.temporal] : 0
  }

  /// Lowest encoding that arrives.
  var lowestAvailable: Int? { arriving.lowest }

  /// Highest encoding that arrives.
  var highestAvailable: Int? { arriving.highest }

  /// Returns the highest encoding up to a limit that arrives.
  func highestAvailable(upTo limit: Int) -> Int? {
    arriving.intersection(EncodingSet(first: limit + 1)).highest
  }

  /// Checks whether the same layers arrive, at whatever rates.
  func areThose(of other: TrackLayers) -> Bool {
    encodings == other.encodings && temporals == other.temporals && arriving == other.arriving
      && highestSeen == other.highestSeen && highestTemporalSeen == other.highestTemporalSeen
      && rates.indices.allSatisfy { (rates[$0] > 0) == (other.rates[$0] > 0) }
  }

  // MARK: Layers with a rate

  /// Lists all layers within a limit on both dimensions, from the lowest.
  func measured(upTo limit: LayerID) -> [LayerID] {
    var measured: [LayerID] = []
    for encoding in 0..<encodings where encoding <= limit.encoding {
      for temporal in 0..<temporals where temporal <= limit.temporal {
        if rates[encoding * temporals + temporal] > 0 {
          measured.append(LayerID(encoding: encoding, temporal: temporal))
        }
      }
    }
    return measured
  }

  /// Returns the last layer of ``measured(upTo:)``.
  func highest(upTo limit: LayerID) -> LayerID? {
    var encoding = min(limit.encoding, encodings - 1)
    while encoding >= 0 {
      if let temporal = highestTemporal(of: encoding, upTo: limit.temporal) {
        return LayerID(encoding: encoding, temporal: temporal)
      }
      encoding -= 1
    }
    return nil
  }

  /// Highest encoding with a rate.
  var highestEncoding: Int? { highest(upTo: LayerID(encoding: .max, temporal: .max))?.encoding }

  /// Returns the highest temporal layer of an encoding.
  func highestTemporal(of encoding: Int, upTo limit: Int = .max) -> Int? {
    guard encoding < encodings else { return nil }
    var temporal = min(limit, temporals - 1)
    while temporal >= 0 {
      if rates[encoding * temporals + temporal] > 0 { return temporal }
      temporal -= 1
    }
    return nil
  }

  /// Returns the first layer of ``measured(upTo:)`` above a given one; the first of all for `nil`.
  func lowest(above layer: LayerID?, upTo limit: LayerID) -> LayerID? {
    for encoding in 0..<encodings where encoding <= limit.encoding {
      for temporal in 0..<temporals where temporal <= limit.temporal {
        let above = LayerID(encoding: encoding, temporal: temporal)
        if rates[encoding * temporals + temporal] > 0, layer.isBelow(above) { return above }
      }
    }
    return nil
  }
}
