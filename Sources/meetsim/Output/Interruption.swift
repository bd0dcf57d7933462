import ArgumentParser
import Sweep
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Record of SIGINT, SIGTERM and SIGHUP, so that a run can stop cleanly.
enum Interruption {
  private static let signal = Atomic<Int32>(0)

  /// Installs the handlers; ignores SIGXFSZ, so that it surfaces as a failed write.
  static func watch() {
    for number in StopSignals.all where number != SIGHUP || !isIgnored(number) {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        Interruption.signal.store(number, ordering: .relaxed)
      }
      sigaction(number, &action, nil)
    }
    // The parent process may have blocked these signals.
    var all = StopSignals.set
    sigprocmask(SIG_UNBLOCK, &all, nil)
    var ignore = sigaction()
    ignore.__sigaction_handler.sa_handler = SIG_IGN
    sigaction(SIGXFSZ, &ignore, nil)
  }

  /// Checks whether the parent process had a signal ignored, like nohup(1).
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Signal received so far, if any.
  static var received: Int32? {
    let number = signal.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Exit code after a signal, as reported by shells.
  static func exitCode(after number: Int32) -> ExitCode { ExitCode(128 + number) }

  static func name(of number: Int32) -> String {
    switch number {
    case SIGINT: "SIGINT"
    case SIGHUP: "SIGHUP"
    default: "SIGTERM"
    }
  }
}
