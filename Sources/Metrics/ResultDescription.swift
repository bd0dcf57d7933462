package import JSON
package import Quantity

/// Files that describe a result directory.
package enum ResultDescription {
  /// Builds `datapackage.json`, the Frictionless description of every table.
  ///
  /// - Parameters:
  ///   - tables: tables in the directory.
  ///   - isCompressed: `true` if all but `scalars.csv` are compressed.
  package static func dataPackage(
    name: String, tables: [ResultTable] = ResultTable.allCases, isCompressed: Bool = false
  ) -> JSONValue {
    .object([
      ("profile", .text("tabular-data-package")),
      ("name", .text(name.lowercased())),
      (
        "resources",
        .list(
          tables.map {
            $0.description.resource(
              among: tables.map(\.name), isCompressed: isCompressed && $0.isCompressible)
          })
      ),
    ])
  }

  /// Builds `manifest.json`: scenario, version and outcome of the run.
  ///
  /// - Parameter cost: wall-clock time and peak memory; `nil` if the bytes must be reproducible.
  package static func manifest(
    version: String, scenario: String, resolved: String, estimators: EstimatorRecord, seed: UInt64,
    repetition: Int, interval: String,
    traces: [(path: String, hash: ContentHash)], eventCount: UInt64, packetHops: Int64,
    cost: (wallSeconds: Double, peakMemory: ByteCount)?,
    simulatedSeconds: Double, tables: [TableRecord], scenarioFile: String = "",
    expectations: [JSONValue] = []
  ) -> JSONValue {
    var entries: [(String, JSONValue)] = [
      ("tool", .text("meetsim")), ("version", .text(version)), ("scenario", .text(scenario)),
      ("scenario_file", .text(scenarioFile)),
      ("scenario_hash", .text(ContentHash(of: resolved.utf8).text)),
      ("estimator", estimators.record),
      ("seed", .text(String(seed))), ("repetition", .integer(Int64(repetition))),
      ("interval", .text(interval)),
      (
        "traces",
        .list(
          traces.map {
            .object([("path", .text($0.path)), ("hash", .text($0.hash.text))])
          })
      ),
      ("simulated_s", .real(simulatedSeconds)), ("event_count", .integer(Int64(eventCount))),
      ("packet_hop_count", .integer(packetHops)),
    ]
    if let cost {
      entries.append(("wall_s", .real(cost.wallSeconds)))
      entries.append(("peak_memory_bytes", .integer(cost.peakMemory.bytes)))
    }
    entries += [
      (
        "tables",
        .list(
          tables.map {
            .object([
              ("path", .text($0.path)), ("rows", .integer(Int64($0.rows))), ("hash", .text($0.hash)),
            ])
          })
      ),
      ("expectations", .list(expectations)), ("resolved_scenario", .text(resolved)),
    ]
    return .object(entries)
  }
}
