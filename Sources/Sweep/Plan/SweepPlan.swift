package import Quantity

/// One run of a sweep: a point, a repetition, a seed.
package struct PlannedRun: Hashable, Sendable {
  package var id: String
  /// Index among all runs of the sweep, from 0, including those filtered out.
  package var index: Int
  /// Name of the point; `p1` is the first of the sweep.
  package var pointID: String
  /// Index among the point's repetitions, from 0.
  package var repetition: Int
  package var seed: UInt64
  /// Reason why the point's scenario cannot be run; empty if it can.
  package var problem: String
  /// Value of each variable, as written to its column.
  package var parameters: [String]
}

/// All runs of a sweep, in order, and their common settings.
package struct SweepPlan: Sendable {
  package var settings: SweepSettings
  /// Runs by index; those of a point are consecutive.
  package var runs: [PlannedRun]

  package init(settings: SweepSettings, runs: [PlannedRun]) {
    self.settings = settings
    self.runs = runs
  }

  /// Stores the fingerprint of this build and updates the hash.
  package mutating func identify(fingerprint: String) {
    settings.fingerprint = fingerprint
    settings.sweepHash = settings.hash(of: table)
  }

  /// Range of each point in ``runs``.
  package var points: [Range<Int>] {
    var points: [Range<Int>] = []
    var begin = 0
    for index in runs.indices where index + 1 == runs.count || runs[index + 1].pointID != runs[index].pointID
    {
      points.append(begin..<index + 1)
      begin = index + 1
    }
    return points
  }
}

/// Input for a worker that runs a point: its scenario with all values set.
package struct PointSource: Equatable, Sendable {
  package var scenario: String
  /// Path of the scenario file, for diagnostics.
  package var file: String
  /// Directory of the traces.
  package var directory: String
  /// Number of earlier, identical points of the sweep.
  package var copy: Int
  /// Estimated peak memory of a run.
  package var memoryNeed = ByteCount.zero
}
