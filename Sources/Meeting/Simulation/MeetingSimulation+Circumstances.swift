import Allocation
import Ladder
import Media
import Metrics
import Network
import Quantity
import SimulationKernel
import Systems

/// What surrounds a decision: what encoders and links make of it, and what has only just begun.
extension MeetingSimulation {
  /// Time after a beginning in which estimates and encodings are still on their way up.
  static let startTime = SimDuration.seconds(10)

  /// An estimate that has come this near to what the link carries is on its way up no more [our model].
  private static let reachedShare = 0.95

  // MARK: What is shown of a decision

  /// What the encoder of a source makes of the layer that a track is given where that is smaller, and why; `nil` where it
  /// is the layer itself.
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
    if !bearable.admits(uplink), !isSlow {
      return own.map(bearable.admits) ?? false ? nil : .init(format, because: .policy)
    }
    // Where it is a receiver that has lowered the rate, below what the uplink carries, the receiver's own words are those
    // of its grant.
    if isSlow, let own, own < uplink { return nil }
    if isStarting(source: source, pixels: pixels, at: now) {
      return .init(format, because: .starting, isSlow: isSlow)
    }
    // With less than its whole rate, pictures of rich content may never become fine enough for a larger size.
    return .init(format, because: isWhole ? .hold : .senderUplink, isSlow: isSlow)
  }

  /// Whether the last picture of a track is as large as asked for, or as its encoder makes it.
  func showsLines(_ track: Int, encoded: VideoFormat?) -> Bool {
    let size = viewers.receptions[track].size
    guard viewers.receptions[track].status.isDecodable, size != .max,
      let asked = sfu.allocator.subscriptions.tile(track)?.requested.resolution.lines
    else { return false }
    return publishers.sizes[size].lines >= min(asked, encoded?.resolution.lines ?? asked)
  }

  /// Whether fewer frames were shown in the interval than asked for, beyond one that falls on either side of its end and
  /// the share that the sender's uplink has lost; not where the first has just come.
  func lacksFrames(_ track: Int, of source: Int, at now: SimTime) -> Bool {
    guard let asked = sfu.allocator.subscriptions.tile(track)?.requested.milliFramesPerSecond,
      viewers.receptions[track].delays.firstFrameAt < (now - recording.length).nanoseconds
    else { return false }
    let frames = viewers.receptions[track].interval.frames
    let rate = Double(frames + 1) / recording.length.seconds * 1000
    guard rate < Double(asked) else { return false }
    return rate < Double(asked) * (1 - course(of: Path.up(streams.sources[source].participant)).missing)
  }

  /// Whether a viewer's streams take more than its budget, as in systems that forward whatever is asked for: they wait in
  /// the server's pacer, or its downlink has dropped packets of them in the interval.
  ///
  /// - Parameter isSwitching: whether it is a key frame that is waited for, in the pacer or on the way to it.
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

  // MARK: Beginnings

  /// Whether a viewer began so recently that its estimate is below a capacity that carries what is lacking.
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

  /// Whether a source began so recently that its uplink's estimate is below a capacity that carries all of it.
  mutating func isStarting(source: Int, at now: SimTime) -> Bool {
    guard now - publishers.sources[source].capture.startedAt < Self.startTime else { return false }
    let path = Path.up(streams.sources[source].participant)
    let whole = publishers.wholeRate(of: streams.sources[source].participant)
    return links.fairCapacity(of: path, at: now) >= whole.scaled(by: 1 + endpoints.headerShare(of: path))
  }

  /// The same of one encoding: whether the uplink's capacity makes pictures of this size.
  private mutating func isStarting(source: Int, pixels: Int, at now: SimTime) -> Bool {
    guard now - publishers.sources[source].capture.startedAt < Self.startTime else { return false }
    let path = Path.up(streams.sources[source].participant)
    let rate = links.fairCapacity(of: path, at: now).scaled(by: 1 / (1 + endpoints.headerShare(of: path)))
    return !SinglecastLimits.isTooLow(rate, pixels: pixels, codec: .vp8)
  }
}
