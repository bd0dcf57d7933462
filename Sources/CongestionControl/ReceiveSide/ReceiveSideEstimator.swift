package import Quantity

/// Receive-side estimator of a path's capacity, from the packets' absolute send times, for REMB messages (libwebrtc's
/// `remote_bitrate_estimator_abs_send_time.cc`; draft-alvestrand-rmcat-remb-03).
///
/// A state machine without a timer: everything happens on arrival. One estimator serves all video streams of a peer
/// connection; audio is not part of it. Rates are of payload and padding alone, without any header.
package struct ReceiveSideEstimator: Sendable {
  /// Units of the 32-bit timestamp, the send time with eight more fractional bits, per millisecond.
  package static let ticksPerMillisecond = Double(1 << 26) / 1000

  private let parameters: ReceiveSideParameters
  private var incoming: IncomingRate
  private var hadRate = false
  private var firstAt: SimTime?
  private var sources = VideoSources()
  private var probes: SendTimeProbes
  private var grouping: TimestampGrouping
  private var filter: DelayOffsetFilter
  private var detector: OveruseDetector
  private var rateControl: AIMDRateControl
  /// Time when an estimate was last published [ms].
  private var publishedAt: Int64?

  package init(parameters: ReceiveSideParameters = .init()) {
    self.parameters = parameters
    incoming = IncomingRate(window: parameters.rateWindow)
    probes = SendTimeProbes(parameters: parameters.probes)
    grouping = Self.grouping(parameters)
    filter = DelayOffsetFilter(parameters: parameters.filter)
    detector = OveruseDetector(parameters: parameters.overuse)
    rateControl = AIMDRateControl(parameters: parameters.rateControl, minimum: parameters.minimum)
  }

  /// Current estimate; `nil` before the first one and while no stream sends.
  package var estimate: BitRate? { sources.isEmpty ? nil : validEstimate }

  /// Bandwidth usage detected from the delay.
  package var usage: BandwidthUsage { detector.usage }

  /// Number of streams that sent recently, whose SSRCs a REMB message lists.
  package var sourceCount: Int { sources.count }

  /// Checks whether a REMB message would list an SSRC.
  package func covers(_ ssrc: UInt32) -> Bool { sources.contains(ssrc) }

  /// Removes a stream that has ended.
  package mutating func remove(ssrc: UInt32) { sources.remove(ssrc) }

  /// Processes a video packet: media, retransmission, error correction or padding.
  ///
  /// - Parameters:
  ///   - payload: RTP payload and padding [byte].
  ///   - sendTime: absolute send time, seconds in 24 bits with 18 fractional ones.
  ///   - arrivedAt: arrival time, by any clock.
  ///   - now: processing time.
  /// - Returns: the estimate to publish, if an update is due, before ``REMBThrottle``.
  package mutating func receive(
    payload: Int, sendTime: UInt32, ssrc: UInt32, arrivedAt: SimTime, now: SimTime
  ) -> BitRate? {
    let arrival = arrivedAt.wholeMilliseconds
    count(payload, at: arrival)

    let begin = firstAt ?? now
    firstAt = begin
    sources.removeAll(before: now - parameters.streamTimeout)
    if sources.isEmpty {
      grouping = Self.grouping(parameters)
      filter = DelayOffsetFilter(parameters: parameters.filter)
    }
    sources.see(ssrc, at: now)

    // Modulo 2³²: differences are in units of 2^-26 s.
    let timestamp = sendTime << 8
    var isDue = probe(payload, timestamp: timestamp, arrivedAt: arrivedAt, begin: begin, now: now)
    measureDelay(payload, timestamp: timestamp, arrival: arrival, now: now)
    isDue = isDue || isUpdateDue(arrival: arrival, now: now)
    guard isDue else { return nil }
    rateControl.update(detector.usage, throughput: incoming.rate(at: arrival), at: now)
    guard let estimate = validEstimate else { return nil }
    publishedAt = now.wholeMilliseconds
    return estimate
  }

  private var validEstimate: BitRate? { rateControl.isInitialized ? rateControl.estimate : nil }

  private static func grouping(_ parameters: ReceiveSideParameters) -> TimestampGrouping {
    TimestampGrouping(parameters: parameters.grouping, ticksPerMillisecond: ticksPerMillisecond)
  }

  private mutating func count(_ payload: Int, at arrival: Int64) {
    if incoming.rate(at: arrival) != nil {
      hadRate = true
    } else if hadRate {
      // After a pause the rate starts anew, over the time since the pause.
      incoming.reset()
      hadRate = false
    }
    incoming.add(Int64(payload), at: arrival)
  }

  /// Raises the estimate to the rate of evenly sent packets, if that is higher.
  ///
  /// - Returns: `true` if it was raised.
  private mutating func probe(
    _ payload: Int, timestamp: UInt32, arrivedAt: SimTime, begin: SimTime, now: SimTime
  ) -> Bool {
    guard payload > Int(parameters.probes.ignoredSize.bytes) else { return false }
    guard !rateControl.isInitialized || now - begin < parameters.probes.window else { return false }
    // Truncated to whole microseconds.
    let sent = (Int64(timestamp) * 1_000_000) >> 26
    let received = (arrivedAt.nanoseconds + 500) / 1000
    guard
      let rate = probes.add(sent: sent, received: received, size: Int64(payload), estimate: validEstimate)
    else { return false }
    rateControl.set(rate, origin: .probe, at: now)
    return true
  }

  private mutating func measureDelay(_ payload: Int, timestamp: UInt32, arrival: Int64, now: SimTime) {
    guard
      let delta = grouping.add(
        timestamp: timestamp, arrival: arrival, now: now.wholeMilliseconds, size: Int64(payload))
    else { return }
    let sent = Double(delta.sent) / Self.ticksPerMillisecond
    filter.update(received: delta.received, sent: sent, size: delta.size, usage: detector.usage)
    detector.update(filter, sent: sent, arrival: arrival)
  }

  private mutating func isUpdateDue(arrival: Int64, now: SimTime) -> Bool {
    guard let publishedAt else { return true }
    if now.wholeMilliseconds - publishedAt > feedbackInterval { return true }
    guard detector.usage == .overused, let rate = incoming.rate(at: arrival) else { return false }
    return rateControl.mayDecrease(throughput: rate, at: now)
  }

  /// Interval at which feedback takes its share of the estimate [ms].
  package var feedbackInterval: Int64 {
    let rate = max(rateControl.estimate.scaled(by: parameters.feedbackShare).bitsPerSecond, 1)
    let interval = SimDuration.microseconds(parameters.feedbackSize.bytes * 8_000_000 / rate)
    let clamped = interval.clamped(parameters.shortestFeedbackInterval, parameters.longestFeedbackInterval)
    return (clamped.nanoseconds + 500_000) / 1_000_000
  }
}

extension OveruseDetector {
  /// Number of samples up to which the offset gains weight.
  private static let sampleCap = 60

  /// Adds the filtered delay offset.
  ///
  /// - Parameters:
  ///   - sent: send time difference of the two groups [ms].
  ///   - arrival: [ms]
  package mutating func update(_ filter: DelayOffsetFilter, sent: Double, arrival: Int64) {
    update(offset: filter.offset, samples: filter.samples, sent: sent, arrival: arrival)
  }

  /// Adds a delay offset [ms] after a number of samples; a single one is not evaluated.
  package mutating func update(offset: Double, samples: Int, sent: Double, arrival: Int64) {
    guard samples >= 2 else { return }
    update(Double(min(samples, Self.sampleCap)) * offset, signal: offset, sent: sent, arrival: arrival)
  }
}
