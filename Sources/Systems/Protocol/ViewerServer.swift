package import Allocation
package import CongestionControl
package import Ladder
package import Quantity

/// The part of the SFU that decides for one viewer, in systems whose server keeps state between decisions.
///
/// A state machine without clock or queue: it takes what reaches the server and returns what the server does. Systems
/// without one reallocate the whole budget each time, with their ``System/policy``.
package protocol ViewerServer: Sendable {
  /// Handles an input.
  ///
  /// - Returns: the server's actions, in order.
  mutating func handle(_ input: ServerInput, at now: SimTime) -> [ServerAction]
  /// Completes a client's subscriptions with the track settings that are in effect.
  mutating func complete(_ wishes: inout [Subscription], at now: SimTime)
  /// Returns the decision on a source; `nil` if there is no subscription.
  func decision(on source: Int) -> SourceDecision?
  /// Returns the allocation of a subscription, with its limitation.
  func grant(for wish: Subscription) -> Grant
  /// Subscribed sources, in the order in which the last decision served them.
  var servedOrder: [Int] { get }
  /// Input of the last decision on all subscriptions; `nil` if the server decides source by source.
  var lastState: AllocationState? { get }
  /// Capacity that the server has settled on; `nil` before it has.
  var cap: BitRate? { get }
  /// `true` if it takes ``ServerInput/speech(ranks:)``.
  var hearsSpeakers: Bool { get }
}

extension ViewerServer {
  package var hearsSpeakers: Bool { false }
  package mutating func complete(_ wishes: inout [Subscription], at now: SimTime) {}
  package var lastState: AllocationState? { nil }
  package var cap: BitRate? { nil }
}

/// Input of a viewer's server.
package enum ServerInput: Sendable {
  /// The initial estimate of the downlink, before the first report.
  case begin(BitRate)
  /// The client's demands on its whole downlink.
  case demand(ViewerDemand)
  /// A new or changed subscription, with the layers of its source that the SFU receives.
  case subscribe(Subscription, MeasuredLayers)
  /// The end of the subscription to a source.
  case unsubscribe(source: Int)
  /// A client's settings for a source's track.
  case settings(TrackSettings, source: Int)
  /// A change of the layers that the SFU receives of a source.
  case layers(MeasuredLayers, source: Int)
  /// A change of the order of speech, for servers that hear speakers: by source, the rank of its publisher, 0 for the
  /// current or last speaker, `nil` for one who has not spoken.
  case speech(ranks: [Int?])
  /// A change of the forwarded layer of a source; `nil` for none.
  case forwarded(LayerID?, source: Int)
  /// A report on the downlink.
  case report(DownlinkReport)
  /// The answer to ``ServerAction/look``: the layers that now arrive of each subscribed source, in order, and the bytes
  /// waiting to be sent to the viewer.
  case look([MeasuredLayers], queued: ByteCount)
  /// The timer set by ``ServerAction/wake(at:)``, with the video sent to the viewer since the start [byte] (RTP headers
  /// and payload, repairs and probes), the last measured round trip of the downlink, and the sender's estimator if the
  /// allocator drives it.
  case timer(sentBytes: Int64, roundTrip: SimDuration?, SenderState?)
  /// The bytes that a probe has sent.
  case probed(bytes: Int)
}

/// Action of a viewer's server.
package enum ServerAction: Hashable, Sendable {
  /// Asks for ``ServerInput/look(_:queued:)`` in order to decide on all subscriptions.
  case look
  /// Announces a changed decision.
  case decide
  /// Applies a client's settings at a time.
  case apply(at: SimTime)
  /// Asks for ``ServerInput/timer(sentBytes:roundTrip:_:)`` at a time; every list of actions replaces the previous
  /// request, or cancels it if it has none.
  case wake(at: SimTime)
  /// Sends repeated packets as a probe.
  case probe(bytes: Int)
  /// Commands the sender's estimator.
  case command(SenderCommand)
  /// Adds a row to `events.csv`.
  case record(SystemEvent)
}

/// A report on a viewer's downlink.
package enum DownlinkReport: Hashable, Sendable {
  /// An estimate of the downlink's capacity, by the viewer (REMB) or by another estimator.
  ///
  /// - Parameters:
  ///   - packets: video packets sent since the last report, without repairs and probes.
  ///   - repeatedNACKs: packets requested at least a second time since then.
  case estimate(BitRate, packets: Int, repeatedNACKs: Int)
  /// The state of the sender's own detector, with the capacity that it measures.
  case congestion(PathCongestion, capacity: BitRate)
}
