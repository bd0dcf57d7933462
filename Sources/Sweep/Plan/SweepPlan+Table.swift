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

  /// Parses a plan; `nil` if the bytes are not such a table.
  init?(settings: SweepSettings, table: [UInt8]) {
    var reader = CSVReader(table)
    guard let header = try? reader.record(), header == Self.fixed + settings.columns.map(\.name) else {
      return nil
    }
    var runs: [PlannedRun] = []
    do {
      while let row = try reader.record() {
        guard row.count == header.count, let index = Int(row[1]), let repetition = Int(row[3]),
          let seed = UInt64(row[4])
        else { return nil }
        // The runs of a point share their values: a plan can have a million runs.
        var parameters = Array(row[6...])
        if let last = runs.last, last.parameters == parameters { parameters = last.parameters }
        runs.append(
          PlannedRun(
            id: row[0], index: index, pointID: row[2], repetition: repetition, seed: seed, problem: row[5],
            parameters: parameters))
      }
    } catch {
      return nil
    }
    self.init(settings: settings, runs: runs)
  }
}

extension ByteWriter {
  /// Appends a row of fields.
  mutating func row(_ fields: [String]) {
    for (index, text) in fields.enumerated() {
      if index > 0 { comma() }
      field(text)
    }
    newline()
  }
}
