#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Output to the terminal: results to standard output, everything else to standard error.
enum Terminal {
  static let showsProgress =
    isatty(STDERR_FILENO) == 1 && getenv("CI") == nil && getenv("TERM").map { String(cString: $0) } != "dumb"
  static let hasColour = isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil

  static func error(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

  static func result(_ text: String) { write(text, to: STDOUT_FILENO) }

  static func progress(_ text: String) { write("\r" + text + "\u{1b}[K", to: STDERR_FILENO) }

  static func emphasise(_ text: String) -> String { hasColour ? "\u{1b}[1m\(text)\u{1b}[22m" : text }

  private static func write(_ text: String, to file: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { systemWrite(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}

#if canImport(Glibc)
  private let systemWrite = Glibc.write
#else
  private let systemWrite = Darwin.write
#endif
