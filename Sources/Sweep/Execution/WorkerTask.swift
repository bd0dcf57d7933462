import Metrics
import Plan

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A run for a worker to execute.
struct WorkerTask {
  /// Output to keep of the run.
  enum Purpose: String {
    /// The run's result file.
    case result
    /// Wall time only; no output is kept.
    case probe
    /// Hash of the tables of its first seconds.
    case fingerprint
  }

  var purpose: Purpose
  var runID: String
  var seed: UInt64
  var repetition: Int
  var version: String
  /// Path of the sweep's directory.
  var directory: String
  var interval: Int64
  var keepsSeries: Bool
  var compressesSeries: Bool
  var metrics: [String]
  var scopes: [String]
  var viewers: [String]
  /// Expectations on values that runs do not normally record.
  var expectations: [Expectation]
  var source: PointSource

  /// Encodes the task as text fields for ``init(fields:)``.
  ///
  /// - Throws: a ``ResultError`` for an expectation that JSON cannot represent.
  func fields() throws(ResultError) -> [String] {
    [
      runID, "\(seed)", "\(repetition)", version, directory, "\(interval)", "\(keepsSeries)",
      metrics.joined(separator: "\n"), scopes.joined(separator: "\n"), viewers.joined(separator: "\n"),
      source.scenario, source.file, source.directory, "\(source.copy)", purpose.rawValue,
      try Self.text(of: expectations), "\(compressesSeries)",
    ]
  }

  init(
    _ run: PlannedRun, _ source: PointSource, _ settings: SweepSettings, directory: String, _ purpose: Purpose
  ) {
    self.purpose = purpose
    runID = run.id
    seed = run.seed
    repetition = run.repetition
    version = settings.version
    self.directory = directory
    interval = settings.intervalNanoseconds
    keepsSeries = settings.keepsSeries
    compressesSeries = settings.compressesSeries
    metrics = settings.metrics
    scopes = settings.scopes
    viewers = settings.viewers
    expectations = settings.measuredExpectations
    self.source = source
  }

  init?(fields: [String]) {
    guard fields.count == 17, let purpose = Purpose(rawValue: fields[14]), let copy = Int(fields[13]),
      let seed = UInt64(fields[1]),
      let repetition = Int(fields[2]),
      let interval = Int64(fields[5]), let expectations = Self.expectations(in: fields[15])
    else { return nil }
    let list = { (text: String) in text.split(separator: "\n").map(String.init) }
    self.purpose = purpose
    runID = fields[0]
    self.seed = seed
    self.repetition = repetition
    version = fields[3]
    directory = fields[4]
    self.interval = interval
    keepsSeries = fields[6] == "true"
    compressesSeries = fields[16] == "true"
    metrics = list(fields[7])
    scopes = list(fields[8])
    viewers = list(fields[9])
    self.expectations = expectations
    source = PointSource(scenario: fields[10], file: fields[11], directory: fields[12], copy: copy)
  }

  private static func text(of expectations: [Expectation]) throws(ResultError) -> String {
    do {
      return String(decoding: try JSONEncoder().encode(expectations), as: UTF8.self)
    } catch {
      throw ResultError(action: "hand the expectations to a worker", cause: "\(error)")
    }
  }

  private static func expectations(in text: String) -> [Expectation]? {
    try? JSONDecoder().decode([Expectation].self, from: Data(text.utf8))
  }
}
