package import Quantity

/// What can be set about the congestion window; the defaults are those that libwebrtc has on
/// (`rate_control_settings.cc`: `QueueSize:350,MinBitrate:30000,DropFrame:true`).
package struct CongestionWindowParameters: Hashable, Sendable {
  package var isEnabled = true
  /// The window holds what the target sends in the least round trip of late and this time more.
  package var acceptedQueue = SimDuration.milliseconds(350)
  /// Media is not pushed below this rate.
  package var leastTarget = BitRate.kilobits(30)
  /// The window is never smaller [byte].
  package var leastWindow = Int64(2 * 1500)
  /// The least round trip is that of this many feedback messages.
  package var roundTrips = 32

  package init() {}
}

/// Pushes the encoder back while more is under way than a round trip and an accepted queue can hold
/// (libwebrtc's `congestion_window_pushback_controller.cc` and `goog_cc_network_control.cc`).
///
/// Target and pacing stay as they are: what it gives is a share by which encoders are to make less, by leaving out
/// frames.
package struct CongestionWindow: ~Copyable, Sendable {
  private let parameters: CongestionWindowParameters
  /// Longest round trips of the last messages, waiting at the receiver included [ns].
  private var roundTrips = RingBuffer<Int64>()
  private var leastRoundTrip = Int64.max
  /// Sizes of the packets that no feedback has told of, and the number of the first [byte].
  private var unreported = RingBuffer<Int32>()
  private var firstUnreported = Int64(0)
  private var ratio = 1.0
  /// Sent and not reported [byte].
  package private(set) var inFlight = Int64(0)
  /// [byte]; nil before the first feedback.
  package private(set) var window: Int64?
  /// By how much less encoders are to make, 0 to 1.
  package private(set) var reduction = 0.0

  package init(parameters: CongestionWindowParameters = .init()) { self.parameters = parameters }

  /// Takes packets that left, in the order of numbers.
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

  /// Takes a feedback message: what it tells of, and all that was sent before, is no longer under way.
  ///
  /// - Parameters:
  ///   - sequence: the greatest number that it tells of.
  ///   - roundTrip: the longest that it shows.
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

  /// Fits the window to the target, half-way each time; due with each feedback message and every 25 ms.
  package mutating func process(target: BitRate, minimum: BitRate) {
    guard parameters.isEnabled, leastRoundTrip < .max else { return }
    let time = SimDuration(nanoseconds: leastRoundTrip) + parameters.acceptedQueue
    let wanted = target.bytes(in: time)
    window = max(parameters.leastWindow, window.map { ($0 + wanted) / 2 } ?? wanted)
    update(target: target, minimum: minimum)
  }

  private mutating func add(_ roundTrip: SimDuration) {
    roundTrips.append(roundTrip.nanoseconds)
    leastRoundTrip = min(leastRoundTrip, roundTrip.nanoseconds)
    guard roundTrips.count > parameters.roundTrips, let oldest = roundTrips.first else { return }
    roundTrips.removeFirst()
    guard oldest == leastRoundTrip else { return }
    leastRoundTrip = .max
    for place in 0..<roundTrips.count { leastRoundTrip = min(leastRoundTrip, roundTrips[place]) }
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
    if pushed < parameters.leastTarget { pushed = min(target, parameters.leastTarget) }
    pushed = max(pushed, minimum)
    reduction = max(0, 1 - Double(pushed.bitsPerSecond) / Double(target.bitsPerSecond))
  }
}

/// What an encoder makes of a congestion window's reduction: it leaves out one frame in ``interval``, and its target
/// falls by as much (libwebrtc's `video_stream_encoder.cc`).
package struct FrameDropping: BitwiseCopyable, Hashable, Sendable {
  /// At least 2: at most every other frame is left out.
  package var interval: Int

  /// - Returns: `nil` for a reduction of a hundredth or less, and where the target is the least one already.
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
