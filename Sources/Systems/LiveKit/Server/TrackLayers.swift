import Ladder
import Quantity

/// The layers of a source as the server's meters have them, the rates of all in one row: a decision reads them over and
/// over.
struct TrackLayers: Sendable {
  private(set) var encodings = 0
  /// Temporal layers that each encoding has room for.
  private(set) var temporals = 0
  /// By encoding, then by temporal layer: the rate of the layer and those below it, 0 where nothing has been measured
  /// [bit/s].
  private var rates: [Int64] = []
  /// Encodings that arrive at present, a bit each.
  private var arriving: UInt32 = 0
  /// The highest encoding and temporal layer that ever arrived; `nil` before.
  private(set) var highestSeen: Int?
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
    for encoding in measured.available { arriving |= 1 << UInt32(encoding) }
    highestSeen = measured.highestSeen
    highestTemporalSeen = measured.highestTemporalSeen
  }

  /// The layers where all that have a rate arrive.
  init(_ layers: [Layer]) {
    let layers = layers.span
    for index in layers.indices where layers[index].bitrate > .zero {
      let id = layers[index].id
      encodings = max(encodings, id.encoding + 1)
      temporals = max(temporals, id.temporal + 1)
      arriving |= 1 << UInt32(id.encoding)
    }
    guard encodings > 0 else { return }
    // Faster than an array of a repeated value, whose storage's type is looked up.
    rates.reserveCapacity(encodings * temporals)
    for _ in 0..<encodings * temporals { rates.append(0) }
    for index in layers.indices where layers[index].bitrate > .zero {
      let id = layers[index].id
      rates[id.encoding * temporals + id.temporal] = layers[index].bitrate.bitsPerSecond
    }
    highestSeen = encodings - 1
    highestTemporalSeen = temporals - 1
  }

  /// The rate of a layer with those below it; 0 for an unknown one [bit/s].
  subscript(layer: LayerID) -> Int64 {
    layer.encoding < encodings && layer.temporal < temporals
      ? rates[layer.encoding * temporals + layer.temporal] : 0
  }

  /// The lowest encoding that arrives.
  var lowestAvailable: Int? { arriving == 0 ? nil : arriving.trailingZeroBitCount }

  /// The highest encoding that arrives.
  var highestAvailable: Int? { arriving == 0 ? nil : 31 - arriving.leadingZeroBitCount }

  /// The highest encoding that arrives up to one.
  func highestAvailable(upTo limit: Int) -> Int? {
    let within = arriving & (2 << UInt32(limit) - 1)
    return within == 0 ? nil : 31 - within.leadingZeroBitCount
  }

  /// Whether the same layers arrive, at whatever rates.
  func areThose(of other: TrackLayers) -> Bool {
    encodings == other.encodings && temporals == other.temporals && arriving == other.arriving
      && highestSeen == other.highestSeen && highestTemporalSeen == other.highestTemporalSeen
      && rates.indices.allSatisfy { (rates[$0] > 0) == (other.rates[$0] > 0) }
  }

  // MARK: Layers with a rate

  /// All within a limit on both dimensions, from the lowest.
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

  /// The last of ``measured(upTo:)``.
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

  /// The highest encoding.
  var highestEncoding: Int? { highest(upTo: LayerID(encoding: .max, temporal: .max))?.encoding }

  /// The highest temporal layer of an encoding.
  func highestTemporal(of encoding: Int, upTo limit: Int = .max) -> Int? {
    guard encoding < encodings else { return nil }
    var temporal = min(limit, temporals - 1)
    while temporal >= 0 {
      if rates[encoding * temporals + temporal] > 0 { return temporal }
      temporal -= 1
    }
    return nil
  }

  /// The first of ``measured(upTo:)`` above a layer; of all for `nil`.
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
