import CongestionControl
package import Endpoint
import Ladder
import Media
package import Network
import Plan
package import Quantity
package import SimulationKernel
import Statistics
import Systems
import Transport

/// Capture, encoding and packetization of frames.
extension Publishers {
  /// Captures a frame of a source, which every encoding that is due encodes.
  package mutating func capture(source number: Int, _ net: inout Connections, kernel: inout Kernel) {
    guard sources[number].capture.dueAt == kernel.now else { return }
    guard sources[number].capture.isOn, sources[number].capture.kind != .custom else {
      sources[number].capture.dueAt = nil
      return
    }
    scheduleCapture(of: number, after: sources[number].capture.period, kernel: &kernel)
    guard sources[number].custom.change == nil else { return }
    if sources[number].plan.recordedFrames != nil {
      return play(number, &net, kernel: &kernel)
    }
    encode(number, &net, kernel: &kernel)
  }

  /// Encodes a frame with every encoding of a source that is due.
  package mutating func encode(_ number: Int, _ net: inout Connections, kernel: inout Kernel) {
    let now = kernel.now
    let captures = sources[number].capture.count
    sources[number].capture.count = captures + 1
    if sources[number].layering != nil {
      encodePicture(number, &net, kernel: &kernel)
      _ = sources[number].capture.content.next()
      return
    }
    let publisher = sources[number].participant
    let dropping = states[publisher].frameDropping
    let steadyRate = sources[number].custom.steadyIntake
    for encoding in sources[number].encodings where encoders[encoding].isSending {
      guard
        encoders[encoding].isDue(captures, at: now, steadyRate: steadyRate)
          || encoders[encoding].keyFrames.isRequested
      else { continue }
      if let dropping, encoders[encoding].drops(dropping) {
        encoders[encoding].model.skip()
        continue
      }
      var content = sources[number].capture.content
      guard let frame = encoders[encoding].encodeFrame(at: now, content: &content) else { continue }
      followSize(of: encoding, &net.sizes)
      send(frame, Packetization(frameBytes: frame.bytes), of: encoding, isPaced: true, &net, kernel: &kernel)
    }
    _ = sources[number].capture.content.next()
  }

  /// Notes the picture size that an encoder has changed to.
  private mutating func followSize(of number: Int, _ sizes: inout PictureSizes) {
    guard let upright = encoders[number].resolution else { return }
    let size = sources[encoders[number].source].custom.isTurned ? upright.rotated : upright
    guard size != sizes[encoders[number].output.size] else { return }
    encoders[number].output.size = sizes.number(of: size)
  }

  /// Packetizes a frame and sends it on its publisher's uplink.
  mutating func send(
    _ frame: EncodedFrame, _ packets: Packetization, of encoding: Int, in place: PicturePlace? = nil,
    isPaced: Bool, _ net: inout Connections, kernel: inout Kernel
  ) {
    let source = encoders[encoding].source
    let publisher = sources[source].participant
    let pacing = isPaced ? pacing(of: frame, by: publisher, net.endpoints) : .none
    sender.send(
      frame, packets, of: encoding, in: place, by: publisher, pacing,
      protection: sources[source].plan.protection,
      &encoders, &net, kernel: &kernel)
  }

  /// Returns how a frame is paced: on an uplink of known capacity, a large one at the rate that the voice leaves.
  private func pacing(
    of frame: EncodedFrame, by publisher: Int, _ endpoints: borrowing Endpoints
  ) -> FrameSender.Pacing {
    let path = endpoints.sendingPath(of: publisher)
    guard endpoints.spreads(frameOf: frame.bytes, on: path) else { return .pacer }
    let estimate = endpoints.estimate(path)
    return .spread(estimate - min(estimate, voiceShare(of: publisher, usesFeedback: false)))
  }

  /// Notes that a packet has left its uplink's pacer.
  package mutating func noteDeparture(_ packet: Packet, at now: SimTime) {
    sender.noteDeparture(packet, &encoders, at: now)
  }

  /// Retransmits packets that the SFU is missing.
  package mutating func retransmit(_ request: Packet, _ net: inout Connections, kernel: inout Kernel) {
    sender.retransmit(request, &encoders, &net, kernel: &kernel)
  }

  /// Notes that an uplink was padded.
  ///
  /// Padding counts for the camera's lowest encoding: libwebrtc repeats packets of the stream that it sent last, and
  /// passes a frame's encodings to its pacer from the largest down (`modules/pacing/packet_router.cc`,
  /// `libvpx_vp8_encoder.cc`).
  package mutating func notePadding(by participant: Int) {
    guard let camera = streams.cameraOf[participant] else { return }
    encoders[sources[camera].encodings.lowerBound].output.hasRepaired = true
  }

  // MARK: Starting and stopping

