import Files
package import Metrics

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Merges the directories of shards.
package enum SweepMerge {
  /// Returns the directories' common plan, without a shard.
  ///
  /// - Throws: ``Metrics/ResultError`` when they belong to different sweeps or versions.
  package static func plan(of paths: [String]) throws(ResultError) -> SweepPlan {
    guard let base = paths.first else {
      throw ResultError(action: "merge", cause: "no directory is given", isUsage: true)
    }
    var plan = try SweepDirectory.read(base)
    plan.settings.shard = nil
    // The other plans are compared by hash: a plan can have a million runs.
    for path in paths.dropFirst() { try check(path, against: plan.settings, of: base) }
    return plan
  }

  private static func check(
    _ path: String, against first: SweepSettings, of base: String
  ) throws(ResultError) {
    let (settings, table) = try SweepDirectory.readTable(path)
    let action = "merge '\(path)' with '\(base)'"
    guard settings.version == first.version else {
      throw ResultError(
        action: action,
        cause:
          "they were written by meetsim \(settings.version) and \(first.version): rerun one of them",
        isUsage: true)
    }
    var same = settings
    same.fingerprint = first.fingerprint
    guard settings.fingerprint == first.fingerprint || same.hash(of: table) != first.sweepHash else {
      throw ResultError(
        action: action,
        cause:
          "they were written by two builds of meetsim \(settings.version) that simulate differently: rerun one of "
          + "them", isUsage: true)
    }
    guard settings.sweepHash == first.sweepHash else {
      throw ResultError(
        action: action,
        cause: "they belong to different sweeps ('\(settings.name)', \(settings.sweepHash), and "
          + "'\(first.name)', \(first.sweepHash))", isUsage: true)
    }
  }

  /// Checks that directories can be merged, before anything is written.
  ///
  /// - Throws: ``Metrics/ResultError`` when a directory is in use, or two have different results for the same run.
  package static func check(
    _ paths: [String], _ plan: SweepPlan, isStopped: () -> Bool = { false }
  ) throws(ResultError) {
    let locks = try lock(paths)
    defer { locks.forEach { close($0) } }
    for run in plan.runs {
      if isStopped() { throw stopped }
      // Shards seldom share runs, so only files of the same run are compared.
      let holders = paths.filter { RunFile.exists(run.id, in: $0) }
      if holders.count > 1 { _ = try find(run.id, in: holders) }
    }
  }

  private static var stopped: ResultError { ResultError(action: "merge", cause: "a stop was requested") }

  /// Copies the runs of directories into one.
  ///
  /// - Throws: ``Metrics/ResultError`` when a directory is in use, two have different results for the same run, or
  ///   the output cannot be written.
  package static func merge(
    _ paths: [String], into output: SweepDirectory, isStopped: () -> Bool = { false }
  ) throws(ResultError) {
    let locks = try lock(paths)
    defer { locks.forEach { close($0) } }
    for run in output.plan.runs {
      if isStopped() { throw stopped }
      guard let found = try find(run.id, in: paths) else { continue }
      try found.file.write(in: output.path)
      let series = "\(found.path)/series/\(run.id)"
      guard Directory.exists(series) else { continue }
      try ResultError.wrapping { () throws(FileError) in
        try Directory.make("\(output.path)/series")
        try Directory.copy(
          series, over: "\(output.path)/series/\(run.id)", where: ResultDirectory.isOwn)
      }
    }
  }

  /// Finds a run's file in any of the directories, preferring a result to a failure; `nil` if there is none.
  private static func find(
    _ id: String, in paths: [String]
  ) throws(ResultError) -> (file: RunFile, path: String)? {
    var found: (file: RunFile, path: String)?
    for path in paths {
      guard let file = RunFile.read(id, in: path) else { continue }
      guard let other = found, other.file.status == .ok else {
        found = (file, path)
        continue
      }
      guard file.status != .ok || file.rows == other.file.rows else {
        throw ResultError(
          action: "merge '\(path)' with '\(other.path)'",
          cause:
            "run \(id) has different results in them: they were written by different builds of one version",
          isUsage: true)
      }
    }
    return found
  }

  /// Rejects an output directory that is also an input, or lies in one.
  package static func checkApart(_ paths: [String], _ output: String) throws(ResultError) {
    for path in paths where Directory.contains(path, Directory.withoutTrailingSlashes(output)) {
      let place = Directory.isSame(path, output) ? "one of the directories" : "in '\(path)', one of those"
      throw ResultError(
        action: "write to '\(output)'", cause: "it is \(place) to merge: choose another with -o",
        isUsage: true)
    }
  }

  /// Takes shared locks, which fail while a process writes into one of the directories.
  private static func lock(_ paths: [String]) throws(ResultError) -> [Int32] {
    var locks: [Int32] = []
    do throws(ResultError) {
      for path in paths { locks.append(try lock(path)) }
    } catch {
      locks.forEach { close($0) }
      throw error
    }
    return locks
  }

  /// Takes a shared lock, which fails while a process writes into the directory.
  private static func lock(_ path: String) throws(ResultError) -> Int32 {
    let file = open("\(path)/.lock", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return -1 }
    guard flock(file, LOCK_SH | LOCK_NB) == 0 else {
      close(file)
      throw ResultError(
        action: "read '\(path)'", cause: "it is in use by another process: wait for it", isUsage: true)
    }
    return file
  }

  /// Checks whether a process has locked a directory.
  package static func isInUse(_ path: String) -> Bool {
    guard let file = try? lock(path) else { return true }
    close(file)
    return false
  }
}
