/// Linux control groups (cgroups(7)) of this process.
package enum ControlGroup {
  /// Returns the memory that the limits leave [byte]; `nil` without a limit.
  ///
  /// It is the minimum over the process's own group and its ancestors, in both versions of cgroups; cached files count
  /// as free.
  ///
  /// - Parameter root: folder that stands in for `/`.
  package static func rest(in root: String = "") -> Int64? {
    var rests: [Int64] = []
    for line in SystemFile.words(of: root + "/proc/self/cgroup") {
      // The fields are number, controllers and path; version 2 names no controllers. A path may contain spaces.
      let parts = line.joined(separator: " ").split(
        separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      if parts[1].isEmpty {
        rests += folders(of: parts[2]).compactMap { second(in: root + "/sys/fs/cgroup" + $0) }
      } else if parts[1].split(separator: ",").contains("memory") {
        rests += folders(of: parts[2]).compactMap { first(in: root + "/sys/fs/cgroup/memory" + $0) }
      }
    }
    return rests.min()
  }

  /// Returns the paths of a group and its ancestors. In a container these may not exist, but the topmost is the
  /// container's own.
  private static func folders(of path: Substring) -> [String] {
    var folders = [""]
    for part in path.split(separator: "/") { folders.append(folders[folders.count - 1] + "/" + part) }
    return folders
  }

  private static func first(in folder: String) -> Int64? {
    rest(
      limit: SystemFile.number(in: folder + "/memory.limit_in_bytes"),
      used: SystemFile.number(in: folder + "/memory.usage_in_bytes"),
      cached: SystemFile.number(after: "total_cache", in: folder + "/memory.stat"))
  }

  private static func second(in folder: String) -> Int64? {
    rest(
      limit: SystemFile.number(in: folder + "/memory.max"),
      used: SystemFile.number(in: folder + "/memory.current"),
      cached: SystemFile.number(after: "file", in: folder + "/memory.stat"))
  }

  private static func rest(limit: Int64?, used: Int64?, cached: Int64?) -> Int64? {
    guard let limit, let used else { return nil }
    return max(0, limit - max(0, used - (cached ?? 0)))
  }
}

/// Reads the text files in which Linux reports its state.
package enum SystemFile {
  /// Returns the number in a file's only line, or in the line that begins with a key.
  package static func number(after key: String? = nil, in path: String) -> Int64? {
    let lines = words(of: path)
    guard let key else { return lines.first?.first.flatMap { Int64($0) } }
    return lines.first { $0.first == key[...] }?.dropFirst().first.flatMap { Int64($0) }
  }

  /// Splits each line of a file into words; returns no lines if the file cannot be read.
  package static func words(of path: String) -> [[Substring]] {
    guard let bytes = try? FileReader.bytes(of: path, limit: 1 << 16) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      $0.split { $0 == " " || $0 == "\t" }
    }
  }
}
