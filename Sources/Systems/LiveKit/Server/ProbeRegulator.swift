package import Quantity

/// When the next probe may begin, and how long it lasts.
///
/// LiveKit 1.13.5, `pkg/sfu/ccutils/probe_regulator.go`: a probe that congests spaces the next ones by a factor, in whole
/// seconds; any other lets the next one last longer.
package struct ProbeRegulator: Sendable {
  private let parameters: LiveKitProbeParameters
  private var interval: SimDuration
  package private(set) var duration: SimDuration
  private var earliest: SimTime

  package init(_ parameters: LiveKitProbeParameters, at now: SimTime) {
    self.parameters = parameters
    interval = parameters.interval
    duration = parameters.duration
    earliest = now
  }

  package func allowsProbe(at now: SimTime) -> Bool { now > earliest }

  /// Takes the verdict on a probe that began at `start`.
  package mutating func end(congested: Bool, startedAt start: SimTime) {
    if congested {
      let seconds = Int64(interval.seconds * parameters.backoff)
      interval = min(.seconds(seconds), parameters.longestInterval)
      duration = parameters.duration
    } else {
      interval = parameters.interval
      let milliseconds = Int64(Double(duration.nanoseconds / 1_000_000) * parameters.growth)
      duration = min(.milliseconds(milliseconds), parameters.longestDuration)
    }
    earliest = start + interval
  }
}
