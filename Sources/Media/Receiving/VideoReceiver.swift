package import Quantity

/// Receiver of a video track: reassembles frames, tracks which are decodable, delays them in the jitter buffer, and
/// counts what is rendered.
///
/// Packets may arrive late but not twice. A complete frame waits for its references; once a missing one is recovered,
/// all are released. The render time is known when a frame becomes decodable: capture time plus jitter buffer delay, or
/// immediately if that has passed; no timer is needed.
package struct VideoReceiver: BitwiseCopyable {
  /// Maximum number of frames being assembled: two seconds at 30 fps.
  private static let capacity: UInt32 = 64
  /// Maximum wait for a key frame, and for any frame (libwebrtc `video_receive_stream2.h`).
  private static let keyFrameWait = SimDuration.milliseconds(200)
  private static let frameWait = SimDuration.seconds(3)
  /// A track without packets for this long is inactive and sends no key frame requests.
  private static let inactivity = SimDuration.seconds(5)
  /// Render delay [ns] (libwebrtc `timing.cc`).
  private static let renderTime: Int64 = 10_000_000
  /// Adaptation rate of the capture-to-arrival offset to later arrivals.
  private static let offsetGrowth = 0.002

  /// 32 bytes.
  private struct Frame: BitwiseCopyable {
    var packet: FramePacket
    var bytes: UInt32
    var received: UInt16
    var isWaiting: Bool
    /// Whether it needed a retransmission.
    var wasRepaired: Bool
  }

  private var waiting = 0
  private var ready: UInt32?
  private var references = FrameReferences()

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
  /// Packets received, and complete frames: decoded, dropped or waiting for references.
  package private(set) var packetsReceived: UInt32 = 0
  package private(set) var framesReceived: UInt32 = 0
  package var framesWaiting: Int { waiting }
  /// Frames that were too late or made obsolete by a key frame.
  package private(set) var framesDropped: UInt32 = 0
  /// Frames decodable only after their render time.
  package private(set) var framesLate: UInt32 = 0
  package private(set) var jitterBufferDelay = SimDuration.zero
  // What each frame meets stands together, what it meets one entry of comes last.
  private var jitter = JitterEstimator()
  package var freezes = FreezeMeter()
  private var frames: InlineArray<64, Frame>

  package init() {
    let none = FramePacket(
      stream: .max, frame: .max, count: 0, temporalLayer: 0, groupPosition: 0, isKeyFrame: false,
      groupLength: 1,
      capturedAt: .zero)
    frames = InlineArray(
      repeating: Frame(packet: none, bytes: 0, received: 0, isWaiting: false, wasRepaired: false))
  }

  /// Processes a new packet; then call ``takeFrame(at:)`` for the frames to render.
  ///
  /// - Parameter repairTime: for a retransmitted packet, the round trip of its recovery.
  package mutating func receive(_ packet: FramePacket, repairTime: SimDuration? = nil, at now: SimTime) {
    packetAt = now
    packetsReceived &+= 1
    let slot = Int(packet.frame & (Self.capacity - 1))
    if frames[slot].packet.frame != packet.frame || frames[slot].packet.stream != packet.stream {
      if references.isTooLate(packet) { return }
      drop(slot)
      frames[slot] = Frame(packet: packet, bytes: 0, received: 0, isWaiting: false, wasRepaired: false)
    }
    frames[slot].received += 1
    frames[slot].bytes += UInt32(packet.size)
    if let repairTime {
      frames[slot].wasRepaired = true
      self.repairTime = repairTime
    }
    guard frames[slot].received == packet.count else { return }
    frames[slot].isWaiting = true
    framesReceived &+= 1
    waiting += 1
    if !frames[slot].wasRepaired { measure(frames[slot], at: now.nanoseconds) }
    if references.canDecode(frames[slot].packet) { ready = packet.frame }
  }

  /// The next frame to render; `nil` if there is none.
  package mutating func takeFrame(at now: SimTime) -> ShownFrame? {
    if let number = ready {
      ready = nil
      return show(Int(number & (Self.capacity - 1)), at: now.nanoseconds)
    }
    guard waiting > 0 else { return nil }
    var chosen = -1
    for slot in 0..<Int(Self.capacity)
    where frames[slot].isWaiting && references.canDecode(frames[slot].packet) {
      if chosen < 0 || frames[chosen].packet.frame &- frames[slot].packet.frame < 1 << 31 { chosen = slot }
    }
    return chosen >= 0 ? show(chosen, at: now.nanoseconds) : nil
  }

  private mutating func show(_ slot: Int, at now: Int64) -> ShownFrame? {
    let packet = frames[slot].packet
    frames[slot].isWaiting = false
    waiting -= 1
    let isBehind = references.isBehind(packet)
    if packet.isKeyFrame { dropOlder(than: packet) }
    references.decode(packet)
    keyFrameWait = Self.frameWait
    status.keyFrameDueAt = SimTime(nanoseconds: now) + Self.frameWait
    if frames[slot].wasRepaired { jitter.recordRetransmission(at: now) }
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
    return ShownFrame(
      frame: packet.frame, format: packet.format, isKeyFrame: packet.isKeyFrame,
      packets: packet.count, bytes: frames[slot].bytes,
      capturedAt: packet.capturedAt,
      renderedAt: SimTime(nanoseconds: render))
  }

  // MARK: Dropped frames

  private mutating func drop(_ slot: Int) {
    guard frames[slot].isWaiting else { return }
    frames[slot].isWaiting = false
    waiting -= 1
    framesDropped &+= 1
  }

  private mutating func dropOlder(than key: FramePacket) {
    guard waiting > 0 else { return }
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

  private mutating func measure(_ frame: Frame, at now: Int64) {
    let capture = frame.packet.capturedAt.nanoseconds
    guard capture > lastCapture || lastArrival == 0 else { return }
    let delay = now - capture
    if !hasOffset || delay < offset {
      offset = delay
      hasOffset = true
    } else {
      offset += Int64(Double(delay - offset) * Self.offsetGrowth)
    }
    let variation = Double(now - lastArrival - (capture - lastCapture)) * 1e-6
    jitter.update(delayVariation: variation, bytes: Double(frame.bytes), at: now)
    lastArrival = now
    lastCapture = capture
  }

  // MARK: Key frames

  /// Whether a key frame request is due: after 200 ms without a needed key frame, after 3 s without any frame.
  package mutating func takeKeyFrameRequest(at now: SimTime) -> Bool {
    guard now >= status.keyFrameDueAt, now - packetAt < Self.inactivity else { return false }
    status.keyFrameDueAt = now + keyFrameWait
    return true
  }

  /// Losses cannot be recovered: makes a key frame request due immediately.
  package mutating func giveUp() {
    references.invalidate()
    status.isDecodable = false
    keyFrameWait = Self.keyFrameWait
    status.keyFrameDueAt = .zero
  }

  /// Starts the track and the wait for its key frame.
  package mutating func begin(at now: SimTime) {
    packetAt = now
    keyFrameWait = Self.keyFrameWait
    status.keyFrameDueAt = now + Self.keyFrameWait
  }

  /// Stops the track deliberately: nothing is expected until the next key frame.
  package mutating func stop() {
    references.reset()
    status.isDecodable = false
    status.keyFrameDueAt = .distantFuture
    ready = nil
    framesDropped &+= UInt32(waiting)
    for slot in 0..<Int(Self.capacity) {
      frames[slot].isWaiting = false
      frames[slot].packet.frame = .max
    }
    waiting = 0
    hasOffset = false
    freezes.restart()
  }
}
