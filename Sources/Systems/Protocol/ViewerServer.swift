package import Allocation
package import CongestionControl
package import Ladder
package import Quantity

/// The SFU's decisions for one viewer, in systems whose server decides with a memory of its own.
///
/// A state machine without clock or queue: the meeting reports events and asks for the allocation of each source.
/// Systems without one reallocate the whole budget each time, by their ``System/policy``.
package protocol ViewerServer: Sendable {
  /// Handles a new or changed subscription; `nil` if it has ended.
  ///
  /// - Parameter layers: layers of the source that the SFU receives.
  mutating func subscribe(_ wish: Wish?, to source: Int, _ layers: MeasuredLayers, at now: SimTime)
  /// Handles a client's settings of a source's track.
  ///
  /// - Returns: the time at which they take effect; `nil` if they change nothing.
  mutating func receive(_ settings: TrackSettings, of source: Int, at now: SimTime) -> SimTime?
  /// Completes a client's subscriptions by the settings in effect.
  mutating func complete(_ wishes: inout [Wish], at now: SimTime)
  /// Sets the initial downlink estimate, before the first report.
  mutating func begin(with estimate: BitRate, at now: SimTime)
  /// Handles the client's demands on its whole downlink.
  mutating func demand(_ demand: ViewerDemand)
  /// `true` if it decides on all subscriptions at once, only in ``decide(_:queued:at:)``.
  var decidesAtOnce: Bool { get }
  /// `true` while it waits for ``decide(_:queued:at:)``.
  var isDue: Bool { get }
  /// Sources with a subscription, in the order of the sources.
  var subscribed: [Int] { get }
  /// Decides on all subscriptions.
  ///
  /// - Parameters:
  ///   - layers: layers that arrive now, of the sources in ``subscribed``.
  ///   - queued: bytes waiting to be sent to the viewer.
  mutating func decide(_ layers: [MeasuredLayers], queued: ByteCount, at now: SimTime)
  /// Handles a change of the layers that the SFU receives of a source.
  mutating func follow(_ layers: MeasuredLayers, of source: Int, at now: SimTime)
  /// Handles a change of the forwarded layer of a source; `nil` for none.
  mutating func noteForwarded(_ layer: LayerID?, of source: Int, at now: SimTime)
  /// Handles a report on the downlink.
  mutating func receive(_ report: DownlinkReport, at now: SimTime)
  /// Performs the work that is due.
  ///
  /// - Parameters:
  ///   - sentBytes: video sent to the viewer since the beginning: RTP headers and payload, repairs and probes.
  ///   - roundTrip: last measured round trip of the downlink; `nil` before the first.
  ///   - sender: the sender's estimator, where the allocator drives it.
  /// - Returns: bytes of repeated packets to send as a probe.
  mutating func wake(
    sentBytes: Int64, roundTrip: SimDuration?, _ sender: SenderState?, at now: SimTime
  ) -> Int
  /// Returns the commands to the sender's estimator since the last call.
  mutating func takeCommands() -> [SenderCommand]
  /// Reports the bytes that a probe has sent.
  mutating func noteProbe(bytes: Int)
  /// Time at which ``wake(sentBytes:roundTrip:_:at:)`` is due next; `nil` for never.
  var wakesAt: SimTime? { get }
  /// Sources with a subscription, in the order in which the last decision served them.
  var servedOrder: [Int] { get }
  /// Input of the last decision on all subscriptions; `nil` where sources are decided on one by one.
  var lastState: AllocationState? { get }
  /// Returns the decision on a source; `nil` without a subscription.
  func decision(on source: Int) -> ServerDecision?
  /// Returns the allocation of a subscription, with its limitation.
  func grant(for wish: Wish) -> Grant
  /// Capacity that the server has settled on; `nil` before.
  var cap: BitRate? { get }
  /// Reports, once, whether a decision has changed since the last call.
  mutating func takeChange() -> Bool
  /// Returns the events for `events.csv` since the last call.
  mutating func takeEvents() -> [SystemEvent]
}

/// Defaults for a server that reacts to every report, source by source.
extension ViewerServer {
  package mutating func receive(_ settings: TrackSettings, of source: Int, at now: SimTime) -> SimTime? {
    nil
  }
  package mutating func complete(_ wishes: inout [Wish], at now: SimTime) {}
  package mutating func begin(with estimate: BitRate, at now: SimTime) {}
  package mutating func demand(_ demand: ViewerDemand) {}
  package var decidesAtOnce: Bool { false }
  package var isDue: Bool { false }
  package var lastState: AllocationState? { nil }
  package var subscribed: [Int] { [] }
  package mutating func decide(_ layers: [MeasuredLayers], queued: ByteCount, at now: SimTime) {}
}

/// A report on a viewer's downlink.
package enum DownlinkReport: Hashable, Sendable {
  /// An estimate of its capacity, by the viewer (REMB) or by another estimator.
  ///
  /// - Parameters:
  ///   - packets: video packets sent since the last report, without repairs and probes.
  ///   - repeatedNACKs: packets requested for the second time or more since then.
  case estimate(BitRate, packets: Int, repeatedNACKs: Int)
  /// The state of a sender's own detector, with the capacity that it measures.
  case congestion(PathCongestion, capacity: BitRate)
}

/// State of a sender's estimator that the allocator drives.
package struct SenderState: Sendable {
  package var mayProbe: Bool
  /// Duration of the next probe.
  package var probeDuration: SimDuration
  package var capacity: BitRate
  /// Verdict on the last probe, given once.
  package var verdict: ProbeVerdict?

  package init(mayProbe: Bool, probeDuration: SimDuration, capacity: BitRate, verdict: ProbeVerdict?) {
    self.mayProbe = mayProbe
    self.probeDuration = probeDuration
    self.capacity = capacity
    self.verdict = verdict
  }
}

/// A command of an allocator to a sender's estimator.
package enum SenderCommand: Hashable, Sendable {
  case beginProbe(Int32)
  case endProbe
  case reset
}

/// A server's decision on a source.
package struct ServerDecision: Hashable, Sendable {
  /// Layer; `nil` for none.
  package var layer: LayerID?
  /// Encoding whose key frame is requested, usually the layer's.
  package var request: Int?
  /// Set if nothing is forwarded while the SFU waits for the key frame of a lower encoding, whatever
  /// ``ForwardingRules/whileWaiting`` is.
  package var stopsWhileWaiting: Bool
  /// Additional rate of the next layer beyond what is left; zero where bandwidth is no limit.
  package var missing: BitRate
  /// Rate of the layer in the budget, as measured at the decision.
  package var bitrate: BitRate
  /// Name of the rule in `decisions.csv`.
  package var rule: String

  package init(
    layer: LayerID?, request: Int?, stopsWhileWaiting: Bool = false, missing: BitRate = .zero,
    bitrate: BitRate,
    rule: String
  ) {
    self.layer = layer
    self.bitrate = bitrate
    self.request = request
    self.stopsWhileWaiting = stopsWhileWaiting
    self.missing = missing
    self.rule = rule
  }
}
