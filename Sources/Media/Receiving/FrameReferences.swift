/// Reference frames available to a decoder.
///
/// L1T3: a base-layer frame references the previous one, the middle frame its group's base, the last frame of a group
/// the middle one. Compact, since it is accessed for every frame.
struct FrameReferences: BitwiseCopyable {
  private(set) var stream: UInt16 = .max
  /// Set while the base layer is complete since a key frame.
  private(set) var isDecodable = false
  private var base: UInt32 = 0
  private var previousBase: UInt32 = 0
  private var middle: UInt32 = .max
  private var newest: UInt32 = 0

  /// Checks whether all references of a complete frame are available.
  @inline(__always)
  func canDecode(_ packet: FramePacket) -> Bool {
    if packet.isKeyFrame { return packet.stream != stream || !isDecodable || isNewer(packet.frame) }
    guard isDecodable, packet.stream == stream else { return false }
    if packet.groupPosition == 0 { return packet.frame == base &+ UInt32(packet.groupLength) }
    let group = packet.frame &- UInt32(packet.groupPosition)
    guard group == base || group == previousBase else { return false }
    return packet.groupPosition != 3 || middle == packet.frame &- 1
  }

  @inline(__always)
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

  /// Invalidates all references: nothing can be decoded until a key frame.
  mutating func invalidate() { isDecodable = false }

  /// Resets to the state before the first key frame.
  mutating func reset() { self = Self() }

  /// Checks whether a later frame of its stream has already been decoded.
  @inline(__always)
  func isBehind(_ packet: FramePacket) -> Bool {
    isDecodable && packet.stream == stream && !isNewer(packet.frame)
  }

  /// Checks whether a frame is too late for its group to be shown.
  @inline(__always)
  func isTooLate(_ packet: FramePacket) -> Bool {
    isBehind(packet) && newest &- packet.frame >= 2 * UInt32(packet.groupLength)
  }

  @inline(__always)
  private func isNewer(_ frame: UInt32) -> Bool { frame &- newest < 1 << 31 && frame != newest }
}
