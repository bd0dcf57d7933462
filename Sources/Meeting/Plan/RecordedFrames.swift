package import Ladder
package import Media

/// A camera that plays a recording of an encoder: the frames of a table, in a loop.
///
/// Plans of several participants may have the same table, which is then in memory once.
package struct RecordedFrames: Hashable, Sendable {
  package let table: FrameTable
  /// The table's column of each encoding, from the lowest up.
  package let columns: [Int]
  /// The row of the first frame, a key frame.
  package let start: Int
  /// The most bytes of a frame in one packet, above 0.
  package let packetBytes: Int

  /// - Parameters:
  ///   - columns: the table's column of each encoding, from the lowest up.
  ///   - start: the camera begins with the first key frame from this row on.
  ///   - packetBytes: the most bytes of a frame in one packet, in ``packetRange``.
  package init(_ table: FrameTable, columns: [Int], start: Int = 0, packetBytes: Int = Self.usualPacketBytes)
  {
    self.table = table
    self.columns = columns
    self.start = table.keyFrame(from: start)
    self.packetBytes = packetBytes
  }

  /// With what comes on top a packet is then no larger than libwebrtc's.
  package static let usualPacketBytes = 1150
  /// Beyond this a packet would not fit an Ethernet frame.
  package static let packetRange = 100...1400

  /// The most encodings, as in libwebrtc's simulcast.
  package static let encodingLimit = 3
  /// The most bytes of a frame: of these the smallest packets can still be numbered.
  package static let frameLimit = 1_000_000

  /// What the camera offers: the mean rates of the table, up to each of its temporal layers.
  ///
  /// - Parameters:
  ///   - sizes: the picture size of each encoding, from the lowest up.
  ///   - milliFramesPerSecond: frames of all temporal layers per second [1/1000 Hz].
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

  /// The packets of a frame: equal ones, to a byte.
  package func packets(of frame: EncodedFrame) -> Packetization {
    Packetization(frameBytes: frame.bytes, most: packetBytes, overhead: PacketOverhead.perRecordedPacket)
  }
}
