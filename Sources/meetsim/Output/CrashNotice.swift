import Files
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The line that a crash leaves on standard error, instead of the Swift runtime's register dump.
///
/// Setting `SWIFT_BACKTRACE` restores that dump. Workers of a sweep die by their signal, which the sweep reports.
enum CrashNotice {
  private static let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]
  /// Size of the handler's own stack, since an overflowed stack has no room left.
  private static let stackSize = 1 << 16
  /// Address and length of the line, prepared in advance because a signal handler must not allocate.
  private static let address = Atomic<UInt>(0)
  private static let length = Atomic<Int>(0)

  /// Installs the handlers; the program exits with 3 after a crash.
  static func install() {
    guard getenv("SWIFT_BACKTRACE") == nil else { return }
    announce(
      "error: meetsim \(Meetsim.version) crashed; please report the command with its files, \(Self.where)")
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stackSize, alignment: 16)
    stack.ss_size = stackSize
    sigaltstack(&stack, nil)
    for number in signals {
      var action = sigaction()
      action.sa_flags = Int32(truncatingIfNeeded: UInt32(SA_ONSTACK) | UInt32(SA_RESETHAND))
      action.__sigaction_handler.sa_handler = { _ in
        let line = UnsafeRawPointer(bitPattern: CrashNotice.address.load(ordering: .acquiring))
        if let line { write(STDERR_FILENO, line, CrashNotice.length.load(ordering: .acquiring)) }
        _exit(3)
      }
      sigaction(number, &action, nil)
    }
  }

  /// Records the meeting that is being simulated.
  static func announce(scenario: String, file: String, seed: UInt64) {
    announce(
      "error: \(file): meetsim \(Meetsim.version) crashed while simulating '\(scenario)' with seed \(seed); "
        + "please report it with this file, \(Self.where)")
  }

  private static let `where` = "as docs/contributing.md says under 'Reporting a crash'"

  private static func announce(_ line: String) {
    let bytes = Array((line.printable + "\n").utf8)
    // Never freed: a handler may still be reading the previous line.
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = copy.initialize(from: bytes)
    length.store(0, ordering: .releasing)
    address.store(UInt(bitPattern: copy.baseAddress), ordering: .releasing)
    length.store(bytes.count, ordering: .releasing)
  }
}
