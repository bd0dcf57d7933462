package import Ladder
package import Quantity

/// Picture of a scalable stream, complete and decodable, as its highest layer shows it.
package struct CompletePicture: BitwiseCopyable, Equatable {
  /// Index of the picture size in the meeting's table.
  package var format: UInt16
  package var isKeyPicture: Bool
  /// Packets of all its layers.
  package var packets: UInt16
  /// Size of all its packets on the wire, as first sent [byte].
  package var bytes: UInt32
  /// Size of the packets in layers on which the highest layer does not depend [byte].
  package var unusedBytes: UInt32
  package var capturedAt: SimTime
  /// Set if a packet had to be repaired.
  package var wasRepaired: Bool
}

/// Assembly of a scalable stream's pictures from the frames of their spatial layers.
///
/// A picture ends with the frame that is marked as its last or, if an encoder has dropped that frame, with the first
/// packet of a later picture, unless packets are missing. It is decoded as a whole, once all frames that have begun are
/// complete and the highest layer's references are available (libwebrtc's `frame_buffer.cc` releases temporal units).
package struct PictureAssembly: BitwiseCopyable {
  /// Maximum number of pictures being assembled: 4 s at 60 fps, as in ``VideoReceiver``.
  private static let capacity = 256
  private static let noPicture = UInt32.max

  private struct Frame: BitwiseCopyable {
    var received: UInt16 = 0
    var count: UInt16 = 0
    var bytes: UInt32 = 0
    var back: UInt8 = 0
    var refersDown = false
    var isEnd = false
    var isDecoded = false

    var hasBegun: Bool { count > 0 }
    var isComplete: Bool { count > 0 && received == count }
  }

  private struct Picture: BitwiseCopyable {
    var number = PictureAssembly.noPicture
    var format: UInt16 = 0
    var isKeyPicture = false
    var wasRepaired = false
    var capturedAt = SimTime.zero
    var frames = InlineArray<3, Frame>(repeating: Frame())

    /// Highest layer of which a packet has arrived.
    var top: Int { frames[2].hasBegun ? 2 : frames[1].hasBegun ? 1 : 0 }
  }

  private let mode: ScalabilityMode
  private var pictures = InlineArray<256, Picture>(repeating: Picture())
  /// Newest picture of which a packet has arrived, and the last that was handed over; earlier ones are no longer shown
  /// (`frame_buffer.cc`).
  private var newest = Self.noPicture
  private var shown = Self.noPicture
  /// Set while nothing but a key picture can be decoded.
  private var needsKeyPicture = true
  /// Set by a frame of a picture that is no longer shown, to which later frames may refer.
  private var hasLateFrame = false

  package init(_ mode: ScalabilityMode) { self.mode = mode }

  /// Adds a packet.
  ///
  /// - Parameters:
  ///   - ends: `true` if the picture ends with the packet's frame.
  ///   - count: number of packets of the frame.
  ///   - size: size on the wire, without the overhead of a retransmission [byte].
  package mutating func receive(
    _ frame: LayerFrame, ends: Bool, count: UInt16, format: UInt16, size: UInt16, capturedAt: SimTime,
    isRepaired: Bool
  ) {
    if isPast(frame.picture) { hasLateFrame = true }
    let place = Int(frame.picture) % Self.capacity
    let spatial = Int(frame.spatial)
    if pictures[place].number != frame.picture {
      if newest != Self.noPicture, frame.picture + UInt32(Self.capacity) <= newest { return }
      pictures[place] = Picture(
        number: frame.picture, format: format, isKeyPicture: frame.isKeyPicture, capturedAt: capturedAt)
      if newest == Self.noPicture || frame.picture > newest { newest = frame.picture }
    }
    if spatial >= pictures[place].top { pictures[place].format = format }
    pictures[place].frames[spatial].count = count
    pictures[place].frames[spatial].received += 1
    pictures[place].frames[spatial].bytes += UInt32(size)
    pictures[place].frames[spatial].back = frame.back
    pictures[place].frames[spatial].refersDown = mode.refersDown(frame)
    if ends { pictures[place].frames[spatial].isEnd = true }
    if isRepaired { pictures[place].wasRepaired = true }
  }

  /// Removes and returns the next picture that is complete and decodable; `nil` if there is none.
  ///
  /// - Parameter hasMissing: `true` while packets are missing that may still arrive.
  package mutating func take(hasMissing: Bool) -> CompletePicture? {
    guard newest != Self.noPicture else { return nil }
    let oldest = newest >= UInt32(Self.capacity) ? newest - UInt32(Self.capacity) + 1 : 0
    let first = shown == Self.noPicture || hasLateFrame ? oldest : max(oldest, shown + 1)
    for number in min(first, newest)...newest {
      let place = Int(number) % Self.capacity
      guard pictures[place].number == number, decode(place, hasMissing: hasMissing) else { continue }
      shown = number
      return complete(place)
    }
    hasLateFrame = false
    return nil
  }

  private func isPast(_ picture: UInt32) -> Bool { shown != Self.noPicture && picture <= shown }

  /// Forgets all references: nothing can be decoded until a key picture.
  package mutating func invalidate() { needsKeyPicture = true }

  // MARK: Decoding

  /// Decodes the frames of a picture that can be decoded.
  ///
  /// - Returns: `true` if it is to be shown.
  private mutating func decode(_ place: Int, hasMissing: Bool) -> Bool {
    let picture = pictures[place]
    guard !needsKeyPicture || picture.isKeyPicture else { return false }
    let top = picture.top
    let isPast = isPast(picture.number)
    guard isPast || picture.frames[top].isEnd || picture.number < newest && !hasMissing else { return false }
    for spatial in 0...top where picture.frames[spatial].hasBegun && !picture.frames[spatial].isComplete {
      return false
    }
    // A decoded frame remains decoded, even if its reference has left the ring since.
    for spatial in 0...top where picture.frames[spatial].isComplete && !picture.frames[spatial].isDecoded {
      pictures[place].frames[spatial].isDecoded = canDecode(spatial, of: place)
    }
    guard !isPast, pictures[place].frames[top].isDecoded else { return false }
    if picture.isKeyPicture { needsKeyPicture = false }
    return true
  }

  private func canDecode(_ spatial: Int, of place: Int) -> Bool {
    let frame = pictures[place].frames[spatial]
    if frame.refersDown, !pictures[place].frames[spatial - 1].isDecoded { return false }
    guard frame.back > 0 else { return frame.refersDown || pictures[place].isKeyPicture }
    let number = pictures[place].number &- UInt32(frame.back)
    let other = Int(number % UInt32(Self.capacity))
    return pictures[other].number == number && pictures[other].frames[spatial].isDecoded
  }

  private func complete(_ place: Int) -> CompletePicture {
    let picture = pictures[place]
    var bytes: UInt32 = 0
    var unused: UInt32 = 0
    var packets: UInt16 = 0
    var isUsed = true
    for spatial in (0...picture.top).reversed() {
      bytes += picture.frames[spatial].bytes
      packets &+= picture.frames[spatial].count
      if !isUsed { unused += picture.frames[spatial].bytes }
      isUsed = isUsed && picture.frames[spatial].refersDown
    }
    return CompletePicture(
      format: picture.format, isKeyPicture: picture.isKeyPicture, packets: packets, bytes: bytes,
      unusedBytes: unused, capturedAt: picture.capturedAt, wasRepaired: picture.wasRepaired)
  }
}
