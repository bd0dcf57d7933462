package import Quantity

/// Chromium's low-precision timer, which runs on ticks at 64 Hz (`third_party/webrtc_overrides`,
/// `timer_based_tick_provider.h` and `low_precision_timer.cc`). Servers' timers are assumed to work alike [our model].
package enum ChromiumTimer {
  private static let tick: Int64 = 15_625_000

  /// Returns the actual period of a repeating task: the requested one, rounded up to whole ticks.
  package static func snapped(_ wait: SimDuration) -> SimDuration {
    SimDuration(nanoseconds: (wait.nanoseconds + tick - 1) / tick * tick)
  }
}
