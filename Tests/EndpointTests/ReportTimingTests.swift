import CongestionControl
import Endpoint
import Network
import Plan
import Quantity
import Scenario
import SimulationKernel
import Systems
import TestSupport
import Testing

/// Endpoints of a small meeting with gcc as the estimator, driven by hand; the tests examine the downlink of `v`.
private struct EndpointBench: ~Copyable {
  let down = Path.down(1)
  var kernel = Kernel()
  var wires: Wires

  init(_ estimator: String, _ system: PlainSystem = PlainSystem(), repetition: Int = 0) throws {
    var plan = try MeetingPlan.small(system)
    let gcc = try Meetings.scenario(
      """
      name: estimator
      duration: 1s
      estimator: \(estimator)
      participants: [{id: a}]
      """
    ).plan
    plan.estimator = gcc.estimator
    plan.downEstimator = gcc.downEstimator
    self.init(plan, repetition)
  }

  private init(_ plan: MeetingPlan, _ repetition: Int) {
    wires = Wires(plan, repetition: repetition)
  }

  /// Returns the time of the next event of a kind for the downlink [us]; `nil` if it is not due by then.
  mutating func next(_ kind: MeetingEvent.Kind, by end: Int64) -> Int64? {
    while let event = wires.next(until: .zero + .microseconds(end), &kernel) {
      if event.kind == kind, event.index == down { return kernel.now.nanoseconds / 1000 }
    }
    return nil
  }

  /// Advances the time [us].
  mutating func run(to time: Int64) {
    while wires.next(until: .zero + .microseconds(time), &kernel) != nil {}
  }

  mutating func beginReports() { wires.net.endpoints.beginReports(of: 1, wires.net.links, kernel: &kernel) }

  mutating func sendSenderReport() {
    wires.net.endpoints.sendSenderReport(on: down, streams: 1, links: &wires.net.links, kernel: &kernel)
  }

  mutating func carryOut(_ command: SenderCommand) {
    wires.net.endpoints.carryOut(command, on: down, kernel: &kernel)
  }

  /// Delivers a packet, and returns when the feedback that reports it is due [us].
  mutating func feedback(after time: Int64) -> Int64? {
    _ = wires.next(until: .zero + .microseconds(time), &kernel)
    var packet = Packet(sentAt: kernel.now, size: 1000, destination: 1)
    packet.transportSequence = number
    number += 1
    wires.net.endpoints.noteArrival(packet, on: down, kernel: &kernel)
    let due = next(.feedback, by: time + 1_000_000)
    wires.net.endpoints.sendFeedback(on: down, links: &wires.net.links, kernel: &kernel)
    return due
  }

  private var number: UInt16 = 0
}

@Suite("Timing of feedback, reports and probes")
struct ReportTimingTests {
  /// The receiver's clock has its own phase and runs on while nothing arrives: every 62.5 ms.
  @Test func feedbackIsDueByAClockThatDoesNotWaitForPackets() throws {
    var bench = try EndpointBench("gcc")
    let first = bench.feedback(after: 100_000) ?? -1
    #expect(first > 100_000 && first <= 209_375)
    // A packet 10 ms later is reported at the next tick, one after 200 ms at the fourth after that.
    let second = bench.feedback(after: first + 10_000) ?? -1
    #expect(second == first + 62_500)
    let third = bench.feedback(after: second + 200_000) ?? -1
    #expect(third == second + 4 * 62_500)
  }

  /// A receiver's first message is due after up to 109.375 ms (100 ms in ticks of 1/64 s), its second 62.5 ms later.
  @Test func theFirstFeedbackWaitsAtTheIntervalOfAReceiverWithoutEstimate() throws {
    var waits: [Int64] = []
    for repetition in 0..<100 {
      var bench = try EndpointBench("gcc", repetition: repetition)
      waits.append((bench.feedback(after: 100_000) ?? 0) - 100_000)
    }
    #expect(waits.allSatisfy { $0 > 0 && $0 <= 109_375 })
    // 43 of 100 are expected to exceed 62.5 ms, with a standard deviation of 5.
    #expect((28...58).contains(waits.count { $0 > 62_500 }))
  }

  /// A server's rule: the first report after half a second, later ones 1 to 1.5 s apart.
  @Test func aServersReportsGoByItsOwnRule() throws {
    var system = PlainSystem()
    system.traits.forwarding.senderReports = SimDuration.seconds(1) ... .milliseconds(1500)
    var bench = try EndpointBench("gcc", system)
    bench.beginReports()
    let first = bench.next(.senderReport, by: 5_000_000) ?? -1
    #expect(first == 500_000)
    var last = first
    for _ in 0..<20 {
      bench.sendSenderReport()
      let next = bench.next(.senderReport, by: last + 2_000_000) ?? -1
      #expect((1_000_000...1_500_000).contains(next - last))
      last = next
    }
    #expect(last - first > 20 * 1_150_000 && last - first < 20 * 1_350_000)
  }

  /// The first bounds set by a server start the probes of its estimator at once, not at its next periodic work.
  @Test func boundsAreFollowedAtOnce() throws {
    var system = PlainSystem()
    system.traits.forwarding.sending = .immediate(probes: 32...1400)
    var bench = try EndpointBench("gcc-2019", system)
    bench.run(to: 7000)
    let bounds = SenderCommand.bound(minimum: .kilobits(30), maximum: RateLimit(.kilobits(2000)))
    bench.carryOut(bounds)
    let probe = bench.next(.pace, by: 100_000)
    #expect(probe == 7000)
  }
}
