import Sweep

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs done, failed and time left, on standard error: one moving line on a terminal, a line a minute elsewhere.
final class SweepProgress {
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var lastShown: ContinuousClock.Instant
  private let isQuiet: Bool
  private let isMoving: Bool

  init(isQuiet: Bool) {
    self.isQuiet = isQuiet
    isMoving = !isQuiet && Terminal.showsProgress
    start = clock.now
    lastShown = start
  }

  /// Since the beginning [s].
  var seconds: Double { (clock.now - start) / Duration.seconds(1) }

  func update(_ progress: SweepExecution.Progress) {
    let now = clock.now
    guard !isQuiet, now - lastShown >= (isMoving ? .milliseconds(200) : .seconds(60)) else { return }
    lastShown = now
    let text = Self.text(progress, seconds: seconds)
    if isMoving { Terminal.progress(text) } else { Terminal.error(text) }
  }

  func finish() { if isMoving { Terminal.progress("") } }

  private static func text(_ progress: SweepExecution.Progress, seconds: Double) -> String {
    let rate = Double(progress.done) / max(seconds, 1e-9)
    var text = "\(progress.done) of \(progress.total) runs, \(progress.failed) failed"
    if progress.done > 0 {
      let left = Double(progress.total - progress.done) / rate
      text += ", \((rate * 10).rounded() / 10) runs/s, \(SpokenTime.text(left)) left"
    }
    return text
  }
}

/// A time as a person says it.
enum SpokenTime {
  /// `45 s`, `3 min 20 s` or `2 h 5 min`.
  static func text(_ seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 1e9).rounded(.up))
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole % 3600 / 60) min"
  }
}
