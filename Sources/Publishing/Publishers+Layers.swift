import Endpoint
package import Ladder
import Media
import Plan
import Quantity
import SimulationKernel

/// Layers that sources offer, and the sharing of a rate between spatial ones.
extension Publishers {
  /// Splits a rate over the spatial layers of a scalable source; before any demand all are offered.
  mutating func allocate(_ total: BitRate, to source: Int, by split: ScalableRateSplit) {
    let total = max(
      encoders[sources[source].encodings.lowerBound].atFullFrameRate(total), sources[source].plan.leastRate)
    let rates = split.rates(total)
    let most = split.fullRates.enabled
    let spare = total - min(total, rates.total)
    let isWanted = sources[source].demand.wanted != 0
    let before = sources[source].encodings.map { encoders[$0].scale > 0 }
    for encoding in sources[source].encodings {
      let full = Double(max(encoders[encoding].fullRate.bitsPerSecond, 1))
      let rate = rates[encoders[encoding].index]
      let isOff = encoders[encoding].index >= most
      encoders[encoding].scale = isWanted || isOff ? Double(rate.bitsPerSecond) / full : 1
      let share = Double(rate.bitsPerSecond) / Double(max(rates.total.bitsPerSecond, 1))
      encoders[encoding].headroom = spare.scaled(by: share)
    }
    guard before != sources[source].encodings.map({ encoders[$0].scale > 0 }) else { return }
    for encoding in sources[source].encodings { encoders[encoding].model.noteLayoutChange() }
  }

  /// Returns the target of a scalable source's encoder if its layers cannot use all of it; `nil` if they can, or if all
  /// layers are on.
  package func idleRate(of source: Int) -> IdleRate? {
    guard let split = sources[source].layering?.split, sources[source].capture.isOn else { return nil }
    let active = sources[source].encodings.prefix { encoders[$0].isSending }
    guard !active.isEmpty, active.count < split.layerCount else { return nil }
    let used = active.reduce(BitRate.zero) { $0 + encoders[$1].target }
    let spare = active.reduce(BitRate.zero) { $0 + encoders[$1].headroom }
    guard spare > .zero else { return nil }
    let target = min(used + spare, split.usefulMaximum)
    guard target > used else { return nil }
    return IdleRate(
      layers: active.count, used: used, target: target, start: split.start(of: active.count + 1))
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

  /// Returns the rate of a layer together with all layers below it, on which it depends.
  func summedRate(of layer: LayerID, of source: Int) -> BitRate {
    let encodings = sources[source].plan.ladder.encodings
    return (0...layer.encoding).reduce(.zero) { sum, index in
      let own = encodings[index].cumulativeBitrates
      return sum
        + own[min(layer.temporal, own.count - 1)].scaled(
          by: encoders[sources[source].encodings.lowerBound + index].offeredShare)
    }
  }

  // MARK: Changes of the layers

  /// Follows the greatest height that receivers request of a source [px].
  ///
  /// - Returns: `true` if its layers have changed.
  mutating func followRequests(_ lines: Int?, of source: Int) -> Bool {
    guard let lines, sources[source].plan.layersAtHeight != nil else { return false }
    sources[source].sender.requestedLines = lines
    return setLayers(layers(of: source), of: source)
  }

  /// Returns the layers of a scalable source for its capture, its app's settings and the height that receivers request.
  func layers(of source: Int) -> Ladder {
    let plan = sources[source].plan
    let settings = sources[source].sender.settings
    let capture = settings.confined(plan.capture)
    var layers =
      sources[source].sender.requestedLines.flatMap { plan.layersAtHeight?(capture, $0) }
      ?? plan.fit?(capture) ?? sources[source].sender.base
    if let most = settings.maximum.rate { layers.limit(to: most) }
    return layers
  }

  /// Sets the layers of a scalable source, at most as many as it has. Layers above them keep their places, and are off.
  ///
  /// Layers of other sizes or another number restart the encoder with a key picture (libwebrtc's
  /// `video_stream_encoder.cc`, RequiresEncoderReset), and those of another frame rate too [our model]. The quality
  /// scaler stays off with one spatial layer too, although libwebrtc lets it shrink pictures of more than 320x180 then
  /// [our model].
  ///
  /// - Returns: `true` if they differ from the current ones.
  @discardableResult
  mutating func setLayers(_ layers: Ladder, of source: Int) -> Bool {
    let before = sources[source].plan.ladder
    var whole = sources[source].sender.base
    let count = layers.encodings.count
    let all = streams.sources[source].allEncodings
    let off = (~UInt32(0) << UInt32(count) | sources[source].sender.settings.off) & all
    guard count <= whole.encodings.count, let split = layers.split else { return false }
    whole.encodings.replaceSubrange(..<count, with: layers.encodings)
    whole.split = split
    guard whole != before || off != sources[source].sender.off else { return false }
    let isRenewed =
      split.layerCount != sources[source].layering?.split.layerCount
      || zip(whole.encodings, before.encodings).contains { $0.format != $1.format }
    sources[source].plan.ladder = whole
    sources[source].sender.off = off
    sources[source].applyDemand()
    sources[source].layering?.split = split
    for (index, encoding) in layers.encodings.enumerated() {
      let number = sources[source].encodings.lowerBound + index
      encoders[number].decimation = FrameDecimation(
        captured: sources[source].plan.capture.milliFramesPerSecond,
        limit: encoding.format.milliFramesPerSecond)
      guard isRenewed else {
        encoders[number].set(encoding, renewed: nil)
        continue
      }
      renew(number, to: encoding, size: encoding.format.resolution)
      encoders[number].keyFrames.isRequested = encoders[number].isSending
    }
    for encoding in sources[source].encodings.dropFirst(count) { encoders[encoding].scale = 0 }
    refreshSending(source)
    refreshLadder(of: source)
    return true
  }
}
