import Allocation
import Endpoint
import Ladder
import Media
import Metrics
import Network
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Viewing

/// Follows one tile's frames from the encoder to the screen in a repeated run, to find out what held up the next frame.
struct FrameCourse {
  /// Counts of the tile's reception after the last event.
  private struct Counts {
    var framesDecoded: UInt32 = 0
    var keyFramesDecoded: UInt32 = 0
    var freezes: UInt32 = 0
    var packets: UInt32 = 0
    var numbered: Int64 = 0
    var indications: UInt32 = 0
  }

  /// The last picture.
  private struct Picture {
    var size: Resolution?
    /// Encoding that was forwarded when it was shown.
    var encoding = 0
    /// Beginning of its tile's visit on the screen.
    var visit = SimTime.zero
    /// Number of pictures in that visit, up to it.
    var number: Int64 = 0
  }

  /// Signs of trouble since the last picture.
  private struct Signs {
    var keyFrameAskedAt: SimTime?
    /// Each encoding's key frames that have reached the server.
    var keyFrames: [Freeze.Arrivals] = []
    var awaitsKeyFrame = false
    /// Set once the tile was granted nothing.
    var isPaused = false
    /// Times in which it was.
    var withheld = WithheldTimes()
    /// Set once the sender's rate was limited by its slowest receiver, below what its uplink could carry.
    var followsReceiver = false
    /// Longest frame interval of the allocated layers.
    var period = SimDuration.zero
  }

  private let tile: TilePlace
  private let track: Int
  private var encoded: [FrameStage]
  private var reached: [FrameStage]
  private var forwarded = FrameStage()
  private var arrived = FrameStage()
  /// Each encoding's last key frame that reached the server, and when; `nil` for none.
  private(set) var keyFrames: [(frame: UInt32, at: SimTime?)]
  private var counts = Counts()
  private var missing = MissingCourse()
  /// Time at which the last picture was shown.
  private(set) var beganAt = SimTime.zero
  private var picture = Picture()
  /// Set while another picture is due: after the first one, with viewer and source in the meeting, the source on and the
  /// tile on the screen.
  private var isDue = false
  private var signs = Signs()
  /// Counters of both paths when the last picture was shown.
  private var before = (up: PathCounters(), down: PathCounters())
  /// Freezes of at least ``least``, in order.
  private(set) var freezes: [Freeze] = []

  /// Shortest freeze to report.
  static let least = SimDuration.milliseconds(200)

  init(of tile: TilePlace, track: Int, encodings: Int) {
    self.tile = tile
    self.track = track
    encoded = Array(repeating: FrameStage(), count: encodings)
    reached = encoded
    keyFrames = Array(repeating: (0, nil), count: encodings)
    signs.keyFrames = Array(repeating: Freeze.Arrivals(), count: encodings)
  }

  /// Follows the tile after an event.
  mutating func follow(_ parts: borrowing MeetingParts, at now: SimTime) {
    let reception = parts.viewers.receptions[track]
    let forwardedTrack = parts.sfu.forwarder.switching.tracks[track]
    for (place, number) in parts.streams.sources[tile.source].encodings.enumerated() {
      encoded[place].note(parts.publishers.encoders[number].output.nextFrame, at: now)
      let ingress = parts.sfu.forwarder.ingress[number]
      reached[place].note(ingress.frame, at: now)
      if ingress.base.keyFrame != keyFrames[place].frame {
        keyFrames[place] = (ingress.base.keyFrame, now)
        signs.keyFrames[place].note(at: now)
      }
    }
    forwarded.note(forwardedTrack.sequence, at: now)
    // A receiver counts packets of a scalable stream only once their picture is complete.
    let packets = parts.viewers.receptions.receivers[track].packetsReceived
    arrived.note(packets &+ UInt32(truncatingIfNeeded: reception.sequence.numbered), at: now)
    if let rate = parts.sfu.allocator.subscriptions.grants[track]?.layer?.format
      .milliFramesPerSecond,
      rate > 0
    {
      signs.period = max(signs.period, SimDuration(milliFramesPerSecond: rate))
    }
    let isGranted = parts.sfu.allocator.subscriptions.grants[track]?.layer != nil
    if !isGranted { signs.isPaused = true }
    signs.withheld.note(isGranted: isGranted, at: now)
    if forwardedTrack.isWaiting { signs.awaitsKeyFrame = true }
    if let bearable = parts.publishers.sources[tile.source].demand.bearable.rate,
      bearable
        < parts.publishers.states[parts.streams.sources[tile.source].participant].videoBudget
    {
      signs.followsReceiver = true
    }
    let indications = reception.interval.pictureLossIndications
    if indications > counts.indications, signs.keyFrameAskedAt == nil { signs.keyFrameAskedAt = now }
    let last = counts
    counts = Counts(
      framesDecoded: reception.status.framesDecoded, keyFramesDecoded: reception.status.keyFramesDecoded,
      freezes: reception.status.freezeCount, packets: packets,
      numbered: reception.sequence.numbered,
      indications: indications)
    missing.follow(
      parts.viewers.receptions.missing[track],
      isRepaired: counts.packets != last.packets && counts.numbered == last.numbered, at: now)
    let wasDue = isDue
    isDue = counts.framesDecoded > 0 && isExpected(parts)
    if wasDue, !isDue { leaveScreen(parts, at: now) }
    guard counts.framesDecoded != last.framesDecoded else { return }
    let shownAt = parts.viewers.receptions.receivers[track].freezes.lastShownAt
    let isFreeze = counts.freezes != last.freezes || isUncounted(shownAt - beganAt) && isExpected(parts)
    if isFreeze, shownAt - max(beganAt, reception.visit.beganAt) >= Self.least {
      // A freeze that began off the screen counts from when the tile came on it.
      beganAt = max(beganAt, reception.visit.beganAt)
      if counts.freezes != last.freezes { signs.isPaused = false }
      let isKeyFrame = counts.keyFramesDecoded != last.keyFramesDecoded
      freezes.append(freeze(parts, until: shownAt, byKeyFrame: isKeyFrame, at: now))
    }
    begin(parts, shownAt: shownAt, at: now)
  }

