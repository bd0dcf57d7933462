import Media
import Network
import Quantity
import SimulationKernel
import Transport

/// Losses and their repair: who misses what asks for it (NACK), and who sent it sends it again (RTX).
extension MeetingSimulation {
  /// Time between two requests for a packet by somebody who does not send, and so has no round trip
  /// (libwebrtc `nack_requester.cc`).
  private static let unknownRoundTrip = SimDuration.milliseconds(100)

  /// The round trip that the sender on a path knows by receiver reports, from which libwebrtc has it at both ends of
  /// repairs; `nil` before the first report, and for one who only watches.
  func knownRoundTrip(on path: Int) -> SimDuration? {
    guard !usesFeedback else { return paths[path].roundTrip }
    let participant = participants[Path.participant(of: path)]
    return max(participant.upDelay + participant.downDelay, Self.repairPeriod)
  }

  // MARK: On the way up

  /// The SFU sees a gap in an encoding: every viewer's numbering leaves room for what may still come.
  mutating func noteGap(of number: Int, first: UInt32, count: UInt32, kernel: inout Kernel) {
    encodings[number].hasMissing = repairs.missingOfEncoding[number].add(first, count: count)
    if !encodings[number].hasMissing { requestKeyFrame(of: number, kernel: &kernel) }
    askAgain(for: number, kernel: &kernel)
  }

  /// The SFU asks a publisher for what is missing.
  private mutating func askAgain(for number: Int, kernel: inout Kernel) {
    let publisher = sources[encodings[number].source].participant
    let wait = (knownRoundTrip(on: Path.down(publisher)) ?? Self.unknownRoundTrip).nanoseconds
    while let request = repairs.missingOfEncoding[number].takeRequest(
      at: kernel.now.nanoseconds, roundTrip: wait)
    {
      sendControl(
        .negativeAcknowledgement(
          stream: number, sequence: request.sequence, following: request.following, at: kernel.now),
        against: Path.up(publisher), kernel: &kernel)
    }
    encodings[number].hasMissing = !repairs.missingOfEncoding[number].isEmpty
  }

  /// A publisher sends again what the SFU misses.
  mutating func repeatEncoding(_ request: Packet, kernel: inout Kernel) {
    let number = Int(request.stream)
    let publisher = Int(request.destination)
    let wait = (knownRoundTrip(on: Path.up(publisher)) ?? .zero).nanoseconds
    for sequence in request.acknowledgedSequences {
      guard
        let packet = repairs.sentEncodings[number].take(
          sequence, at: kernel.now.nanoseconds, roundTrip: wait)
      else { continue }
      encodings[number].hasRepaired = true
      repeatPacket(packet, on: Path.up(publisher), kernel: &kernel)
    }
  }

  /// A packet that was repaired or overtaken reaches the SFU and goes to those viewers for whom room was left.
  mutating func forwardLate(_ packet: Packet, kernel: inout Kernel) {
    let number = Int(packet.stream)
    guard repairs.missingOfEncoding[number].remove(packet.sequence) else { return }
    let list = number * participants.count
    for position in 0..<encodings[number].viewers {
      let viewer = Int(viewersOfEncoding[list + position])
      let track = trackNumber(viewer: viewer, source: encodings[number].source)
      guard let sequence = repairs.rewritings[track].number(stream: packet.stream, sequence: packet.sequence)
      else { continue }
      var copy = packet
      copy.destination = UInt16(viewer)
      copy.sequence = sequence
      if packet.kind == PacketKind.videoRetransmission.rawValue {
        copy.kind = PacketKind.video.rawValue
        copy.size -= Packet.retransmissionHeader
      }
      repairs.sentTracks[track].append(copy)
      sendMedia(copy, .videoRetransmission, on: Path.down(viewer), kernel: &kernel)
    }
  }

  // MARK: On the way down

  /// The SFU sends again what a viewer misses.
  mutating func repeatTrack(_ request: Packet, kernel: inout Kernel) {
    let viewer = Int(request.destination)
    let track = trackNumber(viewer: viewer, source: Int(request.stream))
    let wait = (knownRoundTrip(on: Path.down(viewer)) ?? .zero).nanoseconds
    for sequence in request.acknowledgedSequences {
      guard
        let packet = repairs.sentTracks[track].take(sequence, at: kernel.now.nanoseconds, roundTrip: wait)
      else { continue }
      repeatPacket(packet, on: Path.down(viewer), kernel: &kernel)
    }
  }

  private mutating func repeatPacket(_ packet: Packet, on path: Int, kernel: inout Kernel) {
    var copy = packet
    copy.kind = PacketKind.videoRetransmission.rawValue
    copy.size += Packet.retransmissionHeader
    if usesFeedback {
      let target = controllers.estimate(path)
      guard paths[path].repairs.spend(Int64(copy.size), target: target, at: kernel.now) else { return }
    }
    sendMedia(copy, .videoRetransmission, on: path, kernel: &kernel)
  }

  /// What is left for video on a path after voices, headers and repairs.
  mutating func videoBudget(of path: Int, voices: BitRate, at now: SimTime) -> BitRate {
    let budget = controllers.videoBudget(path, voices: voices)
    guard usesFeedback else { return budget }
    return budget - paths[path].repairs.rate(within: budget, at: now)
  }

  // MARK: From time to time

  /// Asks again for what is still missing, every 20 ms as libwebrtc does.
  mutating func repair(kernel: inout Kernel) {
    kernel.schedule(after: Self.repairPeriod, tag: MeetingEvent(.repair).tag)
    for number in encodings.indices where encodings[number].hasMissing {
      guard sources[encodings[number].source].isCapturing else {
        repairs.missingOfEncoding[number].removeAll()
        encodings[number].hasMissing = false
        continue
      }
      askAgain(for: number, kernel: &kernel)
    }
    for track in 0..<tracks.count
    where tracks[track].hasMissing || tracks[track].status.keyFrameDueAt <= kernel.now {
      attend(to: track, kernel: &kernel)
    }
  }

  /// A viewer's receiver asks for packets or for a key frame.
  mutating func attend(to track: Int, kernel: inout Kernel) {
    let viewer = track / sources.count
    let source = track % sources.count
    guard participants[viewer].isJoined else { return }
    if tracks[track].hasMissing {
      let wait = (knownRoundTrip(on: Path.up(viewer)) ?? Self.unknownRoundTrip).nanoseconds
      while let request = repairs.missingOfTrack[track].takeRequest(
        at: kernel.now.nanoseconds, roundTrip: wait)
      {
        sendControl(
          .negativeAcknowledgement(
            stream: source, sequence: request.sequence, following: request.following, at: kernel.now),
          against: Path.down(viewer), kernel: &kernel)
      }
      tracks[track].hasMissing = !repairs.missingOfTrack[track].isEmpty
    }
    guard tracks[track].target != .none, tracks[track].status.keyFrameDueAt <= kernel.now else { return }
    let asks = receivers[track].takeKeyFrameRequest(at: kernel.now)
    tracks[track].status = receivers[track].status
    if asks {
      repairs.missingOfTrack[track].removeAll()
      tracks[track].hasMissing = false
      sendControl(
        .pictureLossIndication(stream: source, destination: viewer, at: kernel.now),
        against: Path.down(viewer), kernel: &kernel)
    }
  }
}
