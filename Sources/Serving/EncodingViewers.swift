import SimulationKernel

/// Viewers that each encoding is forwarded to, in the order in which they began.
///
/// Who leaves does not change the order of the others, so that who comes first on a shared link does not depend on it.
package struct EncodingViewers: ~Copyable {
  /// Most viewers of an encoding.
  private let room: Int
  private var viewers: Table<UInt16>
  private var counts: Table<Int32>

  package init(encodings: Int, participants: Int) {
    room = participants
    viewers = Table(repeating: 0, count: participants * encodings)
    counts = Table(repeating: 0, count: encodings)
  }

  /// Returns the number of viewers of an encoding.
  @inline(__always)
  package func count(of encoding: Int) -> Int { Int(counts[encoding]) }

  /// Viewer of an encoding by its place among them.
  @inline(__always)
  package subscript(place: Int, of encoding: Int) -> UInt16 { viewers[encoding * room + place] }

  package mutating func start(_ encoding: Int, to viewer: Int) {
    viewers[encoding * room + count(of: encoding)] = UInt16(viewer)
    counts[encoding] += 1
  }

  package mutating func stop(_ encoding: Int, to viewer: Int) {
    let list = encoding * room
    let count = count(of: encoding)
    var place = 0
    while place < count, viewers[list + place] != UInt16(viewer) { place += 1 }
    guard place < count else { return }
    while place + 1 < count {
      viewers[list + place] = viewers[list + place + 1]
      place += 1
    }
    counts[encoding] -= 1
  }
}
