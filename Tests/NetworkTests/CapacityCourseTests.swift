import Network
import Quantity
import Statistics
import Testing

/// Capacities evaluated lazily, compared with the same ones unrolled.
@Suite("Capacity over time")
struct CapacityCourseTests {
  private static let ms: Int64 = 1_000_000

  private func time(_ nanoseconds: Int64) -> SimTime { SimTime(nanoseconds: nanoseconds) }

  /// A random trace of rates with steps of 1 to 100 ms, and its steps over a minute, pass by pass.
  private func random(
    _ seed: UInt64, _ continuation: CapacityTrace.Continuation
  ) -> (trace: CapacityTrace, unrolled: [CapacityStep]) {
    var draws = RandomStream(seed: seed, name: "course")
    var steps: [CapacityStep] = []
    var at: Int64 = 0
    for _ in 0...draws.index(below: 12) {
      let rate = draws.index(below: 4) == 0 ? 0 : Int64(draws.index(below: 5_000_000))
      steps.append(CapacityStep(at: time(at), rate: BitRate(bitsPerSecond: rate)))
      at += Int64(1 + draws.index(below: 100)) * Self.ms
    }
    steps.append(CapacityStep(at: time(at), rate: .kilobits(700)))
    let period = SimDuration(nanoseconds: at + Int64(1 + draws.index(below: 100)) * Self.ms)
    var unrolled: [CapacityStep] = []
    var start = SimTime.zero
    while start < time(60_000 * Self.ms) {
      unrolled += steps.map { CapacityStep(at: start + $0.at.sinceStart, rate: $0.rate) }
      if continuation == .hold { break }
      start += period
    }
    return (CapacityTrace(content: .rates(steps), period: period, continuation: continuation), unrolled)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func ratesAndMeansAreThoseOfTheUnrolledSteps(seed: UInt64) {
    let (trace, steps) = random(seed, seed % 4 == 0 ? .hold : .loop)
    var profile = CapacityProfile(.trace(trace))
    var known = steps
    if seed % 3 == 0 {
      let change = CapacityStep(at: time(30_000 * Self.ms + 1), rate: .megabits(1))
      profile.change(change)
      known = steps.filter { $0.at < change.at } + [change]
    }
    var draws = RandomStream(seed: seed, name: "times")
    var meter = CapacityMeter(profile: profile)
    var now: Int64 = 0
    for _ in 0..<300 {
      now += Int64(draws.index(below: 150_000_000))
      let rate = known.last { $0.at <= time(now) }?.rate
      #expect(meter.capacity(at: time(now)) == rate)
      let end = now + 1 + Int64(draws.index(below: 10_000_000_000))
      var sum = Int128(0)
      for (place, step) in known.enumerated() {
        let from = max(step.at.nanoseconds, now)
        let to = min(place + 1 < known.count ? known[place + 1].at.nanoseconds : .max, end)
        if from < to { sum += Int128(step.rate.bitsPerSecond) * Int128(to - from) }
      }
      let mean = meter.mean(from: time(now), to: time(end))
      #expect(mean.bitsPerSecond == Int64(sum / Int128(end - now)))
    }
  }

  @Test func packetsLeaveAtTheSameTimesAsOverTheUnrolledSteps() {
    for seed in 1...12 as ClosedRange<UInt64> {
      let (trace, steps) = random(seed, .loop)
      var draws = RandomStream(seed: seed, name: "packets")
      var now: Int64 = 0
      let plan = (0..<800).map { _ -> (time: Int64, size: UInt16) in
        now += Int64(draws.exponential(mean: 2e7))
        return (now, UInt16(40 + draws.index(below: 1400)))
      }
      let times = [CapacityProfile(.trace(trace)), CapacityProfile(.steps(steps))].map { profile in
        var model = OneLink(LinkParameters(capacity: profile, queueLimit: .packets(100)))
        model.run(plan, until: 40_000 * Self.ms)
        return model.times
      }
      #expect(times[0].count > 100)
      // Skipping whole passes may round differently.
      let differences = zip(times[0], times[1]).map { abs($0 - $1) }
      #expect(times[0].count == times[1].count && differences.allSatisfy { $0 <= 5 }, "seed \(seed)")
    }
  }

  /// A pass of 1 ms in a run of a year: 3.2e10 passes, none of which is unrolled.
  @Test func aShortLoopCostsNothing() throws {
    let trace = try CapacityTrace(
      bytes: Array("t_s,rate_bps\n0,1000000\n0.0005,3000000\n".utf8), format: .rateCSV, continuation: .loop)
    #expect(trace.period == .milliseconds(1))
    var meter = CapacityMeter(profile: CapacityProfile(.trace(trace)))
    let year = SimTime.zero + .seconds(31_536_000)
    #expect(meter.mean(from: .zero, to: year) == .megabits(2))
    #expect(meter.mean(from: year - .microseconds(500), to: year) == .megabits(3))
    #expect(meter.capacity(at: year + .microseconds(250)) == .megabits(1))
    // At 2 Mbps 1500 bytes take 6 ms, skipped in whole passes.
    var model = OneLink(LinkParameters(capacity: CapacityProfile(.trace(trace))))
    model.run([(0, 1500), (700_000 * Self.ms, 1500)])
    #expect(model.times == [6 * Self.ms, 700_006 * Self.ms])
  }

  @Test func aLoopShorterThanAMillisecondIsRefused() {
    func error(_ text: String, _ continuation: CapacityTrace.Continuation) -> String? {
      do {
        _ = try CapacityTrace(bytes: Array(text.utf8), format: .rateCSV, continuation: continuation)
        return nil
      } catch {
        return "\(error)"
      }
    }
    let short = "t_s,rate_bps\n0,1000000\n0.000001,2000000\n"
    #expect(
      error(short, .loop)
        == "the trace lasts 2 us, and one that loops lasts at least 1 ms: lengthen it, or state 'after-end: hold'"
    )
    #expect(error(short, .hold) == nil)
    #expect(error("t_s,rate_bps\n0,1000000\n0.0005,2000000\n", .loop) == nil)
  }

