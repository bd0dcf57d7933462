package import Quantity

/// Congestion window parameters; the defaults are those enabled in libwebrtc (`rate_control_settings.cc`:
/// `QueueSize:350,MinBitrate:30000,DropFrame:true`).
package struct CongestionWindowParameters: Hashable, Sendable {
  package var isEnabled = true
  /// Time that the window covers at the target rate, in addition to the recent minimum round trip.
  package var acceptedQueue = SimDuration.milliseconds(350)
  /// Rate below which encoder targets are not pushed.
  package var minimumTarget = BitRate.kilobits(30)
  /// Minimum window [byte].
  package var minimumWindow = Int64(2 * 1500)
  /// Number of feedback messages in the minimum round trip filter.
  package var roundTrips = 32

  package init() {}
}

/// Encoder pushback while more data is in flight than a round trip and the accepted queue can hold (libwebrtc's
/// `congestion_window_pushback_controller.cc` and `goog_cc_network_control.cc`).
///
/// Target and pacing rate are not affected: the result is the fraction by which encoders reduce their output, by
/// dropping frames.
package struct CongestionWindow: ~Copyable, Sendable {
  private let parameters: CongestionWindowParameters
  /// Maximum round trip of each recent message, including the wait at the receiver [ns].
  private var roundTrips = RingBuffer<Int64>()
  private var minimumRoundTrip: Int64?
  /// Sizes of the packets without feedback [byte].
  private var unreported = RingBuffer<Int32>()
  /// Sequence number of the first packet without feedback.
  private var firstUnreported = Int64(0)
  private var ratio = 1.0
  /// Data sent without feedback [byte].
  package private(set) var inFlight = Int64(0)
  /// Window [byte]; `nil` before the first feedback.
  package private(set) var window: Int64?
  /// Fraction by which encoders reduce their output, 0 to 1.
  package private(set) var reduction = 0.0

  package init(parameters: CongestionWindowParameters = .init()) { self.parameters = parameters }

  /// Reports sent packets in order of sequence number.
  package mutating func send(_ packets: Span<SentPacket>, target: BitRate, minimum: BitRate) {
    guard parameters.isEnabled, !packets.isEmpty else { return }
    if unreported.isEmpty { firstUnreported = packets[0].sequence }
    for index in packets.indices {
      let size = packets[index].size
      unreported.append(size)
      inFlight += Int64(size)
      if let limit = window, inFlight > limit || ratio < 1 { update(target: target, minimum: minimum) }
    }
  }

  /// Processes a feedback message: packets up to the highest reported one are no longer in flight.
  ///
  /// - Parameters:
  ///   - sequence: highest sequence number reported.
  ///   - roundTrip: maximum round trip in the message.
  package mutating func report(
    upTo sequence: Int64, roundTrip: SimDuration, target: BitRate, minimum: BitRate
  ) {
    guard parameters.isEnabled else { return }
    while let size = unreported.first, firstUnreported <= sequence {
      unreported.removeFirst()
      firstUnreported += 1
      inFlight -= Int64(size)
    }
    add(roundTrip)
    process(target: target, minimum: minimum)
  }

  /// Moves the window half-way to its new value; called with each feedback message and every 25 ms.
  package mutating func process(target: BitRate, minimum: BitRate) {
    guard parameters.isEnabled, let minimumRoundTrip else { return }
    let time = SimDuration(nanoseconds: minimumRoundTrip) + parameters.acceptedQueue
    let wanted = target.bytes(in: time)
    window = max(parameters.minimumWindow, window.map { ($0 + wanted) / 2 } ?? wanted)
    update(target: target, minimum: minimum)
  }

  private mutating func add(_ roundTrip: SimDuration) {
    roundTrips.append(roundTrip.nanoseconds)
    minimumRoundTrip = min(minimumRoundTrip ?? roundTrip.nanoseconds, roundTrip.nanoseconds)
    guard roundTrips.count > parameters.roundTrips, let oldest = roundTrips.first else { return }
    roundTrips.removeFirst()
    guard oldest == minimumRoundTrip else { return }
    var least = roundTrip.nanoseconds
    for index in 0..<roundTrips.count { least = min(least, roundTrips[index]) }
    minimumRoundTrip = least
  }

  private mutating func update(target: BitRate, minimum: BitRate) {
    guard let window else { return }
    let fill = Double(inFlight) / Double(window)
    if fill > 1.5 {
      ratio *= 0.9
    } else if fill > 1 {
      ratio *= 0.95
    } else if fill < 0.1 {
      ratio = 1
    } else {
      ratio = min(ratio * 1.05, 1)
    }
    guard target > .zero && ratio < 1 else {
      reduction = 0
      return
    }
    var pushed = target.scaled(by: ratio)
    if pushed < parameters.minimumTarget { pushed = min(target, parameters.minimumTarget) }
    pushed = max(pushed, minimum)
    reduction = max(0, 1 - Double(pushed.bitsPerSecond) / Double(target.bitsPerSecond))
  }
}

/// Application of a congestion window's reduction by an encoder: it drops one frame in ``interval``, and its target is
/// reduced by the same fraction (libwebrtc's `video_stream_encoder.cc`).
package struct FrameDropping: BitwiseCopyable, Hashable, Sendable {
  /// Number of frames of which one is dropped, at least 2: at most every other frame is dropped.
  package var interval: Int

  /// - Returns: `nil` for a reduction of 1 % or less, or if the target is at its minimum.
  package init?(reduction: Double, target: BitRate, minimum: BitRate) {
    guard reduction > 0.01, target > minimum else { return nil }
    let reduced = min(target.scaled(by: reduction), target - minimum)
    guard reduced > .zero else { return nil }
    interval = max(2, Int(target.bitsPerSecond / reduced.bitsPerSecond))
  }

  package func reduced(_ target: BitRate) -> BitRate {
    target - BitRate(bitsPerSecond: target.bitsPerSecond / Int64(interval))
  }
}