  /// Ends a picture that stands still, since its tile leaves the screen, or viewer or source the meeting.
  private mutating func leaveScreen(_ parts: borrowing MeetingParts, at now: SimTime) {
    guard now - beganAt >= Self.least, isUncounted(now - beganAt) else { return }
    var last = freeze(parts, until: nil, byKeyFrame: asksKeyFrame, at: now)
    last.leftAt = now
    freezes.append(last)
  }

  /// Returns the freeze in progress at a moment; `nil` if the picture is not older than ``least``, or of an earlier visit
  /// on the screen, or nothing should be shown.
  func open(_ parts: borrowing MeetingParts, at now: SimTime) -> Freeze? {
    guard counts.framesDecoded > 0, now - beganAt >= Self.least, isExpected(parts),
      parts.sfu.allocator.subscriptions.grants[track]?.layer != nil || parts.keepsStarvedStreams
    else { return nil }
    return freeze(parts, until: nil, byKeyFrame: asksKeyFrame, at: now)
  }

  /// Checks whether a picture has stood still, although the browser may have too few frames to tell, or have taken the
  /// stream for inactive.
  private func isUncounted(_ time: SimDuration) -> Bool {
    FreezeTotal.standsStill(for: time, after: picture.number, in: beganAt - picture.visit)
  }

  /// Checks whether viewer and source have been in the meeting, the source on and the tile on the screen since the last
  /// picture.
  private func isExpected(_ parts: borrowing MeetingParts) -> Bool {
    let sender = parts.streams.sources[tile.source].participant
    let capture = parts.publishers.sources[tile.source].capture
    return capture.isOn && parts.viewers.receptions[track].visit.isOpen
      && max(
        parts.people.joinedAt(tile.viewer), parts.people.joinedAt(sender), capture.startedAt,
        parts.viewers.receptions[track].visit.beganAt) <= beganAt
  }

  /// Checks whether the time between two frames exceeds their layer's frame interval, with a margin of a fifth for
  /// encoders and thinning that are late by part of a frame [our model].
  private static func isOverdue(_ time: SimDuration, after period: SimDuration) -> Bool {
    time.nanoseconds * 5 > period.nanoseconds * 6
  }

  private mutating func begin(
    _ parts: borrowing MeetingParts, shownAt: SimTime, at now: SimTime
  ) {
    beganAt = shownAt
    let visit = parts.viewers.receptions[track].visit.beganAt
    picture.number = visit == picture.visit ? picture.number + 1 : 1
    picture.visit = visit
    picture.size = shownSize(parts)
    picture.encoding =
      place(in: parts) ?? Int(max(parts.sfu.forwarder.switching.tracks[track].current.encoding, 0))
    for (place, number) in parts.streams.sources[tile.source].encodings.enumerated() {
      encoded[place].begin(isRunning: parts.publishers.encoders[number].isSending, at: now)
      let arrivedAt = parts.sfu.forwarder.ingress[number].arrivedAt
      reached[place].begin(isRunning: !arrivedAt.isOlder(than: .seconds(1), at: now), at: now)
    }
    forwarded.begin(at: now)
    arrived.begin(at: now)
    signs = Signs()
    signs.keyFrames = Array(repeating: Freeze.Arrivals(), count: encoded.count)
    before.up = PathCounters(of: Path.up(parts.streams.sources[tile.source].participant), parts)
    before.down = PathCounters(of: Path.down(tile.viewer), parts)
  }

  /// Returns the place of the encoding that the source's sender sends to the viewer without the server; `nil` with it.
  private func place(in parts: borrowing MeetingParts) -> Int? {
    guard parts.viewers.receptions.receivesDirectly(tile.source, tile.viewer) else { return nil }
    return parts.publishers.encodingToPeer(of: tile.source)
      - parts.streams.sources[tile.source].encodings.lowerBound
  }

  // MARK: Causes

  /// Set if the viewer or the server has requested a key frame since the last picture.
  private var asksKeyFrame: Bool { signs.keyFrameAskedAt != nil || signs.awaitsKeyFrame }

