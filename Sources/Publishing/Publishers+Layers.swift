import Endpoint
import Ladder
import Media
import Plan
import Quantity
import SimulationKernel

/// Layers that sources offer, and the sharing of a rate between spatial ones.
extension Publishers {
  /// Splits a rate over the spatial layers of a scalable source; before any demand all are offered.
  mutating func allocate(_ total: BitRate, to source: Int, by split: ScalableRateSplit) {
    let running = encoders[sources[source].encodings.lowerBound].rates.share
    let total = max(
      running < 1 ? total.scaled(by: 1 / max(running, 0.001)) : total, sources[source].plan.leastRate)
    let rates = split.rates(total)
    let spare = total - min(total, rates.total)
    let isWanted = sources[source].demand.wanted != 0
    let before = sources[source].encodings.map { encoders[$0].scale > 0 }
    for encoding in sources[source].encodings {
      let full = Double(max(encoders[encoding].fullRate.bitsPerSecond, 1))
      let rate = rates[encoders[encoding].index]
      encoders[encoding].scale = isWanted ? Double(rate.bitsPerSecond) / full : 1
      let share = Double(rate.bitsPerSecond) / Double(max(rates.total.bitsPerSecond, 1))
      encoders[encoding].headroom = spare.scaled(by: share)
    }
    guard before != sources[source].encodings.map({ encoders[$0].scale > 0 }) else { return }
    for encoding in sources[source].encodings { encoders[encoding].model.noteLayoutChange() }
  }

  /// Offers the layers of the encodings that the uplink carries, at the rates that they use.
  package mutating func refreshOffers(of source: Int) {
    let first = sources[source].encodings.lowerBound
    for encoding in sources[source].encodings {
      encoders[encoding].offeredShare = encoders[encoding].usedShare
    }
    let isSummed = sources[source].layering?.split.mode.prediction == .full
    sources[source].offers = sources[source].ladder.compactMap { layer in
      let encoding = first + layer.id.encoding
      guard encoders[encoding].scale > 0 else { return nil }
      var layer = layer
      layer.bitrate =
        isSummed
        ? summedRate(of: layer.id, of: source) : layer.bitrate.scaled(by: encoders[encoding].offeredShare)
      return layer
    }
    announce(source)
  }

  /// Returns the rate of a layer with all those below it that are predicted from each other.
  func summedRate(of layer: LayerID, of source: Int) -> BitRate {
    let encodings = sources[source].plan.ladder.encodings
    return (0...layer.encoding).reduce(.zero) { sum, index in
      let own = encodings[index].cumulativeBitrates
      return sum
        + own[min(layer.temporal, own.count - 1)].scaled(
          by: encoders[sources[source].encodings.lowerBound + index].offeredShare)
    }
  }
}
