import CongestionControl
import Network
import Quantity
import Testing
import Transport

/// 1 Mbit/s are 125 bytes each millisecond.
@Suite("Pacer")
struct PacerTests {
  private func at(_ milliseconds: Double) -> SimTime {
    SimTime(nanoseconds: Int64(milliseconds * 1_000_000))
  }

  private func pacer(padding: Int64) -> Pacer {
    var pacer = Pacer(rate: .megabits(1))
    pacer.setRates(
      PathTarget(rate: .megabits(1), pacing: .megabits(1), padding: .kilobits(padding)), at: .zero)
    return pacer
  }

  private func packet(_ bytes: UInt16) -> Packet { Packet(sentAt: .zero, size: bytes) }

  private func padding(_ departure: Pacer.Departure?) -> Int64? {
    if case .padding(let bytes, _) = departure { return bytes }
    return nil
  }

  /// 900 bytes are paid off in 9 ms at 800 kbit/s. 5 ms of that are 500 bytes, and 840 of payload are not 3 times as much.
  @Test func paddingRepeatsThePacketThatWasSentLast() {
    var pacer = pacer(padding: 800)
    defer { pacer.deallocate() }
    let passes = pacer.passesAtOnce(packet(900), at: .zero)
    #expect(passes)
    let due = pacer.nextSend(at: .zero)
    #expect(due == at(9))
    let early = padding(pacer.takeNext(at: at(8.9)))
    #expect(early == nil)
    let repeated = padding(pacer.takeNext(at: at(9)))
    #expect(repeated == 902)
    // The repetition is paid off as well: 902 bytes are 9.02 ms.
    let next = pacer.nextSend(at: at(9))
    #expect(next == at(18.02))
  }

  /// 5 ms at 200 kbit/s are 125 bytes: 840 are too many.
  @Test func paddingRepeatsNothingMuchLargerThanTheGap() {
    var pacer = pacer(padding: 200)
    defer { pacer.deallocate() }
    _ = pacer.passesAtOnce(packet(900), at: .zero)
    let empty = padding(pacer.takeNext(at: at(36)))
    #expect(empty == 286)
  }

  /// A voice's 100 bytes are missing for the rest: padding comes a millisecond later, and waiting media, too.
  @Test func aVoiceTakesItsPartOfTheRates() {
    var pacer = pacer(padding: 800)
    defer { pacer.deallocate() }
    _ = pacer.passesAtOnce(packet(900), at: .zero)
    pacer.sendUnpaced(packet(100), at: .zero)
    let due = pacer.nextSend(at: .zero)
    #expect(due == at(10))

    // 40 ms may be ahead: 5000 bytes. With the voice's 200, a packet after 4900 has to wait for what is owed.
    var busy = self.pacer(padding: 0)
    defer { busy.deallocate() }
    for _ in 0..<4 { _ = busy.passesAtOnce(packet(1225), at: .zero) }
    busy.sendUnpaced(packet(200), at: .zero)
    let passes = busy.passesAtOnce(packet(1000), at: .zero)
    #expect(!passes)
    busy.enqueue(packet(1000), .video, at: .zero)
    let waits = busy.nextSend(at: .zero)
    #expect(waits == at(5_100 / 125))
  }
}
