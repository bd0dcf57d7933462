/// Which runs a directory is for.
extension SweepPlan {
  /// Whether a run belongs to the plan's shard: run k to shard 1 + k mod N, which spreads long points over all;
  /// with a stopping rule, which needs all repetitions of a point, point k.
  package func contains(_ run: PlannedRun) -> Bool {
    guard let shard = settings.shard else { return true }
    let number = settings.until == nil ? run.index : (Int(run.pointID.dropFirst()) ?? 1) - 1
    return number % shard.count == shard.index - 1
  }
}
