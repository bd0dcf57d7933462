import Files
package import Metrics

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The directory of a sweep, locked by one process at a time.
///
/// `plan.csv` and `manifest.json` are written first, then the files in `runs/`, and the tables last; each atomically.
package final class SweepDirectory {
  /// Treatment of an existing directory.
  package enum Existing: Sendable { case refuse, resume, replace }

  package let path: String
  package let plan: SweepPlan
  private let lock: Int32

  /// Rejects a path that cannot be a directory, before any work is done.
  package static func checkName(_ path: String) throws(ResultError) {
    _ = try ResultError.wrapping { () throws(FileError) in try OutputPlace.directory(path) }
  }

  /// Opens a directory for a plan and locks it.
  ///
  /// - Throws: ``Metrics/ResultError`` when the path is taken, locked by another process, or belongs to another
  ///   sweep.
  package init(path: String, plan: SweepPlan, existing: Existing) throws(ResultError) {
    try Self.checkName(path)
    let path = Directory.withoutTrailingSlashes(path)
    self.path = path
    self.plan = plan
    let entries = (try? Directory.entries(of: path)) ?? []
    let isTaken = entries.contains { $0 != ".lock" }
    if isTaken, existing == .refuse {
      throw ResultError(
        action: "write to '\(path)'",
        cause:
          "it exists and is not empty: continue with --resume, replace it with --force, or choose another "
          + "directory with -o", isUsage: true)
    }
    // Replacing removes the whole directory, so only a sweep may be replaced.
    if isTaken, existing == .replace,
      let cause = Self.foreignContent(of: path) ?? Self.foreignCommand(of: path, plan.settings)
    {
      throw ResultError(action: "replace '\(path)'", cause: cause, isUsage: true)
    }
    if isTaken, existing == .resume { try Self.check(path, against: plan) }
    try ResultError.wrapping { () throws(FileError) in try Directory.make(path) }
    lock = try Self.lock(path)
    do {
      if isTaken, existing == .replace { try Self.empty(path) }
      try Directory.make("\(path)/runs")
      for folder in [path, "\(path)/series"] { Directory.removePartials(in: folder) }
      RunFile.removePartials(in: path)
      if !Directory.exists("\(path)/plan.csv") {
        try WholeFile.write(SweepManifest(settings: plan.settings).bytes(), to: "\(path)/manifest.json")
        try WholeFile.write(plan.table, to: "\(path)/plan.csv")
      }
    } catch {
      throw ResultError(error)
    }
  }

  deinit {
    // A process that is being spawned may briefly hold a copy of the file descriptor.
    flock(lock, LOCK_UN)
    close(lock)
  }

  /// Removes the directory with all its contents; a symbolic link to it is kept.
  package func discard() {
    Directory.remove(Directory.resolved(path) ?? path)
  }

  /// Checks that a directory can be resumed.
  private static func check(_ path: String, against plan: SweepPlan) throws(ResultError) {
    let action = "resume '\(path)'"
    guard Directory.exists("\(path)/plan.csv") else {
      let isStart = try ResultError.wrapping { () throws(FileError) in try isInterruptedStart(path) }
      if isStart { return }
      throw ResultError(
        action: action, cause: "it has no plan.csv, so it is not a sweep directory", isUsage: true)
    }
    let found = try read(path).settings
    guard found.version == plan.settings.version else {
      throw ResultError(
        action: action,
        cause:
          "it was written by meetsim \(found.version), but this is \(plan.settings.version), and results of two "
          + "versions must not be mixed; choose another directory with -o", isUsage: true)
    }
    var same = plan
    same.identify(fingerprint: found.fingerprint)
    guard found.sweepHash == same.settings.sweepHash else {
      throw ResultError(
        action: action,
        cause: "it belongs to another sweep ('\(found.name)', \(found.sweepHash); this is "
          + "'\(plan.settings.name)', \(plan.settings.sweepHash)): the sweep, its scenario or --filter changed; "
          + "choose another directory with -o", isUsage: true)
    }
    guard found.fingerprint == plan.settings.fingerprint else {
      throw ResultError(
        action: action,
        cause:
          "it was written by another build of meetsim \(found.version), which simulates differently, and results "
          + "of two builds must not be mixed; choose another directory with -o", isUsage: true)
    }
    guard found.shard == plan.settings.shard else {
      let shown = { (shard: SweepSettings.Shard?) in
        shard.map { "shard \($0.index)/\($0.count)" } ?? "all runs"
      }
      throw ResultError(
        action: action,
        cause: "it is for \(shown(found.shard)), not for \(shown(plan.settings.shard)): use the same --shard",
        isUsage: true)
    }
  }

  /// Acquires the lock, which the kernel releases when the process ends.
  private static func lock(_ path: String) throws(ResultError) -> Int32 {
    let file = open("\(path)/.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw ResultError(FileError(action: "write to '\(path)'")) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      close(file)
      throw ResultError(
        action: "write to '\(path)'",
        cause: "it is in use by another process: wait for it, or choose another directory with -o",
        isUsage: true)
    }
    return file
  }

  /// Reads the plan of a directory.
  ///
  /// - Throws: ``Metrics/ResultError`` when it is not a sweep directory or its plan is damaged.
  package static func read(_ path: String) throws(ResultError) -> SweepPlan {
    let (settings, table) = try readTable(path)
    guard let plan = SweepPlan(settings: settings, table: table) else { throw damagedPlan(path) }
    return plan
  }

  /// Reads a directory's settings and the bytes of its plan, and checks that they belong together.
  static func readTable(_ path: String) throws(ResultError) -> (settings: SweepSettings, table: [UInt8]) {
    func bytes(_ name: String) throws(ResultError) -> [UInt8] {
      do {
        return try FileReader.bytes(of: "\(path)/\(name)", limit: 1 << 30)
      } catch {
        throw ResultError(
          action: "read '\(path)'", cause: "it is not a sweep directory: \(error)", isUsage: true)
      }
    }
    guard let settings = SweepManifest.settings(in: try bytes("manifest.json")) else {
      throw ResultError(
        action: "read '\(path)'", cause: "its manifest.json is not that of a sweep", isUsage: true)
    }
    let table = try bytes("plan.csv")
    guard settings.hash(of: table) == settings.sweepHash else { throw damagedPlan(path) }
    return (settings, table)
  }

  private static func damagedPlan(_ path: String) -> ResultError {
    ResultError(
      action: "read '\(path)'", cause: "its plan.csv is damaged or does not belong to its manifest.json",
      isUsage: true)
  }
}
