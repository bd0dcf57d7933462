package import CongestionControl
package import Network
package import Quantity

/// What can be set about pacers.
package struct PacerParameters: Hashable, Sendable, BitwiseCopyable {
  /// The pacer may be ahead of its rate by this much (libwebrtc: 40 ms), but by no more bytes than these (63 kB).
  package var burst = SimDuration.milliseconds(40)
  package var greatestBurst: Int64 = 63_000
  /// The rate rises so far that what waits is sent within this time (libwebrtc: 2 s for cameras).
  package var queueLimit = SimDuration.seconds(2)
  /// Debts beyond this are forgotten (libwebrtc: 500 ms).
  package var debtLimit = SimDuration.milliseconds(500)
  /// Padding goes out in portions of this length at its rate (libwebrtc: 5 ms).
  package var paddingPortion = SimDuration.milliseconds(5)
  /// What a packet has besides its payload, what a repeated one has more (RFC 4588), and one of padding alone, which is
  /// always full (libwebrtc `rtp_sender.cc`) [byte].
  package var headers: Int64 = 62
  package var repeatHeader: Int64 = 2
  package var fullPadding: Int64 = 255 + 62
  /// Whether padding may come before any media. Not in libwebrtc, which pads on a stream that it has sent; SFUs have a
  /// stream for it (mediasoup `RtpProbationGenerator`, Jitsi `ProbingDataSender`).
  package var padsBeforeMedia = false

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
  /// Sum of the times since when packets wait [ns].
  private var waitingSince: Int64 = 0
  private var prober = BitrateProber()

  private var pacingRate: Int64
  /// The pacing rate, or more where the queue would not drain in time.
  private var mediaRate: Int64
  private var paddingRate: Int64 = 0
  private var mediaDebt = PacingDebt()
  private var paddingDebt = PacingDebt()
  private var updatedAt: Int64 = 0
  /// Size of the media packet that left last; zero for none [byte].
  private var lastMedia: Int64 = 0

  package init(parameters: PacerParameters = .init(), rate: BitRate) {
    self.parameters = parameters
    pacingRate = rate.bitsPerSecond
    mediaRate = pacingRate
    audioRepairs = Ring(capacity: 4)
    repairs = Ring(capacity: 16)
    media = Ring(capacity: 64)
  }

  package func deallocate() {
    audioRepairs.deallocate()
    repairs.deallocate()
    media.deallocate()
  }

  /// Forgets everything that waits or was sent, as for a new connection.
  package mutating func removeAll() {
    audioRepairs.removeAll()
    repairs.removeAll()
    media.removeAll()
    waitingBytes = 0
    waitingSince = 0
    prober = BitrateProber()
    mediaDebt = PacingDebt()
    paddingDebt = PacingDebt()
    lastMedia = 0
  }

  package var waitingPackets: Int { audioRepairs.count + repairs.count + media.count }

  /// Follows the controller.
  package mutating func setRates(_ target: PathTarget, at now: SimTime) {
    if waitingPackets == 0 { update(to: now.nanoseconds) }
    pacingRate = target.pacing.bitsPerSecond
    paddingRate = target.padding.bitsPerSecond
    adjustRate(at: now.nanoseconds)
  }

  /// Takes a cluster; it begins when the next packet comes.
  package mutating func probe(_ cluster: ProbeCluster) { prober.add(cluster) }

  /// Whether a packet may leave now, ahead of nobody: then it need not wait in a queue.
  @inline(__always)
  package mutating func passesAtOnce(_ packet: Packet, at now: SimTime) -> Bool {
    guard media.isEmpty, repairs.isEmpty, audioRepairs.isEmpty else { return false }
    if !prober.isProbing { prober.packetCame(size: Int64(packet.size)) }
    guard !prober.isProbing else { return false }
    update(to: now.nanoseconds)
    guard mayRunAhead else { return false }
    lastMedia = Int64(packet.size)
    account(lastMedia)
    return true
  }

  /// Takes note of a packet that leaves now, whatever waits.
  package mutating func sendUnpaced(_ packet: Packet, at now: SimTime) {
    update(to: now.nanoseconds)
    account(Int64(packet.size))
  }

  package mutating func enqueue(_ packet: Packet, _ priority: PacketPriority, at now: SimTime) {
    if waitingPackets == 0 { update(to: now.nanoseconds) }
    let waiting = Waiting(packet: packet, since: now.nanoseconds)
    switch priority {
    case .audio, .audioRetransmission: audioRepairs.append(waiting)
    case .videoRetransmission: repairs.append(waiting)
    case .video, .padding: media.append(waiting)
    }
    waitingBytes += Int64(packet.size)
    waitingSince += now.nanoseconds
    adjustRate(at: now.nanoseconds)
    prober.packetCame(size: Int64(packet.size))
  }

  /// When something is to be sent next, no earlier than now; `nil` for not before something comes.
  package mutating func nextSend(at now: SimTime) -> SimTime? {
    due(at: now.nanoseconds).map { SimTime(nanoseconds: max($0, now.nanoseconds)) }
  }

  /// When the next thing was or is due [ns].
  ///
  /// After a burst what waits goes on when the debt is paid, whatever comes in between: so the debt is brought up to date
  /// only when something leaves, or when nothing waits.
  private mutating func due(at now: Int64) -> Int64? {
    if let burst = prober.nextBurst(at: now) { return burst }
    if waitingPackets > 0 {
      guard mediaRate > 0 else { return nil }
      return mayRunAhead ? updatedAt : updatedAt + mediaDebt.time(rate: mediaRate)
    }
    update(to: now)
    guard paddingRate > 0, lastMedia > 0 || parameters.padsBeforeMedia, pacingRate > 0 else { return nil }
    return now + max(mediaDebt.time(rate: pacingRate), paddingDebt.time(rate: paddingRate))
  }

  /// What a pacer sends.
  package enum Departure {
    case packet(Packet, probe: Int32)
    /// As much padding as fills the gap [byte].
    case padding(bytes: Int64, probe: Int32)
  }

  /// The next thing to send; `nil` for nothing yet.
  package mutating func takeNext(at now: SimTime) -> Departure? {
    guard let due = due(at: now.nanoseconds), due <= now.nanoseconds else {
      adjustRate(at: now.nanoseconds)
      return nil
    }
    update(to: due)
    let probe = prober.isProbing ? prober.currentCluster : -1
    if !prober.isAtStart, let waiting = removeFirst() {
      let size = Int64(waiting.packet.size)
      waitingBytes -= size
      waitingSince -= waiting.since
      lastMedia = size
      account(size)
      if probe >= 0 { prober.sent(bytes: size, at: now.nanoseconds) }
      return .packet(waiting.packet, probe: probe)
    }
    let size = paddingSize(
      probe < 0
        ? paddingRate * parameters.paddingPortion.nanoseconds / 8_000_000_000
        : prober.isAtStart ? 1 : prober.missingBytes)
    account(size)
    if probe >= 0 { prober.sent(bytes: size, at: now.nanoseconds) } else { prober.packetCame(size: size) }
    return .padding(bytes: size, probe: probe)
  }

  /// Where some bytes of padding are wanted, the last media packet goes out once more, unless it is more than three
  /// times that large; then, and for the least portions, a packet of padding alone.
  private func paddingSize(_ wanted: Int64) -> Int64 {
    let copy = lastMedia + parameters.repeatHeader
    let isPossible = lastMedia > 0 && wanted >= 50 && copy - parameters.headers <= 3 * wanted
    return isPossible ? copy : parameters.fullPadding
  }

  private mutating func removeFirst() -> Waiting? {
    audioRepairs.removeFirst() ?? repairs.removeFirst() ?? media.removeFirst()
  }

  /// Whether the pacer is less far ahead than it may be.
  private var mayRunAhead: Bool {
    mediaDebt.isBelow(bytes: parameters.greatestBurst, rate: mediaRate, time: parameters.burst)
  }

  @inline(__always)
  private mutating func account(_ bytes: Int64) {
    mediaDebt.add(bytes: bytes, rate: mediaRate, limit: parameters.debtLimit)
    paddingDebt.add(bytes: bytes, rate: paddingRate, limit: parameters.debtLimit)
  }

  /// Pays off what the time since the last call allows.
  @inline(__always)
  private mutating func update(to now: Int64) {
    guard now > updatedAt else { return }
    let elapsed = now - updatedAt
    updatedAt = now
    mediaDebt.pay(rate: mediaRate, elapsed: elapsed)
    paddingDebt.pay(rate: paddingRate, elapsed: elapsed)
  }

  private mutating func adjustRate(at now: Int64) {
    mediaRate = pacingRate
    guard waitingBytes > 0 else { return }
    let meanWait = now - waitingSince / Int64(waitingPackets)
    let left = max(parameters.queueLimit.nanoseconds - meanWait, 1_000_000)
    mediaRate = max(pacingRate, Int64(Int128(waitingBytes) * 8_000_000_000 / Int128(left)))
  }
}
