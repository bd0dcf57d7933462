import Plan

/// Frames of a lone encoding, collected while a list of them is read.
struct ListedFrames {
  private var rows: [FrameTable.Row] = []
  private var sizes: [Int32] = []

  /// Adds a frame; the first is a key frame if the list does not say.
  ///
  /// - Parameters:
  ///   - size: size in bytes; `nil` if the list has something else in its place.
  ///   - text: text in the list, for messages.
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

  /// The frames as those of the encoding `f`, the name of any lone encoding; `nil` without frames.
  var table: FrameTable? { rows.isEmpty ? nil : FrameTable(encodings: ["f"], rows: rows, sizes: sizes) }
}
