package import Quantity

/// The receiver of one voice, in the manner of libwebrtc's NetEq: holds packets until they are to be played, conceals
/// what is not there in time, and stretches time to keep the delay near its target.
///
/// A pure state machine without timers, since nothing depends on a sample's moment of output: every packet's time of
/// playing is known when it comes. The rules are those of `neteq/decision_logic.cc` and its parts. Ours is that
/// stretching moves the delay by 5 ms a packet (there 15 ms in each 60 ms), twice that when it is far too long.
///
/// ```
/// sent      v v v v v - - - c - - v v v      v voice, c comfort packet of a pause
/// arrived   v v v x v - - - c - - v v   v    x lost, the last one late
/// put out   v v v C v . . . . . . v v C v    C concealed, . comfort noise
/// ```
package struct AudioReceiver: BitwiseCopyable {
  private static let packetTime = OpusVoice.packetTime.nanoseconds
  /// NetEq works in blocks of 10 ms.
  private static let block: Int64 = 10_000_000
  private static let samplesPerBlock: Int64 = 480
  /// `kTargetLevelWindowMs` / 2, `kDelayAdjustmentGranularityMs`, and the time that 200 packets fill [ns].
  private static let window: Int64 = 50_000_000
  private static let granularity: Int64 = 20_000_000
  private static let longest: Int64 = 4_000_000_000
  private static let stretch: Int64 = 5_000_000

  /// Packets that a late one may be behind the newest and still be known.
  private static let memory: UInt32 = 64

  private var newest: UInt32 = 0
  /// Packets after the newest that were concealed and counted as lost before anything said so.
  private var ahead: UInt32 = 0
  private var newestCapture: Int64 = 0
  /// From capture to playing [ns].
  private var playout: Int64 = 0
  /// Bit `n` stands for the packet `n + 1` before the newest: it has not come.
  private var absent: UInt64 = 0
  /// The same: it is still to be played, should it come.
  private var pending: UInt64 = 0
  private var hasNewest = false
  private var wasSilent = true
  private var reception = AudioReception()
  private var history = ArrivalHistory()
  private var histogram = DelayHistogram()

  package init() {}

  /// What the delay is moved to, against the fastest packets: 20 ms to 2 s.
  package var targetDelay: SimDuration { SimDuration(nanoseconds: histogram.target) }

  /// Whether anything came or was missed since the last ``takeReception()``.
  @inline(__always)
  package var hasNews: Bool { reception.packetsReceived > 0 || reception.concealedSamples > 0 }

  /// What happened since the last time.
  package mutating func takeReception() -> AudioReception {
    let taken = reception
    reception = AudioReception()
    return taken
  }

  /// Takes a packet.
  package mutating func receive(_ packet: VoicePacket, at now: SimTime) {
    let way = now.nanoseconds - packet.capturedAt.nanoseconds
    let elapsed = packet.capturedAt.nanoseconds - newestCapture
    // Speech that goes on, with nothing missing: nearly always so.
    guard packet.sequence == newest &+ 1, elapsed == Self.packetTime, !wasSilent, !packet.isSilent,
      absent == 0, ahead == 0
    else { return receiveIrregular(packet, way: way, at: now) }
    history.add(way: way, at: now.nanoseconds)
    histogram.add(max(way - history.shortestWay, 0), at: now.nanoseconds)
    reception.packetsReceived &+= 1
    newest = packet.sequence
    newestCapture = packet.capturedAt.nanoseconds
    stretchTime()
    if way > playout { expand(by: way - playout, concealed: 0) }
    playout = min(playout, way + Self.longest)
    play(after: playout - way)
  }

  @inline(never)
  private mutating func receiveIrregular(_ packet: VoicePacket, way: Int64, at now: SimTime) {
    if pending != 0 { concealDue(at: now) }
    guard hasNewest else {
      hasNewest = true
      history.add(way: way, at: now.nanoseconds)
      playout = way + histogram.target / 2
      reception.packetsReceived &+= 1
      follow(packet)
      if !packet.isSilent { play(after: playout - way) }
      return
    }
    let step = packet.sequence &- newest
    guard step != 0, step < 1 << 31 else { return receiveLate(packet, way: way) }
    history.add(way: way, at: now.nanoseconds)
    histogram.add(max(way - history.shortestWay, 0), at: now.nanoseconds)
    reception.packetsReceived &+= 1
    let elapsed = packet.capturedAt.nanoseconds - newestCapture
    let early = ahead
    if step > 1 || absent != 0 || ahead != 0 { shift(by: step, elapsed: elapsed) }
    let beganTalking = wasSilent || elapsed > Int64(step) * Self.packetTime
    follow(packet)
    if packet.isSilent { return }
    if beganTalking {
      // After a pause half the target has to be there, and nothing waits longer than the target and 50 ms.
      playout = min(
        max(playout, way + histogram.target / 2), way + histogram.target + Self.window)
    } else {
      stretchTime()
    }
    if way > playout { expand(by: way - playout, concealed: early >= step ? early - step + 1 : 0) }
    playout = min(playout, way + Self.longest)
    play(after: playout - way)
  }

  @inline(__always)
  private mutating func follow(_ packet: VoicePacket) {
    newest = packet.sequence
    newestCapture = packet.capturedAt.nanoseconds
    wasSilent = packet.isSilent
  }

  @inline(__always)
  private mutating func play(after delay: Int64) {
    reception.packetsPlayed &+= 1
    reception.jitterBufferDelay.nanoseconds += delay
  }

  /// Moves the delay towards what it should be: at least the target, at most that and the spread of the last packets.
  @inline(__always)
  private mutating func stretchTime() {
    let delay = playout - history.shortestWay
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

  /// At 48 kHz.
  private static func samples(_ time: Int64) -> Int64 { time * 6 / 125_000 }

  // MARK: Concealment

  /// The packet that was to be played next is late: sound is invented until it comes, and everything is played later.
  @inline(never)
  private mutating func expand(by lateness: Int64, concealed packets: UInt32) {
    let blocks = (lateness + Self.block - 1) / Self.block
    playout += blocks * Self.block
    let known = Int64(packets) * AudioReception.samplesPerPacket
    reception.concealedSamples += max(blocks * Self.samplesPerBlock - known, 0)
    if packets == 0 { reception.concealmentEvents &+= 1 }
  }

  private mutating func concealPackets(_ count: Int) {
    guard count > 0 else { return }
    reception.concealedSamples += Int64(count) * AudioReception.samplesPerPacket
  }

  /// Conceals some of the absent packets; those that follow one another are one event.
  private mutating func conceal(_ due: UInt64) {
    concealPackets(due.nonzeroBitCount)
    reception.concealmentEvents &+= UInt32((due & ~(absent >> 1)).nonzeroBitCount)
  }

  /// Notes which packets before a newer one have not come.
  @inline(never)
  private mutating func shift(by step: UInt32, elapsed: Int64) {
    let gap = step - 1
    let known = min(ahead, gap)
    reception.packetsLost &+= Int32(bitPattern: gap &- ahead)
    ahead = 0
    // What is too old to be remembered is concealed now, if its time has not come yet.
    let forgotten = step >= Self.memory ? pending : pending & ~(UInt64.max >> UInt64(step))
    conceal(forgotten)
    absent = step >= Self.memory ? 0 : absent << UInt64(step)
    pending = step >= Self.memory ? 0 : pending << UInt64(step)
    guard gap > 0 else { return }
    absent |= Self.bits(gap)
    // In a pause comfort noise goes on, whatever is lost.
    guard !wasSilent else { return }
    let unknown = gap - known
    if elapsed == Int64(step) * Self.packetTime {
      pending |= Self.bits(unknown)
      concealPackets(max(Int(unknown) - Int(Self.memory), 0))
    } else {
      // The speaker paused within the gap: no more than fits was speech.
      if known == 0 { reception.concealmentEvents &+= 1 }
      concealPackets(Int(min(Int64(gap), max(elapsed / Self.packetTime - 1, 0))) - Int(known))
    }
  }

  private static func bits(_ count: UInt32) -> UInt64 {
    count >= memory ? .max : (1 << UInt64(count)) - 1
  }

  /// Conceals the missing packets whose time has come.
  @inline(never)
  private mutating func concealDue(at now: SimTime) {
    // The packet `n + 1` before the newest is to be played at newest + playout - (n + 1) packet times.
    let over = now.nanoseconds - newestCapture - playout
    let last = (-over + Self.packetTime - 1) / Self.packetTime
    // All those of at least `last` packets before the newest; it is played at that very moment at the latest.
    let due =
      over >= 0
      ? pending : last > Int64(Self.memory) ? 0 : pending & (UInt64.max << UInt64(max(last - 1, 0)))
    pending &= ~due
    conceal(due)
  }

  /// Brings concealment up to a moment.
  ///
  /// - Parameter spokenSince: since when the voice is being sent without a pause: what has not come of it when it
  ///   should be over is concealed, and lost for all that is known. Of a turn that nothing has come of yet, nothing is
  ///   known to be lacking.
  package mutating func conceal(until now: SimTime, spokenSince: SimTime) {
    if pending != 0 { concealDue(at: now) }
    guard hasNewest, !wasSilent, newestCapture >= spokenSince.nanoseconds - Self.packetTime else { return }
    let over = now.nanoseconds - newestCapture - playout - Int64(ahead + 1) * Self.packetTime
    guard over >= Self.packetTime else { return }
    let count = over / Self.packetTime
    if ahead == 0 { reception.concealmentEvents &+= 1 }
    ahead += UInt32(count)
    reception.packetsLost &+= Int32(count)
    reception.concealedSamples += count * AudioReception.samplesPerPacket
  }

  /// A packet that comes after a later one.
  private mutating func receiveLate(_ packet: VoicePacket, way: Int64) {
    let distance = newest &- packet.sequence
    let bit = distance >= 1 && distance <= Self.memory ? UInt64(1) << UInt64(distance - 1) : 0
    // Otherwise a duplicate, or too old to be known.
    guard absent & bit != 0 else { return }
    absent &= ~bit
    reception.packetsReceived &+= 1
    reception.packetsLost &-= 1
    if pending & bit != 0 {
      pending &= ~bit
      if !packet.isSilent { play(after: max(playout - way, 0)) }
    } else if !packet.isSilent {
      reception.packetsDiscarded &+= 1
    }
  }
}
