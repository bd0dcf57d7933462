import Allocation
import Endpoint
import Ladder
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Systems
import Viewing

/// A viewer's tile of a source at a moment, with the reason why it is below its request.
///
/// It reads all parts of the meeting, which none of the ends can do.
struct TileMoment {
  let viewer: Int
  let source: Int
  let track: Int
  let now: SimTime

  init(viewer: Int, source: Int, _ streams: StreamNumbering, at now: SimTime) {
    self.viewer = viewer
    self.source = source
    track = streams.track(viewer: viewer, source: source)
    self.now = now
  }

  /// Returns the tile's track as it is forwarded: by the server, or unchanged by its sender's peer-to-peer connection.
  func forwarded(_ parts: borrowing MeetingParts) -> ForwardedTrack {
    var forwarded = parts.sfu.forwarder.switching.tracks[track]
    if parts.viewers.receptions.receivesDirectly(source, viewer),
      let layer = parts.sfu.allocator.subscriptions.grants[track]?.layer?.id
    {
      forwarded.target = CompactLayer(encoding: Int8(layer.encoding), temporal: Int8(layer.temporal))
      forwarded.current = forwarded.target
      forwarded.awaited = -1
    }
    return forwarded
  }

  /// Returns the limitation that keeps the tile below its request, over the interval that ends now.
  func limitation(_ parts: inout MeetingParts, _ recording: inout Recording) -> Limitation {
    guard let grant = parts.sfu.allocator.subscriptions.grants[track] else {
      if isUnanswered(&parts, recording) {
        return parts.sfu.directory.sources[source].isCapturing ? .bandwidth : .senderUplink
      }
      // The tile is on the screen, but viewer and SFU have not agreed on its track yet.
      let isPending = parts.sfu.negotiations?.isPending(viewer, source, at: now) ?? false
      return isPending && recording.screens.shows(source, to: viewer) ? .starting : unsubscribed(parts)
    }
    // Some systems also receive tiles that are not on the screen.
    if grant.limitation != .muted, !recording.screens.shows(source, to: viewer, after: now - recording.length)
    {
      return .offScreen
    }
    let word = limitation(given: grant, &parts, &recording)
    let wasOff = parts.publishers.sources[source].capture.stoppedAt < now && isOff(parts)
    return wasOff && word != .offScreen ? .muted : word
  }

  /// Checks whether the source is off, which its server may not know yet.
  private func isOff(_ parts: borrowing MeetingParts) -> Bool {
    !parts.publishers.sources[source].capture.isOn
      && !parts.publishers.sources[source].publisher.withholdsVideo
  }

  /// Checks whether the viewer's client has lowered or withheld the source for its recovery time alone.
  private func isRecovering(_ parts: borrowing MeetingParts) -> Bool {
    parts.viewers.clients[viewer]?.screen.people.recovering.contains(
      parts.streams.sources[source].participant) ?? false
  }

  /// Returns the limitation of a tile on the screen with a grant.
  private func limitation(
    given grant: Grant, _ parts: inout MeetingParts, _ recording: inout Recording
  ) -> Limitation {
    var circumstances = beginnings(
      given: grant, desire: parts.sfu.allocator.subscriptions.desires[track], &parts, &recording)
    circumstances.encoded = encodedFormat(&parts)
    circumstances.isSwitching = !showsLines(encoded: circumstances.encoded?.format, parts)
    circumstances.showsRequest = showsLines(encoded: nil, parts)
    circumstances.isDark = isDark(parts)
    circumstances.isInterrupted = circumstances.isDark && !isHeldUp(parts, recording)
    if case .bandwidth = grant.limitation { circumstances.isRecovering = isRecovering(parts) }
    circumstances.isBeyondBudget =
      lacksFrames(parts, recording)
      && isBeyondBudget(isSwitching: circumstances.isSwitching, parts, recording)
    switch losses(parts, recording) {
    case .none: break
    case .link(let losing):
      circumstances.losing = losing
      circumstances.isLosingAll = parts.viewers.receptions[track].interval.frames == 0
    case .otherReceiver(let rate):
      let size = parts.sfu.allocator.subscriptions.grants[track]?.layer?.format.resolution
      circumstances.encoded = size.map {
        .init(VideoFormat($0, milliFramesPerSecond: rate), because: .policy)
      }
    case .interruption: circumstances.isSwitching = true
    case .lateKeyFrame: (circumstances.isSwitching, circumstances.isDark) = (true, true)
    }
    let revision = parts.sfu.allocator.subscriptions.revisions[track]
    if let known = recording.limitations.limitation(on: track, revision, circumstances) { return known }
    guard var tile = parts.sfu.allocator.grantedTile(track) else { return .offScreen }
    tile.circumstances = circumstances
    recording.limitations.note(tile.limitation, on: track, revision, circumstances)
    return tile.limitation
  }

  /// Checks whether a source on the viewer's screen has been without a grant for so long that links must hold up the
  /// messages: those that tell the viewer of it, or its subscription. Nothing else takes ``startTime`` [our model].
  func isUnanswered(_ parts: inout MeetingParts, _ recording: borrowing Recording) -> Bool {
    now - began(parts) >= Self.startTime && isAwaited(&parts, recording)
  }

