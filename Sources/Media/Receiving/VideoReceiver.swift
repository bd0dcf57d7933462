package import Quantity

/// One incoming video track: puts frames together, knows which of them can be decoded, holds them back against jitter,
/// and counts what is shown.
///
/// Packets may come late, but not twice. A frame waits for those that it refers to; when the missing one is repaired, all
/// come out. A frame's rendering is known when it can be decoded: at its capture plus the jitter buffer's
/// delay, or at once when that is past; no timer is needed.
package struct VideoReceiver: BitwiseCopyable {
  /// Frames that may be under way at once; two seconds at 30 fps.
  private static let capacity: UInt32 = 64
  /// libwebrtc `video_receive_stream2.h`: longest wait for a key frame, and for any frame.
  private static let keyFrameWait = SimDuration.milliseconds(200)
  private static let frameWait = SimDuration.seconds(3)
  /// A track without packets for this long is not active, and nothing is asked for.
  private static let inactivity = SimDuration.seconds(5)
  /// Rendering takes this much more [ns] (libwebrtc `timing.cc`).
  private static let renderTime: Int64 = 10_000_000
  /// How fast the mapping of capture to arrival times follows later arrivals.
  private static let offsetGrowth = 0.002

  private struct Frame: BitwiseCopyable {
    var packet: FramePacket
    var received: UInt16
    var bytes: UInt32
    var isWaiting: Bool
    /// A packet of it was missing before it came.
    var wasRepaired: Bool
  }

  private var frames: InlineArray<64, Frame>
  private var waiting = 0
  private var ready: UInt32?
  private var references = FrameReferences()

  private var packetAt = SimTime.zero
  private var keyFrameWait = Self.keyFrameWait

  private var jitter = JitterEstimator()
  /// From a frame's fastest arrival to its showing [ns].
  private var currentDelay: Int64 = 0
  private var repairTime = SimDuration.zero
  private var hasOffset = false
  private var offset: Int64 = 0
  private var lastCapture: Int64 = 0
  private var lastArrival: Int64 = 0
  private var lastRender: Int64 = 0

  /// What is looked at often; the receiver itself is large.
  package private(set) var status = VideoReceiverStatus()
  /// Packets that were taken, and frames that were complete: decoded, dropped, or waiting for others.
  package private(set) var packetsReceived: UInt32 = 0
  package private(set) var framesReceived: UInt32 = 0
  package var framesWaiting: Int { waiting }
  /// Frames that came too late, or whose successors a key frame made useless.
  package private(set) var framesDropped: UInt32 = 0
  /// Frames that could be decoded only after their time.
  package private(set) var framesLate: UInt32 = 0
  package private(set) var jitterBufferDelay = SimDuration.zero
  package var freezes = FreezeMeter()

  package init() {
    let none = FramePacket(
      stream: .max, frame: .max, count: 0, temporalLayer: 0, groupPosition: 0, isKeyFrame: false,
      groupLength: 1,
      capturedAt: .zero)
    frames = InlineArray(
      repeating: Frame(packet: none, received: 0, bytes: 0, isWaiting: false, wasRepaired: false))
  }

  /// Takes a packet that has not come before; ``takeFrame(at:)`` then gives what can be shown.
  ///
  /// - Parameter repairTime: for a packet that was missing, the round trip that asking for it takes.
  package mutating func receive(_ packet: FramePacket, repairTime: SimDuration? = nil, at now: SimTime) {
    packetAt = now
    packetsReceived &+= 1
    let place = Int(packet.frame & (Self.capacity - 1))
    if frames[place].packet.frame != packet.frame || frames[place].packet.stream != packet.stream {
      if references.isPast(packet) { return }
      drop(place)
      frames[place] = Frame(packet: packet, received: 0, bytes: 0, isWaiting: false, wasRepaired: false)
    }
    frames[place].received += 1
    frames[place].bytes += UInt32(packet.size)
    if let repairTime {
      frames[place].wasRepaired = true
      self.repairTime = repairTime
    }
    guard frames[place].received == packet.count else { return }
    frames[place].isWaiting = true
    framesReceived &+= 1
    waiting += 1
    if !frames[place].wasRepaired { measure(frames[place], at: now.nanoseconds) }
    if references.allows(frames[place].packet) { ready = packet.frame }
  }

  /// The next frame to be shown; `nil` for none.
  package mutating func takeFrame(at now: SimTime) -> ShownFrame? {
    if let number = ready {
      ready = nil
      return show(Int(number & (Self.capacity - 1)), at: now.nanoseconds)
    }
    guard waiting > 0 else { return nil }
    var chosen = -1
    for place in 0..<Int(Self.capacity)
    where frames[place].isWaiting && references.allows(frames[place].packet) {
      if chosen < 0 || frames[chosen].packet.frame &- frames[place].packet.frame < 1 << 31 { chosen = place }
    }
    return chosen >= 0 ? show(chosen, at: now.nanoseconds) : nil
  }

  private mutating func show(_ place: Int, at now: Int64) -> ShownFrame? {
    let packet = frames[place].packet
    frames[place].isWaiting = false
    waiting -= 1
    let isBehind = references.isBehind(packet)
    if packet.isKeyFrame { dropOlder(than: packet) }
    references.decode(packet)
    keyFrameWait = Self.frameWait
    status.keyFrameDueAt = SimTime(nanoseconds: now) + Self.frameWait
    if frames[place].wasRepaired { jitter.noteRepair(at: now) }
    let due = packet.capturedAt.nanoseconds + offset + currentDelay
    updateDelay(due: due, at: now)
    // A frame that comes when its own time and a successor's are past would run backwards.
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
      capturedAt: packet.capturedAt,
      renderedAt: SimTime(nanoseconds: render))
  }

  // MARK: What is left out

  private mutating func drop(_ place: Int) {
    guard frames[place].isWaiting else { return }
    frames[place].isWaiting = false
    waiting -= 1
    framesDropped &+= 1
  }

  private mutating func dropOlder(than key: FramePacket) {
    guard waiting > 0 else { return }
    for place in 0..<Int(Self.capacity) where frames[place].isWaiting {
      let other = frames[place].packet
      if other.stream != key.stream || key.frame &- other.frame < 1 << 31 { drop(place) }
    }
  }

  // MARK: Jitter

  /// Moves the delay towards its target: down at once, up by what a frame was late (libwebrtc `timing.cc`).
  @inline(__always)
  private mutating func updateDelay(due: Int64, at now: Int64) {
    var wanted = jitter.delay
    if jitter.hasRepairs { wanted += jitter.repairDelay(roundTrip: repairTime, at: now) }
    // Slow streams are not held: in full from 10 frames a second on, not at all below 5.
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

  /// Whether a key frame has to be asked for: after 200 ms without one that is needed, after 3 s without any frame.
  package mutating func takeKeyFrameRequest(at now: SimTime) -> Bool {
    guard now >= status.keyFrameDueAt, now - packetAt < Self.inactivity else { return false }
    status.keyFrameDueAt = now + keyFrameWait
    return true
  }

  /// Losses are beyond repair: only a key frame helps, and is asked for at once.
  package mutating func giveUp() {
    references.breakOff()
    status.isDecodable = false
    keyFrameWait = Self.keyFrameWait
    status.keyFrameDueAt = .zero
  }

  /// The track is to begin: waiting for its key frame starts now.
  package mutating func begin(at now: SimTime) {
    packetAt = now
    keyFrameWait = Self.keyFrameWait
    status.keyFrameDueAt = now + Self.keyFrameWait
  }

  /// The track stops on purpose: nothing is expected until the next key frame.
  package mutating func stop() {
    references.reset()
    status.isDecodable = false
    status.keyFrameDueAt = .distantFuture
    ready = nil
    framesDropped &+= UInt32(waiting)
    for place in 0..<Int(Self.capacity) {
      frames[place].isWaiting = false
      frames[place].packet.frame = .max
    }
    waiting = 0
    hasOffset = false
    freezes.restart()
  }
}
