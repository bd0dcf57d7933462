import Network
import Quantity
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Capacity traces")
struct CapacityTraceTests {
  private func error(_ text: String, _ format: CapacityTraceFormat) -> String? {
    do {
      _ = try CapacityTrace(bytes: Array(text.utf8), format: format, continuation: .loop)
      return nil
    } catch {
      return "\(error.line): \(error)"
    }
  }

  @Test func problemsNameTheirLineAndCause() {
    #expect(error("", .rateCSV) == "1: the trace has no rows: at least one is needed")
    #expect(
      error("0,1000\n", .rateCSV) == "1: the first line is '0,1000': a rate-csv starts with 't_s,rate_bps'")
    #expect(
      error("t_s,rate_bps\n0,1000\n2,1000\n1,1000\n", .rateCSV)
        == "4: time 1.0 comes after 2.0: sort the rows by time")
    #expect(
      error("t_s,rate_bps\n0,fast\n", .rateCSV)
        == "2: 'fast' is not a number: write one such as '2.5', or specify another 'format'")
    #expect(
      error("t_s,rate_bps\n0,-5\n", .rateCSV) == "2: '-5' is negative: times and rates are zero or more")
    #expect(error("5\n3\n", .mahimahi) == "2: time 3 comes after 5: sort the rows by time")
    #expect(
      error("0\n", .mahimahi)
        == "1: the capacity is zero throughout: at least one row needs a capacity above zero")
    #expect(error("1\r\n2\r\n", .mahimahi) == nil)
    #expect(error("1\n2\n\n\n", .mahimahi) == nil)
    #expect(error("1\n\n2\n", .mahimahi) == "2: the line is empty: remove it, Mahimahi rejects it too")
    #expect(
      error("1\n2.5\n", .mahimahi)
        == "2: '2.5' is not a whole number: Mahimahi times are milliseconds such as '12'")
    #expect(error("0 1\n1 2 3\n", .pensieve)?.hasSuffix("write 't_s mbps' such as '0.5 2.4'") == true)
    #expect(
      error("0 1000\n4000 1000\n5000 900\n", .oboe)?.hasPrefix("3: the last chunk has no end") == true)
    #expect(error(#"{"uplink": {}}"#, .alphartc)?.hasPrefix("1: 'trace_pattern' is missing") == true)
    #expect(
      error("{\"trace_pattern\": [\n{\"duration\": 5, \"capacity\": 1},\n{\"capacity\": 7}]}", .alphartc)?
        .hasPrefix("3: 'duration' is missing") == true)
  }

  @Test func aLoopedTraceBeginsAgain() throws {
    let trace = try CapacityTrace(
      bytes: Array("t_s,rate_bps\n0,1000\n1,3000\n".utf8), format: .rateCSV, continuation: .loop)
    var meter = CapacityMeter(
      profile: CapacityProfile(.trace(trace)))
    #expect(meter.mean(from: .zero, to: SimTime(nanoseconds: 2_000_000_000)).bitsPerSecond == 2000)
    #expect(meter.capacity(at: SimTime(nanoseconds: 5_500_000_000)).bitsPerSecond == 3000)
  }

  @Test func theSeedMakesTheTrace() {
    let one = CapacityTrace.lteDrive(LTETraceParameters(), seed: 1)
    #expect(one == CapacityTrace.lteDrive(LTETraceParameters(), seed: 1))
    #expect(one != CapacityTrace.lteDrive(LTETraceParameters(), seed: 2))
    #expect(one.split(separator: "\n").count == 601)
  }

  private static let recording = Repository.traces + "/mahimahi/Verizon-LTE-short.down"

  @Test(.enabled(if: access(recording, R_OK) == 0, "the recorded traces are not beside this checkout"))
  func aRecordedTraceHasItsKnownMean() throws {
    let file = try #require(fopen(Self.recording, "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    let trace = try CapacityTrace(bytes: bytes, format: .mahimahi, continuation: .loop)
    let meter = CapacityMeter(
      profile: CapacityProfile(.trace(trace)))
    let mean = meter.mean(from: .zero, to: SimTime(nanoseconds: 140_000_000_000))
    // 58,655 opportunities in 140 s.
    #expect(abs(Double(mean.bitsPerSecond) / 5.04e6 - 1) < 0.01)
  }
}
