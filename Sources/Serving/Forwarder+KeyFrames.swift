package import Endpoint
package import Network
import Plan
package import Quantity
package import SimulationKernel
package import Systems

/// Key frame requests (PLI) from viewers to the SFU and from the SFU to publishers.
extension Forwarder {
  /// Requests the key frame that a decision on a track needs.
  package mutating func beginRequests(
    of number: Int, for track: Int, _ net: inout Connections, kernel: inout Kernel
  ) {
    guard
      rules.keyFrames.repetition != .whileArriving || isArriving(Int(ingress[number].source), at: kernel.now)
    else { return carryOut(keyFrames.checkAgain(number, at: kernel.now), for: number, &net, kernel: &kernel) }
    requestKeyFrame(of: number, for: track, &net, kernel: &kernel)
  }

  /// Requests a key frame on behalf of a viewer's track.
  private mutating func requestKeyFrame(
    of number: Int, for track: Int, _ net: inout Connections, kernel: inout Kernel
  ) {
    let roundTrip = roundTrip(toPublisherOf: number, net, at: kernel.now)
    let action = keyFrames.request(number, for: track, roundTrip: roundTrip, at: kernel.now)
    carryOut(action, for: number, &net, kernel: &kernel)
  }

  /// Requests a key frame from a publisher.
  mutating func requestKeyFrame(of number: Int, _ net: inout Connections, kernel: inout Kernel) {
    let roundTrip = roundTrip(toPublisherOf: number, net, at: kernel.now)
    let action = keyFrames.request(number, roundTrip: roundTrip, at: kernel.now)
    carryOut(action, for: number, &net, kernel: &kernel)
  }

  /// Handles a request from a viewer that cannot decode, by requesting a key frame of the forwarded or the awaited
  /// encoding. A request too soon after another is deferred, since the viewer repeats it only after seconds [our model;
  /// servers with their own spacing drop it].
  package mutating func requestKeyFrame(for request: Packet, _ net: inout Connections, kernel: inout Kernel) {
    let source = Int(request.stream)
    let track = streams.track(viewer: Int(request.destination), source: source)
    switching.tracks[track].awaitsKeyFrame = true
    let wanted =
      rules.switchesUnasked ? switching.tracks[track].request : switching.tracks[track].current.encoding
    guard wanted >= 0, isActive(source),
      rules.keyFrames.repetition != .whileArriving || isArriving(source, at: kernel.now)
    else { return }
    requestKeyFrame(of: streams.stream(of: Int(wanted), in: source), for: track, &net, kernel: &kernel)
  }

  /// Checks whether a requested key frame has arrived.
  package mutating func checkKeyFrame(of number: Int, _ net: inout Connections, kernel: inout Kernel) {
    let now = kernel.now
    let roundTrip = roundTrip(toPublisherOf: number, net, at: now)
    var action = keyFrames.followUp(
      number, isActive: isActive(Int(ingress[number].source)), roundTrip: roundTrip, at: now)
    if action == nil, switching.waiting[number] > 0 {
      if isRequestedAgain(number, roundTrip: roundTrip, at: now) {
        action = keyFrames.request(number, roundTrip: roundTrip, at: now)
      } else if rules.keyFrames.repetition == .whileArriving {
        action = keyFrames.checkAgain(number, at: now)
      }
    }
    if let action { carryOut(action, for: number, &net, kernel: &kernel) }
  }

  /// Switches every viewer whose rule allows it at the start of an encoding's key frame.
  ///
  /// - Returns: `true` if a viewer switched.
  mutating func switchAtKeyFrame(of number: Int, _ net: inout Connections, kernel: inout Kernel) -> Bool {
    guard switching.switchAtKeyFrame(of: number, at: kernel.now) else { return false }
    guard case .groups(let length) = rules.switching else { return true }
    // The target's own key frame usually belongs to the group; it is requested if it has not arrived with the group.
    for encoding in streams.sources[Int(ingress[number].source)].encodings
    where switching.waiting[encoding] > 0 {
      let action = keyFrames.check(encoding, after: length, at: kernel.now)
      carryOut(action, for: encoding, &net, kernel: &kernel)
    }
    return true
  }

  /// Sends a request over its simulated path and schedules a check.
  func carryOut(
    _ action: KeyFrameRequester.Action, for number: Int, _ net: inout Connections, kernel: inout Kernel
  ) {
    if action.isSent {
      let publisher = publisher(of: number)
      net.endpoints.sendControl(
        .pictureLossIndication(stream: number, destination: publisher, at: kernel.now),
        against: Path.up(publisher), links: &net.links, kernel: &kernel)
    }
    if let time = action.checkAt {
      kernel.schedule(at: time, tag: MeetingEvent(.keyFrameCheck, number).tag)
    }
  }

  /// Returns the round trip to an encoding's publisher, if the spacing of requests depends on it and it is known.
  private func roundTrip(
    toPublisherOf number: Int, _ net: borrowing Connections, at now: SimTime
  ) -> SimDuration? {
    guard rules.keyFrames.roundTripMargin != nil else { return nil }
    return net.endpoints.knownRoundTrip(on: Path.down(publisher(of: number)), net.links, at: now)
  }

  /// Returns the earliest time at which the limits let a track's next request through to the publisher.
  package func nextRequest(
    of number: Int, for track: Int, _ net: borrowing Connections, at now: SimTime
  ) -> (at: SimTime, viewerLimit: KeyFrameRequestRule.ViewerLimit?) {
    keyFrames.nextRequest(of: number, for: track, roundTrip: roundTrip(toPublisherOf: number, net, at: now))
  }

  /// Checks whether a track that waits for a key frame requests it again.
  private mutating func isRequestedAgain(_ number: Int, roundTrip: SimDuration?, at now: SimTime) -> Bool {
    let repetition = rules.keyFrames.repetition
    guard repetition != .whileAwaited else { return true }
    let source = Int(ingress[number].source)
    var asks = false
    for viewer in 0..<streams.participantCount {
      let track = streams.track(viewer: viewer, source: source)
      guard
        switching.tracks[track].isWaiting,
        streams.stream(of: Int(switching.tracks[track].awaited), in: source) == number,
        repetition == .whileArriving
          ? isArriving(source, for: switching.tracks[track], at: now)
          : switching.tracks[track].current.encoding < 0
      else { continue }
      if keyFrames.allows(track, number, roundTrip: roundTrip, at: now) { asks = true }
    }
    return asks
  }

  /// Checks whether packets of a source are arriving; for a track with a forwarded encoding, whether any encoding on
  /// the target's side of it is arriving.
  private func isArriving(_ source: Int, for track: ForwardedTrack? = nil, at now: SimTime) -> Bool {
    streams.sources[source].encodings.contains { encoding in
      guard !ingress[encoding].arrivedAt.isOlder(than: keyFrames.retry(of: encoding), at: now) else {
        return false
      }
      guard let track, track.current.encoding >= 0 else { return true }
      let index = ingress[encoding].index
      return track.aim > track.current.encoding
        ? index > track.current.encoding : index < track.current.encoding
    }
  }
}
