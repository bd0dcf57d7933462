import Glibc
import Quantity
import SimulationKernel
import Statistics
import TestSupport

/// CPU time of this process [s].
func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Peak resident set [KiB].
func peakResidentSet() -> Int {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return usage.ru_maxrss
}

/// HOLD: takes the earliest event and schedules a new one after an exponential delay of mean 1 ms, `operations` times.
enum Hold {
  static let mean = 1e6

  /// Time of one hold [ns].
  static func nanoseconds(pending: Int, operations: Int, ties: Bool) -> Double {
    var queue = EventQueue(capacity: pending + 8)
    var draws = RandomStream(splitMixSeed: 42)
    for index in 0..<pending {
      queue.push(
        at: SimTime(nanoseconds: ties ? 0 : increment(&draws, ties: false)), tag: UInt32(index & 0xff_ffff))
    }
    hold(&queue, &draws, max(2 * pending, 100_000), ties)
    let start = cpuSeconds()
    hold(&queue, &draws, operations, ties)
    return (cpuSeconds() - start) * 1e9 / Double(operations)
  }

  private static func hold(_ queue: inout EventQueue, _ draws: inout RandomStream, _ count: Int, _ ties: Bool)
  {
    for _ in 0..<count {
      guard let event = queue.pop() else { return }
      queue.push(at: event.time + SimDuration(nanoseconds: increment(&draws, ties: ties)), tag: event.tag)
    }
  }

  /// Same arithmetic as the C++ reference; with ties, a multiple of a quarter of the mean, zero included.
  @inline(__always)
  private static func increment(_ draws: inout RandomStream, ties: Bool) -> Int64 {
    let time = Int64(-log(1 - draws.uniform()) * mean)
    return ties ? time / 250_000 * 250_000 : time + 1
  }
}

/// FORWARD on the public kernel and links, counters on.
enum Forward {
  /// CPU time of one packet-hop [ns].
  static func nanosecondsPerHop(seconds: Double) -> Double {
    var model = ForwardWorkload(seconds: seconds)
    let start = cpuSeconds()
    model.run()
    return (cpuSeconds() - start) * 1e9 / Double(model.packetHops)
  }

  /// The line that benchmark drivers of other simulators also print.
  static func line(seconds: Double) -> String {
    var model = ForwardWorkload(seconds: seconds)
    let start = cpuSeconds()
    model.run()
    let cpu = cpuSeconds() - start
    let latency = Double(model.latency) / 1e6 / Double(model.delivered)
    return "meetsim: cpu \(cpu) s; sent \(model.sent) delivered \(model.delivered) dropped \(model.dropped) "
      + "meanLat \(latency) ms events \(model.events) rss \(peakResidentSet()) KiB"
  }
}

/// full-house: 25 publishers and viewers, including audio, everything measured and written out in memory.
enum FullHouse {
  /// CPU time of one packet-hop [ns], and simulated seconds per CPU second.
  static func run(estimator: String) throws -> (nanosecondsPerHop: Double, realTimeFactor: Double) {
    let start = cpuSeconds()
    let (hops, seconds) = try Meetings.shippedHops("full-house", estimator: estimator)
    let cpu = cpuSeconds() - start
    return (cpu * 1e9 / Double(hops), seconds / cpu)
  }
}
