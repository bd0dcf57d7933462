import Metrics
import Quantity

/// Simulations of a recorded call's setup with several seeds.
///
/// The resolution at which a single encoding starts is random in real calls as in ours (`AllocationWait`), and the rest
/// of the call depends on it. A recording is therefore compared with those of our runs that start at the same
/// resolution.
struct CallRuns {
  /// Number of runs to compare, and the minimum for statements that depend on the start.
  static let wanted = 20
  static let needed = 3
  /// Maximum number of seeds to try.
  static let tried = 100

  let series: [MeetingSeries]
  /// Reason why checks that depend on the start cannot be made; `nil` if they can.
  let mismatch: String?

  /// - Parameter start: height of the recording's first frame; `nil` for any.
  init(_ scenario: CallScenario, start: Double?) throws {
    let loaded = try scenario.load()
    var series: [MeetingSeries] = []
    var others: [MeetingSeries] = []
    for seed in 1...UInt64(Self.tried) where series.count < Self.wanted {
      let one = try MeetingSeries(loaded, seed: seed)
      if start == nil || Self.start(of: one) == start {
        series.append(one)
      } else if others.count < Self.wanted {
        others.append(one)
      }
    }
    if series.count >= Self.needed {
      self.series = series
      mismatch = nil
    } else {
      self.series = Array((series + others).prefix(Self.wanted))
      let height = start.map { "\(Int($0))p" } ?? "no height"
      mismatch = "\(series.count) of \(Self.tried) seeds start at \(height)"
    }
  }

  private static func start(of series: MeetingSeries) -> Double? {
    series.stream("receiver", "sender", "frame_height_px").lazy.compactMap { $0 }.first
  }

  /// Averages a value over the runs.
  func mean(_ value: (MeetingSeries) -> Double) -> Double { Self.mean(series.map(value)) }

  static func mean(_ values: [Double]) -> Double {
    values.isEmpty ? .nan : values.reduce(0, +) / Double(values.count)
  }
}
