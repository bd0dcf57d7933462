package import Parameters
package import Quantity

/// What Janus does for a viewer when the encoding that it relays stops arriving (`janus_rtp_simulcasting_context_process_rtp`,
/// `janus_videoroom_relay_rtp_packet`).
///
/// A packet of a lower encoding that arrives more than 250 ms after the last one was relayed lowers the target by one, for
/// a while: until a packet of a higher encoding than that arrives, or until the app asks for as little.
///
/// A state machine without clock, for one viewer and one source. For every packet that arrives, ask ``target(onPacketOf:wanted:limit:)``,
/// switch where that and a key frame allow it, then report the packet by ``notePacket(of:current:target:at:)``.
package struct JanusStarvation: Hashable, Sendable {
  package struct Parameters: Parameterized {
    package var fallback = SimDuration.milliseconds(250)
    package var keyFrameTimeout = SimDuration.seconds(1)

    package init() {}

    package static let parameters: [ParameterDeclaration<Self>] = [
      .duration(
        "fallback", \.fallback, in: .milliseconds(1) ... .seconds(60),
        "the next lower encoding is relayed when none of the current one has been for longer",
        source: "janus_rtp_simulcasting_context_process_rtp (rtp.c); apps can set it by stream"),
      .duration(
        "key-frame-timeout", \.keyFrameTimeout,
        "a key frame is requested at packets that are not relayed when none has been for this long",
        source: "janus_videoroom_relay_rtp_packet (janus_videoroom.c)"),
    ]
  }

  private let parameters: Parameters
  /// The encoding that stands for the wanted one meanwhile; `nil` for none.
  package private(set) var temporaryTarget: Int?
  /// When a packet was relayed last; a step down counts as one.
  private var relayedAt: SimTime?

  package init(_ parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// The encoding to aim for at a packet, before it is relayed or dropped.
  ///
  /// - Parameters:
  ///   - encoding: the packet's.
  ///   - wanted: what the app asks for.
  ///   - limit: the highest encoding that bandwidth allows; `nil` for any.
  package mutating func target(onPacketOf encoding: Int, wanted: Int, limit: Int? = nil) -> Int {
    if let temporary = temporaryTarget, encoding > temporary || wanted <= temporary { temporaryTarget = nil }
    let target = temporaryTarget ?? wanted
    return min(target, limit ?? target)
  }

  /// Handles a packet after the switch that it may have made.
  ///
  /// - Parameters:
  ///   - encoding: the packet's.
  ///   - current: the encoding that is relayed; `nil` before the first key frame.
  ///   - target: what ``target(onPacketOf:wanted:limit:)`` has returned.
  /// - Returns: whether a key frame is to be requested.
  package mutating func notePacket(of encoding: Int, current: Int?, target: Int, at now: SimTime) -> Bool {
    // Before the first key frame every packet is dropped, and asks for one.
    guard let current else { return true }
    var wantsKeyFrame = false
    if let last = relayedAt {
      if current > 0, now - last > parameters.fallback {
        relayedAt = now
        wantsKeyFrame = stepDown(at: encoding, current: current, target: target)
      }
    } else {
      relayedAt = now
    }
    if encoding == current {
      relayedAt = now
    } else if let last = relayedAt, now - last >= parameters.keyFrameTimeout {
      wantsKeyFrame = true
    }
    return wantsKeyFrame
  }

  /// - Returns: whether the temporary target has changed.
  private mutating func stepDown(at encoding: Int, current: Int, target: Int) -> Bool {
    guard encoding != current, encoding < target, temporaryTarget != 0 else { return false }
    temporaryTarget = max(0, (temporaryTarget ?? target) - 1)
    return true
  }
}
