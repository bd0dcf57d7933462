package import CongestionControl
package import Network
package import Quantity

/// Pacer parameters.
package struct PacerParameters: Hashable, Sendable, BitwiseCopyable {
  /// Maximum burst ahead of the pacing rate (libwebrtc: 40 ms).
  package var burst = SimDuration.milliseconds(40)
  /// Limit of a burst in bytes (libwebrtc: 63 kB) [byte].
  package var maximumBurst: Int64 = 63_000
  /// Time within which the queue must drain, if necessary at a raised rate (libwebrtc: 2 s for cameras).
  package var queueLimit = SimDuration.seconds(2)
  /// Limit of the debt, as time at the rate (libwebrtc: 500 ms).
  package var debtLimit = SimDuration.milliseconds(500)
  /// Unit of padding, as time at the padding rate (libwebrtc: 5 ms).
  package var paddingInterval = SimDuration.milliseconds(5)
  /// Overhead of a packet [byte].
  package var headers: Int64 = 62
  /// Additional overhead of a retransmission (RFC 4588) [byte].
  package var retransmissionHeader: Int64 = 2
  /// Size of a padding-only packet, which always carries full padding (libwebrtc `rtp_sender.cc`) [byte].
  package var paddingPacketSize: Int64 = 255 + 62
  /// Permits padding before any media. libwebrtc pads only streams that have sent media; SFUs have a stream of their
  /// own for probing.
  package var padsBeforeMedia = false
  /// Probe packets, for a sender that paces nothing else; `nil` for one that fills probes with media and padding.
  package var probation: Probation?

  package init() {}

  /// Probe packets in a stream of their own.
  package struct Probation: Hashable, Sendable, BitwiseCopyable {
    /// Size of the smallest RTP packet [byte].
    package var smallest: Int64
    /// Size of the largest RTP packet [byte].
    package var largest: Int64
    /// Overhead around an RTP packet [byte].
    package var aroundRTP: Int64

    package init(smallest: Int64, largest: Int64, aroundRTP: Int64) {
      self.smallest = smallest
      self.largest = largest
      self.aroundRTP = aroundRTP
    }
  }
}

