import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// SIGINT and SIGTERM, noted for the run to end in good order.
enum Interruption {
  private static let signal = Atomic<Int32>(0)

  /// Notes signals from now on. A file-size limit then shows as a failed write, not as the end of the process.
  static func watch() {
    for number in [SIGINT, SIGTERM] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        Interruption.signal.store(number, ordering: .relaxed)
      }
      sigaction(number, &action, nil)
    }
    // Whoever started the program may have had them blocked.
    var both = sigset_t()
    sigemptyset(&both)
    sigaddset(&both, SIGINT)
    sigaddset(&both, SIGTERM)
    sigprocmask(SIG_UNBLOCK, &both, nil)
    var ignore = sigaction()
    ignore.__sigaction_handler.sa_handler = SIG_IGN
    sigaction(SIGXFSZ, &ignore, nil)
    sigaction(SIGPIPE, &ignore, nil)
  }

  /// The signal that came, if any.
  static var received: Int32? {
    let number = signal.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  static func name(of number: Int32) -> String { number == SIGINT ? "SIGINT" : "SIGTERM" }
}
