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

/// Attribution of lost frames to a link or to an interruption of the stream.
extension MeetingSimulation {
  /// Cause for which more than half of a tile's frames are missing in an interval.
  enum FrameLosses {
    case none
    /// Loss on a link: `senderUplink` or `bandwidth`.
    case link(Limitation)
    /// The sender follows another viewer's downlink, and encodes frames at this rate [1/1000 Hz].
    case otherReceiver(milliFramesPerSecond: Int)
    /// No link: the stream was interrupted, by another decision or by the wait for a key frame.
    case interruption
  }

  /// Returns the reason why fewer than half of the requested and decided frames were decoded over the interval that
  /// ends now, for a tile that is received and whose ends have both been present for all of it.
  func losses(of source: Int, viewer: Int, _ track: Int, at now: SimTime) -> FrameLosses {
    let start = now - recording.length
    let sender = streams.sources[source].participant
    guard let asked = sfu.allocator.subscriptions.tile(track)?.requested.milliFramesPerSecond,
      let layer = sfu.allocator.subscriptions.grants[track]?.layer,
      sfu.forwarder.tracks[track].current.encoding >= 0, viewers.receptions[track].status.isDecodable,
      publishers.sources[source].capture.isOn, publishers.sources[source].capture.startedAt <= start,
      people.joinedAt(viewer) <= start, isSteady(source)
    else { return .none }
    // One frame may fall on either side of the interval's end.
    let frames = viewers.receptions[track].interval.frames + 1
    let rate = Double(frames) / recording.length.seconds * 1000
    let captured = publishers.sources[source].plan.capture.milliFramesPerSecond
    guard rate * 2 < Double(min(asked, captured, layer.format.milliFramesPerSecond)) else { return .none }
    // The uplink no longer carries the decided layer, and the server has yet to notice.
    if let encoding = publishers.encoding(layer.id.encoding, of: source),
      publishers.encoders[encoding].scale == 0
    {
      return .link(.senderUplink)
    }
    let up = course(of: Path.up(sender))
    let down = course(of: Path.down(viewer))
    if up.missing > 0, up.missing >= down.missing { return .link(.senderUplink) }
    if down.missing > 0 { return .link(.bandwidth) }
    if up.queueDelay > Self.longQueue, up.queueDelay >= down.queueDelay { return .link(.senderUplink) }
    if down.queueDelay > Self.longQueue { return .link(.bandwidth) }
    if publishers.states[sender].frameDropping != nil { return .link(.senderUplink) }
    if let bearable = publishers.sources[source].demand.bearable.rate,
      bearable < publishers.states[sender].videoBudget
    {
      let own = sfu.allocator.subscriptions.grants[track]?.bearable
      return own.map { $0 <= bearable } ?? false
        ? .link(.bandwidth) : .otherReceiver(milliFramesPerSecond: Int(rate))
    }
    let budget = sfu.allocator.budgets[viewer]
    if let decided = budget.decided, !decided.total.admits(budget.taken) { return .link(.bandwidth) }
    return .interruption
  }

  /// Checks whether a source yields frames at the rate of its capture, unlike an app's frames or a recording.
  private func isSteady(_ source: Int) -> Bool {
    publishers.sources[source].capture.kind != .custom
      && publishers.sources[source].plan.recordedFrames == nil
  }

  /// Queue delay above which packets leave gaps, three frames at 30 fps [our model].
  static let longQueue = SimDuration.milliseconds(100)

  /// Returns the share of packets that a path's links have not delivered in the interval that ends now, and the mean
  /// queue delay of those that they did deliver.
  func course(of path: Int) -> (missing: Double, queueDelay: SimDuration) {
    var row = PathRow()
    for link in links.route(of: path).map(Int.init) {
      let counters = links.counters(of: link)
      let mark = recording.linkCourses[link].mark
      row.addLink(
        delivered: counters.deliveredPackets - mark.deliveredPackets,
        missing: counters.droppedPackets + counters.lostPackets - mark.droppedPackets - mark.lostPackets)
      row.queueDelaySum += counters.queueDelaySum - mark.queueDelaySum
      row.queueDelayPackets = max(row.queueDelayPackets, counters.queuedPackets - mark.queuedPackets)
    }
    let delay =
      row.queueDelayPackets > 0
      ? SimDuration.mean(of: row.queueDelaySum, over: row.queueDelayPackets) : .zero
    return (Double(row.packetsMissing) / Double(max(row.packets, 1)), delay)
  }
}
