import CongestionControl
import Quantity
import Testing

@Suite("Congestion window")
struct CongestionWindowTests {
  private let target = BitRate.kilobits(800)

  private func packet(_ sequence: Int64, size: Int32 = 1000) -> SentPacket {
    SentPacket(sequence: sequence, sentAt: .zero, size: size)
  }

  /// A window after a first packet and its report with a round trip of 50 ms: 400 ms at 800 kbit/s, 40,000 bytes.
  private func window() -> CongestionWindow {
    var window = CongestionWindow()
    window.send([packet(0)].span, target: target, minimum: .zero)
    window.report(upTo: 0, roundTrip: .milliseconds(50), target: target, minimum: .zero)
    return window
  }

  @Test func theWindowHoldsTheLeastRoundTripAnd350Milliseconds() {
    var window = window()
    #expect(window.window == 40_000)
    #expect(window.inFlight == 0)
    // A longer round trip changes nothing while the shorter one is remembered; a fall of the target counts half.
    window.report(upTo: 0, roundTrip: .milliseconds(250), target: .kilobits(400), minimum: .zero)
    #expect(window.window == 30_000)
    for _ in 0..<40 {
      window.report(upTo: 0, roundTrip: .milliseconds(250), target: target, minimum: .zero)
    }
    #expect(abs((window.window ?? 0) - 60_000) <= 40)
  }

  @Test func nothingIsHeldBackWhileAllIsWithinTheWindow() {
    var window = window()
    for number in 1...40 { window.send([packet(Int64(number))].span, target: target, minimum: .zero) }
    #expect(window.inFlight == 40_000)
    #expect(window.reduction == 0)
  }

  /// In-flight packets beyond the window take 5 % each; once they exceed it by more than half, 10 %.
  @Test func whatIsUnderWayBeyondTheWindowPushesBack() {
    var window = window()
    for number in 1...41 { window.send([packet(Int64(number))].span, target: target, minimum: .zero) }
    #expect(abs(window.reduction - 0.05) < 1e-5)
    window.send([packet(42)].span, target: target, minimum: .zero)
    #expect(abs(window.reduction - (1 - 0.95 * 0.95)) < 1e-5)
    for number in 43...61 { window.send([packet(Int64(number))].span, target: target, minimum: .zero) }
    // Packets 41 to 60: twenty times 0.95; the 61st: 0.9; but at least 30 of the 800 kbit/s remain.
    var ratio = 0.9
    for _ in 0..<20 { ratio *= 0.95 }
    #expect(abs(window.reduction - (1 - ratio)) < 1e-4)
    for number in 62...200 { window.send([packet(Int64(number))].span, target: target, minimum: .zero) }
    #expect(abs(window.reduction - (1 - 30.0 / 800)) < 1e-5)
  }

  @Test func anEmptyPathEndsIt() {
    var window = window()
    for number in 1...60 { window.send([packet(Int64(number))].span, target: target, minimum: .zero) }
    #expect(window.reduction > 0.5)
    window.report(upTo: 60, roundTrip: .milliseconds(50), target: target, minimum: .zero)
    #expect(window.inFlight == 0)
    #expect(window.reduction == 0)
  }

  /// Feedback that was lost leaves nothing in flight: the next message covers earlier packets too.
  @Test func lostFeedbackLeavesNothingUnderWay() {
    var window = window()
    for number in 1...30 { window.send([packet(Int64(number))].span, target: target, minimum: .zero) }
    window.report(upTo: 25, roundTrip: .milliseconds(50), target: target, minimum: .zero)
    #expect(window.inFlight == 5000)
  }

  /// One frame in five is dropped for a reduction of a fifth, at most every other one, and none for a hundredth or at
  /// the minimum rate.
  @Test func framesAreLeftOutInProportion() throws {
    func dropping(_ reduction: Double, minimum: BitRate = .zero) -> FrameDropping? {
      FrameDropping(reduction: reduction, target: .kilobits(500), minimum: minimum)
    }
    let fifth = try #require(dropping(0.2))
    #expect(fifth.interval == 5)
    #expect(fifth.reduced(.kilobits(500)) == .kilobits(400))
    #expect(dropping(0.9)?.interval == 2)
    #expect(dropping(0.01) == nil)
    #expect(dropping(0.5, minimum: .kilobits(500)) == nil)
    #expect(dropping(0.5, minimum: .kilobits(400))?.interval == 5)
  }
}
