import CongestionControl
import Quantity
import SimulationKernel
import Systems
import Transport

/// What estimates each path: one kind for the whole meeting, by path number.
struct RateControllers: ~Copyable {
  /// Whether packets are paced and reported; controllers that do without are told the capacity instead.
  let usesFeedback: Bool
  private let headerShare: Double
  private let controllers: any PathControllers
  /// What each path's sender has numbered for feedback.
  private var logs = Table<SendLog>()
  /// Kept for its capacity.
  private var results: [PacketResult] = []
  /// What each path's controller says, noted whenever it may have changed.
  private var outlooks: [PathOutlook]
  /// By path; `nil` where nobody asks for signs of congestion.
  private var meters: [CongestionMeter?]

  init(_ configuration: EstimatorConfiguration, paths: Int) {
    usesFeedback = configuration.usesFeedback
    headerShare = configuration.headerShare
    let made = configuration.makeControllers(paths: paths)
    controllers = made
    outlooks = (0..<paths).map { made.outlook(of: $0) }
    meters = Array(repeating: nil, count: paths)
    for _ in 0..<paths { logs.append(SendLog()) }
  }

  deinit {
    for path in 0..<logs.count { logs[path].deallocate() }
  }

  /// Begins anew, as for a new connection.
  mutating func restart(_ path: Int, at now: SimTime) {
    tell(path)
    outlooks[path] = controllers.restart(path, at: now)
    if meters[path] != nil { meters[path] = CongestionMeter() }
  }

  /// Meters a path's congestion from now on, if it has feedback.
  mutating func watch(_ path: Int) { meters[path] = usesFeedback ? CongestionMeter() : nil }

  /// Signs of congestion on a watched path since the last call; `nil` without feedback.
  mutating func takeSigns(on path: Int, at now: SimTime) -> Downlink.Signs? {
    meters[path]?.takeSigns(at: now)
  }

  /// Takes what a path carries; nothing to a controller that finds out by feedback.
  mutating func observe(_ path: Int, capacity: BitRate, at now: SimTime) {
    guard !usesFeedback else { return }
    outlooks[path] = controllers.observe(capacity: capacity, on: path, at: now)
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
    while let packets = logs[path].takeUntold() { controllers.send(packets.span, on: path) }
  }

  /// A transport-wide feedback message has come: the first number that it covers, and where its notes stand.
  mutating func receive(
    base: UInt16, arrivals: ArrivalLog, places: Range<Int>, on path: Int, at now: SimTime
  ) {
    tell(path)
    logs[path].resolve(base: base, arrivals: arrivals, places: places, into: &results)
    meters[path]?.add(results)
    outlooks[path] = controllers.receive(results, on: path, at: now)
  }

  /// A receiver report has come.
  mutating func receive(_ report: ReportExchange.Outcome, on path: Int, at now: SimTime) {
    tell(path)
    outlooks[path] = controllers.receive(
      lost: report.lost, of: report.expected, roundTrip: report.roundTrip ?? .zero, on: path, at: now)
  }

  mutating func process(_ path: Int, at now: SimTime) {
    tell(path)
    outlooks[path] = controllers.process(path, at: now)
  }

  mutating func demand(_ demand: SenderDemand, on path: Int, at now: SimTime) {
    tell(path)
    outlooks[path] = controllers.demand(demand, on: path, at: now)
  }

  mutating func takeProbe(_ path: Int) -> ProbeCluster? { controllers.takeProbe(path) }

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
