import Files
import Metrics

/// `plan.csv`: all runs of the sweep, so that a directory can be interpreted without the sweep file.
extension SweepPlan {
  private static let fixed = ["run_id", "run_index", "point_id", "repetition", "seed", "problem"]

  /// The bytes of `plan.csv`.
  var table: [UInt8] {
    var writer = ByteWriter()
    writer.row(Self.fixed + settings.columns.map(\.name))
    for run in runs {
      writer.row(
        [run.id, "\(run.index)", run.pointID, "\(run.repetition)", "\(run.seed)", run.problem]
          + run.parameters)
    }
    return writer.bytes
  }

  /// Reads a plan; `nil` if the bytes are not such a table or belong to other settings.
  init?(settings: SweepSettings, table: [UInt8]) {
    guard settings.hash(of: table) == settings.sweepHash,
      let rows = try? CSVReader.records(of: table), let header = rows.first,
      header == Self.fixed + settings.columns.map(\.name)
    else { return nil }
    var runs: [PlannedRun] = []
    for row in rows.dropFirst() {
      guard row.count == header.count, let index = Int(row[1]), let repetition = Int(row[3]),
        let seed = UInt64(row[4])
      else { return nil }
      runs.append(
        PlannedRun(
          id: row[0], index: index, pointID: row[2], repetition: repetition, seed: seed, problem: row[5],
          parameters: Array(row[6...])))
    }
    self.init(settings: settings, runs: runs)
  }
}

extension ByteWriter {
  /// A row of fields.
  mutating func row(_ fields: [String]) {
    for (index, text) in fields.enumerated() {
      if index > 0 { comma() }
      field(text)
    }
    newline()
  }
}
