package import CongestionControl
package import Quantity
import Systems

/// Congestion detector of LiveKit's server for receivers' estimates (REMB), with the capacity to settle on and verdicts
/// on probes.
///
/// LiveKit 1.13.5, `pkg/sfu/bwe/remotebwe`: the capacity does not follow the estimates. It is lowered on congestion,
/// that is, on a falling trend or repeatedly requested packets, and raised only by a probe.
package struct RemoteBandwidthDetector: Sendable {
  /// Capacity that LiveKit's estimators report before their first estimate [bit/s].
  package static let unknownCapacity: Int64 = 100_000_000

  private let parameters: LiveKitProbeParameters
  private let detection: LiveKitDetectionParameters
  package private(set) var state = PathCongestion.none
  package private(set) var capacity = Self.unknownCapacity
  private var trend: TrendDetector
  private var nacks: RepeatedNACKWindow
  private var estimate: Int64 = 0
  private var usage: Int64 = 0
  private var regulator: ProbeRegulator
  private var roundTrip: SimDuration
  private var probe = Probe.none

  private enum Probe {
    case none
    case running(ServerProbe)
    /// The cluster has ended; its resulting estimates are still awaited.
    case settling(ServerProbe, since: SimTime)

    var isNone: Bool { if case .none = self { true } else { false } }
  }

  /// A state entered, or re-entered with another capacity.
  package struct Change {
    package var from: PathCongestion
  }

  package init(_ parameters: LiveKitProbeParameters, _ detection: LiveKitDetectionParameters, at now: SimTime)
  {
    self.parameters = parameters
    self.detection = detection
    trend = TrendDetector(parameters: detection.trend)
    nacks = RepeatedNACKWindow(detection.nacks)
    roundTrip = parameters.roundTrip
    regulator = ProbeRegulator(parameters: parameters.regulator, at: now)
  }

  /// Handles an estimate.
  ///
  /// - Parameters:
  ///   - usage: total rate of the forwarded layers [bit/s].
  ///   - packets: number of video packets since the last estimate.
  ///   - repeated: number of packets requested since then that had already been retransmitted.
  package mutating func receive(
    _ estimate: Int64, usage: Int64, packets: Int, repeated: Int, at now: SimTime
  ) -> Change? {
    self.estimate = estimate
    self.usage = usage
    // A probe that congests the path stays in that state until its end.
    guard state == .none || probe.isNone else { return nil }
    trend.add(Double(estimate), at: now)
    nacks.add(packets: packets, repeated: repeated, at: now)
    let falls = trend.direction == .downward
    let congests = falls || nacks.isTriggered(at: now)
    let from = state
    switch state {
    case .none, .earlyWarning:
      guard congests, !probe.isNone || commit(byLoss: !falls) else { return nil }
      state = .congested
    case .congested:
      if congests {
        guard commit(byLoss: !falls) else { return nil }
      } else {
        state = .none
      }
    }
    return Change(from: from)
  }

  /// Lowers the capacity to the estimate, or lower on losses, unless that is close to the usage.
  private mutating func commit(byLoss: Bool) -> Bool {
    var value = estimate
    if byLoss { value = min(value, Int64(Double(usage) * (1 - detection.lossAttenuation * nacks.ratio))) }
    guard value <= Int64(detection.usageThreshold * Double(usage)), value != capacity else { return false }
    capacity = value
    return true
  }

  // MARK: Probes

  package func allowsProbe(at now: SimTime) -> Bool {
    state == .none && probe.isNone && regulator.mayProbe(at: now)
  }

  package var probeDuration: SimDuration { regulator.duration }

  package mutating func begin(_ cluster: ServerProbe) {
    usage = cluster.usage.bitsPerSecond
    probe = .running(cluster)
    regulator.begin(at: cluster.startedAt)
    trend = TrendDetector(parameters: parameters.trend)
    nacks = RepeatedNACKWindow(parameters.nacks)
  }

  package mutating func endCluster(at now: SimTime) {
    if case .running(let cluster) = probe { probe = .settling(cluster, since: now) }
  }

  /// `true` once there are enough estimates for a verdict, repeated ones included.
  private var hasEnoughEstimates: Bool { trend.count >= parameters.trend.samples }

  package var hasReachedGoal: Bool {
    guard state == .none, hasEnoughEstimates else { return false }
    return switch probe {
    case .none: false
    case .running(let cluster), .settling(let cluster, _):
      trend.highest > Double(cluster.desired.bitsPerSecond)
    }
  }

  /// Returns the verdict on a probe whose last estimates have arrived; `nil` before that.
  package mutating func takeVerdict(at now: SimTime) -> ProbeVerdict? {
    guard case .settling(_, let since) = probe, now - since >= settleTime else { return nil }
    let verdict: ProbeVerdict =
      state != .none ? .congesting : hasEnoughEstimates ? .notCongesting : .inconclusive
    if verdict == .notCongesting { capacity = max(capacity, Int64(trend.highest)) }
    state = .none
    probe = .none
    trend = TrendDetector(parameters: detection.trend)
    nacks = RepeatedNACKWindow(detection.nacks)
    regulator.end(verdict)
    return verdict
  }

  private var settleTime: SimDuration {
    let time = roundTrip * Int64(parameters.settleRoundTrips)
    return min(max(time, parameters.shortestSettling), parameters.longestSettling)
  }

  /// Adds a measurement of the path's round-trip time.
  package mutating func note(_ measured: SimDuration) {
    let weight = parameters.roundTripWeight
    let mean = weight * measured.seconds + (1 - weight) * roundTrip.seconds
    roundTrip = SimDuration(rounding: mean * 1e9)
  }
}
