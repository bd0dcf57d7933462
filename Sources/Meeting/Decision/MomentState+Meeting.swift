import Allocation
import Endpoint
import Ladder
import Media
import Network
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Systems
import Viewing

/// Reads a tile's state from the parts of the meeting.
extension MomentState {
  init(_ tile: TileMoment, _ parts: inout MeetingParts, _ recording: borrowing Recording) {
    let (source, now) = (tile.source, tile.now)
    let viewer = ViewerMoment(viewer: tile.viewer, now: now)
    let budgets = parts.sfu.allocator.budgets[tile.viewer]
    var budget = budgets.downlink
    budget.cap = budgets.decided?.cap ?? .unlimited
    if !parts.plan.system.decider.isPolicyInMeetings, let reported = budgets.reported ?? budgets.decided {
      budget = reported
      budget.cap = budgets.decided?.cap ?? reported.cap
    }
    var changeThreshold = parts.sfu.servers.lastState(tile.viewer)?.changeThreshold
    var estimate = parts.net.endpoints.estimate(Path.down(tile.viewer))
    isDirect = parts.viewers.receptions.receivesDirectly(source, tile.viewer)
    if isDirect {
      let sender = parts.streams.sources[source].participant
      estimate = parts.net.endpoints.estimate(parts.net.endpoints.sendingPath(of: sender))
      budget = VideoBudget(estimate: estimate)
      changeThreshold = nil
    } else if changeThreshold != nil, let decided = budgets.decided {
      budget = decided
    }
    var hold: Hold? = budgets.isHeld ? .dip : nil
    if !isDirect, let settled = parts.sfu.servers.cap(tile.viewer), !budget.available.admits(settled) {
      budget = budget.leaving(settled)
      hold = .settled
    }
    at = now
    link = viewer.narrowestLink(parts, isUntilNow: true)
    queueDelay = parts.net.links.queueDelay(of: Path.down(tile.viewer), at: now)
    self.estimate = estimate
    self.budget = budget
    self.changeThreshold = changeThreshold
    self.hold = hold
    tiles = viewer.measuredTiles(parts, recording)
    let downlink = recording.limitations.watch?.downlink
    last = recording.limitations.watch?.last.map {
      Arrival(
        at: $0.at, rate: $0.bitrate, unusedPercent: $0.unusedPercent,
        downlink: (downlink?.total ?? .zero, downlink?.voices ?? .zero),
        crossRates: recording.linkCourses.map(\.crossRate))
    }
    encodings = Self.encodings(of: source, parts, at: now)
    idleRate = parts.publishers.sources[source].idleRate(parts.publishers.encoders)
    wait = KeyFrameWait(tile, parts)
  }

  private static func encodings(
    of source: Int, _ parts: borrowing MeetingParts, at now: SimTime
  ) -> [EncodingState] {
    let detected =
      parts.sfu.forwarder.meter.isOn ? parts.sfu.forwarder.meter.layers(of: source, at: now).available : nil
    var states: [EncodingState] = []
    for (place, number) in parts.streams.sources[source].encodings.enumerated() {
      let isDetected = detected?.contains(place) ?? true
      states.append(
        EncodingState(
          name: parts.publishers.sources[source].plan.ladder.encodings[place].rid,
          reach: Reach(of: number, isDetected: isDetected, parts, at: now)))
    }
    return states
  }
}

extension MomentState.Reach {
  /// Farthest point that an encoding, given by its number, reaches.
  fileprivate init(of number: Int, isDetected: Bool, _ parts: borrowing MeetingParts, at now: SimTime) {
    let encoder = parts.publishers.encoders[number]
    let sender = parts.publishers.sources[encoder.source].participant
    let isDirect = parts.net.endpoints.peers.peer(of: sender) != nil
    let arrivedAt = parts.sfu.forwarder.ingress[number].arrivedAt
    if isDirect, encoder.isSending {
      self = .detected
    } else if isDirect, !parts.publishers.isActive(number) {
      self = .unwanted
    } else if !isDirect, !arrivedAt.isOlder(than: .seconds(1), at: now) {
      self = isDetected ? .detected : .undetected
    } else if !parts.publishers.isRequested(number) {
      self = .unwanted
    } else if !parts.publishers.isActive(number) {
      self = .off
    } else if parts.publishers.sources[encoder.source].pushedRate == 0 {
      self = .unfed
    } else if encoder.scale > 0 {
      self = encoder.isSending ? .lost(hasArrived: arrivedAt != .never) : .ungiven
    } else if parts.publishers.wholeRate(of: sender) <= parts.publishers.states[sender].videoBudget {
      // The uplink would carry everything: whoever orders encodings ordered none of it.
      self = .ungiven
    } else {
      self = .withoutRate(
        estimate: parts.net.endpoints.estimate(parts.net.endpoints.sendingPath(of: sender)),
        videos: parts.publishers.states[sender].videoBudget)
    }
  }
}

extension MomentState.KeyFrameWait {
  /// A tile's wait; `nil` if it is not waiting.
  fileprivate init?(_ tile: TileMoment, _ parts: borrowing MeetingParts) {
    let (viewer, source, track, now) = (tile.viewer, tile.source, tile.track, tile.now)
    let forwarded = parts.sfu.forwarder.switching.tracks[track]
    let isBlind = parts.viewers.receptions[track].awaitsKeyFrame
    let place = forwarded.isWaiting ? Int(forwarded.awaited) : Int(forwarded.current.encoding)
    guard place >= 0, forwarded.isWaiting || isBlind,
      parts.sfu.allocator.subscriptions.grants[track]?.layer != nil
    else { return nil }
    let number = parts.streams.stream(of: place, in: source)
    let requests = parts.sfu.forwarder.keyFrames[number]
    let next = parts.sfu.forwarder.nextRequest(of: number, for: track, parts.net, at: now)
    // Before the server forwards an encoding, it does not know which one to request for the viewer.
    let isPassedOn = forwarded.current.encoding >= 0 || parts.sfu.forwarder.rules.switchesUnasked
    self.place = place
    let current = Int(forwarded.current.encoding)
    self.forwarded =
      forwarded.isWaiting && current >= 0 && current != place
      ? parts.publishers.sources[source].plan.ladder.encodings[current].rid : nil
    encoding = parts.publishers.sources[source].plan.ladder.encodings[place].rid
    askedAt = requests.sentAt.time
    repetition =
      if isPassedOn, parts.viewers.receptions.asksForKeyFrames(of: source, viewer, at: now) {
        .always
      } else if requests.checkAt == .never && !requests.isPending {
        askedAt != nil && parts.net.links.isStreamed(Path.down(viewer)) ? .held : .never
      } else if requests.isPending {
        requests.isRepeated || requests.isDeferred ? .once : .last
      } else {
        .always
      }
    limitedUntil = next.at > now ? next : nil
  }
}
