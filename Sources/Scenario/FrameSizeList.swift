import Plan

/// Reads the frames of one encoding where its file has no columns of ours: one size a line, or what
/// `ffprobe -select_streams v -show_entries frame=pkt_size,pict_type -of csv` prints.
///
/// A list of sizes alone has one key frame, the first. Sizes are bytes.
enum FrameSizeList {
  /// Name of the encoding, as of every lone one.
  private static let encoding = "f"

  /// Returns the table of a list; `nil` for a file that is none.
  ///
  /// - Throws: ``FrameTableError`` at the first line that has no size.
  static func table(of bytes: [UInt8]) throws(FrameTableError) -> FrameTable? {
    let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false).map { line in
      String(decoding: line, as: UTF8.self).trimmed
    }
    guard let first = lines.first(where: { !$0.isEmpty }), frame(first) != nil else { return nil }
    var rows: [FrameTable.Row] = []
    var sizes: [Int32] = []
    for (number, line) in lines.enumerated() where !line.isEmpty {
      guard let (size, isKey) = frame(line), (1...RecordedFrames.frameLimit).contains(size) else {
        throw FrameTableError(
          line: number + 1, column: 1,
          message:
            "'\(line.prefix(64))' is no size of a frame in whole bytes, from 1 to \(RecordedFrames.frameLimit)"
        )
      }
      if rows.isEmpty, isKey == false {
        throw FrameTableError(
          line: number + 1, column: 1,
          message:
            "the list must begin with a key frame (I), since it is played in a loop: remove the lines before it"
        )
      }
      rows.append(FrameTable.Row(temporalLayer: 0, groupPosition: 0, isKeyFrame: isKey ?? rows.isEmpty))
      sizes.append(Int32(size))
    }
    return FrameTable(encodings: [encoding], rows: rows, sizes: sizes)
  }

  /// Size in a line, and whether it is that of a key frame if the line says so.
  private static func frame(_ line: String) -> (size: Int, isKey: Bool?)? {
    var fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if fields.count > 1, fields[0] == "frame" { fields.removeFirst() }
    // ffprobe ends some lines with side data.
    while fields.count > 1, fields[fields.count - 1].isEmpty { fields.removeLast() }
    guard fields.count <= 2, let size = number(fields[0]) else { return nil }
    guard fields.count == 2 else { return (size, nil) }
    return ["I", "P", "B"].contains(fields[1]) ? (size, fields[1] == "I") : nil
  }

  private static func number(_ text: String) -> Int? {
    (1...9).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }
}

extension String {
  /// The text without white space around it.
  fileprivate var trimmed: String {
    let space: Set<Character> = [" ", "\t", "\r"]
    return String(drop { space.contains($0) }.reversed().drop { space.contains($0) }.reversed())
  }
}
