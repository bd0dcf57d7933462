/// One run of a sweep: a point, a repetition, a seed.
package struct PlannedRun: Hashable, Sendable {
  package var id: String
  /// Place among all runs of the sweep, from 0, filtered or not.
  package var index: Int
  /// Name of the point, `p1` being the first of the sweep.
  package var pointID: String
  /// From 0.
  package var repetition: Int
  package var seed: UInt64
  /// Why the point's scenario can't be run; empty when it can.
  package var problem: String
  /// What each variable is, as its column shows it.
  package var parameters: [String]
}

/// Every run of a sweep in order, and what all of them share.
package struct SweepPlan: Sendable {
  package var settings: SweepSettings
  /// By index; the runs of a point follow each other.
  package var runs: [PlannedRun]

  package init(settings: SweepSettings, runs: [PlannedRun]) {
    self.settings = settings
    self.runs = runs
  }

  /// Notes what tells this build from others.
  package mutating func identify(fingerprint: String) {
    settings.fingerprint = fingerprint
    settings.sweepHash = settings.hash(of: table)
  }

  /// The stretches of ``runs`` that belong to one point each.
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

/// What a worker needs to run a point: its scenario with everything set.
package struct PointSource: Sendable {
  package var scenario: String
  /// The file that it comes from, for messages.
  package var file: String
  /// Folder of the traces.
  package var directory: String
  /// Points of the sweep before this one that are equal to it.
  package var copy: Int
}
