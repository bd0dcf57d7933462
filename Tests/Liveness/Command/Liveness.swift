import LivenessGrid
import Vendors

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs the grid on all cores, or the part of it selected by arguments such as `ladders=single,stream people=2
/// seeds=2`; exits with 1 if a cell falls short without a known reason.
@main
struct Liveness {
  static func main() async throws {
    var axes = LivenessCell.Axes()
    var seeds = 5
    var seconds = 60
    for argument in CommandLine.arguments.dropFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { return refuse(argument) }
      let words = parts[1].split(separator: ",").map(String.init)
      let numbers = words.compactMap(Int.init)
      switch parts[0] {
      case "systems": axes.systems = words.compactMap(LivenessCell.System.init)
      case "ladders": axes.ladders = words
      case "people": axes.people = numbers
      case "capacities": axes.capacities = numbers
      case "losses": axes.losses = numbers
      case "delays": axes.delays = numbers
      case "seeds": seeds = numbers.first ?? seeds
      case "seconds": seconds = numbers.first ?? seconds
      default: return refuse(argument)
      }
    }
    print(LivenessReport.header(axes.capacities))
    var report = LivenessReport()
    for series in axes.series {
      let results = try await run(series, seeds: seeds, seconds: seconds)
      print(try await report.add(results))
    }
    print(report.summary)
    if report.unexplained > 0 { exit(1) }
  }

  private static func refuse(_ argument: String) {
    print(
      "\(argument): systems, ladders, people, capacities, losses, delays, seeds or seconds, '=' and values with commas"
    )
    exit(2)
  }

  private static func run(
    _ cells: [LivenessCell], seeds: Int, seconds: Int
  ) async throws -> [LivenessResult] {
    try await withThrowingTaskGroup(of: (Int, LivenessResult).self) { group in
      for (place, cell) in cells.enumerated() {
        group.addTask { (place, try LivenessResult(cell: cell, seeds: seeds, seconds: seconds)) }
      }
      var results: [(Int, LivenessResult)] = []
      for try await result in group { results.append(result) }
      return results.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}
