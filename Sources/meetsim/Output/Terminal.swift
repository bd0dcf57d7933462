import ArgumentParser
import Files
import Metrics
import Synchronization
import TextLayout

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Output to the terminal: results on standard output, everything else on standard error.
///
/// Texts come from files and arguments, so control characters are escaped.
enum Terminal {
  static let showsProgress =
    isatty(STDERR_FILENO) == 1 && getenv("CI") == nil && getenv("TERM").map { String(cString: $0) } != "dumb"
  private static let hasColour =
    isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil
    && getenv("TERM").map { String(cString: $0) } != "dumb"

  /// Style of a line on a terminal with colors.
  enum Tone {
    case plain, strong, warning, bad

    /// Escape sequences that begin and end the style (ECMA-48, select graphic rendition).
    fileprivate var codes: (begin: String, end: String) {
      switch self {
      case .plain: ("", "")
      case .strong: ("\u{1b}[1m", "\u{1b}[22m")
      case .warning: ("\u{1b}[33m", "\u{1b}[39m")
      case .bad: ("\u{1b}[31m", "\u{1b}[39m")
      }
    }
  }

  /// A line of a table, without its line break.
  struct Line {
    let text: String
    let tone: Tone

    init(_ text: String, _ tone: Tone = .plain) {
      self.text = text
      self.tone = tone
    }
  }

  /// Prints the reason why results cannot be read or written.
  ///
  /// - Returns: 2 if the user named an unsuitable directory or option, 3 for a failure.
  static func exitCode(for error: ResultError) -> ExitCode {
    Self.error("error: cannot \(error.action): \(error.cause)")
    return ExitCode(error.isUsage ? 2 : 3)
  }

  /// Width of tables, from 60 to 200 columns: `COLUMNS`, else the terminal's width, else 100.
  static let width = width(of: STDOUT_FILENO)

  /// Width of remarks: like ``width``, for the terminal on standard error.
  private static let remarkWidth = width(of: STDERR_FILENO)

  /// Width of messages, which programs read line by line: unlimited unless `COLUMNS` is set or standard error is a
  /// terminal.
  private static let messageWidth =
    getenv("COLUMNS") != nil || isatty(STDERR_FILENO) != 0 ? remarkWidth : .max

  private static func width(of stream: Int32) -> Int {
    if let columns = getenv("COLUMNS").flatMap({ Int(String(cString: $0)) }), columns > 0 {
      return min(max(columns, 60), 200)
    }
    var size = winsize()
    guard ioctl(stream, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 100 }
    return min(max(Int(size.ws_col), 60), 200)
  }

  /// Width of lists, which programs read as a whole: unlimited unless `COLUMNS` is set or standard output is a
  /// terminal.
  static let listWidth = getenv("COLUMNS") != nil || isatty(STDOUT_FILENO) != 0 ? width : .max

  /// `errno` of the first failed write to standard output; 0 if there was none.
  private static let problem = Atomic<Int32>(0)

  /// Set once the reader of standard output has closed the pipe.
  static var isClosed: Bool { problem.load(ordering: .relaxed) == EPIPE }

  /// Prepares the standard streams; must be called before any file is opened.
  static func begin() {
    signal(SIGPIPE, SIG_IGN)
    // Files opened later must not get the descriptor of a closed stream.
    for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Returns the exit code of the program: 3 if its output was lost and nothing worse happened. A reader that closes
  /// the pipe has seen enough.
  static func exitCode(after code: Int32) -> Int32 {
    if !isClosed, close(STDOUT_FILENO) != 0, errno != EBADF { note(errno) }
    let number = problem.load(ordering: .relaxed)
    guard number != 0, number != EPIPE else { return code }
    error("error: cannot write to standard output: \(String(cString: strerror(number)).lowercased())")
    return code <= 1 ? 3 : code
  }

  /// Indent of a message's continuation lines.
  private static let indent = 4

  /// Prints a message to standard error, wrapped as necessary, with continuation lines indented.
  static func error(_ text: String) {
    let lines = text.printable.hanging(by: indent, to: messageWidth).map { $0 + "\n" }
    _ = write(Array(lines.joined().utf8), to: STDERR_FILENO)
  }

  /// Prints several lines of help after a usage error.
  static func usage(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { error(String(line)) }
  }

  /// Prints lines that end with line breaks.
  ///
  /// - Parameter heading: text before the first line, bold where the terminal supports it.
  static func result(_ text: String, heading: String = "") {
    data(shown(Line(heading, .strong)) + text.printableLines)
  }

  /// Prints lines, in color if the terminal supports it.
  static func lines(_ lines: [Line]) { data(lines.map { shown($0) + "\n" }.joined()) }

  private static func shown(_ line: Line) -> String {
    let text = line.text.printable
    guard hasColour, !text.isEmpty else { return text }
    return line.tone.codes.begin + text + line.tone.codes.end
  }

  /// Set if warnings, remarks and progress are not printed.
  private static let isQuiet = Atomic<Bool>(false)

  /// Prints no warnings, remarks and progress from now on.
  static func silence() { isQuiet.store(true, ordering: .relaxed) }

  /// Prints a warning to standard error unless the program is quiet.
  static func warning(_ text: String) {
    if !isQuiet.load(ordering: .relaxed) { error(text) }
  }

  /// Prints a remark to standard error, wrapped as necessary, unless the program is quiet.
  static func remark(_ text: String) {
    for line in text.wrapped(to: remarkWidth) { warning(line) }
  }

  /// Prints an error to standard error, wrapped as necessary, even if the program is quiet.
  static func failure(_ text: String) {
    for line in text.wrapped(to: remarkWidth) { error(line) }
  }

  /// Prints a text to standard output, wrapped as necessary.
  static func paragraph(_ text: String) {
    for line in text.wrapped(to: width) { self.line(line) }
  }

  /// Prints a line to standard output.
  static func line(_ text: String) { data(text.printable + "\n") }

  /// Prints unmodified text for other programs.
  static func data(_ text: String) {
    guard problem.load(ordering: .relaxed) == 0 else { return }
    let number = write(Array(text.utf8), to: STDOUT_FILENO)
    if number != 0 { note(number) }
  }

  /// Replaces the line of progress on standard error, unless the program is quiet.
  static func progress(_ text: String) {
    guard !isQuiet.load(ordering: .relaxed) else { return }
    _ = write(Array(("\r" + text + "\u{1b}[K").utf8), to: STDERR_FILENO)
  }

  private static func note(_ number: Int32) {
    _ = problem.compareExchange(expected: 0, desired: number, ordering: .relaxed)
  }

  /// Writes everything; returns `errno` on failure, otherwise 0.
  private static func write(_ bytes: [UInt8], to file: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(file, $0.baseAddress, $0.count) }
      if count < 0 {
        // Another program may have made the pipe non-blocking: wait until it is writable.
        if errno == EAGAIN {
          var waiting = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
          _ = poll(&waiting, 1, -1)
          continue
        }
        guard errno == EINTR else { return errno }
        continue
      }
      rest = rest.dropFirst(count)
    }
    return 0
  }
}

#if canImport(Glibc)
  private let systemWrite = Glibc.write
#else
  private let systemWrite = Darwin.write
#endif
