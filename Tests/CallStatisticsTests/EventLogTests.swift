import CallStatistics
import TestSupport
import Testing

/// RTC event logs of a few bytes, written by hand.
@Suite("RTC event logs")
struct EventLogTests {
  private func varint(_ value: UInt64) -> [UInt8] {
    value < 128 ? [UInt8(value)] : [UInt8(value & 127 | 128)] + varint(value >> 7)
  }

  private func number(_ field: UInt64, _ value: UInt64) -> [UInt8] { varint(field << 3) + varint(value) }

  private func bytes(_ field: UInt64, _ content: [UInt8]) -> [UInt8] {
    varint(field << 3 | 2) + varint(UInt64(content.count)) + content
  }

  /// Packs a text of bits into bytes, padded with zeros.
  private func bits(_ text: String) -> [UInt8] {
    let digits = Array(text.filter { $0 != " " })
    let filled = digits + [Character](repeating: "0", count: (8 - digits.count % 8) % 8)
    return stride(from: 0, to: filled.count, by: 8).map { UInt8(String(filled[$0..<$0 + 8]), radix: 2) ?? 0 }
  }

  /// A video stream of 13 packets, a second apart, of 1000, 999, 1001, 999 … bytes and a header of 20.
  private var log: [UInt8] {
    // Unsigned, no optional values, 10 bits each: 1000 ms.
    let times = bits("00 001001" + String(repeating: "1111101000", count: 12))
    // Signed deltas of 3 bits each, of 10-bit values: -1, then 2 and -2 alternately.
    let sizes = bits("01 000010 1 0 001001 111" + String(repeating: "010 110", count: 5) + "010")
    var packets: [UInt8] = number(1, 5000) + [0x35, 7, 0, 0, 0]
    packets += number(8, 1000) + number(9, 20) + number(10, 0) + number(11, 12)
    packets += bytes(101, times) + bytes(108, sizes)
    return bytes(16, number(1, 5000) + number(2, 2) + number(3, 1_700_000_000_000))
      + bytes(104, number(1, 5000) + number(2, 7)) + bytes(3, packets)
      + bytes(18, number(1, 5000) + number(2, 900_000)) + bytes(19, number(1, 5001) + number(2, 800_000))
  }

  @Test func differencesAreAddedUp() throws {
    let record = try RTCEventLog.read(log, path: "event.log")
    #expect(record.samples.count == 13)
    #expect(record.samples.prefix(4).map(\.encodings[0].bytes) == [1020, 2039, 3060, 4079])
    #expect(record.samples[12].packets == 13)
  }

  @Test func theEstimateIsTheSmallerOne() throws {
    #expect(Set(try RTCEventLog.read(log, path: "event.log").samples.map(\.estimate)) == [800])
  }

  @Test func differencesOfMoreEventsThanBytesAreRefused() {
    let batch = number(1, 5000) + number(2, 800_000) + number(4, 1_000_000)
    #expect {
      try RTCEventLog.read(log + bytes(19, batch), path: "event.log")
    } throws: { error in
      (error as? CallRecordError)?.text.hasPrefix("the RTC event log is damaged here, at byte") == true
    }
  }

  @Test func aCutOffEventIsLeftOut() throws {
    let record = try RTCEventLog.read(Array(log.dropLast(3)), path: "event.log")
    #expect(record.samples.first?.estimate == 900)
    #expect(record.notes.contains("the log ends within an event, which is left out"))
  }

  /// A log of Chromium 156, which configures its video streams without an SSRC: a fake camera of 640x360 for half a
  /// minute over a loopback link. Its getStats() reported 638,786 - 28,229 bytes in 31.164 s, no losses, and an
  /// estimate of 3856 kbps throughout.
  @Test func aLogOfChromiumIsItsCall() throws {
    let path = Repository.root + "/Tests/CallStatisticsTests/Dumps/chromium-156-event-log.binarypb"
    let record = try RTCEventLog.read(path: path)
    #expect(record.sources.map(\.encodings) == [0..<1] && record.hasVoice)
    let (first, last) = (try #require(record.samples.first), try #require(record.samples.last))
    let bytes = try #require(last.encodings[0].bytes) - (first.encodings[0].bytes ?? 0)
    let rate = bytes * 8 / 1000 / (last.time - first.time)
    #expect(abs(rate / 156.72 - 1) < 0.02, "\(rate) kbps")
    #expect(last.lost == 0 && last.estimate == 3856)
    #expect(record.samples.allSatisfy { $0.roundTrip ?? 1 < 5 })
  }
}
