import Metrics
import ResultReading

/// A sweep built from numbers, for comparisons with a known outcome.
struct MadeSweep {
  var runs: [RunRecord] = []
  var keys: [ScalarKey] = []
  var values: [[Double]] = []

  /// Runs at every capacity, repetition by repetition.
  init(capacities: [String] = ["1"], repetitions: Int, seed: Int = 1) {
    for capacity in capacities {
      for repetition in 0..<repetitions {
        runs.append(
          RunRecord(
            runID: "r\(runs.count)", pointID: "k\(capacity)", repetition: repetition, seed: "\(seed)",
            status: "ok", error: "", variables: [.init(name: "capacity", value: capacity)]))
      }
    }
  }

  /// Adds a value of a participant; one per run.
  mutating func add(participant: String, _ metric: String, _ row: [Double]) {
    keys.append(
      ScalarKey(
        scope: "participant", viewer: participant, source: "", metric: metric, stat: "mean", unit: "1",
        direction: metric == "mos" ? .bigger : .smaller))
    values.append(row)
  }

  /// Adds a metric of a tile; one value per run.
  mutating func add(
    _ metric: String, viewer: String = "ann", _ row: [Double], _ direction: ScalarRow.Direction = .bigger
  ) {
    keys.append(
      ScalarKey(
        scope: "tile", viewer: viewer, source: "bob", metric: metric, stat: "mean", unit: "1",
        direction: direction))
    values.append(row)
  }

  /// Adds the value of the worst seat in the runs in which it is a viewer's; NaN in the others.
  mutating func add(worstSeatOf viewer: String, _ row: [Double]) {
    keys.append(
      ScalarKey(
        scope: "meeting", viewer: viewer, source: "", metric: "worst_seat", stat: "mean", unit: "1",
        direction: .bigger))
    values.append(row)
  }

  /// Marks a run as unfinished.
  mutating func fail(_ number: Int) {
    let run = runs[number]
    runs[number] = RunRecord(
      runID: run.runID, pointID: run.pointID, repetition: run.repetition, seed: run.seed, status: "failed",
      error: "it trapped", variables: run.variables)
  }

  var results: Results {
    Results(directory: "made", kind: .sweep, runs: runs, scalars: ScalarTable(keys: keys, values: values))
  }
}
