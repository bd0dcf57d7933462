import Endpoint
import Ladder
import Media
import Network
import Plan
import Quantity
import SimulationKernel

/// Encoding of scalable sources: pictures of several spatial layers, in one RTP stream.
extension Publishers {
  /// Place of a frame in its scalable stream.
  package struct PicturePlace: BitwiseCopyable {
    var frame: LayerFrame
    /// Set for the last frame of the picture.
    var isLast: Bool
  }

  /// Maximum number of pictures between two key pictures (`video/config/video_encoder_config.cc`).
  private static var keyPictureInterval: UInt32 { 3000 }

  /// Encodes a picture with every spatial layer that is on, from the lowest up.
  mutating func encodePicture(_ number: Int, _ net: inout Connections, kernel: inout Kernel) {
    guard var structure = sources[number].layering?.structure,
      let keyPicture = sources[number].layering?.keyPicture
    else { return }
    let own = sources[number].encodings
    let active = own.prefix { encoders[$0].isSending }
    guard let lowest = active.first, isDue(lowest, of: number, kernel: &kernel) else { return }
    let next = structure.picture &+ 1
    var isRequested = next &- keyPicture >= Self.keyPictureInterval
    for encoding in active where encoders[encoding].keyFrames.takeRequest() { isRequested = true }
    structure.advance(active: active.count, keyPicture: isRequested)
    if structure.isKeyPicture { sources[number].layering?.keyPicture = structure.picture }
    var coded = InlineArray<3, EncodedFrame?>(repeating: nil)
    var last = -1
    if structure.isKeyPicture || !dropsPicture(active, structure) {
      for (spatial, encoding) in active.enumerated() {
        guard let frame = structure.frame(spatial) else { continue }
        coded[spatial] = encode(frame, with: encoding, structure, at: kernel.now)
        if coded[spatial] != nil { last = spatial }
      }
    }
    for (spatial, encoding) in active.enumerated() {
      guard let output = coded[spatial], let frame = structure.frame(spatial) else { continue }
      send(
        output, Packetization(frameBytes: output.bytes), of: encoding,
        in: PicturePlace(frame: frame, isLast: spatial == last), isPaced: true, &net, kernel: &kernel)
    }
    for spatial in 0..<active.count where coded[spatial] != nil { structure.noteEncoded(spatial) }
    sources[number].layering?.structure = structure
  }

  private mutating func encode(
    _ frame: LayerFrame, with encoding: Int, _ structure: ScalabilityStructure, at now: SimTime
  ) -> EncodedFrame? {
    var content = sources[encoders[encoding].source].capture.content
    encoders[encoding].model.place(at: Int(frame.position))
    let target = encoders[encoding].target
    let headroom = encoders[encoding].headroom
    return encoders[encoding].model.encode(
      at: now, target: target, headroom: headroom, isKeyFrame: frame.isKeyPicture, sizes: &content,
      mayDrop: structure.mode.prediction != .full)
  }

  /// Checks whether the source's next frame is encoded.
  private mutating func isDue(_ lowest: Int, of number: Int, kernel: inout Kernel) -> Bool {
    let dropping = states[sources[number].participant].frameDropping
    let steadyRate = sources[number].custom.steadyIntake
    guard
      encoders[lowest].isDue(sources[number].capture.count - 1, at: kernel.now, steadyRate: steadyRate)
        || encoders[lowest].keyFrames.isRequested
    else { return false }
    guard let dropping, encoders[lowest].drops(dropping) else { return true }
    for encoding in sources[number].encodings { encoders[encoding].model.skip() }
    return false
  }

  /// Decides whether a picture is dropped. Where every layer refers to the one below, a whole picture is dropped as
  /// soon as one layer's rate control asks for it; otherwise layers drop frames individually (`libvpx_vp9_encoder.cc`,
  /// FULL_SUPERFRAME_DROP and LAYER_DROP).
  private mutating func dropsPicture(_ active: Range<Int>, _ structure: ScalabilityStructure) -> Bool {
    guard structure.mode.prediction == .full else { return false }
    var kept: UInt8 = 0
    var isDropped = false
    for (spatial, encoding) in active.enumerated() {
      let target = encoders[encoding].target
      let headroom = encoders[encoding].headroom
      if encoders[encoding].model.dropsFrame(target: target, headroom: headroom) {
        isDropped = true
        encoders[encoding].model.skip()
      } else {
        kept |= 1 << UInt8(spatial)
      }
    }
    guard isDropped else { return false }
    for (spatial, encoding) in active.enumerated() where kept >> UInt8(spatial) & 1 == 1 {
      encoders[encoding].model.leaveOut()
    }
    return true
  }
}
