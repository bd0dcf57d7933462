import CongestionControl
import Quantity
import TestSupport
import Testing

/// Indicates whether two numbers agree to a millionth.
func isClose(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 1e-6 * max(1, abs(b)) }

@Suite("Equations of RFC 8698 by hand")
struct NADAEquationTests {
  private let parameters = NADAParameters()

  // 50 exp(-0.5 (d - 50) / 50)
  @Test(arguments: [(0, 0.0), (20, 20), (50, 50), (100, 30.3265330), (250, 6.7667642)])
  func longQueuesAreWarped(queue: Int64, expected: Double) {
    #expect(isClose(parameters.warped(.milliseconds(queue)), expected))
  }

  /// A queue of 100 ms with a loss every 100 packets: warped for 700 packets, unwarped after 800.
  @Test(arguments: [(0.0, 30.3265330), (699, 30.3265330), (750, 65.1632665), (800, 100), (9000, 100)])
  func warpingFadesAfterALoss(packets: Double, expected: Double) {
    let queue = parameters.warped(.milliseconds(100), packetsSinceLoss: packets, interval: 100)
    #expect(isClose(queue, expected))
  }

  @Test(arguments: [(0.0, 20.0), (0.01, 30), (0.03, 110), (0.1, 500)])
  func lossesAddTheirSquare(loss: Double, expected: Double) {
    #expect(isClose(parameters.signal(delay: 20, loss: loss), expected))
  }

  @Test func rampUpStepsFillTheirQueue() {
    // 50 / (100 + 100 + 120)
    #expect(isClose(parameters.rampUp(roundTrip: .milliseconds(100)), 0.15625))
    var parameters = parameters
    parameters.rampUpQueueBound = .milliseconds(500)
    #expect(parameters.rampUp(roundTrip: .milliseconds(100)) == 0.5)
  }

  /// 1 of at most 1.5 Mbps: the signal settles at 10 x 1.5 = 15 ms.
  @Test(arguments: [
    (15.0, 15.0, 1_000_000.0),
    // Offset 10: 0.2 x 10 / 500; change 2 x 10 / 500; half of both.
    (25, 15, 978_000),
    (5, 5, 1_002_000),
    // Offset 25, change -10.
    (40, 50, 1_015_000),
  ])
  func gradualUpdates(signal: Double, previous: Double, expected: Double) {
    let rate = parameters.gradual(
      from: 1e6, signal: signal, previous: previous, maximum: 1.5e6, interval: .milliseconds(100))
    #expect(isClose(rate, expected))
  }

  @Test func priorityWeighsTheRestingSignal() {
    var parameters = parameters
    parameters.priority = 2
    let rate = parameters.gradual(
      from: 1e6, signal: 30, previous: 30, maximum: 1.5e6, interval: .milliseconds(100))
    #expect(isClose(rate, 1e6))
  }
}

@Suite("NADA measurements")
struct NADAMeasurementTests {

  private func result(
    _ number: Int64, sentAt: Int64, receivedAt: Int64?, size: Int32 = 1250
  ) -> PacketResult {
    PacketResult(
      packet: SentPacket(sequence: number, sentAt: .ms(sentAt), size: size),
      receivedAt: receivedAt.map(SimTime.ms))
  }

  @Test func minimumOfTheLastSamples() {
    var filter = MinimumFilter(taps: 3)
    #expect(filter.minimum == nil)
    var minima: [Int64] = []
    for sample: Int64 in [5, 7, 6, 9, 8, 10, 4] {
      filter.append(.milliseconds(sample))
      minima.append((filter.minimum ?? .zero).nanoseconds / 1_000_000)
    }
    #expect(minima == [5, 5, 5, 6, 6, 8, 4])
  }

  @Test func theBaseDelayIsForgottenAfterTenMinutes() {
    var base = BaseDelay(history: .seconds(600), at: .zero)
    #expect(base.minimum == nil)
    base.append(.milliseconds(20), at: .zero)
    base.append(.milliseconds(30), at: .ms(300_000))
    base.append(.milliseconds(40), at: .ms(599_000))
    #expect(base.minimum == .milliseconds(20))
    base.append(.milliseconds(40), at: .ms(600_000))
    #expect(base.minimum == .milliseconds(30))
    base.append(.milliseconds(50), at: .ms(5_000_000))
    #expect(base.minimum == .milliseconds(50))
  }

  @Test func theReceivedRateAndTheLossesOfHalfASecond() {
    var window = ObservationWindow(length: .milliseconds(500), shortest: .milliseconds(100))
    #expect(window.receivedRate == 0 && window.lossRatio == 0)
    // 1250 bytes every 10 ms: 1 Mbps.
    for number: Int64 in 0...10 {
      window.append(result(number, sentAt: number * 10, receivedAt: number * 10 + 50))
    }
    #expect(window.receivedRate == 1e6)
    for number: Int64 in 11...100 {
      let isLost = number > 60 && number % 10 == 0
      window.append(result(number, sentAt: number * 10, receivedAt: isLost ? nil : number * 10 + 50))
    }
    // Packets 50 to 99 arrived within 500 ms of packet 99; so would 70, 80, 90 and 100, which are lost.
    #expect(window.lost == 4 && window.lossRatio == 4.0 / 51)
    #expect(window.receivedRate == 47.0 / 50 * 1e6)
  }

  @Test func theLongestDelayIsForgottenWithItsPacket() {
    var window = ObservationWindow(length: .milliseconds(500), shortest: .milliseconds(100))
    window.append(result(0, sentAt: 0, receivedAt: 80))
    for number: Int64 in 1...49 {
      window.append(result(number, sentAt: number * 10, receivedAt: number * 10 + 50))
    }
    #expect(window.longestDelay == .milliseconds(80))
    for number: Int64 in 50...53 {
      window.append(result(number, sentAt: number * 10, receivedAt: number * 10 + 50))
    }
    #expect(window.longestDelay == .milliseconds(50))
  }

  @Test func lossIntervalsByHand() {
    var intervals = LossIntervals()
    #expect(intervals.mean == nil)
    for _ in 0..<100 { intervals.appendReceived() }
    intervals.appendLost()
    // The next one is lost along with it.
    intervals.appendLost()
    #expect(intervals.mean == 100 && intervals.open == 0)
    for _ in 0..<50 { intervals.appendReceived() }
    intervals.appendLost()
    #expect(intervals.mean == 75)
    for _ in 0..<200 { intervals.appendReceived() }
    #expect(intervals.mean == 75 && intervals.open == 200)
  }

  @Test func oldLossIntervalsWeighLess() {
    var intervals = LossIntervals()
    // The oldest of nine, 1000 packets, drops out; the next, 100 packets, weighs 0.2 of 6.
    for length in [1000, 100, 10, 10, 10, 10, 10, 10, 10] {
      for _ in 0..<length { intervals.appendReceived() }
      intervals.appendLost()
    }
    #expect(isClose(intervals.mean ?? 0, (5.8 * 10 + 0.2 * 100) / 6))
  }
}
