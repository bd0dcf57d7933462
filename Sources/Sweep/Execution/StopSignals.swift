#if canImport(Glibc)
  package import Glibc
#else
  package import Darwin
#endif

/// The signals that ask a run or a sweep to stop; its workers ignore them.
package enum StopSignals {
  package static let all = [SIGINT, SIGTERM, SIGHUP]

  /// ``all`` as a signal set, for masks.
  package static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in all { sigaddset(&set, number) }
    return set
  }
}
