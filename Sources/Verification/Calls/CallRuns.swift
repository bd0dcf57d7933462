import Meeting
import Metrics
import Quantity
import Scenario

/// Simulations of a recorded call's setup, one for each of several seeds.
///
/// The resolution at which a single encoding starts is random, in real calls as in ours (`AllocationWait`), and the
/// rest of the call depends on it. A recording is therefore compared with those of our runs that start at the same
/// resolution or, if there are too few of these, with the first seeds whatever their start.
struct CallRuns: Sendable {
  /// Number of runs to compare, and minimum number of runs with the same start.
  static let wanted = 10
  static let needed = 3
  /// Maximum number of seeds to try.
  static let tried = 50
  /// Length of the runs that determine a seed's start [s].
  private static let beginning = 3

  let series: [MeetingSeries]

  /// - Parameter start: height of the recording's first frame; `nil` for any.
  init(_ setup: CallSetup, start: Double?) throws {
    var seeds = Array(1...UInt64(Self.wanted))
    if let start {
      let beginning = setup.load(seconds: Self.beginning)
      let starts = try Self.starts(of: beginning)
      let equal = starts.indices.filter { starts[$0] == start }.map { UInt64($0 + 1) }
      if equal.count >= Self.needed { seeds = Array(equal.prefix(Self.wanted)) }
    }
    let loaded = setup.load()
    series = try Self.map(seeds) { seed in try MeetingSeries(loaded, seed: seed) }
  }

  /// Returns the heights of the first frames of a call, by seed.
  static func starts(of call: LoadedScenario) throws -> [Double?] {
    try map(Array(1...UInt64(tried))) { seed in try MeetingSeries(call, seed: seed).start }
  }

  private static func map<Value: Sendable>(
    _ seeds: [UInt64], _ value: @escaping @Sendable (UInt64) throws -> Value
  ) throws -> [Value] {
    try ParallelRuns.map(seeds) { seed in Result { try value(seed) } }.map { try $0.get() }
  }

  /// Averages a value over the runs.
  func mean(_ value: (MeetingSeries) -> Double) -> Double { Self.mean(series.map(value)) }

  /// Returns the median over the runs of a time, which is infinite in runs without the event.
  func median(_ value: (MeetingSeries) -> Double) -> Double { Self.median(series.map(value)) }

  static func mean(_ values: [Double]) -> Double {
    values.isEmpty ? .nan : values.reduce(0, +) / Double(values.count)
  }

  static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty, !values.contains(where: \.isNaN) else { return .nan }
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

extension MeetingSeries {
  /// Returns a column of `streams.csv` for the receiver of a call.
  func received(_ column: String) -> [Double?] { stream(CallSetup.receiver, CallSetup.sender, column) }

  /// Height of the first frame.
  fileprivate var start: Double? { received("frame_height_px").lazy.compactMap { $0 }.first }
}
