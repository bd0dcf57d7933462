package import Quantity

/// Timer of Chromium for what needs no precision: it runs on ticks at 64 Hz (`third_party/webrtc_overrides`,
/// `timer_based_tick_provider.h` and `low_precision_timer.cc`). Servers' timers are taken for the same [our model].
package enum ChromiumTimer {
  private static let tick: Int64 = 15_625_000

  /// Returns the time between two runs of a task that repeats after a time: the next tick.
  package static func snapped(_ wait: SimDuration) -> SimDuration {
    SimDuration(nanoseconds: (wait.nanoseconds + tick - 1) / tick * tick)
  }
}
