import Plan

/// Frames of a lone encoding, as a list of them is read.
struct ListedFrames {
  private var rows: [FrameTable.Row] = []
  private var sizes: [Int32] = []

  /// Adds a frame; the first is a key frame whatever the list says nothing of.
  ///
  /// - Parameters:
  ///   - size: bytes; `nil` for what is no size.
  ///   - text: what the list has there, for messages.
  mutating func add(
    _ size: Int?, isKey: Bool?, text: String, line: Int, column: Int = 1
  ) throws(FrameTableError) {
    guard let size, (1...RecordedFrames.frameLimit).contains(size) else {
      throw FrameTableError(
        line: line, column: column,
        message:
          "'\(text.prefix(64))' is no size of a frame in whole bytes, from 1 to \(RecordedFrames.frameLimit)")
    }
    if rows.isEmpty, isKey == false {
      throw FrameTableError(
        line: line, column: column,
        message:
          "the list must begin with a key frame (I), since it is played in a loop: remove the lines before it"
      )
    }
    rows.append(FrameTable.Row(temporalLayer: 0, groupPosition: 0, isKeyFrame: isKey ?? rows.isEmpty))
    sizes.append(Int32(size))
  }

  /// The frames as those of the encoding `f`, the name of every lone one; `nil` without any.
  var table: FrameTable? { rows.isEmpty ? nil : FrameTable(encodings: ["f"], rows: rows, sizes: sizes) }
}
