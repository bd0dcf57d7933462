package import Quantity

/// Acknowledged rate parameters (`acknowledged_bitrate_estimator_interface.h`).
package struct ThroughputParameters: Hashable, Sendable {
  /// Number of packets beyond which the window shrinks while it also exceeds ``shortestWindow``.
  package var windowPackets = 20
  /// Duration beyond which the window shrinks while it also exceeds ``windowPackets``.
  package var shortestWindow = SimDuration.seconds(1)
  /// Maximum number of packets in the window.
  package var maximumWindowPackets = 500
  /// Maximum duration of the window.
  package var longestWindow = SimDuration.seconds(5)
  /// Minimum number of packets for a rate.
  package var requiredPackets = 10

  package init() {}
}

/// Delivery rate of a path, from acknowledged packets.
///
/// The minimum of the window's send and receive rates; the largest arrival gap is replaced by the second largest, so
/// that a single pause does not look like a slow path (libwebrtc's `robust_throughput_estimator.cc`). Every packet is
/// assumed to have feedback: bytes without it are not modelled.
///
/// Sums and largest gaps are updated incrementally; the window is rescanned only if too few gaps are left or packets
/// were reordered.
package struct ThroughputEstimator: ~Copyable, Sendable {
  struct Arrival: BitwiseCopyable, Sendable {
    var receivedAt: SimTime
    var sentAt: SimTime
    var size: Int64
  }

  private let parameters: ThroughputParameters
  private var window = RingBuffer<Arrival>()
  /// Sum of sizes over the window [byte].
  private var size = Int64(0)
  private var gaps = LargestGaps()
  /// Number of neighbours in the window that were sent in reverse order.
  private var inversions = 0
  /// Set when gaps and inversions need a rescan.
  private var isStale = false
  /// Latest send time among the packets that left the window.
  private var discardedSentAt = LastTime.never
  /// Acknowledged rate; `nil` while there are too few packets.
  package private(set) var rate: BitRate?

  package init(parameters: ThroughputParameters = .init()) { self.parameters = parameters }

  /// Adds the packets acknowledged by a feedback message, in order of arrival.
  package mutating func add(_ arrivals: [PacketResult]) {
    for result in arrivals {
      guard let receivedAt = result.receivedAt else { continue }
      append(
        Arrival(
          receivedAt: receivedAt, sentAt: result.packet.sentAt, size: Int64(result.packet.size)))
    }
    discardOld()
    if isStale || gaps.isShort { recount() }
    rate = currentRate()
  }

  @inline(__always)
  private mutating func append(_ arrival: Arrival) {
    let last = window.last
    window.append(arrival)
    size &+= arrival.size
    guard let last else { return }
    guard arrival.receivedAt >= last.receivedAt else { return sortLast(arrival, after: last) }
    gaps.add(arrival.receivedAt - last.receivedAt)
    if arrival.sentAt < last.sentAt { inversions &+= 1 }
  }

  /// Sorts the last arrival among earlier ones.
  @inline(never)
  private mutating func sortLast(_ arrival: Arrival, after last: Arrival) {
    isStale = true
    if last.receivedAt - arrival.receivedAt > .seconds(1) {
      // Reordering by this much means that the receiver's clock changed.
      window.removeAll()
      size = 0
      discardedSentAt = .never
      return
    }
    var index = window.count - 1
    while index > 0, arrival.receivedAt < window[index - 1].receivedAt {
      window[index] = window[index - 1]
      window[index - 1] = arrival
      index -= 1
    }
  }

  private mutating func discardOld() {
    guard let last = window.last else { return }
    while let first = window.first, exceedsWindow(first, last) {
      discardedSentAt = max(discardedSentAt, LastTime(first.sentAt))
      window.removeFirst()
      size &-= first.size
      guard let next = window.first else { return }
      gaps.remove(next.receivedAt - first.receivedAt)
      if next.sentAt < first.sentAt { inversions &-= 1 }
    }
  }

  @inline(__always)
  private func exceedsWindow(_ first: Arrival, _ last: Arrival) -> Bool {
    let span = last.receivedAt - first.receivedAt
    return window.count > parameters.maximumWindowPackets || span > parameters.longestWindow
      || (window.count > parameters.windowPackets && span > parameters.shortestWindow)
  }

  private mutating func recount() {
    isStale = false
    gaps = LargestGaps()
    inversions = 0
    for index in 1..<max(window.count, 1) {
      let before = window[index - 1]
      let arrival = window[index]
      gaps.add(arrival.receivedAt - before.receivedAt)
      if arrival.sentAt < before.sentAt { inversions += 1 }
    }
  }

  private func currentRate() -> BitRate? {
    guard let first = window.first, let last = window.last, window.count >= parameters.requiredPackets else {
      return nil
    }
    // N packets span N - 1 intervals: exclude the first received and the last sent.
    let receiveDuration = last.receivedAt - first.receivedAt - gaps.largest + gaps.second
    let receiveRate = BitRate(bytes: size - first.size, over: max(receiveDuration, .milliseconds(1)))
    guard let sendRate = sendRate(first, last) else { return receiveRate }
    return min(sendRate, receiveRate)
  }

  private func sendRate(_ first: Arrival, _ last: Arrival) -> BitRate? {
    // A packet sent before one that left the window would lengthen the send span.
    let oldest = discardedSentAt
    guard inversions > 0 || LastTime(first.sentAt) < oldest else {
      var index = window.count - 1
      while index > 0, window[index - 1].sentAt == last.sentAt { index -= 1 }
      return BitRate(
        bytes: size - window[index].size, over: max(last.sentAt - first.sentAt, .milliseconds(1)))
    }
    var sent = Int64(0)
    var packets = 0
    var firstSentAt: SimTime?
    var lastSentAt: SimTime?
    var lastSentSize = Int64(0)
    for index in 0..<window.count where LastTime(window[index].sentAt) >= oldest {
      let arrival = window[index]
      if lastSentAt.map({ arrival.sentAt > $0 }) ?? true {
        lastSentAt = arrival.sentAt
        lastSentSize = arrival.size
      }
      firstSentAt = min(firstSentAt ?? arrival.sentAt, arrival.sentAt)
      sent += arrival.size
      packets += 1
    }
    guard packets >= parameters.requiredPackets, let firstSentAt, let lastSentAt else { return nil }
    return BitRate(bytes: sent - lastSentSize, over: max(lastSentAt - firstSentAt, .milliseconds(1)))
  }
}
