import Allocation
import Endpoint
import Ladder
import Media
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Viewing

/// Attributes lost frames to a link or to an interruption of the stream.
extension TileMoment {
  /// Reason for which more than half of a tile's frames are missing in an interval.
  enum FrameLosses {
    case none
    /// Loss on a link: `senderUplink` or `bandwidth`.
    case link(Limitation)
    /// The sender follows another viewer's downlink, and encodes frames at this rate [1/1000 Hz].
    case otherReceiver(milliFramesPerSecond: Int)
    /// No link is to blame: the stream was interrupted by another decision or by waiting for a key frame.
    case interruption
    /// The first key frame arrived late.
    case lateKeyFrame
  }

  /// Returns the reason why fewer than half of the requested and decided frames were decoded in the part of the interval
  /// in which the tile could be seen, for a tile that is received; in the interval in which it appears, why any are
  /// missing if its key frame is to blame.
  func losses(_ parts: borrowing MeetingParts, _ recording: borrowing Recording) -> FrameLosses {
    let seen = self.seen(parts, recording)
    let start = now - seen
    let sender = parts.streams.sources[source].participant
    guard let asked = parts.sfu.allocator.subscriptions.tile(track)?.requested.milliFramesPerSecond,
      let layer = parts.sfu.allocator.subscriptions.grants[track]?.layer,
      forwarded(parts).current.encoding >= 0,
      parts.viewers.receptions[track].status.isDecodable, parts.publishers.sources[source].capture.isOn,
      seen > .zero, isSteady(parts)
    else { return .none }
    // One frame may fall on either side of an end of the interval.
    let frames = parts.viewers.receptions[track].interval.frames + 1
    let rate = Double(frames) / seen.seconds * 1000
    let captured = parts.publishers.sources[source].plan.capture.milliFramesPerSecond
    let all = Double(min(asked, captured, layer.format.milliFramesPerSecond))
    let enough = all / 2
    let appears = seen < recording.length
    guard rate < (appears ? all : enough) else { return .none }
    // Since the key frame arrived, frames have been sufficient: only waiting for it cost the others.
    let since = parts.viewers.receptions[track].decodableSince
    if since > start, Double(frames) * 1000 >= enough * (now - since).seconds { return .lateKeyFrame }
    guard rate < enough else { return .none }
    // The uplink no longer carries the decided layer, and the server has yet to notice.
    if let encoding = parts.publishers.encoding(layer.id.encoding, of: source),
      parts.publishers.encoders[encoding].scale == 0
    {
      return .link(.senderUplink)
    }
    let up = recording.course(of: Path.up(sender), parts.net.links)
    let down = recording.course(of: Path.down(viewer), parts.net.links)
    if up.missing > 0, up.missing >= down.missing { return .link(.senderUplink) }
    if down.missing > 0 { return .link(.bandwidth) }
    if up.queueDelay > Self.longQueue, up.queueDelay >= down.queueDelay { return .link(.senderUplink) }
    if down.queueDelay > Self.longQueue { return .link(.bandwidth) }
    if parts.publishers.states[sender].frameDropping != nil { return .link(.senderUplink) }
    if let bearable = parts.publishers.sources[source].demand.bearable.rate,
      bearable < parts.publishers.states[sender].videoBudget
    {
      let own = parts.sfu.allocator.subscriptions.grants[track]?.bearable
      return own.map { $0 <= bearable } ?? false
        ? .link(.bandwidth) : .otherReceiver(milliFramesPerSecond: Int(rate))
    }
    return takesTooMuch(parts, recording) ? .link(.bandwidth) : .interruption
  }

  /// Checks whether the downlink loses most of what is sent, or holds it in a long queue.
  func isHeldUp(_ parts: borrowing MeetingParts, _ recording: borrowing Recording) -> Bool {
    let down = recording.course(of: Path.down(viewer), parts.net.links)
    return down.missing > 0.5 || down.queueDelay > Self.longQueue
  }

  /// Checks whether the source produces frames at its capture rate, unlike an app's frames or a recording.
  private func isSteady(_ parts: borrowing MeetingParts) -> Bool {
    parts.publishers.sources[source].capture.kind != .custom
      && parts.publishers.sources[source].plan.recordedFrames == nil
  }

  /// Queue delay above which packets leave gaps, three frames at 30 fps [our model].
  static let longQueue = SimDuration.milliseconds(100)
}
