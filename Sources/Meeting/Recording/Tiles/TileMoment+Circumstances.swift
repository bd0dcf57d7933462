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
import Viewing

/// Circumstances of a decision: effects of encoders and links, and recent starts.
extension TileMoment {
  /// Time after a start in which estimates and encodings may still be ramping up.
  static let startTime = SimDuration.seconds(10)

  /// Share of the link's capacity at which an estimate counts as ramped up [our model].
  private static let reachedShare = 0.95

  // MARK: Effects on the picture

  /// Returns the format that the source's encoder produces for the tile's layer; `nil` without a layer.
  func producedFormat(_ parts: borrowing MeetingParts) -> VideoFormat? {
    guard let layer = parts.sfu.allocator.subscriptions.grants[track]?.layer else { return nil }
    guard let encoding = parts.publishers.encoding(layer.id.encoding, of: source),
      let size = parts.publishers.encoders[encoding].resolution, size.lines < layer.format.resolution.lines
    else { return layer.format }
    return VideoFormat(size, milliFramesPerSecond: layer.format.milliFramesPerSecond)
  }

  /// Returns the format that the source's encoder produces for the tile's layer if that is smaller than the layer, with
  /// the reason; `nil` otherwise.
  func encodedFormat(_ parts: inout MeetingParts) -> GrantedTile.EncodedFormat? {
    guard let layer = parts.sfu.allocator.subscriptions.grants[track]?.layer,
      let encoding = parts.publishers.encoding(layer.id.encoding, of: source),
      let size = parts.publishers.encoders[encoding].resolution, size.lines < layer.format.resolution.lines
    else { return nil }
    let format = VideoFormat(size, milliFramesPerSecond: layer.format.milliFramesPerSecond)
    let asked = parts.sfu.allocator.subscriptions.tile(track)?.requested.resolution.pixels ?? .max
    let pixels = min(asked, layer.format.resolution.pixels)
    let own = parts.sfu.allocator.subscriptions.grants[track]?.bearable
    let target = parts.publishers.encoders[encoding].target
    let isWhole = parts.publishers.encoders[encoding].scale >= 1
    let isSlow = isWhole || !SinglecastLimits.isTooLow(target, pixels: pixels, codec: limits(parts))
    let bearable = parts.publishers.sources[source].demand.bearable
    let uplink = parts.publishers.states[parts.streams.sources[source].participant].videoBudget
    let isCapped = !parts.publishers.sources[source].sender.settings.maximum(of: layer.id.encoding).admits(
      uplink)
    if !bearable.admits(uplink), !isSlow {
      // Judged by the server's current rates: an increase has not reached the sender yet.
      let least = parts.sfu.allocator.bearableRate(of: source)
      return own.map(least.admits) ?? false ? nil : .init(format, because: .policy)
    }
    // If a receiver has lowered the rate below what the uplink carries, its limitation is already in its grant.
    if isSlow, let own, own < uplink { return nil }
    if isEncoderStarting(pixels: pixels, &parts) { return .init(format, because: .starting, isSlow: isSlow) }
    // Below its full rate, pictures of complex content may never become sharp enough for a larger size.
    let cause: Limitation = isCapped ? .sender : isWhole ? .hold : narrowEnd(&parts)
    return .init(format, because: cause, isSlow: isSlow)
  }

  /// Returns the limitation by the narrower end of the path on which the sender's estimate is: `senderUplink`, or
  /// `bandwidth` if a peer-to-peer connection also has the viewer's downlink on it, and that is narrower.
  private func narrowEnd(_ parts: inout MeetingParts) -> Limitation {
    guard parts.viewers.receptions.receivesDirectly(source, viewer) else { return .senderUplink }
    let up = parts.net.links.fairCapacity(
      of: Path.up(parts.streams.sources[source].participant), at: now)
    return parts.net.links.fairCapacity(of: Path.down(viewer), at: now) < up ? .bandwidth : .senderUplink
  }

  /// Checks whether the last picture is as large as requested, or as large as its encoder produces it.
  func showsLines(encoded: VideoFormat?, _ parts: borrowing MeetingParts) -> Bool {
    guard parts.viewers.receptions[track].status.isDecodable,
      let size = parts.viewers.receptions[track].shownSize,
      let asked = parts.sfu.allocator.subscriptions.tile(track)?.requested.resolution
    else { return false }
    let shown = parts.net.sizes[size]
    if let encoded, shown.lines >= encoded.resolution.lines { return true }
    return shown.hasLines(of: asked)
  }

  /// Checks whether no picture was shown in the interval and none can be decoded, even though the source is on.
  func isDark(_ parts: borrowing MeetingParts) -> Bool {
    parts.viewers.receptions[track].awaitsKeyFrame
      && parts.viewers.receptions[track].interval.frames == 0 && parts.publishers.sources[source].capture.isOn
  }

