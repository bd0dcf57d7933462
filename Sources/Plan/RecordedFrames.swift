package import Ladder
package import Media

/// A camera that plays back a recorded encoder: the frames of a table, in a loop.
///
/// Plans of several participants may share a table, which is then in memory only once.
package struct RecordedFrames: Hashable, Sendable {
  package let table: FrameTable
  /// Columns of the encodings in the table, from the lowest up.
  package let columns: [Int]
  /// Row of the first frame, a key frame.
  package let start: Int
  /// Maximum number of a frame's bytes in one packet, above 0.
  package let packetBytes: Int

  /// Creates a recorded camera.
  ///
  /// - Parameters:
  ///   - columns: columns of the encodings in the table, from the lowest up.
  ///   - start: row at or after which the first key frame is taken.
  ///   - packetBytes: maximum number of a frame's bytes in one packet, in ``packetRange``.
  package init(_ table: FrameTable, columns: [Int], start: Int = 0, packetBytes: Int = Self.usualPacketBytes)
  {
    self.table = table
    self.columns = columns
    self.start = table.keyFrame(from: start)
    self.packetBytes = packetBytes
  }

  /// Default of ``packetBytes``, at which a packet including headers is no larger than libwebrtc's.
  package static let usualPacketBytes = 1150
  /// Range of ``packetBytes`` in which a packet fits an Ethernet frame.
  package static let packetRange = 100...1400

  /// Maximum number of encodings, as in libwebrtc's simulcast.
  package static let encodingLimit = 3
  /// Maximum size of a frame [byte], which can still be numbered in the smallest packets.
  package static let frameLimit = 1_000_000

  /// Returns the camera's offer: the mean rates of the table, up to each of its temporal layers.
  ///
  /// - Parameters:
  ///   - sizes: picture sizes of the encodings, from the lowest up.
  ///   - milliFramesPerSecond: frame rate of all temporal layers [1/1000 Hz].
  package func ladder(_ sizes: [Resolution], milliFramesPerSecond: Int) -> Ladder {
    Ladder(
      encodings: zip(columns, sizes).map { column, size in
        Encoding(
          rid: table.encodings[column],
          format: VideoFormat(size, milliFramesPerSecond: milliFramesPerSecond),
          cumulativeBitrates: (0..<table.temporalLayers).map {
            table.rate(of: column, upTo: $0, milliFramesPerSecond: milliFramesPerSecond)
          })
      })
  }

  /// Splits a frame into packets whose sizes differ by at most a byte.
  package func packets(of frame: EncodedFrame) -> Packetization {
    Packetization(frameBytes: frame.bytes, most: packetBytes, overhead: PacketOverhead.perRecordedPacket)
  }
}
