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
    of number: Int, for track: Int, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) {
    guard
      rules.keyFrames.repetition != .whileArriving || isArriving(Int(ingress[number].source), at: kernel.now)
    else { return checkKeyFrame(of: number, after: retry(of: number), kernel: &kernel) }
    requestKeyFrame(of: number, for: track, endpoints: &endpoints, links: &links, kernel: &kernel)
  }

  /// Requests a key frame on behalf of a viewer's track.
  private mutating func requestKeyFrame(
    of number: Int, for track: Int, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) {
    if isAllowed(track, number, endpoints, links, at: kernel.now) {
      requestKeyFrame(of: number, endpoints: &endpoints, links: &links, kernel: &kernel)
    } else {
      checkKeyFrame(of: number, after: retry(of: number), kernel: &kernel)
    }
  }

  /// Requests a key frame from a publisher, over its simulated path and within the spacing; schedules a later check,
  /// since the request or the key frame itself can be lost.
  package mutating func requestKeyFrame(
    of number: Int, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) {
    let now = kernel.now
    let sendsAt =
      lastRequest(of: number).time
      .map { $0 + requestSpacing(of: number, endpoints, links, at: kernel.now) } ?? now
    if now < sendsAt {
      let isDeferred = rules.keyFrames.early != .dropped
      ingress[number].requests.isDeferred = isDeferred
      checkKeyFrame(of: number, after: isDeferred ? sendsAt - now : retry(of: number), kernel: &kernel)
    } else if ingress[number].requests.isPending {
      ingress[number].requests.isRepeated = true
    } else {
      ingress[number].requests.isPending = rules.keyFrames.repetition == .pending
      ingress[number].requests.isRepeated = true
      sendRequest(of: number, endpoints: &endpoints, links: &links, kernel: &kernel)
    }
  }

  private mutating func sendRequest(
    of number: Int, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) {
    ingress[number].requests.sentAt = LastTime(kernel.now)
    let publisher = streams.sources[Int(ingress[number].source)].participant
    endpoints.sendControl(
      .pictureLossIndication(stream: number, destination: publisher, at: kernel.now),
      against: Path.up(publisher), links: &links, kernel: &kernel)
    checkKeyFrame(of: number, after: retry(of: number), kernel: &kernel)
  }

  /// Handles a request from a viewer that cannot decode, by requesting a key frame of the forwarded or the awaited
  /// encoding. A request too soon after another is deferred, since the viewer repeats it only after seconds [our model;
  /// servers with their own spacing drop it].
  package mutating func requestKeyFrame(
    for request: Packet, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) {
    let source = Int(request.stream)
    let track = streams.track(viewer: Int(request.destination), source: source)
    tracks[track].awaitsKeyFrame = true
    let wanted = rules.switchesUnasked ? tracks[track].request : tracks[track].current.encoding
    guard wanted >= 0, isActive(source),
      rules.keyFrames.repetition != .whileArriving || isArriving(source, at: kernel.now)
    else { return }
    requestKeyFrame(
      of: streams.stream(of: Int(wanted), in: source), for: track, endpoints: &endpoints, links: &links,
      kernel: &kernel)
  }

  // MARK: Limits

  private func retry(of number: Int) -> SimDuration {
    rules.keyFrames.retry ?? ingress[number].requests.spacing
  }

  private func requestSpacing(
    of number: Int, _ endpoints: borrowing Endpoints, _ links: borrowing PathLinks,
    at now: SimTime
  ) -> SimDuration {
    let spacing = ingress[number].requests.spacing
    let publisher = streams.sources[Int(ingress[number].source)].participant
    guard let margin = rules.keyFrames.roundTripMargin,
      let roundTrip = endpoints.knownRoundTrip(on: Path.down(publisher), links, at: now)
    else { return spacing }
    return min(spacing, roundTrip + margin)
  }

  /// Returns the earliest time at which the limits let a track's next request through to the publisher.
  package func nextRequest(
    of number: Int, for track: Int, _ endpoints: borrowing Endpoints, _ links: borrowing PathLinks,
    at now: SimTime
  ) -> (at: SimTime, viewerLimit: KeyFrameRequestRule.ViewerLimit?) {
    let spacing = requestSpacing(of: number, endpoints, links, at: now)
    let spaced = lastRequest(of: number).time.map { $0 + spacing } ?? .zero
    guard let limit = rules.keyFrames.viewerLimit else { return (spaced, nil) }
    let allowed = switching.requestLimits[track].nextRequest(within: limit, spacing: spacing)
    return allowed > spaced ? (allowed, limit) : (spaced, nil)
  }

  private func lastRequest(of number: Int) -> LastTime {
    guard rules.keyFrames.isBySource else { return ingress[number].requests.sentAt }
    var last = LastTime.never
    for encoding in streams.sources[Int(ingress[number].source)].encodings {
      last = max(last, ingress[encoding].requests.sentAt)
    }
    return last
  }

  /// Checks whether a viewer's limit allows another request.
  private mutating func isAllowed(
    _ track: Int, _ number: Int, _ endpoints: borrowing Endpoints, _ links: borrowing PathLinks,
    at now: SimTime
  ) -> Bool {
    guard let limit = rules.keyFrames.viewerLimit else { return true }
    let spacing = requestSpacing(of: number, endpoints, links, at: now)
    return switching.requestLimits[track].take(limit, spacing: spacing, at: now)
  }

  // MARK: Repetition

  /// Schedules a check for a key frame after a delay, unless an earlier check is pending.
  package mutating func checkKeyFrame(of number: Int, after wait: SimDuration, kernel: inout Kernel) {
    let due = Deadline(kernel.now + wait)
    guard due < ingress[number].requests.checkAt else { return }
    ingress[number].requests.checkAt = due
    kernel.schedule(after: wait, tag: MeetingEvent(.keyFrameCheck, number).tag)
  }

  /// Checks whether a requested key frame has arrived.
  package mutating func checkKeyFrame(
    of number: Int, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) {
    // An earlier check has superseded this one.
    guard ingress[number].requests.checkAt == Deadline(kernel.now) else { return }
    ingress[number].requests.checkAt = .never
    guard isActive(Int(ingress[number].source)) else {
      ingress[number].requests.isPending = false
      ingress[number].requests.isDeferred = false
      return
    }
    if ingress[number].requests.isDeferred {
      ingress[number].requests.isDeferred = false
      return requestKeyFrame(of: number, endpoints: &endpoints, links: &links, kernel: &kernel)
    }
    guard rules.keyFrames.repetition == .pending else {
      guard ingress[number].waiting > 0 else { return }
      if isRequestedAgain(number, endpoints, links, at: kernel.now) {
        requestKeyFrame(of: number, endpoints: &endpoints, links: &links, kernel: &kernel)
      } else if rules.keyFrames.repetition == .whileArriving {
        checkKeyFrame(of: number, after: retry(of: number), kernel: &kernel)
      }
      return
    }
    guard ingress[number].requests.isPending else { return }
    let dueAt = ingress[number].requests.sentAt.time.map { $0 + retry(of: number) } ?? kernel.now
    if kernel.now < dueAt {
      checkKeyFrame(of: number, after: dueAt - kernel.now, kernel: &kernel)
    } else if ingress[number].requests.isRepeated {
      ingress[number].requests.isRepeated = false
      sendRequest(of: number, endpoints: &endpoints, links: &links, kernel: &kernel)
    } else {
      ingress[number].requests.isPending = false
    }
  }

  /// Checks whether a track that waits for a key frame requests it again.
  private mutating func isRequestedAgain(
    _ number: Int, _ endpoints: borrowing Endpoints, _ links: borrowing PathLinks, at now: SimTime
  ) -> Bool {
    let repetition = rules.keyFrames.repetition
    guard repetition != .whileAwaited else { return true }
    let source = Int(ingress[number].source)
    var asks = false
    for viewer in 0..<streams.participantCount {
      let track = streams.track(viewer: viewer, source: source)
      guard
        tracks[track].isWaiting, streams.stream(of: Int(tracks[track].awaited), in: source) == number,
        repetition == .whileArriving
          ? isArriving(source, for: tracks[track], at: now) : tracks[track].current.encoding < 0
      else { continue }
      if isAllowed(track, number, endpoints, links, at: now) { asks = true }
    }
    return asks
  }

  /// Checks whether packets of a source are arriving; for a track with a forwarded encoding, whether any encoding on
  /// the target's side of it is arriving.
  private func isArriving(_ source: Int, for track: ForwardedTrack? = nil, at now: SimTime) -> Bool {
    streams.sources[source].encodings.contains { encoding in
      guard !ingress[encoding].arrivedAt.isOlder(than: retry(of: encoding), at: now) else { return false }
      guard let track, track.current.encoding >= 0 else { return true }
      let index = ingress[encoding].index
      return track.aim > track.current.encoding
        ? index > track.current.encoding : index < track.current.encoding
    }
  }
}