  /// Checks whether fewer frames than requested, or than the granted layer has, were shown in the part of the interval in
  /// which the tile could be seen, allowing for one frame on either side of its end and for the share lost on the sender's
  /// uplink; `false` if the first frame has only just arrived.
  func lacksFrames(_ parts: borrowing MeetingParts, _ recording: borrowing Recording) -> Bool {
    let seen = self.seen(parts, recording)
    guard let requested = parts.sfu.allocator.subscriptions.tile(track)?.requested, seen > .zero,
      parts.viewers.receptions[track].firstFrameAt < LastTime(now - seen)
    else { return false }
    let layer = parts.sfu.allocator.subscriptions.grants[track]?.layer?.format
    let asked = min(requested.milliFramesPerSecond, (layer ?? requested).milliFramesPerSecond)
    let frames = parts.viewers.receptions[track].interval.frames
    let rate = Double(frames + 1) / seen.seconds * 1000
    guard rate < Double(asked) else { return false }
    let up = Path.up(parts.streams.sources[source].participant)
    return rate < Double(asked) * (1 - recording.course(of: up, parts.net.links).missing)
  }

  /// Checks whether the viewer's streams exceed its budget, as in systems that forward whatever is requested: they are
  /// queued in the server's pacer, or the downlink has dropped some of their packets in the interval.
  ///
  /// - Parameter isSwitching: `true` if the tile waits for a key frame, in the pacer or on the way to it.
  func isBeyondBudget(isSwitching: Bool, _ parts: borrowing MeetingParts, _ recording: borrowing Recording)
    -> Bool
  {
    let path = Path.down(viewer)
    let passed = parts.net.endpoints.estimate(path).scaled(by: Self.longQueue.seconds)
    if !isSwitching, parts.net.endpoints.queued(on: path).bytes * 8 > passed.bitsPerSecond { return true }
    guard takesTooMuch(parts, recording) else { return false }
    return parts.net.links.route(of: path).map(Int.init).contains {
      parts.net.links.counters(of: $0).droppedPackets > recording.linkCourses[$0].mark.droppedPackets
    }
  }

  /// Checks whether the last decision takes more than the viewer's budget.
  func takesTooMuch(_ parts: borrowing MeetingParts, _ recording: borrowing Recording) -> Bool {
    guard let decided = parts.sfu.allocator.budgets[viewer].decided else { return false }
    return !decided.total.admits(recording.decisions.taken[viewer])
  }

  /// Checks whether the sender's uplink carries the layer that the track would get on ample links, as far as the sender
  /// is asked for it; it does not if the encoding is off, or if it loses most of what is sent.
  func carries(_ desire: Layer?, _ parts: borrowing MeetingParts, _ recording: borrowing Recording) -> Bool {
    guard let desire, parts.publishers.sources[source].capture.isOn,
      parts.publishers.sources[source].demand.isWanted(desire.id.encoding),
      let encoding = parts.publishers.encoding(desire.id.encoding, of: source)
    else { return true }
    let up = Path.up(parts.streams.sources[source].participant)
    return parts.publishers.encoders[encoding].scale > 0
      && recording.course(of: up, parts.net.links).missing <= 0.5
  }

  // MARK: Beginnings

  /// Checks whether the viewer joined so recently that its estimate is below a capacity that carries the missing rate.
  func isViewerStarting(lacking: BitRate, _ parts: inout MeetingParts, _ recording: inout Recording) -> Bool {
    let joined = parts.people.joinedAt(viewer)
    guard now - joined < Self.startTime else { return false }
    let path = Path.down(viewer)
    let estimate = parts.net.endpoints.estimate(path)
    let capacity = parts.net.links.fairCapacity(of: path, at: now)
    if estimate >= capacity.scaled(by: Self.reachedShare) {
      recording.limitations.noteReached(viewer, at: now)
    }
    guard !recording.limitations.hasReached(viewer, since: joined) else { return false }
    return capacity >= estimate + lacking.scaled(by: 1 + parts.net.endpoints.headerShare(of: path))
  }

  /// Checks whether the source began, or its app changed its sender's settings, so recently that its uplink's estimate
  /// may be below a capacity that carries all of it.
  func isSourceStarting(_ parts: inout MeetingParts) -> Bool {
    let changedAt = parts.publishers.sources[source].sender.changedAt
    let began = max(beganAt(parts), changedAt)
    guard now - began < Self.startTime else { return false }
    let sender = parts.streams.sources[source].participant
    let path = parts.net.endpoints.sendingPath(of: sender)
    let whole = parts.publishers.wholeRate(of: sender)
    return parts.net.links.fairCapacity(of: path, at: now)
      >= whole.scaled(by: 1 + parts.net.endpoints.headerShare(of: path))
  }

  /// Returns the time at which the source began, or its participant's media last left or returned to the server.
  private func beganAt(_ parts: borrowing MeetingParts) -> SimTime {
    max(
      parts.publishers.sources[source].capture.startedAt, parts.publishers.sources[source].sender.connectedAt)
  }

  /// Checks whether the source began so recently that its encoder does not yet produce pictures of the size that the
  /// uplink's capacity allows.
  private func isEncoderStarting(pixels: Int, _ parts: inout MeetingParts) -> Bool {
    guard now - beganAt(parts) < Self.startTime else { return false }
    let path = parts.net.endpoints.sendingPath(of: parts.streams.sources[source].participant)
    let rate = parts.net.links.fairCapacity(of: path, at: now).scaled(
      by: 1 / (1 + parts.net.endpoints.headerShare(of: path)))
    return !SinglecastLimits.isTooLow(rate, pixels: pixels, codec: limits(parts))
  }

  /// Returns the codec group that determines the source's rate limits.
  private func limits(_ parts: borrowing MeetingParts) -> SinglecastLimits.Codec {
    SinglecastLimits.Codec(parts.publishers.sources[source].plan.codec)
  }
}