/// Pacer of a sender's packets, which orders them by priority.
///
/// Follows libwebrtc's `modules/pacing/pacing_controller.cc`: audio is sent immediately but counts against the budget
/// (`audio/audio_send_stream.cc`, AccountForAudioPacketsInPacedSender); media may run ahead of the pacing rate by a
/// burst, then waits until the debt is paid off; probe clusters have their own rate; when the queue is empty, padding
/// fills up to the padding rate. Unlike in libwebrtc, packets of equal priority are sent in FIFO order, not round robin
/// by stream.
///
/// It has no clock or timer: after every mutating call the owner queries ``nextSend(at:)`` and calls ``takeNext(at:)``
/// at that time.
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
  /// Sum of the enqueue times [ns].
  private var waitingSince: Int64 = 0
  private var prober: BitrateProber

  private var pacingRate: Int64
  /// Pacing rate, raised if the queue would not drain in time.
  private var mediaRate: Int64
  private var paddingRate: Int64 = 0
  private var mediaDebt = PacingDebt()
  private var paddingDebt = PacingDebt()
  private var updatedAt: Int64 = 0
  /// Size of the last media packet sent; zero if none [byte].
  private var lastMedia: Int64 = 0

  package init(parameters: PacerParameters = .init(), rate: BitRate) {
    self.parameters = parameters
    pacingRate = rate.bitsPerSecond
    mediaRate = pacingRate
    prober = BitrateProber(startsAlone: parameters.probation != nil)
    audioRepairs = Ring(capacity: 4)
    repairs = Ring(capacity: 4)
    media = Ring(capacity: 16)
  }

  package func deallocate() {
    audioRepairs.deallocate()
    repairs.deallocate()
    media.deallocate()
  }

  /// Clears queues, probes and debts, as for a new connection.
  package mutating func removeAll() {
    audioRepairs.removeAll()
    repairs.removeAll()
    media.removeAll()
    waitingBytes = 0
    waitingSince = 0
    prober = BitrateProber(startsAlone: parameters.probation != nil)
    mediaDebt = PacingDebt()
    paddingDebt = PacingDebt()
    lastMedia = 0
  }

  /// Drops the waiting packets of a stream.
  package mutating func removeAll(of stream: UInt16, at now: SimTime) {
    for removed in Self.remove(stream, from: &repairs) + Self.remove(stream, from: &media) {
      waitingBytes -= Int64(removed.packet.size)
      waitingSince &-= removed.since
    }
    adjustRate(at: now.nanoseconds)
  }

  private static func remove(_ stream: UInt16, from ring: inout Ring<Waiting>) -> [Waiting] {
    var removed: [Waiting] = []
    for _ in 0..<ring.count {
      guard let waiting = ring.removeFirst() else { break }
      if waiting.packet.stream == stream { removed.append(waiting) } else { ring.append(waiting) }
    }
    return removed
  }

  package var waitingSize: ByteCount { ByteCount(waitingBytes) }
  package var waitingPackets: Int { audioRepairs.count + repairs.count + media.count }

  /// Applies the controller's target.
  package mutating func setRates(_ target: PathTarget, at now: SimTime) {
    if waitingPackets == 0 { update(to: now.nanoseconds) }
    // An unlimited rate counts as `.max`, which pays off debts at once.
    pacingRate = target.pacing.rate?.bitsPerSecond ?? .max
    paddingRate = target.padding.bitsPerSecond
    // Limits the debt, as the next packet would: without one, the debt left by a higher rate would prevent padding for
    // a long time.
    paddingDebt.add(bytes: 0, rate: paddingRate, limit: parameters.debtLimit)
    adjustRate(at: now.nanoseconds)
  }

  /// Adds a probe cluster, which starts with the next enqueued packet.
  package mutating func probe(_ cluster: ProbeCluster) { prober.add(cluster) }

  /// Sends a packet immediately if the queue is empty and the burst allows it.
  ///
  /// - Returns: `false` if the packet must be enqueued instead.
  @inline(__always)
  package mutating func passesAtOnce(_ packet: Packet, at now: SimTime) -> Bool {
    guard media.isEmpty, repairs.isEmpty, audioRepairs.isEmpty else { return false }
    if !prober.isProbing { prober.packetEnqueued(size: Int64(packet.size)) }
    guard !prober.isProbing else { return false }
    update(to: now.nanoseconds)
    guard isWithinBurst else { return false }
    lastMedia = Int64(packet.size)
    account(lastMedia)
    return true
  }

  /// Accounts for a packet that bypasses the queue.
  package mutating func sendUnpaced(_ packet: Packet, at now: SimTime) {
    update(to: now.nanoseconds)
    account(Int64(packet.size))
  }

  /// Accounts for a media packet of a sender that does not pace, so that padding fills only what the media leaves; it
  /// starts a waiting probe.
  package mutating func pass(_ packet: Packet, at now: SimTime) {
    lastMedia = Int64(packet.size)
    sendUnpaced(packet, at: now)
    prober.packetEnqueued(size: lastMedia)
  }

  /// Identifier of the probe cluster that is being sent; -1 for none.
  package var currentProbe: Int32 { prober.isProbing ? prober.currentCluster : -1 }

  package mutating func enqueue(_ packet: Packet, _ priority: PacketPriority, at now: SimTime) {
    if waitingPackets == 0 { update(to: now.nanoseconds) }
    let waiting = Waiting(packet: packet, since: now.nanoseconds)
    switch priority {
    case .audio, .audioRetransmission: audioRepairs.append(waiting)
    case .videoRetransmission: repairs.append(waiting)
    case .video, .padding: media.append(waiting)
    }
    waitingBytes += Int64(packet.size)
    waitingSince &+= now.nanoseconds
    adjustRate(at: now.nanoseconds)
    prober.packetEnqueued(size: Int64(packet.size))
  }

  /// Returns the time of the next departure, no earlier than now; `nil` if nothing is pending.
  package mutating func nextSend(at now: SimTime) -> SimTime? {
    due(at: now.nanoseconds).map { SimTime(nanoseconds: max($0, now.nanoseconds)) }
  }

  /// Returns the time at which the next departure was or is due [ns].
  ///
  /// After a burst, the queue resumes when the debt is paid, regardless of later packets; so the debt is only updated
  /// when a packet departs or the queue is empty.
  private mutating func due(at now: Int64) -> Int64? {
    if let burst = prober.nextBurst(at: now) { return burst }
    if waitingPackets > 0 {
      guard mediaRate > 0 else { return nil }
      return isWithinBurst ? updatedAt : updatedAt + mediaDebt.time(rate: mediaRate)
    }
    update(to: now)
    guard paddingRate > 0, lastMedia > 0 || parameters.padsBeforeMedia, pacingRate > 0 else { return nil }
    return now + max(mediaDebt.time(rate: pacingRate), paddingDebt.time(rate: paddingRate))
  }

  /// Departure from the pacer.
  package enum Departure {
    case packet(Packet, probe: Int32)
    /// Padding of this size [byte].
    case padding(bytes: Int64, probe: Int32)
  }

  /// Returns the next departure; `nil` if none is due.
  package mutating func takeNext(at now: SimTime) -> Departure? {
    guard let due = due(at: now.nanoseconds), due <= now.nanoseconds else {
      adjustRate(at: now.nanoseconds)
      return nil
    }
    update(to: due)
    let probe = currentProbe
    if probe >= 0, let probation = parameters.probation { return takeProbePacket(probation, probe, at: now) }
    if !prober.isAtStart, let waiting = removeFirst() {
      let size = Int64(waiting.packet.size)
      waitingBytes -= size
      waitingSince &-= waiting.since
      lastMedia = size
      account(size)
      if probe >= 0 { prober.sent(bytes: size, at: now.nanoseconds) }
      return .packet(waiting.packet, probe: probe)
    }
    let size = paddingSize(
      probe < 0
        ? paddingRate.scaled(by: parameters.paddingInterval.nanoseconds, per: 8_000_000_000)
        : prober.isAtStart ? 1 : prober.missingBytes)
    account(size)
    if probe >= 0 { prober.sent(bytes: size, at: now.nanoseconds) } else { prober.packetEnqueued(size: size) }
    return .padding(bytes: size, probe: probe)
  }

  private mutating func takeProbePacket(
    _ probation: PacerParameters.Probation, _ probe: Int32, at now: SimTime
  ) -> Departure {
    let size = min(max(prober.missingBytes, probation.smallest), probation.largest)
    prober.sent(bytes: size, at: now.nanoseconds)
    return .padding(bytes: size + probation.aroundRTP, probe: probe)
  }

  /// Returns the size of a padding packet that is sent for a wanted size [byte].
  ///
  /// Padding retransmits the last media packet, unless that is more than three times the wanted size; in that case,
  /// and for the smallest amounts, a padding-only packet is sent.
  private func paddingSize(_ wanted: Int64) -> Int64 {
    let copy = lastMedia + parameters.retransmissionHeader
    let isPossible = lastMedia > 0 && wanted >= 50 && copy - parameters.headers <= 3 * wanted
    return isPossible ? copy : parameters.paddingPacketSize
  }

  private mutating func removeFirst() -> Waiting? {
    audioRepairs.removeFirst() ?? repairs.removeFirst() ?? media.removeFirst()
  }

  /// `true` while the burst allowance is not exhausted.
  private var isWithinBurst: Bool {
    mediaDebt.isBelow(bytes: parameters.maximumBurst, rate: mediaRate, time: parameters.burst)
  }

  @inline(__always)
  private mutating func account(_ bytes: Int64) {
    mediaDebt.add(bytes: bytes, rate: mediaRate, limit: parameters.debtLimit)
    paddingDebt.add(bytes: bytes, rate: paddingRate, limit: parameters.debtLimit)
  }

  /// Pays off debt for the time since the last call.
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
    // The sum of the arrival times may wrap around; that of the waits does not.
    let count = Int64(waitingPackets)
    let meanWait = (count &* now &- waitingSince + count - 1) / count
    let left = max(parameters.queueLimit.nanoseconds - meanWait, 1_000_000)
    mediaRate = max(pacingRate, Int64(Int128(waitingBytes) * 8_000_000_000 / Int128(left)))
  }
}
