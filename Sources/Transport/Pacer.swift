package import CongestionControl
package import Network
package import Quantity

/// What can be set about pacers.
package struct PacerParameters: Hashable, Sendable, BitwiseCopyable {
  /// The pacer may be ahead of its rate by this much (libwebrtc: 40 ms).
  package var burst = SimDuration.milliseconds(40)
  /// The rate rises so far that what waits is sent within this time (libwebrtc: 2 s for cameras).
  package var queueLimit = SimDuration.seconds(2)
  /// Debts beyond this are forgotten (libwebrtc: 500 ms).
  package var debtLimit = SimDuration.milliseconds(500)
  /// Padding goes out in portions of this length at its rate (libwebrtc: 5 ms).
  package var paddingPortion = SimDuration.milliseconds(5)
  /// What is around an RTP payload of video [byte].
  package var headers: Int64 = 62
  /// Padding repeats the packet that was sent last, unless its payload is more than so many times the gap (libwebrtc: 3,
  /// `rtp_sender.cc`, kMaxPaddingSizeFactor).
  package var paddingFactor: Int64 = 3
  /// Payload of a padding packet that repeats none (libwebrtc: 224) [byte].
  package var emptyPadding: Int64 = 224

  package init() {}
}

/// Spreads a sender's packets in time and orders them by priority.
///
/// After libwebrtc's `modules/pacing/pacing_controller.cc`: audio goes at once, and what it takes
/// is missing for the rest (`audio/audio_send_stream.cc`, AccountForAudioPacketsInPacedSender); media may run ahead of
/// the pacing rate by a burst, then waits until its debt is paid; probe clusters go at their own rate; when nothing
/// waits, padding fills up to the padding rate. Unlike there, packets of one priority leave in the order in which they
/// came, not in turns by stream.
///
/// It has neither clock nor timer: after every call that may change it, the holder asks ``nextSend(at:)`` and calls
/// ``takeNext(at:)`` when that time has come.
package struct Pacer: BitwiseCopyable {
  private struct Waiting: BitwiseCopyable {
    var packet: Packet
    var since: Int64
  }

  private let parameters: PacerParameters
  private var audioRepairs: Ring<Waiting>
  private var repairs: Ring<Waiting>
  private var media: Ring<Waiting>
  private var waitingBytes: Int64 = 0
  private var prober = BitrateProber()

  private var pacingRate: Int64
  private var paddingRate: Int64 = 0
  /// Bytes sent ahead of the rates, times 8 x 10^9, so that a nanosecond at a rate is a whole number.
  private var mediaDebt: Int128 = 0
  private var paddingDebt: Int128 = 0
  private var updatedAt: Int64 = 0
  private var hasSentMedia = false
  /// Size of the media packet that was sent last [byte]; 0 before the first.
  private var lastMediaSize: Int64 = 0
  /// The original sequence number of a repeated packet (RFC 4588) [byte].
  private static let retransmissionHeader: Int64 = 2

  package init(parameters: PacerParameters = .init(), rate: BitRate) {
    self.parameters = parameters
    pacingRate = rate.bitsPerSecond
    audioRepairs = Ring(capacity: 4)
    repairs = Ring(capacity: 16)
    media = Ring(capacity: 64)
  }

  package func deallocate() {
    audioRepairs.deallocate()
    repairs.deallocate()
    media.deallocate()
  }

  package var waitingPackets: Int { audioRepairs.count + repairs.count + media.count }

  /// How long the packet at the front has waited.
  package func longestWait(at now: SimTime) -> SimDuration {
    var since = now.nanoseconds
    if let first = audioRepairs.first { since = min(since, first.since) }
    if let first = repairs.first { since = min(since, first.since) }
    if let first = media.first { since = min(since, first.since) }
    return SimDuration(nanoseconds: now.nanoseconds - since)
  }

  /// Follows the controller.
  package mutating func setRates(_ target: PathTarget, at now: SimTime) {
    update(to: now.nanoseconds)
    pacingRate = target.pacing.bitsPerSecond
    paddingRate = target.padding.bitsPerSecond
  }

  package mutating func probe(_ cluster: ProbeCluster) {
    prober.add(cluster)
    if waitingPackets > 0, let first = media.first ?? repairs.first {
      prober.packetCame(size: Int64(first.packet.size))
    }
  }

  /// Whether a packet may leave now, ahead of nobody: then it need not wait in a queue.
  @inline(__always)
  package mutating func passesAtOnce(_ packet: Packet, at now: SimTime) -> Bool {
    guard media.isEmpty, repairs.isEmpty, audioRepairs.isEmpty else { return false }
    if !prober.isProbing { prober.packetCame(size: Int64(packet.size)) }
    guard !prober.isProbing else { return false }
    update(to: now.nanoseconds)
    guard mediaDebt <= Int128(pacingRate) * Int128(parameters.burst.nanoseconds) else { return false }
    account(Int64(packet.size))
    hasSentMedia = true
    lastMediaSize = Int64(packet.size)
    return true
  }

  /// Takes note of a packet that leaves now, whatever waits.
  package mutating func sendUnpaced(_ packet: Packet, at now: SimTime) {
    update(to: now.nanoseconds)
    account(Int64(packet.size))
  }

  package mutating func enqueue(_ packet: Packet, _ priority: PacketPriority, at now: SimTime) {
    let waiting = Waiting(packet: packet, since: now.nanoseconds)
    switch priority {
    case .audio, .audioRetransmission: audioRepairs.append(waiting)
    case .videoRetransmission: repairs.append(waiting)
    case .video, .padding: media.append(waiting)
    }
    waitingBytes += Int64(packet.size)
    prober.packetCame(size: Int64(packet.size))
  }

  /// When something is to be sent next, no earlier than now; `nil` for not before something comes.
  package mutating func nextSend(at now: SimTime) -> SimTime? {
    let present = now.nanoseconds
    if let burst = prober.nextBurst(at: present) { return SimTime(nanoseconds: max(burst, present)) }
    update(to: present)
    if waitingPackets > 0 {
      let rate = adjustedRate(at: present)
      guard rate > 0 else { return nil }
      if mediaDebt <= Int128(rate) * Int128(parameters.burst.nanoseconds) { return now }
      return SimTime(nanoseconds: present + Self.time(mediaDebt, rate))
    }
    guard paddingRate > 0, hasSentMedia, pacingRate > 0 else { return nil }
    let wait = max(Self.time(mediaDebt, pacingRate), Self.time(paddingDebt, paddingRate))
    return SimTime(nanoseconds: present + wait)
  }

  /// What a pacer sends.
  package enum Departure {
    case packet(Packet, probe: Int32)
    /// As much padding as fills the gap [byte].
    case padding(bytes: Int64, probe: Int32)
  }

  /// The next thing to send; `nil` for nothing yet.
  package mutating func takeNext(at now: SimTime) -> Departure? {
    guard let due = nextSend(at: now), due <= now else { return nil }
    let probe = prober.isProbing ? prober.currentCluster : -1
    if let waiting = removeFirst() {
      let size = Int64(waiting.packet.size)
      waitingBytes -= size
      account(size)
      hasSentMedia = true
      lastMediaSize = size
      if probe >= 0 { prober.sent(bytes: size, packets: 1, at: now.nanoseconds) }
      return .packet(waiting.packet, probe: probe)
    }
    let wanted =
      probe >= 0
      ? prober.burstSize : paddingRate * parameters.paddingPortion.nanoseconds / 8_000_000_000
    let size = paddingSize(for: wanted)
    account(size)
    if probe >= 0 { prober.sent(bytes: size, packets: 1, at: now.nanoseconds) }
    return .padding(bytes: size, probe: probe)
  }

  /// Size of a packet that fills a gap, headers included [byte].
  private func paddingSize(for gap: Int64) -> Int64 {
    let repeated = lastMediaSize + Self.retransmissionHeader
    guard lastMediaSize > 0, repeated - parameters.headers <= parameters.paddingFactor * gap else {
      return parameters.emptyPadding + parameters.headers
    }
    return repeated
  }

  private mutating func removeFirst() -> Waiting? {
    audioRepairs.removeFirst() ?? repairs.removeFirst() ?? media.removeFirst()
  }

  private mutating func account(_ bytes: Int64) {
    let bits = Int128(bytes) * 8_000_000_000
    mediaDebt = min(mediaDebt + bits, Int128(pacingRate) * Int128(parameters.debtLimit.nanoseconds))
    paddingDebt = min(paddingDebt + bits, Int128(paddingRate) * Int128(parameters.debtLimit.nanoseconds))
  }

  /// Pays off what the time since the last call allows.
  private mutating func update(to now: Int64) {
    guard now > updatedAt else { return }
    let elapsed = Int128(now - updatedAt)
    updatedAt = now
    let rate = waitingBytes > 0 ? adjustedRate(at: now) : pacingRate
    mediaDebt = max(0, mediaDebt - Int128(rate) * elapsed)
    paddingDebt = max(0, paddingDebt - Int128(paddingRate) * elapsed)
  }

  /// The pacing rate, or more where the queue would not drain in time.
  private func adjustedRate(at now: Int64) -> Int64 {
    guard waitingBytes > 0 else { return pacingRate }
    let waited = longestWait(at: SimTime(nanoseconds: now)).nanoseconds / 2
    let left = max(parameters.queueLimit.nanoseconds - waited, 1_000_000)
    return max(pacingRate, Int64(Int128(waitingBytes) * 8_000_000_000 / Int128(left)))
  }

  private static func time(_ debt: Int128, _ rate: Int64) -> Int64 {
    guard debt > 0 else { return 0 }
    return Int64((debt + Int128(rate) - 1) / Int128(max(rate, 1)))
  }
}
