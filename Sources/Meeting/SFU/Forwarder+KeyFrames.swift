import Network
import Quantity
import SimulationKernel
import Systems

/// Keyframe requests (PLI): from viewers to the SFU, from the SFU to publishers.
extension Forwarder {
  /// Requests a key frame of a publisher, over its real path and not too often; looks again later, since the request
  /// or the key frame itself can be lost.
  mutating func requestKeyFrame(
    of number: Int, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) {
    let now = kernel.now
    if now - ingress[number].requestedAt >= requestSpacing(of: number) {
      ingress[number].requestedAt = now
      ingress[number].isKeyFrameDue = false
      let publisher = streams.sources[Int(ingress[number].source)].participant
      endpoints.sendControl(
        .pictureLossIndication(stream: number, destination: publisher, at: now),
        against: Path.up(publisher), links: &links, kernel: &kernel)
    }
    guard !ingress[number].hasKeyFrameCheck else { return }
    ingress[number].hasKeyFrameCheck = true
    let wait = rules.keyFrameRetry ?? requestSpacing(of: number)
    kernel.schedule(after: wait, tag: MeetingEvent(.keyFrameCheck, number).tag)
  }

  /// A viewer cannot decode what it is forwarded: a key frame of that encoding, or of the one that it waits for, is
  /// requested. What comes too soon after another request is made up for later, since the viewer asks again after seconds
  /// only [our model; servers with spacings of their own drop it].
  mutating func requestKeyFrame(
    for request: Packet, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) {
    let source = Int(request.stream)
    let track = streams.track(viewer: Int(request.destination), source: source)
    tracks[track].awaitsKeyFrame = rules.repairs != nil
    let wanted = rules.switchesStepwise ? tracks[track].request : tracks[track].current.encoding
    guard wanted >= 0, isActive(source) else { return }
    let encoding = streams.sources[source].encodings.lowerBound + Int(wanted)
    if rules.keyFrameSpacings.isEmpty { ingress[encoding].isKeyFrameDue = true }
    requestKeyFrame(of: encoding, endpoints: &endpoints, links: &links, kernel: &kernel)
  }

  /// Looks whether a requested key frame has come.
  mutating func checkKeyFrame(
    of number: Int, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) {
    ingress[number].hasKeyFrameCheck = false
    guard ingress[number].waiting > 0 || ingress[number].isKeyFrameDue, isActive(Int(ingress[number].source))
    else { return }
    requestKeyFrame(of: number, endpoints: &endpoints, links: &links, kernel: &kernel)
  }
}
