package import Quantity

/// Minimum of the last samples.
package struct MinimumFilter: Sendable {
  private var samples: [SimDuration] = []
  private let taps: Int
  private var position = 0

  package init(taps: Int) {
    self.taps = max(1, taps)
    samples.reserveCapacity(self.taps)
  }

  package mutating func append(_ sample: SimDuration) {
    if samples.count < taps {
      samples.append(sample)
    } else {
      samples[position] = sample
      position = (position + 1) % taps
    }
  }

  /// Minimum of the kept samples; `nil` before the first sample.
  package var minimum: SimDuration? { samples.min() }
}

/// Minimum over a long history, in ten buckets that expire one by one (like LEDBAT's base delay, RFC 6817 section
/// 3.4.2).
package struct BaseDelay: Sendable {
  private static let parts = 10
  private var minima = [SimDuration?](repeating: nil, count: parts)
  private let length: SimDuration
  private var part = 0
  private var partEnd: SimTime

  package init(history: SimDuration, at now: SimTime) {
    length = max(history / Int64(Self.parts), SimDuration(nanoseconds: 1))
    partEnd = now + length
  }

  package mutating func append(_ sample: SimDuration, at now: SimTime) {
    if now >= partEnd {
      let passed = (now - partEnd).nanoseconds / length.nanoseconds + 1
      for _ in 0..<min(passed, Int64(Self.parts)) {
        part = (part + 1) % Self.parts
        minima[part] = nil
      }
      partEnd += length * passed
    }
    minima[part] = min(minima[part] ?? sample, sample)
  }

  /// Minimum over the history; `nil` before the first sample.
  package var minimum: SimDuration? { minima.lazy.compactMap(\.self).min() }
}
