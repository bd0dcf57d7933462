import Files
import Quantity

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The memory of the machine that meetsim runs on.
enum MachineMemory {
  /// What this process can still take: what Linux calls available, or the rest of its control group's limit if that is
  /// less; elsewhere all memory. `nil` if neither is known.
  static var available: ByteCount? {
    let candidates = [linuxAvailable, controlGroupRest].compactMap { $0 }
    return candidates.min() ?? installed
  }

  /// `MemAvailable` of proc(5), without swap.
  private static var linuxAvailable: ByteCount? {
    guard let text = text(of: "/proc/meminfo"),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("MemAvailable:") }),
      let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Int64($0) })
    else { return nil }
    return ByteCount(kilobytes * 1024)
  }

  /// Of version 2 of control groups, as a container sees its own; cached files give way.
  private static var controlGroupRest: ByteCount? {
    func number(_ file: String) -> Int64? {
      text(of: "/sys/fs/cgroup/\(file)").flatMap { Int64($0.split(separator: "\n").first ?? "") }
    }
    guard let limit = number("memory.max"), let used = number("memory.current") else { return nil }
    let cached = text(of: "/sys/fs/cgroup/memory.stat")?.split(separator: "\n")
      .first { $0.hasPrefix("file ") }
      .flatMap { Int64($0.dropFirst(5)) }
    return ByteCount(max(0, limit - used + (cached ?? 0)))
  }

  /// The most that this process has taken so far.
  static var peak: ByteCount {
    var usage = rusage()
    // RUSAGE_SELF, which Glibc and Darwin import as different types.
    getrusage(0, &usage)
    #if canImport(Darwin)
      return ByteCount(Int64(usage.ru_maxrss))
    #else
      return ByteCount(Int64(usage.ru_maxrss) * 1024)
    #endif
  }

  private static var installed: ByteCount? {
    let pages = sysconf(Int32(_SC_PHYS_PAGES))
    let size = sysconf(Int32(_SC_PAGESIZE))
    return pages > 0 && size > 0 ? ByteCount(Int64(pages) * Int64(size)) : nil
  }

  private static func text(of path: String) -> String? {
    guard let bytes = try? FileReader.bytes(of: path, limit: 1 << 16) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// In MB, from 10 GB on in GB.
  static func text(_ amount: ByteCount) -> String {
    let megabytes = (amount.bytes + 500_000) / 1_000_000
    return megabytes < 10_000 ? "\(megabytes) MB" : "\((megabytes + 500) / 1000) GB"
  }
}