  /// Starts or stops a source's capture according to its participant's state.
  package mutating func refreshCapture(_ number: Int, _ net: borrowing Connections, kernel: inout Kernel) {
    let participant = sources[number].participant
    let state = states[participant]
    let isStopped =
      state.isInBackground && !plans[participant].capabilities.multitaskingCamera
      && sources[number].capture.kind == .camera || sources[number].publisher.withholdsVideo
    let isOn = sources[number].isScreen ? state.isSharingScreen : !state.isVideoMuted
    let shouldCapture = state.isJoined && isOn && !isStopped
    guard shouldCapture != sources[number].capture.isOn else { return }
    sources[number].capture.isOn = shouldCapture
    if shouldCapture {
      sources[number].capture.startedAt = kernel.now
      if kernel.now == state.joinedAt { awaitAllocation(of: number, net) }
      sources[number].refreshSending(&encoders)
      beginCapturing(number, kernel: &kernel)
    } else {
      sources[number].capture.stoppedAt = kernel.now
      for encoding in sources[number].encodings { encoders[encoding].isSending = false }
    }
    sources[number].announce()
  }

  /// Starts a camera's or a screen's captures; an app's frames arrive when it pushes them.
  package mutating func beginCapturing(_ number: Int, kernel: inout Kernel) {
    guard sources[number].capture.isOn, sources[number].capture.dueAt == nil,
      sources[number].capture.kind != .custom
    else { return }
    // Cameras are not in step: each has a phase of its own.
    let id = plans[sources[number].participant].id
    var phase = seed.stream("source/\(id)/\(sources[number].plan.kind.rawValue)/phase")
    let delay = Int64(phase.uniform() * Double(sources[number].capture.period.nanoseconds))
    scheduleCapture(of: number, after: SimDuration(nanoseconds: delay), kernel: &kernel)
  }

  private mutating func scheduleCapture(of number: Int, after wait: SimDuration, kernel: inout Kernel) {
    sources[number].capture.dueAt = kernel.now + wait
    kernel.schedule(after: wait, tag: MeetingEvent(.capture, number).tag)
  }

  /// Lets a source that begins with its participant's call wait for its first allocation, which races the call's
  /// set-up; an estimator that knows the capacity has no such race.
  private mutating func awaitAllocation(of number: Int, _ net: borrowing Connections) {
    let publisher = sources[number].participant
    guard net.endpoints.rules.usesFeedback(on: Path.up(publisher)), sources[number].encodings.count == 1
    else {
      return
    }
    var setUp = seed.stream("uplink/\(plans[publisher].id)/set-up")
    let videos = streams.cameraFirst(of: publisher).filter { $0 == number || sources[$0].plan.startsOn }
    let frames = setUp.index(below: AllocationWait.frameCounts)
    let hasVoice =
      plans[publisher].publishesAudio && voicesHaveFeedback
      && AllocationWait.hasVoiceFirst(
        answer: setUp.uniform(),
        roundTrip: net.links.delay(of: Path.up(publisher)) + net.links.delay(of: Path.down(publisher)))
    encoders[sources[number].encodings.lowerBound].model.awaitAllocation(
      AllocationWait(
        frames: frames, estimate: net.endpoints.estimate(Path.up(publisher)),
        tracks: videos.count + (hasVoice ? 1 : 0),
        joined: states[publisher].joinedAt))
  }

  // MARK: Key frames

  /// Answers a key frame request: as in libwebrtc, the next frame of every encoding of the source is a key frame, at
  /// most every 300 ms. Where per-layer requests were negotiated, and for recorded frames, only that encoding answers,
  /// with its own interval.
  package mutating func answerKeyFrameRequest(for number: Int, at now: SimTime) {
    encoders[number].output.counts.pictureLossIndications += 1
    if answersPerEncoding(encoders[number].source) {
      guard encoders[number].keyFrames.answeredAt.hasPassed(Self.keyFrameSpacing, at: now),
        encoders[number].isSending
      else { return }
      encoders[number].keyFrames.answeredAt = LastTime(now)
      encoders[number].keyFrames.isRequested = true
      return
    }
    let source = encoders[number].source
    guard sources[source].sender.keyFrameAnsweredAt.hasPassed(Self.keyFrameSpacing, at: now) else { return }
    sources[source].sender.keyFrameAnsweredAt = LastTime(now)
    for encoding in sources[source].encodings where encoders[encoding].isSending {
      encoders[encoding].keyFrames.isRequested = true
    }
  }

  private func answersPerEncoding(_ source: Int) -> Bool {
    sources[source].layering == nil
      && (keyFrames == .perLayer || sources[source].plan.recordedFrames != nil)
  }

  /// libwebrtc's interval between answers to key frame requests (`video/encoder_rtcp_feedback.cc`).
  private static var keyFrameSpacing: SimDuration { .milliseconds(300) }
}
