import Files
import Metrics

/// Checks that a directory may be replaced.
extension SweepDirectory {
  /// Names of everything that a sweep writes, except the directories `runs` and `series`.
  private static let files = [
    ".lock", "manifest.json", "plan.csv", "runs.csv", "scalars.csv", "summary.csv", "datapackage.json",
  ]

  /// Checks whether a sweep writes a file with this path in its directory.
  package static func isOwn(_ path: String) -> Bool {
    let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
    guard let name = parts.last, parts.count == 2 else { return files.contains(path) }
    switch parts[0] {
    case "runs": return RunFile.isOwn(name)
    case "series":
      let inner = name.split(separator: "/", maxSplits: 1).map(String.init)
      return inner.count == 2 && ResultDirectory.isOwn(inner[1])
    default: return false
    }
  }

  /// Describes content of a directory that does not belong to its sweep, as the cause of an error; `nil` if there is
  /// none.
  ///
  /// Every entry must be one that a sweep writes, and the plan and every table must have the hash stated in the
  /// manifest. An interrupted start counts as a sweep.
  package static func foreignContent(of path: String) -> String? {
    do {
      if try isInterruptedStart(path) { return nil }
      return try foreignEntry(of: path)
    } catch {
      return error.cause
    }
  }

  /// Explains that another command created the directory, which must then not be replaced; `nil` if it was the same
  /// command.
  static func foreignCommand(of path: String, _ settings: SweepSettings) -> String? {
    guard let found = SweepManifest.read(in: path)?.settings, found.command != settings.command else {
      return nil
    }
    return "it has the runs of '\(name(of: found))', not of '\(name(of: settings))': remove it first"
  }

  private static func name(of settings: SweepSettings) -> String {
    settings.command.map { "\($0) --repetitions" } ?? "sweep"
  }

  private static func foreignEntry(of path: String) throws(FileError) -> String? {
    let entries = try Directory.entries(of: path)
    guard entries.contains("plan.csv"), entries.contains("manifest.json") else {
      return
        "it has no \(entries.contains("plan.csv") ? "manifest.json" : "plan.csv"), so it is not a sweep directory"
    }
    guard let manifest = SweepManifest.read(in: path) else {
      return "its manifest.json is not that of a sweep, so it is not a sweep directory"
    }
    for entry in entries {
      let place = "\(path)/\(entry)"
      if ["runs", "series"].contains(entry), Directory.isDirectory(place) { continue }
      guard files.contains(where: { $0 == entry || Directory.isPartial(entry, of: $0) }),
        Directory.isRegularFile(place)
      else { return ResultDirectory.foreign(entry) }
    }
    let plan = try FileReader.bytes(of: "\(path)/plan.csv", limit: 1 << 30)
    guard manifest.settings.hash(of: plan) == manifest.settings.sweepHash else {
      return ResultDirectory.changed("plan.csv")
    }
    for table in ["runs.csv", "scalars.csv", "summary.csv"] where entries.contains(table) {
      guard (try? manifest.tables.first(where: { $0.path == table })?.isUnchanged(in: path)) == true else {
        return ResultDirectory.changed(table)
      }
    }
    if entries.contains("runs"), let entry = try RunFile.foreignEntry(in: path) {
      return ResultDirectory.foreign(entry)
    }
    return entries.contains("series") ? try foreignSeries(in: path) : nil
  }

  private static func foreignSeries(in path: String) throws(FileError) -> String? {
    for run in try Directory.entries(of: "\(path)/series") where !Directory.isPartial(run) {
      guard Directory.isDirectory("\(path)/series/\(run)") else {
        return ResultDirectory.foreign("series/\(run)")
      }
      if let cause = ResultDirectory.foreignContent(of: "\(path)/series/\(run)") {
        return "of 'series/\(run)' in it: \(cause)"
      }
    }
    return nil
  }

  /// Checks whether a directory contains only files that are written before the plan.
  static func isInterruptedStart(_ path: String) throws(FileError) -> Bool {
    let entries = try Directory.entries(of: path)
    if entries.contains("runs"), try !Directory.entries(of: "\(path)/runs").isEmpty { return false }
    // A manifest.json alone proves nothing: many tools write one.
    if entries.contains("manifest.json"), SweepManifest.read(in: path) == nil { return false }
    return entries.allSatisfy { entry in
      [".lock", "manifest.json", "runs"].contains(entry)
        || ["manifest.json", "plan.csv"].contains { Directory.isPartial(entry, of: $0) }
    }
  }

  /// Removes everything but the lock.
  ///
  /// The plan and the manifest go last: an interruption leaves a sweep that can still be replaced.
  static func empty(_ path: String) throws(FileError) {
    let last = ["plan.csv", "manifest.json"]
    for name in try Directory.entries(of: path) where name != ".lock" && !last.contains(name) {
      Directory.remove("\(path)/\(name)")
    }
    for name in last { Directory.remove("\(path)/\(name)") }
  }
}
