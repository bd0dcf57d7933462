import Quantity

/// A time-varying capacity: computes when a transmission ends from when it starts.
///
/// Transmissions start in order of time, so the cursors only move forward.
struct LinkSchedule {
  private let steps: [CapacityStep]
  /// Steps in effect at the last transmission start and at the last packet arrival.
  private var serviceStep = 0
  private var arrivalStep = 0
  /// Queue limit as a duration; `nil` for a limit in bytes or packets.
  var queueTime: SimDuration?
  private var lastPositiveRate: BitRate

  private let opportunities: [Int64]
  private let loops: Bool
  private let period: Int64
  /// Delivery opportunities apply until here, the steps from here on [ns].
  private let opportunitiesEnd: Int64
  private var pass: Int64 = 0
  private var opportunity = 0
  private var bytesLeft = CapacityTrace.opportunitySize

  init(profile: CapacityProfile, queueTime: SimDuration?, horizon: SimTime) {
    steps = profile.steps(until: horizon)
    self.queueTime = queueTime
    lastPositiveRate = steps.first { $0.rate > .zero }?.rate ?? .zero
    if case .trace(let trace) = profile.base, case .opportunities(let times) = trace.content {
      opportunities = times
      loops = trace.continuation == .loop
      period = trace.period.nanoseconds
      opportunitiesEnd = profile.changes.first?.at.nanoseconds ?? .max
    } else {
      opportunities = []
      loops = false
      period = 1
      opportunitiesEnd = 0
    }
  }

  /// End of a transmission that starts at `start` [ns]; `nil` if the link never carries it.
  mutating func end(ofTransmissionAt start: Int64, size: Int64) -> Int64? {
    var remaining = size
    var begin = start
    if begin < opportunitiesEnd {
      while remaining > 0, let time = nextOpportunity(from: begin), time < opportunitiesEnd {
        begin = time
        let used = min(remaining, bytesLeft)
        remaining -= used
        bytesLeft -= used
      }
      if remaining == 0 { return begin }
      guard opportunitiesEnd != .max else { return nil }
      begin = max(begin, opportunitiesEnd)
    }
    return end(ofTransmissionAt: begin, fineSize: remaining << 32)
  }

  /// The same for a size in units of 2^-32 byte, by steps only: opportunities count as their mean per second.
  mutating func end(ofTransmissionAt start: Int64, fineSize: Int64) -> Int64? {
    moveServiceStep(to: start)
    var remaining = fineSize
    var begin = start
    var step = serviceStep
    while true {
      let stepEnd = step + 1 < steps.count ? steps[step + 1].at.nanoseconds : Int64.max
      if let perByte = steps[step].rate.picosecondsPerByte {
        let time = Int64((Int128(remaining) * Int128(perByte) / 1000) >> 32)
        if stepEnd == .max || begin + time <= stepEnd { return begin + time }
        remaining -= Int64(((Int128(stepEnd - begin) * 1000) << 32) / Int128(perByte))
        remaining = max(remaining, 0)
      }
      guard stepEnd != .max else { return nil }
      begin = stepEnd
      step += 1
    }
  }

  /// What the steps carry between two times, at most `limit` [2^-32 byte].
  mutating func carried(from start: Int64, to end: Int64, atMost limit: Int64) -> Int64 {
    moveServiceStep(to: start)
    var sum: Int64 = 0
    var begin = start
    var step = serviceStep
    while begin < end, sum < limit {
      let stepEnd = step + 1 < steps.count ? min(steps[step + 1].at.nanoseconds, end) : end
      if let perByte = steps[step].rate.picosecondsPerByte {
        let carried = ((Int128(stepEnd - begin) * 1000) << 32) / Int128(perByte)
        sum += Int64(min(carried, Int128(limit - sum)))
      }
      begin = stepEnd
      step += 1
    }
    return sum
  }

  private mutating func moveServiceStep(to time: Int64) {
    while serviceStep + 1 < steps.count, steps[serviceStep + 1].at.nanoseconds <= time { serviceStep += 1 }
  }

  /// The first opportunity at or after a time with bytes left.
  private mutating func nextOpportunity(from time: Int64) -> Int64? {
    while true {
      guard pass == 0 || loops else { return nil }
      let due = pass * period + opportunities[opportunity]
      if due >= time, bytesLeft > 0 { return due }
      bytesLeft = CapacityTrace.opportunitySize
      opportunity += 1
      if opportunity == opportunities.count {
        opportunity = 0
        pass += 1
      }
    }
  }

  /// Byte limit of the queue for a packet that arrives at a time [ns]; `nil` if the limit is not a duration.
  mutating func byteLimit(at now: Int64) -> Int64? {
    guard let queueTime else { return nil }
    while arrivalStep + 1 < steps.count, steps[arrivalStep + 1].at.nanoseconds <= now { arrivalStep += 1 }
    let rate = steps[arrivalStep].rate
    if rate > .zero { lastPositiveRate = rate }
    return LinkSchedule.bytes(in: queueTime, at: lastPositiveRate)
  }

  static func bytes(in time: SimDuration, at rate: BitRate) -> Int64 {
    let bytes = Int64(Int128(rate.bitsPerSecond) * Int128(time.nanoseconds) / 8_000_000_000)
    return max(bytes, QueueLimit.smallestDurationBytes)
  }
}
