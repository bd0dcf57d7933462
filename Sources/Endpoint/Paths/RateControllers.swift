package import Allocation
package import CongestionControl
import Plan
package import Quantity
import SimulationKernel
package import Systems
package import Transport

/// Estimators of all paths: one kind for uplinks and one for downlinks.
package struct RateControllers: ~Copyable {
  /// The controllers of one direction, by participant.
  package struct Direction {
    package let traits: EstimatorTraits
    package let headerShare: Double
    fileprivate let controllers: any PathControllers

    package init(_ configuration: EstimatorConfiguration, participants: Int) {
      traits = configuration.traits
      headerShare = configuration.headerShare
      controllers = configuration.makeControllers(paths: participants)
    }
  }

  package let up: Direction
  package let down: Direction
  /// Packets that each path's sender has numbered for feedback.
  private var logs = Table<SendLog>()
  /// Feedback results, kept for the capacity of the array.
  private var results: [PacketResult] = []
  /// Current output of each path's controller, updated whenever it may have changed.
  private var outlooks: [PathOutlook]
  /// Congestion meters by path; `nil` where nothing uses the signs of congestion.
  private var meters: [CongestionMeter?]

  init(_ plan: MeetingPlan) {
    let count = plan.connectionCount
    let up = Direction(plan.estimator, participants: count)
    let down = Direction(plan.downEstimator, participants: count)
    self.up = up
    self.down = down
    outlooks = (0..<2 * count).map { path in
      (Path.isUp(path) ? up : down).controllers.outlook(of: Path.participant(of: path))
    }
    meters = Array(repeating: nil, count: 2 * count)
    for _ in 0..<2 * count { logs.append(SendLog()) }
  }

  /// Returns the input of a path's estimator.
  @inline(__always)
  package func input(of path: Int) -> EstimatorInput { Path.isUp(path) ? up.traits.input : down.traits.input }

  package func headerShare(of path: Int) -> Double { Path.isUp(path) ? up.headerShare : down.headerShare }

  /// Calls a path's controllers without copying the reference, whose count would change in each of many thousand calls
  /// per second.
  @inline(__always)
  private func ask<Answer>(_ path: Int, _ question: (any PathControllers) -> Answer) -> Answer {
    Path.isUp(path) ? question(up.controllers) : question(down.controllers)
  }

  deinit {
    for path in 0..<logs.count { logs[path].deallocate() }
  }

  /// Restarts a path's controller for a new connection.
  package mutating func restart(_ path: Int, at now: SimTime) {
    logs[path].beginConnection()
    outlooks[path] = ask(path) { $0.restart(Path.participant(of: path), at: now) }
    if meters[path] != nil { meters[path] = CongestionMeter() }
  }

  /// Meters a path's congestion from now on, if it has feedback.
  package mutating func watch(_ path: Int) {
    meters[path] = input(of: path) == .transportFeedback ? CongestionMeter() : nil
  }

  /// Returns the signs of congestion on a watched path since the last call; `nil` without feedback.
  package mutating func takeSigns(on path: Int, at now: SimTime) -> Downlink.Signs? {
    meters[path]?.takeSigns(at: now)
  }

  /// Sets the capacity of a path; ignored by a controller that works with feedback.
  package mutating func observe(_ path: Int, capacity: BitRate, at now: SimTime) {
    guard input(of: path) == .capacity else { return }
    handle(.capacity(capacity), on: path, at: now)
  }

  /// Numbers a packet that leaves now for the feedback on its path, from 0 without wrapping.
  @inline(__always)
  package mutating func send(
    size: Int32, probe: Int32, on path: Int, at now: SimTime
  ) -> Int64 {
    let sequence = logs[path].append(size: size, probeCluster: probe, at: now).sequence
    if sequence % Self.greatestBatch == 0 { tell(path) }
    return sequence
  }

  /// Returns the number of packets that have left since the beginning.
  package func sentPackets(_ path: Int) -> Int64 { logs[path].nextSequence }

  /// Number of packets that leave before a controller is informed of them.
  private static let greatestBatch: Int64 = 64

  /// Informs a controller of the packets that have left: all at once, before any other call to it.
  @inline(never)
  private mutating func tell(_ path: Int) {
    while let packets = logs[path].takeUntold() {
      ask(path) { $0.send(packets.span, on: Path.participant(of: path)) }
    }
  }

  /// Handles a transport-wide feedback message, given by the first number that it covers and its places in the arrival
  /// log.
  package mutating func receive(
    base: UInt16, arrivals: ArrivalLog, places: Range<Int>, on path: Int, at now: SimTime
  ) {
    tell(path)
    logs[path].resolve(base: base, arrivals: arrivals, places: places, into: &results)
    meters[path]?.add(results)
    handle(.feedback(results), on: path, at: now)
  }

  /// Handles a receiver report.
  package mutating func receive(_ report: ReportExchange.Outcome, on path: Int, at now: SimTime) {
    tell(path)
    handle(
      .report(lost: report.lost, expected: report.expected, roundTrip: report.roundTrip ?? .zero), on: path,
      at: now)
  }

  /// Handles the receiver's estimate.
  package mutating func receive(estimate: BitRate, on path: Int, at now: SimTime) {
    handle(.estimate(estimate), on: path, at: now)
  }

  package mutating func process(_ path: Int, at now: SimTime) {
    tell(path)
    handle(.process, on: path, at: now)
  }

  package mutating func demand(_ demand: SenderDemand, on path: Int, at now: SimTime) {
    tell(path)
    handle(.demand(demand), on: path, at: now)
  }

  private mutating func handle(_ input: ControllerInput, on path: Int, at now: SimTime) {
    outlooks[path] = ask(path) { $0.handle(input, on: Path.participant(of: path), at: now) }
  }

  package mutating func takeProbe(_ path: Int) -> ProbeCluster? {
    guard outlooks[path].hasProbes else { return nil }
    let cluster = ask(path) { $0.takeProbe(Path.participant(of: path)) }
    outlooks[path].hasProbes = cluster != nil
    return cluster
  }

  // MARK: For allocators that drive an estimator

  package func congestion(_ path: Int) -> PathCongestion {
    outlooks[path].congestion
  }

  package mutating func takeSenderState(of path: Int, at now: SimTime) -> SenderState? {
    tell(path)
    let number = Path.participant(of: path)
    let state = ask(path) { $0.takeSenderState(number, at: now) }
    outlooks[path] = ask(path) { $0.outlook(of: number) }
    return state
  }

  package mutating func carryOut(_ command: SenderCommand, on path: Int, at now: SimTime) {
    tell(path)
    handle(.command(command), on: path, at: now)
  }

  package func target(_ path: Int) -> PathTarget { outlooks[path].target }

  /// Returns the estimated capacity of the path, headers and voices included.
  package func estimate(_ path: Int) -> BitRate { outlooks[path].target.rate }

  /// Returns the fraction of the estimate that encoders leave unused because too much is in flight, 0 to 1.
  package func congestionReduction(_ path: Int) -> Double { outlooks[path].congestionReduction }

  /// Returns the budget for video payload after the voices and the headers.
  package func videoBudget(_ path: Int, voices: BitRate) -> VideoBudget {
    VideoBudget(estimate: estimate(path), voices: voices, headerShare: headerShare(of: path))
  }
}