  /// After a non-looping trace of opportunities ends, the mean of its last second continues: here 2 x 12,032 bits.
  @Test func aHeldTraceOfOpportunitiesGoesOn() throws {
    let trace = try CapacityTrace(
      bytes: Array("500\n1000\n1500\n2000\n".utf8), format: .mahimahi, continuation: .hold)
    let meter = CapacityMeter(profile: CapacityProfile(.trace(trace)))
    #expect(meter.mean(from: .zero, to: time(2_000 * Self.ms)).bitsPerSecond == 24_064)
    // The second half of the first second has one opportunity, at its end.
    #expect(meter.mean(from: time(500 * Self.ms), to: time(1_000 * Self.ms)).bitsPerSecond == 24_064)
    #expect(meter.mean(from: time(1_001 * Self.ms), to: time(1_401 * Self.ms)) == .zero)
    var model = OneLink(LinkParameters(capacity: CapacityProfile(.trace(trace))))
    model.run([(0, 1504), (2_500 * Self.ms, 1504)])
    #expect(model.times.count == 2)
    #expect(model.times.first == 500 * Self.ms)
    // Three opportunities in the last second, including the one at its end: 1504 bytes at 36,096 bit/s take a third of
    // a second.
    #expect(abs((model.times.last ?? 0) - 2_833_333_333) < 1_000)
  }

  @Test func hostileNumbersInTracesAreRefused() {
    for (text, format) in [
      ("0 1\n1e12 1\n", CapacityTraceFormat.pensieve), ("0 1e9\n", .pensieve),
      ("1e9,Mbits/sec\n", .mbpsLines), ("0 0 0 0 1e12 0.001\n", .sixColumn),
      ("{\"trace_pattern\": [{\"duration\": 1e12, \"capacity\": 1}]}", .alphartc),
      ("Timestamp,DL_bitrate\n9223372036854775807.12.14_10.16.30,5\n", .gnettrack),
      ("Timestamp,DL_bitrate\n2019.99.99_10.16.30,6\n", .gnettrack),
      ("time_s,rate_mbps\n0,5\n1,5\n99999999999999,-\n", .columns),
      ("{\"timestamps\": [0, 1e12], \"bandwidths\": [1]}", .genet),
    ] {
      #expect(throws: CapacityTraceError.self, "\(text)") {
        try CapacityTrace(bytes: Array(text.utf8), format: format, continuation: .loop)
      }
    }
  }

  @Test func aByteOrderMarkIsSkipped() throws {
    for (text, format) in [
      ("t_s,rate_bps\n0,1000\n1,2000\n", CapacityTraceFormat.rateCSV), ("1\n2\n", .mahimahi),
    ] {
      let bytes = [0xef, 0xbb, 0xbf] + Array(text.utf8)
      let file = try TraceFile(bytes: bytes, continuation: .loop)
      #expect(file.format == format)
      #expect(
        try file.trace == CapacityTrace(bytes: Array(text.utf8), format: format, continuation: .loop))
    }
  }
}
