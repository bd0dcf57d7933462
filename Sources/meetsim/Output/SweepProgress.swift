import Sweep

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Progress on standard error: an updating line on a terminal, otherwise a line per minute.
final class SweepProgress {
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var lastShown: ContinuousClock.Instant
  private let isQuiet: Bool
  private let isInteractive: Bool

  init(isQuiet: Bool) {
    self.isQuiet = isQuiet
    isInteractive = !isQuiet && Terminal.showsProgress
    start = clock.now
    lastShown = start
  }

  /// Elapsed wall-clock time [s].
  var seconds: Double { (clock.now - start) / Duration.seconds(1) }

  func update(_ progress: SweepExecution.Progress) {
    let now = clock.now
    guard !isQuiet, now - lastShown >= (isInteractive ? .milliseconds(200) : .seconds(60)) else { return }
    lastShown = now
    let text = Self.text(progress, seconds: seconds)
    if isInteractive { Terminal.progress(text) } else { Terminal.warning(text) }
  }

  func finish() { if isInteractive { Terminal.progress("") } }

  private static func text(_ progress: SweepExecution.Progress, seconds: Double) -> String {
    let rate = Double(progress.done) / max(seconds, 1e-9)
    var text = "\(progress.done) of \(progress.total) runs, \(progress.failed) failed"
    if progress.done > 0 {
      let left = Double(progress.total - progress.done) / rate
      text += ", \((rate * 10).rounded() / 10) runs/s, \(DisplayDuration.text(left)) left"
    }
    return text
  }
}

/// Formats a duration for display.
enum DisplayDuration {
  /// Formats `45 s`, `3 min 20 s` or `2 h 5 min`.
  static func text(_ seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 1e9).rounded(.up))
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole % 3600 / 60) min"
  }
}
