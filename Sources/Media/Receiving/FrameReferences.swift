/// What a decoder has of the frames that later ones refer to.
///
/// L1T3: the base layer refers to the base layer before, the middle one to its group's base, the last frame of a group
/// to the middle one. Small, because it is looked at for every frame.
struct FrameReferences: BitwiseCopyable {
  private(set) var stream: UInt16 = .max
  /// Whether the base layer is unbroken since a key frame.
  private(set) var isDecodable = false
  private var base: UInt32 = 0
  private var previousBase: UInt32 = 0
  private var middle: UInt32 = .max
  private var newest: UInt32 = 0

  /// Whether a whole frame has all that it refers to.
  func allows(_ packet: FramePacket) -> Bool {
    if packet.isKeyFrame { return packet.stream != stream || !isDecodable || isNewer(packet.frame) }
    guard isDecodable, packet.stream == stream else { return false }
    if packet.groupPosition == 0 { return packet.frame == base &+ UInt32(packet.groupLength) }
    let group = packet.frame &- UInt32(packet.groupPosition)
    guard group == base || group == previousBase else { return false }
    return packet.groupPosition != 3 || middle == packet.frame &- 1
  }

  mutating func decode(_ packet: FramePacket) {
    if packet.isKeyFrame {
      stream = packet.stream
      isDecodable = true
      previousBase = packet.frame
      base = packet.frame
      middle = .max
      newest = packet.frame
      return
    }
    if packet.groupPosition == 0 {
      previousBase = base
      base = packet.frame
    } else if packet.temporalLayer == 1 {
      middle = packet.frame
    }
    if isNewer(packet.frame) { newest = packet.frame }
  }

  /// Nothing can be decoded until a key frame comes.
  mutating func breakOff() { isDecodable = false }

  /// Nothing is known, as before the first key frame.
  mutating func reset() { self = Self() }

  /// Whether a frame comes after a later one of its stream was decoded.
  func isBehind(_ packet: FramePacket) -> Bool {
    isDecodable && packet.stream == stream && !isNewer(packet.frame)
  }

  /// Whether a frame comes so late that its group can't be shown any more.
  func isPast(_ packet: FramePacket) -> Bool {
    isBehind(packet) && newest &- packet.frame >= 2 * UInt32(packet.groupLength)
  }

  private func isNewer(_ frame: UInt32) -> Bool { frame &- newest < 1 << 31 && frame != newest }
}