  /// Returns the freeze, with the place where the next frame was held up: the first stage without one for most of the
  /// freeze.
  ///
  /// - Parameter byKeyFrame: `true` if a key frame ends the freeze, or is expected to.
  private func freeze(
    _ parts: borrowing MeetingParts, until end: SimTime?, byKeyFrame: Bool, at now: SimTime
  ) -> Freeze {
    let track = parts.sfu.forwarder.switching.tracks[track]
    let direct = place(in: parts)
    let next = direct ?? Int(max(track.current.encoding, track.awaited, 0))
    let most = SimDuration(nanoseconds: ((end ?? now) - beganAt).nanoseconds / 2)
    // The picture that ended the freeze had passed before the stage's latest silence, which then held up nothing.
    func silence(of stage: FrameStage, untilNow: Bool = end == nil) -> (from: SimTime, to: SimTime) {
      var stage = stage
      if untilNow { stage.close(at: now) }
      return stage.silence
    }
    // After a switch, the previous encoding may have continued.
    func silence(of stages: [FrameStage]) -> (from: SimTime, to: SimTime) {
      let (a, b) = (
        silence(of: stages[picture.encoding], untilNow: picture.encoding != next || end == nil),
        silence(of: stages[next])
      )
      return a.to - a.from < b.to - b.from ? a : b
    }
    let (up, down) = (Path.up(parts.streams.sources[tile.source].participant), Path.down(tile.viewer))
    let counters = (up: PathCounters(of: up, parts), down: PathCounters(of: down, parts))
    let stages =
      direct == nil
      ? [
        (Freeze.Cause.encoder, silence(of: encoded)), (.uplink, silence(of: reached)),
        (.server, silence(of: forwarded)), (.downlink, silence(of: arrived)),
      ]
      : [
        (.encoder, silence(of: encoded)),
        (counters.up.missing > before.up.missing ? .uplink : .downlink, silence(of: arrived)),
      ]
    let repair = end == nil ? missing.first : missing.arrived
    let isRepairLong = repair.map { ($0.arrivedAt ?? now) - $0.missingAt >= most } ?? false
    var silent = stages.first { $0.1.to - $0.1.from >= most }
    let withheld = signs.withheld.longest(at: now)
    // While nobody is given a layer, its sender stops it.
    let isWithheld = end == nil && signs.withheld.since != nil || signs.withheld.total(at: now) >= most
    if isWithheld { silent = (.server, withheld) }
    let cause: Freeze.Cause
    if parts.publishers.sources[tile.source].sender.connectedAt > beganAt {
      // Another connection begins with a key frame.
      cause = .keyFrame
    } else if isWithheld {
      cause = .server
    } else if let silent {
      let isDue = Self.isOverdue(silent.1.to - silent.1.from, after: signs.period)
      let stage = silent.0 == .encoder && signs.followsReceiver ? .receiver : silent.0
      cause = isDue || stage == .uplink || stage == .downlink ? stage : .frameRate
    } else if byKeyFrame, asksKeyFrame || !isRepairLong {
      cause = .keyFrame
    } else {
      cause = repair == nil ? .decodeOrder : .repair
    }
    let isUp = cause == .encoder || cause == .uplink
    let (start, after) = isUp ? (before.up, counters.up) : (before.down, counters.down)
    let queued = after.queued - start.queued
    var keyFrames = signs.keyFrames[next]
    (keyFrames.askedAt, keyFrames.areAwaited) = (signs.keyFrameAskedAt, signs.awaitsKeyFrame)
    return Freeze(
      begin: beganAt, end: end, cause: cause, isPause: signs.isPaused,
      isWithheld: isWithheld && cause == .server,
      slowest: cause == .receiver ? parts.slowestReceiver(of: tile) : nil, silence: silent?.1,
      repair: repair, keyFrames: keyFrames,
      resized: end == nil ? nil : resized(parts),
      packetsMissing: (after.lost - start.lost, after.dropped - start.dropped),
      route: route(of: isUp ? up : down, parts),
      packetsRefused: (counters.up.refused - before.up.refused, counters.down.refused - before.down.refused),
      queueDelay: queued > 0
        ? SimDuration.mean(of: after.queueDelaySum - start.queueDelaySum, over: queued) : .zero)
  }

  private func route(of path: Int, _ parts: borrowing MeetingParts) -> Freeze.Route {
    if parts.viewers.receptions.receivesDirectly(tile.source, tile.viewer) { return .peer }
    return parts.net.links.isStreamed(path) ? .tcp : .packets
  }

  private func shownSize(_ parts: borrowing MeetingParts) -> Resolution? {
    parts.viewers.receptions[track].shownSize.map { parts.net.sizes[$0] }
  }

  /// Returns the sizes of the last picture and of the one that is shown now, if they differ.
  private func resized(_ parts: borrowing MeetingParts) -> (from: Resolution, to: Resolution)? {
    guard let size = picture.size, let next = shownSize(parts), next != size else { return nil }
    return (size, next)
  }
}
