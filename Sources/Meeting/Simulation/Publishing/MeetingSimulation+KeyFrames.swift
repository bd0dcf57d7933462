import Network
import Quantity
import SimulationKernel

/// Requests for key frames: from viewers to the SFU, from the SFU to publishers, and their answers.
extension MeetingSimulation {
  /// The SFU asks the publisher, over its real path and not too often; it looks again later, since a request or the key
  /// frame itself can be lost.
  mutating func requestKeyFrame(of number: Int, kernel: inout Kernel) {
    let now = kernel.now
    if now - encodings[number].requestedAt >= Self.requestSpacing {
      encodings[number].requestedAt = now
      let publisher = sources[encodings[number].source].participant
      let request = Packet.pictureLossIndication(stream: number, destination: publisher, at: now)
      sendControl(request, against: Path.up(publisher), kernel: &kernel)
    }
    guard !encodings[number].hasKeyFrameCheck else { return }
    encodings[number].hasKeyFrameCheck = true
    kernel.schedule(after: Self.requestSpacing, tag: MeetingEvent(.keyFrameCheck, number).tag)
  }

  /// A viewer cannot decode what it is forwarded: the SFU asks for a key frame of the encoding that it forwards.
  mutating func requestKeyFrame(for packet: Packet, kernel: inout Kernel) {
    let source = Int(packet.stream)
    let current = tracks[trackNumber(viewer: Int(packet.destination), source: source)].current.encoding
    guard current >= 0, sources[source].isCapturing else { return }
    requestKeyFrame(of: sources[source].firstEncoding + Int(current), kernel: &kernel)
  }

  mutating func checkKeyFrame(of number: Int, kernel: inout Kernel) {
    encodings[number].hasKeyFrameCheck = false
    guard encodings[number].waiting > 0, sources[encodings[number].source].isCapturing else { return }
    requestKeyFrame(of: number, kernel: &kernel)
  }

  /// A request reached the publisher: as in libwebrtc the next frame of every encoding of the source is a key frame, at
  /// most every 300 ms; or, where that was agreed on, that of the encoding alone, with a time of its own.
  mutating func answerRequest(for number: Int, now: SimTime) {
    let source = encodings[number].source
    if plan.keyFrames == .perLayer {
      guard now - encodings[number].lastKeyFrameAnswer >= Self.answerSpacing, encodings[number].isSending
      else { return }
      encodings[number].lastKeyFrameAnswer = now
      encodings[number].isKeyFrameRequested = true
      return
    }
    guard now - sources[source].lastKeyFrameAnswer >= Self.answerSpacing else { return }
    sources[source].lastKeyFrameAnswer = now
    let first = sources[source].firstEncoding
    for encoding in first..<first + sources[source].encodings where encodings[encoding].isSending {
      encodings[encoding].isKeyFrameRequested = true
    }
  }
}