  /// Checks whether a source on the viewer's screen is on but without a grant, because messages are on the way: those
  /// that tell the viewer of it, or its subscription.
  func isAwaited(_ parts: inout MeetingParts, _ recording: borrowing Recording) -> Bool {
    guard parts.sfu.allocator.subscriptions.grants[track] == nil,
      parts.publishers.sources[source].capture.isOn, recording.screens.shows(source, to: viewer)
    else { return false }
    return parts.viewers.knowledge[viewer].isSubscribed[source] || !isKnown(&parts)
  }

  /// Time from which the viewer could see the source: both are in the meeting, the source is on, and its tile, unless
  /// pictures came before, has been on the screen.
  func began(_ parts: borrowing MeetingParts) -> SimTime {
    let reception = parts.viewers.receptions[track]
    let cameBefore = reception.firstFrameAt != .never && reception.firstFrameAt < reception.shownAt
    guard let shownAt = reception.shownAt.time, !cameBefore else { return wasThere(parts) }
    return max(wasThere(parts), shownAt)
  }

  /// Part of the interval from `start` on for which viewer and sender were in the meeting and the source on before its
  /// tile first came on the screen.
  func unseen(from start: SimTime, _ parts: borrowing MeetingParts) -> SimDuration {
    max(.zero, began(parts) - max(start, wasThere(parts)))
  }

  /// Part of the interval that ends now since which viewer and sender have been in the meeting, the source on, and its
  /// tile on the screen; zero for a tile that has never been on it.
  func seen(_ parts: borrowing MeetingParts, _ recording: borrowing Recording) -> SimDuration {
    guard let shown = recording.screens.lastShown(source, to: viewer) else { return .zero }
    return max(.zero, now - max(now - recording.length, wasThere(parts), shown))
  }

  /// Time since which viewer and sender have been in the meeting and the source on.
  private func wasThere(_ parts: borrowing MeetingParts) -> SimTime {
    max(
      parts.people.joinedAt(viewer), parts.people.joinedAt(parts.streams.sources[source].participant),
      parts.publishers.sources[source].capture.startedAt)
  }

  /// Returns the time from the first moment at which the viewer could see the source on its screen to the first frame
  /// from then on; `nil` before it.
  func firstFrameDelay(_ parts: borrowing MeetingParts) -> SimDuration? {
    let reception = parts.viewers.receptions[track]
    guard let first = reception.firstPictureAt.time, let shownAt = reception.shownAt.time else { return nil }
    let began = max(wasThere(parts), shownAt)
    return first >= began ? first - began : nil
  }

  /// Returns the time from when the viewer could see the tile, on its latest visit on the screen, to the first frame from
  /// then on, or to now without one; `nil` if it is not asked for, or its source off.
  func pictureDelay(_ parts: inout MeetingParts) -> SimDuration? {
    let visit = parts.viewers.receptions[track].visit
    let began = max(wasThere(parts), visit.beganAt)
    if let picture = visit.pictureAt.time { return picture >= began ? picture - began : nil }
    guard parts.publishers.sources[source].capture.isOn, now > began,
      parts.viewers.knowledge[viewer].isSubscribed[source] || !isKnown(&parts)
    else { return nil }
    return now - began
  }

  /// Checks whether the viewer has been told that the source is on.
  private func isKnown(_ parts: inout MeetingParts) -> Bool {
    guard let position = parts.viewers.knowledge[viewer].position else { return false }
    return parts.net.signalling.announcements.directory(at: position).sources[source].isCapturing
  }

  /// Returns the reason why the viewer's client is not subscribed to the source.
  func unsubscribed(_ parts: borrowing MeetingParts) -> Limitation {
    guard parts.sfu.participants[viewer].request?.demand.beyondLimit.contains(source) ?? false else {
      return .offScreen
    }
    return parts.publishers.sources[source].capture.isOn ? .policy : .muted
  }

  /// Returns the circumstances that limit the tile because its viewer or its source has only just begun.
  func beginnings(
    given grant: Grant?, desire: Layer?, _ parts: inout MeetingParts, _ recording: inout Recording
  ) -> GrantedTile.Circumstances {
    var circumstances = GrantedTile.Circumstances()
    circumstances.isSourceOff = isOff(parts)
    circumstances.isSourceStarting = isSourceStarting(&parts)
    circumstances.isDesireCutOff = recording.limitations.noteDesire(
      of: track, isGiven: grant?.layer?.id == desire?.id, isCarried: carries(desire, parts, recording),
      memory: Self.startTime, at: now)
    if var lacking = grant?.lacking {
      // A client that has fallen back lacks what it would request otherwise.
      if lacking == .zero { lacking = (desire?.bitrate ?? .zero) - (grant?.layer?.bitrate ?? .zero) }
      circumstances.isViewerStarting = isViewerStarting(lacking: lacking, &parts, &recording)
    }
    return circumstances
  }
}
