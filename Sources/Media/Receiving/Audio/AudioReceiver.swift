package import Quantity

/// Audio receiver of one voice, modelled on libwebrtc's NetEq: buffers packets until playout, conceals what is missing,
/// and time-stretches to keep the delay near its target.
///
/// A pure state machine without timers: the playout time of every packet is known on arrival. The rules are those of
/// `neteq/decision_logic.cc` and its components. Ours: time-stretching changes the delay by 5 ms per packet (in NetEq
/// 15 ms per 60 ms), or twice that if it is far too long.
///
/// ```
/// sent      v v v v v - - - c - - v v v      v voice, c comfort noise packet (DTX)
/// arrived   v v v x v - - - c - - v v   v    x lost, the last one late
/// played    v v v C v . . . . . . v v C v    C concealed, . comfort noise
/// ```
package struct AudioReceiver: BitwiseCopyable {
  /// NetEq's output block: 10 ms.
  private static let block: Int64 = 10_000_000
  private static let samplesPerBlock: Int64 = 480
  /// Half of NetEq's `kTargetLevelWindowMs` [ns].
  private static let window: Int64 = 50_000_000
  /// NetEq's `kDelayAdjustmentGranularityMs` [ns].
  private static let granularity: Int64 = 20_000_000
  /// Duration of a full buffer of 200 packets [ns].
  private static let longest: Int64 = 4_000_000_000
  private static let stretch: Int64 = 5_000_000

  /// Distance behind the newest packet up to which a late one is still recognised.
  private static let memory: UInt32 = 64

  /// Duration of the audio in a packet [ns].
  private let packetTime: Int64
  private var newest: UInt32 = 0
  /// Packets after the newest that have already been concealed and counted as lost.
  private var ahead: UInt32 = 0
  private var newestCapture: Int64 = 0
  /// Delay from capture to playout [ns].
  private var playout: Int64 = 0
  /// Bit `n` is set if the packet `n + 1` before the newest is missing.
  private var absent: UInt64 = 0
  /// Bit `n` is set if the packet `n + 1` before the newest is missing and its playout time has not passed.
  private var pending: UInt64 = 0
  private var hasNewest = false
  private var wasSilent = true
  private var reception = AudioReception()
  private var history = ArrivalHistory()
  private var histogram = DelayHistogram()

  /// - Parameter packetTime: duration of the audio in a packet.
  package init(packetTime: SimDuration = OpusVoice.packetTime) { self.packetTime = packetTime.nanoseconds }

  /// Discards the voice; the counts since the last ``takeReception()`` are kept.
  package mutating func restart() {
    let counted = reception
    self = AudioReceiver(packetTime: SimDuration(nanoseconds: packetTime))
    reception = counted
  }

  /// Target delay relative to the fastest packets: 20 ms to 2 s.
  package var targetDelay: SimDuration { SimDuration(nanoseconds: histogram.target) }

  /// Returns and resets the reception statistics, together with the target delay, so that one call per interval
  /// suffices; `nil` if nothing was received or concealed since the last call.
  package mutating func takeReception() -> (reception: AudioReception, targetDelay: SimDuration)? {
    guard reception.packetsReceived > 0 || reception.concealedSamples > 0 else { return nil }
    defer { reception = AudioReception() }
    return (reception, targetDelay)
  }

  /// Processes a packet.
  package mutating func receive(_ packet: VoicePacket, at now: SimTime) {
    let transit = now.nanoseconds - packet.capturedAt.nanoseconds
    let elapsed = packet.capturedAt.nanoseconds - newestCapture
    // The common case: continuous speech with nothing missing.
    guard packet.sequence == newest &+ 1, elapsed == packetTime, !wasSilent, !packet.isSilent,
      absent == 0, ahead == 0
    else { return receiveIrregular(packet, transit: transit, at: now) }
    history.add(transit: transit, at: now.nanoseconds)
    histogram.add(max(transit - history.minimumTransit, 0), at: now.nanoseconds)
    reception.packetsReceived &+= 1
    newest = packet.sequence
    newestCapture = packet.capturedAt.nanoseconds
    stretchTime()
    if transit > playout { expand(by: transit - playout, concealed: 0) }
    playout = min(playout, transit + Self.longest)
    countPlayed(delay: playout - transit)
  }

  @inline(never)
  private mutating func receiveIrregular(_ packet: VoicePacket, transit: Int64, at now: SimTime) {
    if pending != 0 { concealDue(at: now) }
    guard hasNewest else {
      hasNewest = true
      history.add(transit: transit, at: now.nanoseconds)
      playout = transit + histogram.target / 2
      reception.packetsReceived &+= 1
      setNewest(packet)
      if !packet.isSilent { countPlayed(delay: playout - transit) }
      return
    }
    let step = packet.sequence &- newest
    guard step != 0, step < 1 << 31 else { return receiveLate(packet, transit: transit) }
    history.add(transit: transit, at: now.nanoseconds)
    histogram.add(max(transit - history.minimumTransit, 0), at: now.nanoseconds)
    reception.packetsReceived &+= 1
    let elapsed = packet.capturedAt.nanoseconds - newestCapture
    let early = ahead
    if step > 1 || absent != 0 || ahead != 0 { recordGap(step: step, elapsed: elapsed) }
    if packet.isRepeating, step > 1, elapsed == Int64(step) * packetTime {
      recover(transit: transit, concealed: early + 1 >= step ? early + 2 - step : 0)
    }
    let beganTalking = wasSilent || elapsed > Int64(step) * packetTime
    setNewest(packet)
    if packet.isSilent { return }
    if beganTalking {
      // After a pause, at least half the target must be buffered, and nothing waits longer than the target plus 50 ms.
      playout = min(
        max(playout, transit + histogram.target / 2), transit + histogram.target + Self.window)
    } else {
      stretchTime()
    }
    if transit > playout { expand(by: transit - playout, concealed: early >= step ? early - step + 1 : 0) }
    playout = min(playout, transit + Self.longest)
    countPlayed(delay: playout - transit)
  }

  @inline(__always)
  private mutating func setNewest(_ packet: VoicePacket) {
    newest = packet.sequence
    newestCapture = packet.capturedAt.nanoseconds
    wasSilent = packet.isSilent
  }

  @inline(__always)
  private mutating func countPlayed(delay: Int64) {
    reception.packetsPlayed &+= 1
    reception.playedSamples += Self.samples(packetTime)
    reception.jitterBufferDelay.nanoseconds += delay
  }

  /// Moves the delay towards its range: at least the target, at most the target plus the spread of the last packets.
  @inline(__always)
  private mutating func stretchTime() {
    let delay = playout - history.minimumTransit
    let low = histogram.target
    if delay < low {
      let inserted = min(Self.stretch, low - delay)
      playout += inserted
      reception.insertedSamplesForDeceleration += Self.samples(inserted)
      return
    }
    let high = low + history.spread + Self.granularity
    if delay > high {
      let removed = min(delay >= 4 * high ? 2 * Self.stretch : Self.stretch, delay - high)
      playout -= removed
      reception.removedSamplesForAcceleration += Self.samples(removed)
    }
  }

  /// Returns the number of samples at 48 kHz in a duration [ns].
  private static func samples(_ time: Int64) -> Int64 { time * 6 / 125_000 }

  // MARK: Concealment

  /// Conceals until a late packet arrives, and delays playout from then on.
  @inline(never)
  private mutating func expand(by lateness: Int64, concealed packets: UInt32) {
    let blocks = (lateness + Self.block - 1) / Self.block
    playout += blocks * Self.block
    let known = Int64(packets) * Self.samples(packetTime)
    reception.concealedSamples += max(blocks * Self.samplesPerBlock - known, 0)
    if packets == 0 { reception.concealmentEvents &+= 1 }
  }

  private mutating func concealPackets(_ count: Int) {
    guard count > 0 else { return }
    reception.concealedSamples += Int64(count) * Self.samples(packetTime)
  }

  /// Conceals some of the missing packets; consecutive ones are one event.
  private mutating func conceal(_ due: UInt64) {
    concealPackets(due.nonzeroBitCount)
    reception.concealmentEvents &+= UInt32((due & ~(absent >> 1)).nonzeroBitCount)
  }

  /// Records the packets missing before a newer one.
  @inline(never)
  private mutating func recordGap(step: UInt32, elapsed: Int64) {
    let gap = step - 1
    let known = min(ahead, gap)
    reception.packetsLost &+= Int32(bitPattern: gap &- ahead)
    ahead = 0
    // Packets beyond the memory are concealed now if their playout time has not passed.
    let forgotten = step >= Self.memory ? pending : pending & ~(UInt64.max >> UInt64(step))
    conceal(forgotten)
    absent = step >= Self.memory ? 0 : absent << UInt64(step)
    pending = step >= Self.memory ? 0 : pending << UInt64(step)
    guard gap > 0 else { return }
    absent |= Self.bits(gap)
    // During a pause, comfort noise continues regardless of loss.
    guard !wasSilent else { return }
    let unknown = gap - known
    if elapsed == Int64(step) * packetTime {
      pending |= Self.bits(unknown)
      concealPackets(max(Int(unknown) - Int(Self.memory), 0))
    } else {
      // The speaker paused within the gap: count only as many packets as fit into the time.
      if known == 0 { reception.concealmentEvents &+= 1 }
      concealPackets(Int(min(Int64(gap), max(elapsed / packetTime - 1, 0))) - Int(known))
    }
  }

  /// Plays the missing packet before the newest from the copy in the newest. A copy that comes after its playout time
  /// is played as a late packet is: what was concealed meanwhile delays it, since concealing keeps the place in the
  /// stream (`neteq_impl.cc`, Expand).
  ///
  /// - Parameter packets: number of packets from the missing one on that have been concealed in full.
  private mutating func recover(transit: Int64, concealed packets: UInt32) {
    guard !wasSilent else { return }
    pending &= ~1
    let lateness = transit + packetTime - playout
    if lateness > 0 { expand(by: lateness, concealed: packets) }
    reception.playedSamples += Self.samples(packetTime)
  }

  private static func bits(_ count: UInt32) -> UInt64 {
    count >= memory ? .max : (1 << UInt64(count)) - 1
  }

  /// Conceals the missing packets whose playout time has passed.
  @inline(never)
  private mutating func concealDue(at now: SimTime) {
    // Playout time of the packet `n + 1` before the newest: newest + playout - (n + 1) packet times.
    let over = now.nanoseconds - newestCapture - playout
    let last = (-over + packetTime - 1) / packetTime
    // All packets at least `last` before the newest are due; the newest itself is played at this very moment at the
    // latest.
    let due =
      over >= 0
      ? pending : last > Int64(Self.memory) ? 0 : pending & (UInt64.max << UInt64(max(last - 1, 0)))
    pending &= ~due
    conceal(due)
  }

  /// Updates concealment up to a point in time.
  ///
  /// - Parameter spokenSince: start of the current continuous talk spurt. Packets of it that are missing at the time
  ///   they should have been played out completely are concealed and counted as lost. A talk spurt of which nothing
  ///   has arrived yet has no known losses.
  package mutating func conceal(until now: SimTime, spokenSince: SimTime) {
    if pending != 0 { concealDue(at: now) }
    guard hasNewest, !wasSilent, newestCapture >= spokenSince.nanoseconds - packetTime else { return }
    let over = now.nanoseconds - newestCapture - playout - Int64(ahead + 1) * packetTime
    guard over >= packetTime else { return }
    let count = over / packetTime
    if ahead == 0 { reception.concealmentEvents &+= 1 }
    ahead += UInt32(count)
    reception.packetsLost &+= Int32(count)
    reception.concealedSamples += count * Self.samples(packetTime)
  }

  /// Processes a packet that arrives after a later one.
  private mutating func receiveLate(_ packet: VoicePacket, transit: Int64) {
    let distance = newest &- packet.sequence
    let bit = distance >= 1 && distance <= Self.memory ? UInt64(1) << UInt64(distance - 1) : 0
    // Otherwise it is a duplicate or too old.
    guard absent & bit != 0 else { return }
    absent &= ~bit
    reception.packetsReceived &+= 1
    reception.packetsLost &-= 1
    if pending & bit != 0 {
      pending &= ~bit
      if !packet.isSilent { countPlayed(delay: max(playout - transit, 0)) }
    } else if !packet.isSilent {
      reception.packetsDiscarded &+= 1
    }
  }
}
