import Plan
package import Quantity
import SimulationKernel
package import Systems

/// The SFU's key frame requests to publishers: their spacing, the viewers' limits, and their repetition.
///
/// Each input returns what it leads to; the forwarder sends the requests and schedules the checks.
package struct KeyFrameRequester: ~Copyable {
  /// Outcome of an input for an encoding.
  package struct Action: Equatable {
    /// Set if the publisher is sent a request now.
    package var isSent: Bool
    /// Time of the next check for the key frame; `nil` if none is due, or an earlier one is pending.
    package var checkAt: SimTime?

    package init(isSent: Bool = false, checkAt: SimTime? = nil) {
      self.isSent = isSent
      self.checkAt = checkAt
    }
  }

  private let rule: KeyFrameRequestRule
  /// Encodings of its source, by encoding.
  private let siblings: [Range<Int>]
  private var requests: Table<KeyFrameRequests>
  /// Allowances by track, where a viewer's requests are limited.
  private var allowances: Table<KeyFrameAllowance>

  /// - Parameters:
  ///   - spacings: minimum time between two requests, by encoding.
  ///   - sources: encodings of each source, in their order.
  package init(_ rule: KeyFrameRequestRule, spacings: [SimDuration], sources: [Range<Int>], tracks: Int) {
    self.rule = rule
    siblings = sources.flatMap { encodings in encodings.map { _ in encodings } }
    requests = Table<KeyFrameRequests>()
    for spacing in spacings { requests.append(KeyFrameRequests(spacing: spacing)) }
    allowances = Table(repeating: KeyFrameAllowance(), count: rule.viewerLimit != nil ? tracks : 0)
  }

  /// Requests for an encoding's key frames.
  package subscript(encoding: Int) -> KeyFrameRequests { requests[encoding] }

  // MARK: Requests

  /// Requests a key frame, at once or as soon as the spacing allows; a later check follows, since the request or the
  /// key frame itself can be lost.
  ///
  /// - Parameter roundTrip: known round trip to the publisher; `nil` for none.
  package mutating func request(_ encoding: Int, roundTrip: SimDuration?, at now: SimTime) -> Action {
    let sendsAt =
      lastRequest(of: encoding).time.map { $0 + spacing(of: encoding, roundTrip: roundTrip) } ?? now
    if now < sendsAt {
      let isDeferred = rule.early != .dropped
      requests[encoding].isDeferred = isDeferred
      return isDeferred ? check(encoding, after: sendsAt - now, at: now) : checkAgain(encoding, at: now)
    }
    requests[encoding].isRepeated = true
    guard !requests[encoding].isPending else { return Action() }
    requests[encoding].isPending = rule.repetition == .pending
    return send(encoding, at: now)
  }

  /// Requests a key frame on behalf of a viewer's track, within the viewer's limit.
  package mutating func request(
    _ encoding: Int, for track: Int, roundTrip: SimDuration?, at now: SimTime
  ) -> Action {
    guard allows(track, encoding, roundTrip: roundTrip, at: now) else { return checkAgain(encoding, at: now) }
    return request(encoding, roundTrip: roundTrip, at: now)
  }

  private mutating func send(_ encoding: Int, at now: SimTime) -> Action {
    requests[encoding].sentAt = LastTime(now)
    var action = checkAgain(encoding, at: now)
    action.isSent = true
    return action
  }

  // MARK: Limits

  /// Returns the time after which an unanswered request is repeated.
  package func retry(of encoding: Int) -> SimDuration { rule.retry ?? requests[encoding].spacing }

  private func spacing(of encoding: Int, roundTrip: SimDuration?) -> SimDuration {
    let spacing = requests[encoding].spacing
    guard let margin = rule.roundTripMargin, let roundTrip else { return spacing }
    return min(spacing, roundTrip + margin)
  }

  private func lastRequest(of encoding: Int) -> LastTime {
    guard rule.isBySource else { return requests[encoding].sentAt }
    var last = LastTime.never
    for sibling in siblings[encoding] { last = max(last, requests[sibling].sentAt) }
    return last
  }

  /// Returns the earliest time at which the limits let a track's next request through to the publisher, with the
  /// viewer's limit if that is what delays it.
  package func nextRequest(
    of encoding: Int, for track: Int, roundTrip: SimDuration?
  ) -> (at: SimTime, viewerLimit: KeyFrameRequestRule.ViewerLimit?) {
    let spacing = spacing(of: encoding, roundTrip: roundTrip)
    let spaced = lastRequest(of: encoding).time.map { $0 + spacing } ?? .zero
    guard let limit = rule.viewerLimit else { return (spaced, nil) }
    let allowed = allowances[track].nextRequest(within: limit, spacing: spacing)
    return allowed > spaced ? (allowed, limit) : (spaced, nil)
  }

  /// Checks whether a viewer's limit allows another request, and counts it.
  package mutating func allows(
    _ track: Int, _ encoding: Int, roundTrip: SimDuration?, at now: SimTime
  ) -> Bool {
    guard let limit = rule.viewerLimit else { return true }
    return allowances[track].take(limit, spacing: spacing(of: encoding, roundTrip: roundTrip), at: now)
  }

  // MARK: Checks

  /// Schedules a check for a key frame after a delay, unless an earlier check is pending.
  package mutating func check(_ encoding: Int, after wait: SimDuration, at now: SimTime) -> Action {
    let due = Deadline(now + wait)
    guard due < requests[encoding].checkAt else { return Action() }
    requests[encoding].checkAt = due
    return Action(checkAt: now + wait)
  }

  /// Schedules a check for when an unanswered request is to be repeated.
  package mutating func checkAgain(_ encoding: Int, at now: SimTime) -> Action {
    check(encoding, after: retry(of: encoding), at: now)
  }

  /// Follows up on a request when a check is due.
  ///
  /// - Parameter isActive: `true` while the source sends.
  /// - Returns: `nil` if the request is repeated as long as tracks wait for the key frame.
  package mutating func followUp(
    _ encoding: Int, isActive: Bool, roundTrip: SimDuration?, at now: SimTime
  ) -> Action? {
    // An earlier check has superseded this one.
    guard requests[encoding].checkAt == Deadline(now) else { return Action() }
    requests[encoding].checkAt = .never
    guard isActive else {
      forget(encoding)
      return Action()
    }
    if requests[encoding].isDeferred {
      requests[encoding].isDeferred = false
      return request(encoding, roundTrip: roundTrip, at: now)
    }
    guard rule.repetition == .pending else { return nil }
    guard requests[encoding].isPending else { return Action() }
    let dueAt = requests[encoding].sentAt.time.map { $0 + retry(of: encoding) } ?? now
    if now < dueAt { return check(encoding, after: dueAt - now, at: now) }
    guard requests[encoding].isRepeated else {
      requests[encoding].isPending = false
      return Action()
    }
    requests[encoding].isRepeated = false
    return send(encoding, at: now)
  }

  // MARK: Key frames

  /// Notes that a packet of a key frame has arrived.
  ///
  /// - Parameter isStart: `true` for the frame's first packet, which answers a request.
  package mutating func noteKeyFrame(of encoding: Int, isStart: Bool) {
    if rule.early == .deferredUnlessAnswered { requests[encoding].isDeferred = false }
    if isStart { noteAnswer(of: encoding) }
  }

  /// Notes that a key frame has answered the last request.
  package mutating func noteAnswer(of encoding: Int) { requests[encoding].isPending = false }

  /// Forgets the requests for an encoding that has stopped or begins anew.
  package mutating func forget(_ encoding: Int) {
    requests[encoding].isPending = false
    requests[encoding].isDeferred = false
  }
}

/// An SFU's key frame requests for an encoding.
package struct KeyFrameRequests: BitwiseCopyable {
  /// Minimum time between two requests.
  package let spacing: SimDuration
  /// Time of the last request.
  package var sentAt = LastTime.never
  /// Time of the next check for the key frame.
  package var checkAt = Deadline.never
  /// Set if a request that came too early will be sent later.
  package var isDeferred = false
  /// Set while the requested key frame has not arrived.
  package var isPending = false
  /// Set if the request will be repeated once.
  package var isRepeated = false

  init(spacing: SimDuration) { self.spacing = spacing }
}
