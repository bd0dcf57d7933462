import Endpoint
import Ladder
import Media
import Network
import Plan
import Quantity
import SimulationKernel

/// Encoding of scalable sources: pictures of several spatial layers, in one RTP stream.
extension Publishers {
  /// Encodes a picture with every spatial layer that is on, from the lowest up.
  mutating func encodePicture(_ number: Int, _ net: inout Connections, kernel: inout Kernel) {
    let active = sources[number].encodings.prefix { encoders[$0].isSending }
    guard let lowest = active.first, isDue(lowest, of: number, kernel: &kernel) else { return }
    let content = sources[number].capture.content
    guard let coded = sources[number].layering?.encode(active, &encoders, content, at: kernel.now) else {
      return
    }
    for (spatial, encoding) in active.enumerated() {
      guard let (frame, place) = coded[spatial] else { continue }
      send(
        frame, Packetization(frameBytes: frame.bytes), of: encoding, in: place, isPaced: true, &net,
        kernel: &kernel)
    }
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
}
