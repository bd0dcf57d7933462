package import Quantity

/// Receiver of a video track: reassembles frames, tracks which are decodable, delays them in the jitter buffer, and
/// counts what is rendered.
///
/// Packets may arrive late but not twice. A complete frame waits for its references; once a missing one is recovered,
/// all are released. The render time is known when a frame becomes decodable: capture time plus jitter buffer delay,
/// or immediately if that has passed; no timer is needed.
package struct VideoReceiver: BitwiseCopyable {
  /// Maximum number of frames being assembled: 4 s at 60 fps, more than the 3 s without a frame after which a key frame
  /// is requested; libwebrtc holds 800 (`video_receive_stream2.cc`).
  private static let capacity: UInt32 = 256
  /// Maximum wait for a key frame (libwebrtc `video_receive_stream2.h`).
  private static let keyFrameWait = SimDuration.milliseconds(200)
  /// Maximum wait for any frame (libwebrtc `video_receive_stream2.h`).
  private static let frameWait = SimDuration.seconds(3)
  /// Time without packets after which a track, when next due to request a key frame, is inactive and requests none
  /// (libwebrtc `video_receive_stream2.cc`).
  private static let inactivity = SimDuration.seconds(5)
  /// Render delay [ns] (libwebrtc `timing.cc`).
  private static let renderTime: Int64 = 10_000_000
  /// Adaptation rate of the capture-to-arrival offset to later arrivals.
  private static let offsetGrowth = 0.002

  /// Progress of the newest frame.
  private enum Progress: UInt8, BitwiseCopyable { case none, unfinished, ready }

  /// Frame whose packets currently arrive. It joins ``frames`` only if packets of other frames arrive before it is
  /// complete, or if it has to wait for its references: most frames never do.
  private var newest: ReceivedFrame
  private var progress = Progress.none
  /// Number of frames in ``frames`` with missing packets.
  private var unfinished = 0
  /// Number of complete frames that are not decoded yet.
  package private(set) var framesWaiting = 0
  private var references = FrameReferences()
  /// Number of the next picture of a scalable stream; pictures are renumbered here without gaps.
  private var picturesReceived: UInt32 = 0

  private var packetAt = SimTime.zero
  private var keyFrameWait = Self.keyFrameWait

  /// Delay from a frame's earliest possible arrival to rendering [ns].
  private var currentDelay: Int64 = 0
  private var repairTime = SimDuration.zero
  private var hasOffset = false
  private var offset: Int64 = 0
  private var lastCapture: Int64 = 0
  private var lastArrival: Int64 = 0
  private var lastRender: Int64 = 0

  /// Frequently read fields, kept apart from the large receiver.
  package private(set) var status = VideoReceiverStatus()
  /// Packets received.
  package private(set) var packetsReceived: UInt32 = 0
  /// Complete frames: decoded, dropped or waiting for references.
  package private(set) var framesReceived: UInt32 = 0
  /// Frames that were too late or made obsolete by a key frame.
  package private(set) var framesDropped: UInt32 = 0
  /// Frames decodable only after their render time.
  package private(set) var framesLate: UInt32 = 0
  package private(set) var jitterBufferDelay = SimDuration.zero
  // Fields that every frame touches are kept together; the table, of which a frame touches one entry, comes last.
  private var jitter = JitterEstimator()
  package var freezes = FreezeMeter()
  private var frames: InlineArray<256, ReceivedFrame>

  private static let noPacket = FramePacket(
    stream: .max, frame: .max, count: 0, temporalLayer: 0, groupPosition: 0, isKeyFrame: false,
    groupLength: 1, capturedAt: .zero)

  package init() {
    newest = ReceivedFrame(Self.noPacket)
    frames = InlineArray(repeating: ReceivedFrame(Self.noPacket))
  }

  /// Processes a new packet; then call ``takeFrame(at:)`` for the frames to render.
  ///
  /// - Parameter repairTime: for a retransmitted packet, the round trip of its recovery.
  package mutating func receive(_ packet: FramePacket, repairTime: SimDuration? = nil, at now: SimTime) {
    noteArrival(at: now)
    add(packet, repairTime: repairTime, at: now)
  }

  @inline(__always)
  private mutating func add(_ packet: FramePacket, repairTime: SimDuration?, at now: SimTime) {
    if progress != .unfinished || !newest.packet.isOfSameFrame(as: packet) {
      if progress != .none { setAside() }
      guard framesWaiting == 0, unfinished == 0 else {
        return receiveAmongOthers(packet, repairTime, at: now)
      }
      if references.isTooLate(packet) { return }
      newest = ReceivedFrame(packet)
      progress = .unfinished
    }
    newest.add(packet, isRepaired: repairTime != nil)
    if let repairTime { self.repairTime = repairTime }
    guard !newest.isUnfinished else { return }
    noteComplete(newest, at: now.nanoseconds)
    progress = .ready
    if !references.canDecode(newest.packet) { setAside() }
  }

  /// Notes a packet's arrival; those of a scalable stream are assembled into pictures before they are processed here.
  @inline(__always)
  package mutating func noteArrival(at now: SimTime) {
    if now - packetAt >= Self.inactivity, status.keyFrameDueAt.isDue(at: now) { freezes.noteInactivity() }
    packetAt = now
    packetsReceived &+= 1
  }

  /// Processes a picture of a scalable stream, which is complete and decodable.
  package mutating func receive(
    _ picture: CompletePicture, stream: UInt16, repairTime: SimDuration?, at now: SimTime
  ) {
    let mean = picture.bytes / UInt32(picture.packets)
    let rest = picture.bytes % UInt32(picture.packets)
    for index in 0..<UInt32(picture.packets) {
      add(
        FramePacket(
          stream: stream, frame: picturesReceived, count: picture.packets, format: picture.format,
          size: UInt16(clamping: mean + (index < rest ? 1 : 0)), temporalLayer: 0, groupPosition: 0,
          isKeyFrame: picture.isKeyPicture, groupLength: 1, capturedAt: picture.capturedAt),
        repairTime: picture.wasRepaired ? repairTime : nil, at: now)
    }
    picturesReceived &+= 1
  }

  /// Moves the newest frame into ``frames``.
  private mutating func setAside() {
    if progress == .ready { newest.isWaiting = true } else { unfinished += 1 }
    frames[slot(of: newest.packet)] = newest
    progress = .none
  }

  private mutating func receiveAmongOthers(_ packet: FramePacket, _ repairTime: SimDuration?, at now: SimTime)
  {
    let slot = slot(of: packet)
    if !frames[slot].packet.isOfSameFrame(as: packet) {
      if references.isTooLate(packet) { return }
      drop(slot)
      if !frames[slot].isUnfinished { unfinished += 1 }
      frames[slot] = ReceivedFrame(packet)
    }
    frames[slot].add(packet, isRepaired: repairTime != nil)
    if let repairTime { self.repairTime = repairTime }
    guard !frames[slot].isUnfinished else { return }
    unfinished -= 1
    noteComplete(frames[slot], at: now.nanoseconds)
    if references.canDecode(frames[slot].packet) {
      newest = frames[slot]
      progress = .ready
    } else {
      frames[slot].isWaiting = true
    }
  }

  private func slot(of packet: FramePacket) -> Int { Int(packet.frame & (Self.capacity - 1)) }

  @inline(__always)
  private mutating func noteComplete(_ frame: ReceivedFrame, at now: Int64) {
    framesReceived &+= 1
    framesWaiting += 1
    if !frame.wasRepaired {
      measure(capture: frame.packet.capturedAt.nanoseconds, bytes: frame.bytes, at: now)
    }
  }

  /// Returns the next frame to render; `nil` if there is none.
  package mutating func takeFrame(at now: SimTime) -> ShownFrame? {
    if progress == .ready {
      progress = .none
      return showNewest(at: now.nanoseconds)
    }
    guard framesWaiting > 0 else { return nil }
    var chosen = -1
    var left = framesWaiting
    // Those that wait follow the newest frame, as a rule.
    for step in 0..<Self.capacity where left > 0 {
      let slot = Int((newest.packet.frame &+ step) & (Self.capacity - 1))
      guard frames[slot].isWaiting else { continue }
      left -= 1
      guard references.canDecode(frames[slot].packet) else { continue }
      if chosen < 0 || frames[chosen].packet.frame &- frames[slot].packet.frame < 1 << 31 { chosen = slot }
    }
    guard chosen >= 0 else { return nil }
    frames[chosen].isWaiting = false
    newest = frames[chosen]
    return showNewest(at: now.nanoseconds)
  }

  private mutating func showNewest(at now: Int64) -> ShownFrame? {
    let packet = newest.packet
    framesWaiting -= 1
    let isBehind = references.isBehind(packet)
    if packet.isKeyFrame { dropOlder(than: packet) }
    references.decode(packet)
    keyFrameWait = Self.frameWait
    status.keyFrameDueAt = Deadline(SimTime(nanoseconds: now) + Self.frameWait)
    if newest.wasRepaired { jitter.recordRetransmission(at: now) }
    let due = packet.capturedAt.nanoseconds + offset + currentDelay
    updateDelay(due: due, at: now)
    // A frame past its render time and behind its successor is dropped: it would run backwards.
    if isBehind, now > due {
      framesDropped &+= 1
      return nil
    }
    if now > due { framesLate &+= 1 }
    let render = max(now, due, lastRender)
    lastRender = render
    jitterBufferDelay.nanoseconds += render - now
    status.framesDecoded &+= 1
    if packet.isKeyFrame { status.keyFramesDecoded &+= 1 }
    freezes.render(at: SimTime(nanoseconds: render))
    status.isDecodable = references.isDecodable
    status.freezeCount = freezes.freezeCount
    status.freezesDuration = freezes.freezesDuration
    status.pausesDuration = freezes.pausesDuration
    return ShownFrame(
      frame: packet.frame, format: packet.format, isKeyFrame: packet.isKeyFrame,
      packets: packet.count, bytes: newest.bytes,
      capturedAt: packet.capturedAt,
      renderedAt: SimTime(nanoseconds: render))
  }

  // MARK: Dropped frames

  private mutating func drop(_ slot: Int) {
    guard frames[slot].isWaiting else { return }
    frames[slot].isWaiting = false
    framesWaiting -= 1
    framesDropped &+= 1
  }

  private mutating func dropOlder(than key: FramePacket) {
    guard framesWaiting > 0 else { return }
    for slot in 0..<Int(Self.capacity) where frames[slot].isWaiting {
      let other = frames[slot].packet
      if other.stream != key.stream || key.frame &- other.frame < 1 << 31 { drop(slot) }
    }
  }

  // MARK: Jitter

  /// Moves the delay towards its target: down immediately, up by the lateness of the frame (libwebrtc `timing.cc`).
  @inline(__always)
  private mutating func updateDelay(due: Int64, at now: Int64) {
    var wanted = jitter.delay
    if jitter.hasRepairs { wanted += jitter.repairDelay(roundTrip: repairTime, at: now) }
    // Slow streams are delayed less: fully from 10 fps, not at all below 5 fps.
    if let rate = jitter.slowRate { wanted *= max(rate - 5, 0) / 5 }
    let target = Int64(wanted * 1e6) + Self.renderTime
    if currentDelay == 0 { currentDelay = target - Self.renderTime }
    let late = max(now + Self.renderTime - due, 0)
    currentDelay = min(currentDelay + late, target)
  }

  @inline(__always)
  private mutating func measure(capture: Int64, bytes: UInt32, at now: Int64) {
    guard capture > lastCapture || lastArrival == 0 else { return }
    let delay = now - capture
    if !hasOffset || delay < offset {
      offset = delay
      hasOffset = true
    } else {
      offset += Int64(Double(delay - offset) * Self.offsetGrowth)
    }
    let variation = Double(now - lastArrival - (capture - lastCapture)) * 1e-6
    jitter.update(delayVariation: variation, bytes: Double(bytes), at: now)
    lastArrival = now
    lastCapture = capture
  }

  // MARK: Key frames

  /// Takes a key frame request if one is due: after 200 ms without a needed key frame, after 3 s without any frame.
  ///
  /// - Returns: `true` if one was due.
  package mutating func takeKeyFrameRequest(at now: SimTime) -> Bool {
    guard status.keyFrameDueAt.isDue(at: now), now - packetAt < Self.inactivity else { return false }
    status.keyFrameDueAt = Deadline(now + keyFrameWait)
    return true
  }

  /// Checks whether the track would still request a key frame: packets have arrived within the last five seconds, or it
  /// has only just begun.
  package func isAttentive(at now: SimTime) -> Bool { now - packetAt < Self.inactivity }

  /// Makes a key frame request due immediately, since losses cannot be recovered.
  package mutating func giveUp() {
    references.invalidate()
    status.isDecodable = false
    keyFrameWait = Self.keyFrameWait
    status.keyFrameDueAt = Deadline(.zero)
  }

  /// Starts the track and the wait for its key frame.
  package mutating func begin(at now: SimTime) {
    packetAt = now
    keyFrameWait = Self.keyFrameWait
    status.keyFrameDueAt = Deadline(now + Self.keyFrameWait)
  }

  /// Stops the track deliberately: nothing is expected until the next key frame.
  package mutating func stop() {
    clear()
    status.keyFrameDueAt = .never
    freezes.restart()
  }

  /// Continues the track with another stream, which begins with a key frame; until then the last picture stands.
  package mutating func restart(at now: SimTime) {
    clear()
    begin(at: now)
  }

  private mutating func clear() {
    references.reset()
    status.isDecodable = false
    framesDropped &+= UInt32(framesWaiting)
    framesWaiting = 0
    unfinished = 0
    progress = .none
    frames = InlineArray(repeating: ReceivedFrame(Self.noPacket))
    hasOffset = false
  }
}
