import CongestionControl
import Quantity
import SimulationKernel
import Transport

/// What estimates each path: one kind for the whole meeting, by path number.
///
/// Each kind has a table of its own, so that a controller is changed where it stands.
struct RateControllers: ~Copyable {
  /// Without the parameters, which would be copied with every look.
  private enum Kind { case oracle, gcc, nada }

  private var configuration: EstimatorConfiguration
  private var kind: Kind
  private var headerShare: Double
  private var oracles = Table<OracleEstimator>()
  private var google = Table<GoogleCongestionControl>()
  private var nada = Table<NADAController>()
  /// What each path's sender has numbered for feedback.
  private var logs = Table<SendLog>()
  /// Kept for its capacity.
  private var results: [PacketResult] = []
  /// What each path's controller says, noted whenever it may have changed: to look at a controller would copy it.
  private var outlooks: [PathOutlook]

  init(_ configuration: EstimatorConfiguration, paths: Int) {
    self.configuration = configuration
    headerShare = configuration.headerShare
    outlooks = Array(repeating: PathOutlook(), count: paths)
    kind =
      switch configuration {
      case .oracle: .oracle
      case .gcc: .gcc
      case .nada: .nada
      }
    for _ in 0..<paths {
      switch configuration {
      case .oracle(let parameters): oracles.append(OracleEstimator(parameters: parameters))
      case .gcc(let parameters): google.append(GoogleCongestionControl(parameters: parameters, at: .zero))
      case .nada(let parameters):
        nada.append(NADAController(parameters: parameters, constraints: .init(), at: .zero))
      }
    }
    for path in 0..<paths {
      logs.append(SendLog())
      note(path)
    }
  }

  deinit {
    for path in 0..<logs.count { logs[path].deallocate() }
  }

  private mutating func note(_ path: Int) {
    outlooks[path] =
      switch kind {
      case .oracle:
        PathOutlook(target: PathTarget(rate: oracles[path].estimate, pacing: .unlimited, padding: .zero))
      case .gcc: google[path].outlook()
      case .nada: nada[path].outlook()
      }
  }

  /// Whether packets are paced and reported: not for an estimator that knows the capacity anyway.
  var usesFeedback: Bool {
    switch kind {
    case .oracle: false
    case .gcc, .nada: true
    }
  }

  /// Begins anew, as for a new connection.
  mutating func restart(_ path: Int, at now: SimTime) {
    tell(path)
    switch configuration {
    case .oracle(let parameters): oracles[path] = OracleEstimator(parameters: parameters)
    case .gcc(let parameters):
      google[path] = GoogleCongestionControl(parameters: parameters, at: now)
    case .nada(let parameters):
      nada[path] = NADAController(parameters: parameters, constraints: .init(), at: now)
    }
    note(path)
  }

  mutating func observe(_ path: Int, capacity: BitRate, at now: SimTime) {
    guard kind == .oracle else { return }
    oracles[path].observe(capacity: capacity, at: now)
    note(path)
  }

  /// Numbers a packet that leaves now for the feedback on its path, from 0 without wrapping.
  @inline(__always)
  mutating func send(
    size: Int32, probe: Int32, on path: Int, at now: SimTime
  ) -> Int64 {
    let sequence = logs[path].append(size: size, probeCluster: probe, at: now).sequence
    if sequence % Self.greatestBatch == 0 { tell(path) }
    return sequence
  }

  /// Packets that have left since the beginning.
  func sentPackets(_ path: Int) -> Int64 { logs[path].nextSequence }

  /// Packets that leave before a controller is told of them.
  private static let greatestBatch: Int64 = 64

  /// Tells a controller of the packets that have left: all at once, before anything else is told or asked of it.
  @inline(never)
  private mutating func tell(_ path: Int) {
    while let packets = logs[path].takeUntold() {
      switch kind {
      case .oracle: break
      case .gcc: google[path].send(packets.span)
      case .nada: nada[path].send(packets.span)
      }
    }
  }

  /// A transport-wide feedback message has come: the first number that it covers, and where its notes stand.
  mutating func receive(
    base: UInt16, arrivals: ArrivalLog, places: Range<Int>, on path: Int, at now: SimTime
  ) {
    tell(path)
    logs[path].resolve(base: base, arrivals: arrivals, places: places, into: &results)
    switch kind {
    case .oracle: break
    case .gcc: google[path].receive(results, at: now)
    case .nada: nada[path].receive(results, at: now)
    }
    note(path)
  }

  /// A receiver report has come.
  mutating func receive(_ report: ReportExchange.Outcome, on path: Int, at now: SimTime) {
    guard kind == .gcc else { return }
    tell(path)
    google[path].receive(
      lost: report.lost, of: report.expected, roundTrip: report.roundTrip ?? .zero, at: now)
    note(path)
  }

  mutating func process(_ path: Int, at now: SimTime) {
    tell(path)
    switch kind {
    case .oracle: break
    case .gcc: google[path].process(at: now)
    case .nada: nada[path].process(at: now)
    }
    note(path)
  }

  mutating func demand(_ demand: SenderDemand, on path: Int, at now: SimTime) {
    tell(path)
    switch kind {
    case .oracle: break
    case .gcc: google[path].demand(demand, at: now)
    case .nada: nada[path].demand(demand, at: now)
    }
    note(path)
  }

  mutating func takeProbe(_ path: Int) -> ProbeCluster? {
    if kind == .gcc { google[path].takeProbe() } else { nil }
  }

  func target(_ path: Int) -> PathTarget { outlooks[path].target }

  /// What the path is believed to carry, headers and voices included.
  func estimate(_ path: Int) -> BitRate { outlooks[path].target.rate }

  /// By how much less than the estimate encoders are to make because too much is under way, 0 to 1.
  func congestionReduction(_ path: Int) -> Double { outlooks[path].congestionReduction }

  /// What is left for video payload after the voices and the headers.
  func videoBudget(_ path: Int, voices: BitRate) -> BitRate {
    let estimate = estimate(path)
    guard estimate > voices else { return .zero }
    return (estimate - voices).scaled(by: 1 / (1 + headerShare))
  }
}
