import Expectations
import Metrics
import Plan
import ResultReading

/// Handmade reports.
enum MadeReport {
  static func expectation(_ relation: Plan.Expectation.Relation, _ bound: Double, line: Int = 7)
    -> Plan.Expectation
  {
    Plan.Expectation(
      viewer: "ann", source: "bob", metric: "mos", stat: "mean", relation: relation, bound: bound, line: line)
  }

  /// A sweep with one point per list of values and one run per value; a run without a value failed.
  static func sweep(
    _ points: [[Double?]], _ expectations: [Plan.Expectation], name: String = "made",
    file: String = "sweeps/made.yaml", metric: String = "mos"
  ) -> ExpectationReport {
    var runs: [RunRecord] = []
    var values: [Double] = []
    for (point, own) in points.enumerated() {
      for (repetition, value) in own.enumerated() {
        runs.append(
          RunRecord(
            runID: "r\(runs.count)", pointID: "p\(point)", repetition: repetition, seed: "1",
            status: value == nil ? "failed" : "ok", error: value == nil ? "it trapped" : "",
            variables: [.init(name: "capacity_bps", value: "\(point)")]))
        values.append(value ?? .nan)
      }
    }
    let key = ScalarKey(
      scope: "tile", viewer: "ann", source: "bob", metric: metric, stat: "mean", unit: "1", direction: .bigger
    )
    return ExpectationReport(
      ExpectedDirectory(
        name: name, version: "0", file: file, seed: "", expectations: expectations, level: 0.95,
        results: Results(
          directory: "out", kind: .sweep, runs: runs, scalars: ScalarTable(keys: [key], values: [values]))))
  }
}
