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
  private var keyPicture: UInt32 = 0
  private let drops: LayerDrops

  package init?(_ plan: VideoSourcePlan) {
    guard let split = plan.split, let structure = plan.structure else { return nil }
    self.split = split
    self.structure = structure
    drops = LayerDrops(structure.mode, plan.codec, isScreen: plan.kind == .screen)
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
    var last = -1
    for (spatial, encoding) in active.enumerated().dropFirst(droppedLayers(active, &encoders)) {
      guard var frame = structure.frame(spatial) else { continue }
      frame.hasLowerFrame = spatial == 0 || coded[spatial - 1] != nil
      guard let output = encode(frame, with: &encoders[encoding], content, at: now) else { continue }
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
      mayDrop: drops == .layer)
  }

  /// Decides how many of the picture's layers, counted from the lowest, are dropped together; layers that drop frames
  /// individually are not among them.
  ///
  /// A key picture is not dropped, nor is one in which a layer starts, whose first frame refers to the layer below
  /// (`libvpx_vp9_encoder.cc`, force_all_active_layers_).
  private func droppedLayers(_ active: Range<Int>, _ encoders: inout Table<EncoderState>) -> Int {
    guard drops != .layer, !structure.isKeyPicture, !structure.startsLayer else { return 0 }
    var dropping: EncodingSet = []
    for spatial in stride(from: active.count - 1, through: 0, by: -1) {
      if drops == .withLowerLayers, !dropping.isEmpty { break }
      let encoding = active.lowerBound + spatial
      let target = encoders[encoding].target
      let headroom = encoders[encoding].headroom
      guard encoders[encoding].model.dropsFrame(target: target, headroom: headroom) else { continue }
      dropping.insert(EncodingSet(spatial))
      encoders[encoding].model.skip()
    }
    guard let highest = dropping.highest else { return 0 }
    let dropped = drops == .withLowerLayers ? highest + 1 : active.count
    for spatial in 0..<dropped where !dropping.contains(spatial) {
      encoders[active.lowerBound + spatial].model.leaveOut()
    }
    return dropped
  }
}

/// Frames of a picture that an encoder drops together (libvpx's SVC_LAYER_DROP_MODE, as libwebrtc's
/// `libvpx_vp9_encoder.cc` sets it); AV1's encoder is taken to do so too [our model].
private enum LayerDrops {
  /// A layer's frame alone (LAYER_DROP).
  case layer
  /// All frames, as soon as one layer's rate control asks for it (FULL_SUPERFRAME_DROP).
  case picture
  /// The frames of a layer and of all below it (CONSTRAINED_FROM_ABOVE_DROP).
  case withLowerLayers

  init(_ mode: ScalabilityMode, _ codec: VideoCodec, isScreen: Bool) {
    self = mode.prediction != .full ? .layer : isScreen && codec != .av1 ? .withLowerLayers : .picture
  }
}
