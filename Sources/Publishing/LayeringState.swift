package import Ladder
import Media
package import Plan
package import Quantity
package import SimulationKernel
import Statistics

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

  // MARK: Pictures

  /// Maximum number of pictures between two key pictures (`video/config/video_encoder_config.cc`).
  private static var keyPictureInterval: UInt32 { 3000 }

  /// Encodes the next picture, a key picture if one is requested or due.
  ///
  /// - Parameters:
  ///   - active: encodings that are on, from the lowest up.
  ///   - content: the source's stream for the complexity of its pictures, which all layers share.
  /// - Returns: the frame of each spatial layer, with its place in the stream; `nil` for a layer without one.
  mutating func encode(
    _ active: Range<Int>, _ encoders: inout Table<EncoderState>, _ content: RandomStream, at now: SimTime
  ) -> InlineArray<3, (EncodedFrame, PicturePlace)?> {
    let next = structure.picture &+ 1
    var isRequested = next &- keyPicture >= Self.keyPictureInterval
    for encoding in active where encoders[encoding].keyFrames.takeRequest() { isRequested = true }
    structure.advance(active: active.count, keyPicture: isRequested)
    if structure.isKeyPicture { keyPicture = structure.picture }
    var coded = InlineArray<3, (EncodedFrame, PicturePlace)?>(repeating: nil)
    guard structure.isKeyPicture || !dropsPicture(active, &encoders) else { return coded }
    var last = -1
    for (spatial, encoding) in active.enumerated() {
      guard let frame = structure.frame(spatial),
        let output = encode(frame, with: &encoders[encoding], content, at: now)
      else { continue }
      coded[spatial] = (output, PicturePlace(frame: frame, isLast: false))
      last = spatial
    }
    if last >= 0 { coded[last]?.1.isLast = true }
    for spatial in 0..<active.count where coded[spatial] != nil { structure.noteEncoded(spatial) }
    return coded
  }

  private func encode(
    _ frame: LayerFrame, with encoder: inout EncoderState, _ content: RandomStream, at now: SimTime
  ) -> EncodedFrame? {
    var content = content
    encoder.model.place(at: Int(frame.position))
    let target = encoder.target
    let headroom = encoder.headroom
    return encoder.model.encode(
      at: now, target: target, headroom: headroom, isKeyFrame: frame.isKeyPicture, sizes: &content,
      mayDrop: structure.mode.prediction != .full)
  }

  /// Decides whether a picture is dropped. Where every layer refers to the one below, a whole picture is dropped as
  /// soon as one layer's rate control asks for it; otherwise layers drop frames individually (`libvpx_vp9_encoder.cc`,
  /// FULL_SUPERFRAME_DROP and LAYER_DROP).
  private func dropsPicture(_ active: Range<Int>, _ encoders: inout Table<EncoderState>) -> Bool {
    guard structure.mode.prediction == .full else { return false }
    var kept: EncodingSet = []
    var isDropped = false
    for (spatial, encoding) in active.enumerated() {
      let target = encoders[encoding].target
      let headroom = encoders[encoding].headroom
      if encoders[encoding].model.dropsFrame(target: target, headroom: headroom) {
        isDropped = true
        encoders[encoding].model.skip()
      } else {
        kept.insert(EncodingSet(spatial))
      }
    }
    guard isDropped else { return false }
    for (spatial, encoding) in active.enumerated() where kept.contains(spatial) {
      encoders[encoding].model.leaveOut()
    }
    return true
  }
}
