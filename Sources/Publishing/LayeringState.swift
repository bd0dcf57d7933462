package import Ladder
import Media
package import Plan
package import Quantity
package import SimulationKernel

/// State of a scalable source with several spatial layers.
package struct LayeringState {
  /// Allocator of rates among the layers.
  package var split: ScalableRateSplit
  /// Structure of the pictures.
  var structure: ScalabilityStructure
  /// Number of the last key picture.
  var keyPicture: UInt32 = 0

  package init?(_ plan: VideoSourcePlan) {
    guard let split = plan.split, let structure = plan.structure else { return nil }
    self.split = split
    self.structure = structure
  }

  /// Splits a rate over the layers.
  ///
  /// - Parameters:
  ///   - total: the source's share of the uplink at the full frame rate.
  ///   - encodings: numbers of its layers, from the lowest up.
  ///   - isWanted: `false` before any demand, when all layers are offered.
  package func allocate(
    _ total: BitRate, to encodings: Range<Int>, _ encoders: inout Table<EncoderState>, isWanted: Bool
  ) {
    let rates = split.rates(total)
    let most = split.fullRates.enabled
    let spare = total - min(total, rates.total)
    let before = encodings.map { encoders[$0].scale > 0 }
    for encoding in encodings {
      let full = Double(max(encoders[encoding].fullRate.bitsPerSecond, 1))
      let rate = rates[encoders[encoding].index]
      let isOff = encoders[encoding].index >= most
      encoders[encoding].scale = isWanted || isOff ? Double(rate.bitsPerSecond) / full : 1
      let share = Double(rate.bitsPerSecond) / Double(max(rates.total.bitsPerSecond, 1))
      encoders[encoding].headroom = spare.scaled(by: share)
    }
    guard before != encodings.map({ encoders[$0].scale > 0 }) else { return }
    for encoding in encodings { encoders[encoding].model.noteLayoutChange() }
  }
}
