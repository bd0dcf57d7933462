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
    number(after: "MemAvailable:", in: "/proc/meminfo").map { ByteCount($0 * 1024) }
  }

  /// Of version 2 of control groups, as a container sees its own; cached files give way.
  private static var controlGroupRest: ByteCount? {
    let group = "/sys/fs/cgroup/memory"
    guard let limit = number(in: group + ".max"), let used = number(in: group + ".current") else {
      return nil
    }
    return ByteCount(max(0, limit - used + (number(after: "file", in: group + ".stat") ?? 0)))
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

  /// The number of a file's only line, or of the line that begins with a key.
  private static func number(after key: String? = nil, in path: String) -> Int64? {
    guard let bytes = try? FileReader.bytes(of: path, limit: 1 << 16) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
    guard let key else { return lines.first?.first.flatMap { Int64($0) } }
    return lines.first { $0.first == key[...] }?.dropFirst().first.flatMap { Int64($0) }
  }

  /// In MB, from 10 GB on in GB.
  static func text(_ amount: ByteCount) -> String {
    let megabytes = (amount.bytes + 500_000) / 1_000_000
    return megabytes < 10_000 ? "\(megabytes) MB" : "\((megabytes + 500) / 1000) GB"
  }
}
