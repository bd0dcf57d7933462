package import Ladder

/// Decisions about the frames of the last 16 pictures of a stream.
package struct FrameDecisions: BitwiseCopyable, Sendable {
  private var newest: UInt32 = 0
  /// Four bits per picture, one per spatial layer; the newest picture has the lowest bits.
  private var admitted: UInt64 = 0
  private var dropped: UInt64 = 0

  package init() {}

  package mutating func record(_ frame: LayerFrame, isAdmitted: Bool) {
    let ahead = frame.picture &- newest
    if ahead < 1 << 31, ahead > 0 {
      admitted = ahead < 16 ? admitted << UInt64(4 * ahead) : 0
      dropped = ahead < 16 ? dropped << UInt64(4 * ahead) : 0
      newest = frame.picture
    }
    guard let bit = bit(frame.picture, frame.spatial) else { return }
    if isAdmitted { admitted |= bit } else { dropped |= bit }
  }

  /// Checks whether one of a frame's references was dropped; a reference that has not arrived yet does not count.
  package func hasDroppedReference(_ frame: LayerFrame, mode: ScalabilityMode) -> Bool {
    references(of: frame, mode).bits & dropped != 0
  }

  /// Checks whether all of a frame's references were forwarded.
  package func hasAllReferences(_ frame: LayerFrame, mode: ScalabilityMode) -> Bool {
    let references = references(of: frame, mode)
    return references.areKnown && references.bits & ~admitted == 0
  }

  private func references(of frame: LayerFrame, _ mode: ScalabilityMode) -> (bits: UInt64, areKnown: Bool) {
    let back = frame.refersBack ? bit(frame.picture &- UInt32(frame.back), frame.spatial) : 0
    let down = mode.refersDown(frame) ? bit(frame.picture, frame.spatial - 1) : 0
    return ((back ?? 0) | (down ?? 0), back != nil && down != nil)
  }

  /// Returns the bit of a frame; `nil` if its picture is too old, or newer than the newest.
  private func bit(_ picture: UInt32, _ spatial: UInt8) -> UInt64? {
    let age = newest &- picture
    guard age < 16 else { return nil }
    return 1 << (4 * UInt64(age) + UInt64(spatial))
  }
}
