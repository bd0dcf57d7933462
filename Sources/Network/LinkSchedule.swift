import Quantity

/// Time-varying capacity: computes the end of a transmission from its start.
///
/// Transmissions start in order of time, so the cursors only move forward, in one step over any gap.
struct LinkSchedule {
  private let course: CapacityCourse
  /// Segment in effect at the last transmission start.
  private var service: CapacityCourse.Segment
  /// Segment in effect at the last packet arrival.
  private var arrival: CapacityCourse.Segment
  /// Queue limit as a duration; `nil` for a limit in bytes or packets.
  var queueTime: SimDuration?
  private var lastPositiveRate: BitRate

  private let opportunities: [Int64]
  private let loops: Bool
  private let period: Int64
  /// Time until which delivery opportunities apply, and from which the course applies [ns].
  private let opportunitiesEnd: Int64
  private var pass: Int64 = 0
  private var opportunity = 0
  private var bytesLeft = CapacityTrace.opportunitySize

  init(profile: CapacityProfile, queueTime: SimDuration?) {
    course = CapacityCourse(profile)
    service = course.segment(at: 0)
    arrival = service
    self.queueTime = queueTime
    lastPositiveRate = course.firstPositiveRate
    if case .trace(let trace) = profile.base, case .opportunities(let times) = trace.content {
      opportunities = times
      loops = trace.continuation == .loop
      period = trace.period.nanoseconds
      // After the end of a trace that does not loop, the mean of its last second is kept.
      opportunitiesEnd = min(profile.changes.first?.at.nanoseconds ?? .max, loops ? .max : period + 1)
    } else {
      opportunities = []
      loops = false
      period = 1
      opportunitiesEnd = 0
    }
  }

  /// Computes the end of a transmission that starts at `start` [ns]; `nil` if the link never carries it.
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

  /// Computes the end of a transmission of a size in units of 2^-32 byte from the course alone, in which opportunities
  /// count as their mean per second [ns]; `nil` if the link never carries it.
  mutating func end(ofTransmissionAt start: Int64, fineSize: Int64) -> Int64? {
    moveService(to: start)
    var segment = service
    var remaining = fineSize
    var begin = start
    while true {
      if let perByte = segment.rate.picosecondsPerByte {
        let time = Int64((Int128(remaining) * Int128(perByte) / 1000) >> 32)
        if segment.end == .max || begin + time <= segment.end { return begin + time }
        remaining -= Int64(((Int128(segment.end - begin) * 1000) << 32) / Int128(perByte))
        remaining = max(remaining, 0)
      }
      guard segment.end != .max else { return nil }
      begin = skipPasses(from: segment.end, to: .max, carrying: &remaining)
      segment = course.segment(at: begin)
    }
  }

  /// Computes the amount that the course carries between two times, at most `limit` [2^-32 byte].
  mutating func carried(from start: Int64, to end: Int64, atMost limit: Int64) -> Int64 {
    moveService(to: start)
    var left = limit
    var begin = start
    var segment = service
    while begin < end, left > 0 {
      let stop = min(segment.end, end)
      if let perByte = segment.rate.picosecondsPerByte {
        left -= Int64(min(((Int128(stop - begin) * 1000) << 32) / Int128(perByte), Int128(left)))
      }
      begin = skipPasses(from: stop, to: end, carrying: &left)
      if begin < end { segment = course.segment(at: begin) }
    }
    return limit - left
  }

  /// Skips the whole passes that carry no more than the remaining amount [2^-32 byte] and end in time; returns their
  /// end.
  private func skipPasses(from time: Int64, to end: Int64, carrying remaining: inout Int64) -> Int64 {
    let passes = course.wholePasses(from: time, to: end)
    // A pass that is not skipped is cheap; skipping one too many would end too late.
    guard passes > 2, course.finePass > 0 else { return time }
    let skipped = min(Int128(passes), Int128(remaining) / course.finePass - 1)
    guard skipped > 0 else { return time }
    remaining -= Int64(skipped * course.finePass)
    return time + Int64(skipped) * course.length
  }

  /// Computes the amount carried after a time for transmissions that end at `end`, rounded up [byte].
  ///
  /// - Parameter shaped: `true` for a token bucket, for which opportunities count as their mean per second.
  func carried(after time: Int64, untilTransmissionEnd end: Int64, shaped: Bool) -> Int64 {
    guard end > time else { return 0 }
    var bytes: Int64 = 0
    var begin = time
    if begin < opportunitiesEnd, !shaped {
      // All of the opportunities in between, and the used part of the last one.
      let stop = min(end, opportunitiesEnd - 1)
      let bits = course.integral(from: begin, to: stop) / 1_000_000_000
      bytes = Int64(bits / 8) - (end < opportunitiesEnd ? bytesLeft : 0)
      begin = min(end, opportunitiesEnd)
    }
    var fine = Int128(0)
    while begin < end {
      let passes = course.wholePasses(from: begin, to: end)
      if passes > 0 {
        fine += Int128(passes) * course.finePass
        begin += passes * course.length
        continue
      }
      let segment = course.segment(at: begin)
      let stop = min(segment.end, end)
      if let perByte = segment.rate.picosecondsPerByte {
        fine += ((Int128(stop - begin) * 1000) << 32) / Int128(perByte)
      }
      begin = stop
    }
    return max(0, bytes) + Int64((fine + 0xffff_ffff) >> 32)
  }

  private mutating func moveService(to time: Int64) {
    if time >= service.end { service = course.segment(at: time) }
  }

  /// Finds the first opportunity at or after a time with bytes left.
  private mutating func nextOpportunity(from time: Int64) -> Int64? {
    while true {
      guard pass == 0 || loops else { return nil }
      let due = pass * period + opportunities[opportunity]
      if due >= time, bytesLeft > 0 { return due }
      bytesLeft = CapacityTrace.opportunitySize
      if due < time {
        // The last opportunity of a pass is at its end, which is the beginning of the next one.
        pass = max(pass, (time + period - 1) / period - 1)
        let offset = time - pass * period
        opportunity = opportunities.partition { $0 < offset }
      } else {
        opportunity += 1
      }
      if opportunity == opportunities.count {
        opportunity = 0
        pass += 1
      }
    }
  }

  /// Returns the byte limit of the queue for a packet that arrives at a time [ns]; `nil` if the limit is not a
  /// duration.
  mutating func byteLimit(at now: Int64) -> Int64? {
    guard let queueTime else { return nil }
    if now >= arrival.end { arrival = course.segment(at: now) }
    let rate = arrival.rate
    if rate > .zero { lastPositiveRate = rate }
    return LinkSchedule.bytes(in: queueTime, at: lastPositiveRate)
  }

  static func bytes(in time: SimDuration, at rate: BitRate) -> Int64 {
    let bytes = Int64(Int128(rate.bitsPerSecond) * Int128(time.nanoseconds) / 8_000_000_000)
    return max(bytes, QueueLimit.smallestDurationBytes)
  }
}
