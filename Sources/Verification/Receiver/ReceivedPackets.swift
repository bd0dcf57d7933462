import CongestionControl
import Quantity

/// The receive-side estimator, driven by hand as in libwebrtc's unit tests.
struct ReceivedPackets {
  private var estimator: ReceiveSideEstimator
  /// Clock shared by both ends [us].
  var now: Int64 = 100_000_000
  /// Offset of the arrival times from the clock [ms].
  var arrivalOffset: Int64 = 0
  /// Set when an estimate is published, until it is reset.
  var isUpdated = false
  /// Last published estimate [bit/s].
  private(set) var latest: Int64 = 0

  /// Clock in whole milliseconds, as libwebrtc's tests read it.
  var milliseconds: Int64 { (now + 500) / 1000 }
  /// Current estimate [bit/s].
  var estimate: Int64 { estimator.estimate?.bitsPerSecond ?? 0 }
  /// Last published estimate [kbps].
  var latestKilobits: Double { Double(latest) / 1000 }

  init(parameters: ReceiveSideParameters = .init()) {
    estimator = ReceiveSideEstimator(parameters: parameters)
  }

  mutating func remove(ssrc: UInt32) { estimator.remove(ssrc: ssrc) }

  /// Converts a time, in units of 1/`unitsPerSecond` s, to the nearest unit of absolute send time.
  static func sendTime(_ time: Int64, unitsPerSecond: Int64) -> UInt32 {
    UInt32(((time << 18) + unitsPerSecond / 2) / unitsPerSecond & 0xFF_FFFF)
  }

  /// Receives a packet that arrives at a time [ms] and is processed now.
  mutating func receive(size: Int, arrival: Int64, sendTime: UInt32, ssrc: UInt32 = 1) {
    let arrivedAt = SimTime.zero + .milliseconds(arrival + arrivalOffset)
    let update = estimator.receive(
      payload: size, sendTime: sendTime, ssrc: ssrc, arrivedAt: arrivedAt, now: .zero + .microseconds(now))
    guard let update else { return }
    isUpdated = true
    latest = update.bitsPerSecond
  }

  /// Receives a packet that arrives now.
  mutating func receive(size: Int, sendTime: UInt32) {
    receive(size: size, arrival: milliseconds, sendTime: sendTime)
  }

  /// Receives equal packets, spaced by send time and by the clock [ms].
  mutating func receive(
    _ count: Int, size: Int, sentEvery: Int64, arrivingEvery: Int64, from sent: inout Int64
  ) {
    for _ in 0..<count {
      now += arrivingEvery * 1000
      sent += sentEvery
      receive(size: size, sendTime: Self.sendTime(sent, unitsPerSecond: 1000))
    }
  }
}

/// Streams of 30 frames per second over a link, received by ``ReceivedPackets``.
struct ReceivedFrames {
  private static let interval: Int64 = 33_333

  var packets: ReceivedPackets
  /// Capacity of the link [bit/s].
  var capacity: Int64 = 1_000_000
  private var rates: [Int64]
  private var next: [Int64]
  private var linkFree: Int64 = 100_000_000

  /// Creates streams with the given rates [bit/s], with SSRCs from 1.
  init(rates: [Int64], parameters: ReceiveSideParameters = .init()) {
    packets = ReceivedPackets(parameters: parameters)
    self.rates = rates
    next = Array(repeating: 0, count: rates.count)
  }

  /// Sends a frame with all streams together at a rate [bit/s]; returns `true` if an estimate below it was published.
  /// ``ReceivedPackets/isUpdated`` then refers to the last packet.
  mutating func step(at rate: Int64) -> Bool {
    setRates(to: rate)
    var fell = false
    let stream = next.indices.min { next[$0] < next[$1] } ?? 0
    let sentAt = packets.now
    var end = sentAt
    if sentAt >= next[stream] {
      let bits = (rates[stream] + 15) / 30
      let count = max(1, (bits + 4800) / 9600)
      let size = (bits + 4 * count) / (8 * count)
      next[stream] = sentAt + Self.interval
      for _ in 0..<count {
        let kilobits = capacity / 1000
        let service = (8000 * size + kilobits / 2) / kilobits
        linkFree = max(sentAt + service, linkFree + service)
        packets.isUpdated = false
        packets.now = linkFree
        packets.receive(
          size: Int(size), arrival: (linkFree + 500) / 1000,
          sendTime: ReceivedPackets.sendTime(sentAt + 1_000_000, unitsPerSecond: 1_000_000),
          ssrc: UInt32(stream + 1))
        if packets.isUpdated, packets.latest < rate { fell = true }
      }
    }
    end = max(next.min() ?? sentAt, sentAt)
    packets.now = end
    return fell
  }

  /// Distributes a rate among the streams in proportion to their current rates.
  private mutating func setRates(to rate: Int64) {
    let total = rates.reduce(0, +)
    var before: Int64 = 0
    var shared: Int64 = 0
    for index in rates.indices {
      before += rates[index]
      let share = (before * rate + total / 2) / total
      rates[index] = share - shared
      shared = share
    }
  }
}
