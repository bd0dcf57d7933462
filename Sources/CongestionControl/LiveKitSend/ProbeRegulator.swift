package import Quantity

/// Parameters of ``ProbeRegulator``; every default is LiveKit's (`pkg/sfu/ccutils/probe_regulator.go`).
package struct ProbeRegulatorParameters: Hashable, Sendable {
  /// Interval between the starts of two probes, at first and after one that did not congest.
  package var interval = SimDuration.seconds(3)
  /// Maximum interval between the starts of two probes.
  package var longestInterval = SimDuration.seconds(120)
  /// Duration of a probe, at first and after one that congested.
  package var duration = SimDuration.milliseconds(200)
  /// Maximum duration of a probe.
  package var longestDuration = SimDuration.seconds(20)
  /// Growth of the interval with each probe that congests.
  package var intervalGrowth = 1.5
  /// Growth of the duration with each probe that does not congest.
  package var durationGrowth = 1.5

  package init() {}
}

/// Schedule of a server's probes and their duration, from the outcome of earlier probes.
package struct ProbeRegulator: Sendable {
  private let parameters: ProbeRegulatorParameters
  private var interval: SimDuration
  private var beganAt: SimTime
  private var earliest: SimTime
  /// Duration of the next probe.
  package private(set) var duration: SimDuration

  package init(parameters: ProbeRegulatorParameters = .init(), at now: SimTime) {
    self.parameters = parameters
    interval = parameters.interval
    duration = parameters.duration
    beganAt = now
    earliest = now
  }

  package func mayProbe(at now: SimTime) -> Bool { now > earliest }

  package mutating func begin(at now: SimTime) { beganAt = now }

  /// Sets interval and duration by a probe's outcome; the interval counts from the probe's beginning.
  package mutating func end(_ verdict: ProbeVerdict) {
    if verdict == .congesting {
      // In whole seconds, rounded down.
      let seconds = Int64(interval.seconds * parameters.intervalGrowth)
      interval = min(.seconds(seconds), parameters.longestInterval)
      duration = parameters.duration
    } else {
      interval = parameters.interval
      let milliseconds = Int64(duration.milliseconds * parameters.durationGrowth)
      duration = min(.milliseconds(milliseconds), parameters.longestDuration)
    }
    earliest = beganAt + interval
  }
}
