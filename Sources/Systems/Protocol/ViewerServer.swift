package import Allocation
package import CongestionControl
package import Ladder
package import Quantity

/// The SFU's decisions for one viewer, in systems whose server decides with a memory of its own.
///
/// A state machine without clock or queue: the meeting reports what happens and asks what each source is given. Systems
/// without one share out a budget anew each time, by their ``System/policy``.
package protocol ViewerServer: Sendable {
  /// Handles a new or changed subscription; `nil` if it has ended.
  ///
  /// - Parameter layers: those that the SFU receives of the source.
  mutating func subscribe(_ wish: Wish?, to source: Int, _ layers: MeasuredLayers, at now: SimTime)
  /// Takes what the downlink is believed to carry before the first report.
  mutating func begin(with estimate: BitRate, at now: SimTime)
  /// Handles what the client asks of its whole downlink.
  mutating func demand(_ demand: ViewerDemand)
  /// Whether it decides on all subscriptions at once, by ``decide(_:queued:at:)`` alone.
  var decidesAtOnce: Bool { get }
  /// Whether it waits for ``decide(_:queued:at:)``.
  var isDue: Bool { get }
  /// Sources with a subscription, in the order of the sources.
  var subscribed: [Int] { get }
  /// Decides on all subscriptions.
  ///
  /// - Parameters:
  ///   - layers: as they arrive now, of the sources in ``subscribed``.
  ///   - queued: what waits to leave for the viewer.
  mutating func decide(_ layers: [MeasuredLayers], queued: ByteCount, at now: SimTime)
  /// Handles a change of the layers that the SFU receives of a source.
  mutating func follow(_ layers: MeasuredLayers, of source: Int, at now: SimTime)
  /// Handles a change of what is forwarded of a source; `nil` for nothing.
  mutating func noteForwarded(_ layer: LayerID?, of source: Int, at now: SimTime)
  /// Handles news of the downlink.
  mutating func receive(_ report: DownlinkReport, at now: SimTime)
  /// Does what is due.
  ///
  /// - Parameters:
  ///   - sentBytes: video sent to the viewer since the beginning: RTP headers and payload, repairs and probes.
  ///   - roundTrip: of the downlink and back, as measured last; `nil` before.
  ///   - sender: the sender's estimator, where the allocator drives it.
  /// - Returns: bytes of repeated packets to send as a probe.
  mutating func wake(
    sentBytes: Int64, roundTrip: SimDuration?, _ sender: SenderState?, at now: SimTime
  ) -> Int
  /// What the sender's estimator has to do since the last call.
  mutating func takeCommands() -> [SenderCommand]
  /// Reports what a probe has sent.
  mutating func noteProbe(bytes: Int)
  /// When ``wake(sentBytes:roundTrip:_:at:)`` is due next; `nil` for never.
  var wakesAt: SimTime? { get }
  /// Sources with a subscription, in the order in which the last decision served them.
  var servedOrder: [Int] { get }
  /// What the last decision on all subscriptions went by; `nil` where single ones are decided on.
  var lastState: AllocationState? { get }
  /// What is given of a source; `nil` without a subscription.
  func decision(on source: Int) -> ServerDecision?
  /// The same for a subscription, with what limits it.
  func grant(for wish: Wish) -> Grant
  /// Capacity that the server has settled on; `nil` before.
  var cap: BitRate? { get }
  /// Whether a decision has changed since the last call.
  mutating func takeChange() -> Bool
  /// Events for `events.csv` since the last call.
  mutating func takeEvents() -> [SystemEvent]
}

/// A server that decides with each piece of news, of single sources.
extension ViewerServer {
  package mutating func begin(with estimate: BitRate, at now: SimTime) {}
  package mutating func demand(_ demand: ViewerDemand) {}
  package var decidesAtOnce: Bool { false }
  package var isDue: Bool { false }
  package var lastState: AllocationState? { nil }
  package var subscribed: [Int] { [] }
  package mutating func decide(_ layers: [MeasuredLayers], queued: ByteCount, at now: SimTime) {}
}

/// News of a viewer's downlink.
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

/// A sender's estimator that is driven by the allocator, as far as that asks it.
package struct SenderState: Sendable {
  package var mayProbe: Bool
  /// Duration of the next probe.
  package var probeDuration: SimDuration
  package var capacity: BitRate
  /// What the last probe showed, once.
  package var verdict: ProbeVerdict?

  package init(mayProbe: Bool, probeDuration: SimDuration, capacity: BitRate, verdict: ProbeVerdict?) {
    self.mayProbe = mayProbe
    self.probeDuration = probeDuration
    self.capacity = capacity
    self.verdict = verdict
  }
}

/// What an allocator has a sender's estimator do.
package enum SenderCommand: Hashable, Sendable {
  case beginProbe(Int32)
  case endProbe
  case reset
}

/// What a server gives of a source.
package struct ServerDecision: Hashable, Sendable {
  /// `nil` for nothing.
  package var layer: LayerID?
  /// The encoding whose key frame is requested, in general that of the layer.
  package var request: Int?
  /// Whether nothing is forwarded while a lower encoding than before waits for its key frame, whatever
  /// ``ForwardingRules/whileWaiting`` says.
  package var stopsWhileWaiting: Bool
  /// What the next layer would take beside what there is; zero where bandwidth is no limit.
  package var missing: BitRate
  /// What the layer takes of the budget, as the server measured it when it decided.
  package var bitrate: BitRate
  /// The rule, as `decisions.csv` names it.
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
