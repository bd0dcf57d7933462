package import Media
package import Quantity

/// An encoder's output for a video, frame by frame, in one or more encodings; played by a recorded camera.
///
/// The first frame is a key frame, since the table is played in a loop.
package struct FrameTable: Hashable, Sendable {
  /// Properties that the encodings of a frame share.
  package struct Row: Hashable, Sendable, BitwiseCopyable {
    package var temporalLayer: UInt8
    /// Place in its temporal group, 0 to 3.
    package var groupPosition: UInt8
    package var isKeyFrame: Bool
    /// First key frame at or after this row; after the last one, the first of the table.
    fileprivate var keyFrame: Int32 = 0

    package init(temporalLayer: Int, groupPosition: Int, isKeyFrame: Bool) {
      self.temporalLayer = UInt8(truncatingIfNeeded: temporalLayer)
      self.groupPosition = UInt8(truncatingIfNeeded: groupPosition)
      self.isKeyFrame = isKeyFrame
    }
  }

  /// Names of the encodings, one column each.
  package let encodings: [String]
  /// Number of temporal layers of each encoding, 1 to 3.
  package let temporalLayers: Int
  private let rows: [Row]
  /// Bytes of each frame in each encoding, row by row.
  private let sizes: [Int32]

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - rows: at least one; the first is a key frame, and temporal layers follow ``Media/TemporalPattern``.
  ///   - sizes: bytes of each frame in each encoding, row by row, above 0.
  package init(encodings: [String], rows: [Row], sizes: [Int32]) {
    precondition(rows.first?.isKeyFrame == true, "the first of \(rows.count) frames is a key frame")
    precondition(sizes.count == rows.count * encodings.count, "\(sizes.count) sizes of \(rows.count) frames")
    var rows = rows
    var keyFrame: Int32 = 0
    for row in rows.indices.reversed() {
      if rows[row].isKeyFrame { keyFrame = Int32(row) }
      rows[row].keyFrame = keyFrame
    }
    self.encodings = encodings
    temporalLayers = Int(rows.reduce(0) { max($0, $1.temporalLayer) }) + 1
    self.rows = rows
    self.sizes = sizes
  }

  /// Number of frames.
  package var count: Int { rows.count }

  /// Returns the first key frame at or after a row, in the loop.
  package func keyFrame(from row: Int) -> Int { Int(rows[row].keyFrame) }

  /// Returns the row that follows a row, in the loop.
  package func row(after row: Int) -> Int { row + 1 < rows.count ? row + 1 : 0 }

  /// Returns a frame in one of the encodings.
  package func frame(_ row: Int, of column: Int) -> EncodedFrame {
    EncodedFrame(
      bytes: Int(sizes[row * encodings.count + column]), temporalLayer: Int(rows[row].temporalLayer),
      groupPosition: Int(rows[row].groupPosition), isKeyFrame: rows[row].isKeyFrame)
  }

  /// Returns the mean rate of an encoding over the whole table, counting frames without packet headers.
  ///
  /// - Parameters:
  ///   - temporal: highest temporal layer to count.
  ///   - milliFramesPerSecond: frame rate of all layers [1/1000 Hz].
  package func rate(of column: Int, upTo temporal: Int, milliFramesPerSecond: Int) -> BitRate {
    var bytes: Int64 = 0
    for row in rows.indices where rows[row].temporalLayer <= temporal {
      bytes += Int64(sizes[row * encodings.count + column])
    }
    return BitRate(bitsPerSecond: bytes.scaled(by: Int64(milliFramesPerSecond), per: Int64(rows.count) * 125))
  }
}
