import ArgumentParser
import Files
import Quantity

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Memory of this machine.
enum MachineMemory {
  /// Memory that this process can still allocate: the minimum of what the machine, a control group and the process's
  /// resource limits leave; `nil` if unknown.
  static var available: ByteCount? { [shared, limitRest].compactMap { $0 }.min() }

  /// Memory that all processes together can still allocate: Linux's `MemAvailable`, or the rest of a control group's
  /// limit if that is less; on other systems all installed memory.
  static var shared: ByteCount? {
    [linuxAvailable, ControlGroup.rest().map { ByteCount($0) }].compactMap { $0 }.min() ?? installed
  }

  /// Exits with 2 if a meeting needs more memory than is available.
  ///
  /// - Parameters:
  ///   - meeting: name of the meeting in the message.
  ///   - position: its position in a file.
  static func check(_ need: ByteCount, of meeting: String, at position: String) throws(ExitCode) {
    guard let available, need > available else { return }
    Terminal.error(
      "\(position): error: \(meeting) needs about \(text(need)) of memory, and \(text(available)) are available: "
        + "fewer participants, sources or tiles take less")
    throw ExitCode(2)
  }

  /// Returns the number of meetings of this size that fit in memory at once, at least one.
  static func fitting(_ need: ByteCount) -> Int {
    shared.map { max(1, Int($0.bytes / max(1, need.bytes))) } ?? .max
  }

  /// `MemAvailable` of proc(5), without swap.
  private static var linuxAvailable: ByteCount? {
    SystemFile.number(after: "MemAvailable:", in: "/proc/meminfo").map { ByteCount($0 * 1024) }
  }

  /// Address space left by RLIMIT_AS and RLIMIT_DATA, as set by `ulimit -v` and `ulimit -d`.
  private static var limitRest: ByteCount? {
    #if canImport(Glibc)
      // In proc(5) statm, the first field counts all mapped pages, and the sixth those of data and stack.
      guard let pages = SystemFile.words(of: "/proc/self/statm").first, pages.count > 5 else { return nil }
      let mapped = [(RLIMIT_AS, pages[0]), (RLIMIT_DATA, pages[5])]
      let size = Int64(sysconf(Int32(_SC_PAGESIZE)))
      let rests = mapped.compactMap { resource, pages -> Int64? in
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0,
          limit.rlim_cur < rlim_t(Int64.max),
          let pages = Int64(pages)
        else { return nil }
        return max(0, Int64(limit.rlim_cur) - pages * size)
      }
      return rests.min().map { ByteCount($0) }
    #else
      return nil
    #endif
  }

  /// Peak memory use of this process so far.
  ///
  /// On Linux `ru_maxrss` includes the process's use before it executed this program; `VmHWM` of proc(5) does not.
  static var peak: ByteCount {
    if let own = SystemFile.number(after: "VmHWM:", in: "/proc/self/status") { return ByteCount(own * 1024) }
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

  /// Formats an amount in MB, or in GB from 10 GB on.
  static func text(_ amount: ByteCount) -> String {
    let megabytes = (amount.bytes + 500_000) / 1_000_000
    return megabytes < 10_000 ? "\(megabytes) MB" : "\((megabytes + 500) / 1000) GB"
  }
}
