import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Records SIGINT and SIGTERM, so that a run can stop cleanly.
enum Interruption {
  private static let signal = Atomic<Int32>(0)

  /// Installs the handlers; SIGXFSZ and SIGPIPE are ignored, so that they surface as failed writes.
  static func watch() {
    for number in [SIGINT, SIGTERM] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        Interruption.signal.store(number, ordering: .relaxed)
      }
      sigaction(number, &action, nil)
    }
    // The parent process may have blocked them.
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

  /// The signal received, if any.
  static var received: Int32? {
    let number = signal.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  static func name(of number: Int32) -> String { number == SIGINT ? "SIGINT" : "SIGTERM" }
}
