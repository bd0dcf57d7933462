package import Quantity

/// A packet of a frame as a receiver sees it.
package struct FramePacket: BitwiseCopyable {
  package var stream: UInt16
  package var frame: UInt32
  package var sequence: UInt32
  package var index: UInt16
  package var count: UInt16
  package var temporalLayer: UInt8
  package var groupPosition: UInt8
  package var isKeyFrame: Bool
  /// Frames from one base-layer frame to the next: 1, 2 or 4.
  package var groupLength: UInt32

  package init(
    stream: UInt16, frame: UInt32, sequence: UInt32, index: UInt16, count: UInt16, temporalLayer: UInt8,
    groupPosition: UInt8, isKeyFrame: Bool, groupLength: UInt32
  ) {
    self.stream = stream
    self.frame = frame
    self.sequence = sequence
    self.index = index
    self.count = count
    self.temporalLayer = temporalLayer
    self.groupPosition = groupPosition
    self.isKeyFrame = isKeyFrame
    self.groupLength = groupLength
  }
}

/// One incoming video track: puts frames together, knows which of them can be decoded, and counts what is shown.
///
/// A frame is shown as soon as it is complete and decodable: a jitter buffer comes with the transport. Packets come
/// in order, since links keep it; a frame that is not whole when a later one begins stays incomplete.
package struct TrackReceiver: BitwiseCopyable {
  private var stream: UInt16 = .max
  private var frame: UInt32 = .max
  private var received: UInt16 = 0
  private var expectedSequence: UInt32 = 0
  private var hasSequence = false

  /// Whether the base layer is unbroken since a key frame.
  package private(set) var isDecodable = false
  private var baseFrame: UInt32 = 0
  private var middleFrame: UInt32 = .max

  /// Since the beginning: RTP packets that the sequence numbers miss, as W3C `packetsLost`.
  package private(set) var packetsLost: UInt32 = 0
  package private(set) var framesDecoded: UInt32 = 0
  package private(set) var keyFramesDecoded: UInt32 = 0
  package var freezes = FreezeMeter()

  package init() {}

  /// Takes a packet.
  ///
  /// - Returns: whether a frame is shown now.
  @inline(__always)
  package mutating func receive(_ packet: FramePacket, at now: SimTime) -> Bool {
    if hasSequence {
      let gap = packet.sequence &- expectedSequence
      if gap < 1 << 31 { packetsLost &+= gap }
    }
    hasSequence = true
    expectedSequence = packet.sequence &+ 1
    if packet.frame != frame || packet.stream != stream {
      frame = packet.frame
      stream = packet.stream
      received = 0
    }
    received += 1
    guard received == packet.count else { return false }
    guard decode(packet) else { return false }
    framesDecoded &+= 1
    if packet.isKeyFrame { keyFramesDecoded &+= 1 }
    freezes.render(at: now)
    return true
  }

  /// Whether a whole frame has all that it refers to (L1T3: the base layer refers to the base layer, the middle one to
  /// its group's base, the last frame of a group to the middle one).
  private mutating func decode(_ packet: FramePacket) -> Bool {
    if packet.isKeyFrame {
      isDecodable = true
      baseFrame = packet.frame
      middleFrame = .max
      return true
    }
    guard isDecodable else { return false }
    let groupStart = packet.frame &- UInt32(packet.groupPosition)
    if packet.groupPosition == 0 {
      isDecodable = packet.frame == baseFrame &+ packet.groupLength
      if isDecodable { baseFrame = packet.frame }
      return isDecodable
    }
    guard groupStart == baseFrame else {
      isDecodable = false
      return false
    }
    if packet.temporalLayer == 1 { middleFrame = packet.frame }
    return packet.groupPosition != 3 || middleFrame == packet.frame &- 1
  }

  /// The track stops on purpose: nothing is expected until the next key frame.
  package mutating func stop() {
    isDecodable = false
    hasSequence = false
    frame = .max
    freezes.restart()
  }
}
