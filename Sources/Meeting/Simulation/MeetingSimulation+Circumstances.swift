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
import Systems
import Viewing

/// Circumstances of a decision: the effects of encoders and links, and recent beginnings.
extension MeetingSimulation {
  /// Time after a beginning in which estimates and encodings are still ramping up.
  static let startTime = SimDuration.seconds(10)

  /// Share of the link's capacity at which an estimate has finished ramping up [our model].
  private static let reachedShare = 0.95

  // MARK: Effects on the picture

  /// Returns the format that the encoder of a source produces for a track's layer where that is smaller, and the
  /// reason; `nil` where it is the layer itself.
  mutating func encodedFormat(
    of source: Int, _ track: Int, at now: SimTime
  ) -> DecidedTile.EncodedFormat? {
    guard let layer = sfu.allocator.subscriptions.grants[track]?.layer,
      let encoding = publishers.encoding(layer.id.encoding, of: source),
      let size = publishers.encoders[encoding].resolution, size.lines < layer.format.resolution.lines
    else { return nil }
    let format = VideoFormat(size, milliFramesPerSecond: layer.format.milliFramesPerSecond)
    let asked = sfu.allocator.subscriptions.tile(track)?.requested.resolution.pixels ?? .max
    let pixels = min(asked, layer.format.resolution.pixels)
    let own = sfu.allocator.subscriptions.grants[track]?.bearable
    let target = publishers.encoders[encoding].target
    let isWhole = publishers.encoders[encoding].scale >= 1
    let isSlow = isWhole || !SinglecastLimits.isTooLow(target, pixels: pixels, codec: .vp8)
    let bearable = publishers.sources[source].demand.bearable
    let uplink = publishers.states[streams.sources[source].participant].videoBudget
    let isCapped = !publishers.sources[source].sender.settings.maximum(of: layer.id.encoding).admits(uplink)
    if !bearable.admits(uplink), !isSlow {
      // By the server's present rates: one that has risen has not reached the sender yet.
      let least = sfu.allocator.bearableRate(of: source)
      return own.map(least.admits) ?? false ? nil : .init(format, because: .policy)
    }
    // If a receiver has lowered the rate below what the uplink carries, its own limitation is the one in its grant.
    if isSlow, let own, own < uplink { return nil }
    if isStarting(source: source, pixels: pixels, at: now) {
      return .init(format, because: .starting, isSlow: isSlow)
    }
    // At less than its full rate, pictures of complex content may never become fine enough for a larger size.
    return .init(format, because: isCapped ? .sender : isWhole ? .hold : .senderUplink, isSlow: isSlow)
  }

  /// Checks whether the last picture of a track is as large as requested, or as its encoder produces it.
  func showsLines(_ track: Int, encoded: VideoFormat?) -> Bool {
    let size = viewers.receptions[track].size
    guard viewers.receptions[track].status.isDecodable, size != .max,
      let asked = sfu.allocator.subscriptions.tile(track)?.requested.resolution
    else { return false }
    let shown = publishers.sizes[size]
    if let encoded, shown.lines >= encoded.resolution.lines { return true }
    return shown.hasLines(of: asked)
  }

  /// Checks whether fewer frames were shown in the interval than requested, beyond one that falls on either side of its
  /// end and the share that the sender's uplink has lost; `false` if the first has only just arrived.
  func lacksFrames(_ track: Int, of source: Int, at now: SimTime) -> Bool {
    guard let asked = sfu.allocator.subscriptions.tile(track)?.requested.milliFramesPerSecond,
      viewers.receptions[track].firstFrameAt < (now - recording.length).nanoseconds
    else { return false }
    let frames = viewers.receptions[track].interval.frames
    let rate = Double(frames + 1) / recording.length.seconds * 1000
    guard rate < Double(asked) else { return false }
    return rate < Double(asked) * (1 - course(of: Path.up(streams.sources[source].participant)).missing)
  }

  /// Checks whether a viewer's streams exceed its budget, as in systems that forward whatever is requested: they wait
  /// in the server's pacer, or its downlink has dropped packets of them in the interval.
  ///
  /// - Parameter isSwitching: `true` if the wait is for a key frame, in the pacer or on the way to it.
  func isBeyondBudget(_ viewer: Int, isSwitching: Bool) -> Bool {
    let path = Path.down(viewer)
    let passed = endpoints.estimate(path).scaled(by: Self.longQueue.seconds)
    if !isSwitching, endpoints.queued(on: path).bytes * 8 > passed.bitsPerSecond { return true }
    let budget = sfu.allocator.budgets[viewer]
    guard let decided = budget.decided, !decided.total.admits(budget.taken) else { return false }
    return links.route(of: path).map(Int.init).contains {
      links.counters(of: $0).droppedPackets > recording.linkCourses[$0].mark.droppedPackets
    }
  }

  /// Checks whether the sender's uplink carries the encoding that a track would get on ample links, as far as it is
  /// wanted of the sender: it does not while the encoding is off, or while it loses most of what is sent.
  func carriesDesire(of source: Int, _ track: Int) -> Bool {
    guard let desire = sfu.allocator.subscriptions.desires[track], publishers.sources[source].capture.isOn,
      publishers.sources[source].demand.isWanted(desire.id.encoding),
      let encoding = publishers.encoding(desire.id.encoding, of: source)
    else { return true }
    return publishers.encoders[encoding].scale > 0
      && course(of: Path.up(streams.sources[source].participant)).missing <= 0.5
  }

  // MARK: Beginnings

  /// Checks whether a viewer began so recently that its estimate is below a capacity that carries the missing rate.
  mutating func isStarting(_ viewer: Int, lacking: BitRate, at now: SimTime) -> Bool {
    let joined = people.joinedAt(viewer)
    guard now - joined < Self.startTime else { return false }
    let path = Path.down(viewer)
    let estimate = endpoints.estimate(path)
    let capacity = links.fairCapacity(of: path, at: now)
    if estimate >= capacity.scaled(by: Self.reachedShare) {
      recording.limitations.noteReached(viewer, at: now)
    }
    guard !recording.limitations.hasReached(viewer, since: joined) else { return false }
    return capacity >= estimate + lacking.scaled(by: 1 + endpoints.headerShare(of: path))
  }

  /// Checks whether a source began, or its app set its sender otherwise, so recently that its uplink's estimate is below a
  /// capacity that carries all of it.
  mutating func isStarting(source: Int, at now: SimTime) -> Bool {
    let own = publishers.sources[source]
    guard now - max(own.capture.startedAt, own.sender.changedAt) < Self.startTime else { return false }
    let path = Path.up(streams.sources[source].participant)
    let whole = publishers.wholeRate(of: streams.sources[source].participant)
    return links.fairCapacity(of: path, at: now) >= whole.scaled(by: 1 + endpoints.headerShare(of: path))
  }

  /// Checks whether a source began so recently that its encoder does not yet produce pictures of a size that the
  /// uplink's capacity allows.
  private mutating func isStarting(source: Int, pixels: Int, at now: SimTime) -> Bool {
    guard now - publishers.sources[source].capture.startedAt < Self.startTime else { return false }
    let path = Path.up(streams.sources[source].participant)
    let rate = links.fairCapacity(of: path, at: now).scaled(by: 1 / (1 + endpoints.headerShare(of: path)))
    return !SinglecastLimits.isTooLow(rate, pixels: pixels, codec: .vp8)
  }
}
