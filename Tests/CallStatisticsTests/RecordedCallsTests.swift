import CallStatistics
import Files
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Calls of a real browser over links of known capacity; read beside the checkout if present, or from the folder that
/// the environment variable MEETSIM_CALLS names.
@Suite("Capacities of recorded calls")
struct RecordedCallsTests {
  private static let folder =
    getenv("MEETSIM_CALLS").map { String(cString: $0) } ?? Repository.root + "/../shared/calls"

  /// Capacities within a tenth, and changes within five seconds. `Tests/Interoperability/test_import.py` checks that
  /// the rates follow.
  @Test(
    arguments: [
      ("p2p-const-500", [(0, 500.0)]), ("p2p-const-1200", [(0, 1200)]), ("p2p-const-4000", [(0, 4000)]),
      ("p2p-rfc8867-51", [(0, 1000), (40, 2500), (60, 600), (80, 1000)]), ("sim-up-450", [(0, 450)]),
      ("sim-up-1300", [(0, 1300)]), ("sim-up-2600", [(0, 2600)]), ("sim-switch", [(0, 6000)]),
    ] as [(String, [(from: Int, kilobits: Double)])])
  func capacitiesAreThoseOfTheLink(name: String, truth: [(from: Int, kilobits: Double)]) throws {
    let path = "\(Self.folder)/\(name).csv"
    guard Directory.exists(path) else {
      print("skipped: \(path) is not there")
      return
    }
    let steps = CapacityCourse(try GetStatsFile.read(path: path)).steps
    try #require(steps.count == truth.count)
    for (step, link) in zip(steps, truth) {
      #expect(abs(step.kilobits / link.kilobits - 1) < 0.1, "\(name): \(step)")
      #expect(abs(step.from - link.from) <= 5, "\(name): \(step)")
    }
  }
}
