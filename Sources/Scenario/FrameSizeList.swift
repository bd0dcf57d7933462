import Plan

/// Reads the frames of one encoding from files in other tools' formats:
///
/// - one size per line, or the output of `ffprobe -select_streams v -show_entries frame=pkt_size,pict_type -of csv`
///   [byte];
/// - ffprobe's JSON (``ProbedFrames``);
/// - traces of the video trace library of Arizona State University: frame number, time, type, size and PSNRs, or only
///   size and PSNR [bit], and number, type, time and size [byte] in its older MPEG-4 traces (Fitzek and Reisslein,
///   "MPEG-4 and H.263 video traces for network performance evaluation", 2001). Comments (`#`) that state a maximum in
///   bytes tell the unit.
///
/// A bare list of sizes has one key frame, the first. Frames are sent in file order.
enum FrameSizeList {
  /// Columns of a line.
  private enum Shape {
    case sizes
    /// Number, time, type, size, PSNRs.
    case verbose
    /// Size, PSNR.
    case terse
    /// Number, type, time, size.
    case older

    /// Field indices of the type and the size; `nil` without a type.
    var places: (type: Int?, size: Int, count: ClosedRange<Int>) {
      switch self {
      case .sizes: (1, 0, 1...2)
      case .verbose: (2, 3, 4...9)
      case .terse: (nil, 0, 2...4)
      case .older: (1, 3, 4...4)
      }
    }

    var isInBits: Bool { self == .verbose || self == .terse }
  }

  private static let types = ["I", "IDR", "P", "B"]
  /// Text of a comment that states the largest frame.
  private static let maximum = "maximum frame size (bytes):"

  /// Returns the table of a list; `nil` for a file that is not such a list.
  ///
  /// - Throws: ``FrameTableError`` at the first line that has no size.
  static func table(of bytes: [UInt8]) throws(FrameTableError) -> FrameTable? {
    if let frames = try ProbedFrames.frames(of: bytes) { return frames.table }
    let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false).map { line in
      String(decoding: line, as: UTF8.self).trimmed
    }
    guard let first = lines.first(where: { !$0.isEmpty && !$0.hasPrefix("#") }), let shape = shape(first)
    else { return nil }
    var stated: Int?
    for line in lines where line.lowercased().contains(maximum) {
      stated = line.lowercased().split(separator: ":").last.flatMap { number(String($0).trimmed) }
    }
    let numbers = lines.enumerated().filter { !$0.element.isEmpty && !$0.element.hasPrefix("#") }
    let largest = numbers.compactMap { frame($0.element, shape)?.size }.max() ?? 0
    let isInBits = shape.isInBits && stated.map { largest > $0 } ?? true
    var frames = ListedFrames()
    for (place, line) in numbers {
      let frame = frame(line, shape)
      let size = frame.map { isInBits ? ($0.size + 7) / 8 : $0.size }
      try frames.add(size, isKey: frame?.isKey, text: line, line: place + 1)
    }
    return frames.table
  }

  private static func shape(_ line: String) -> Shape? {
    let words = words(line)
    if words.count >= 4, number(words[0]) != nil {
      if types.contains(words[2]) { return .verbose }
      if types.contains(words[1]) { return .older }
    }
    if words.count > 1, words.count <= 4, words[1].contains("."), Double(words[1]) != nil,
      number(words[0]) != nil
    {
      return .terse
    }
    return frame(line, .sizes) != nil ? .sizes : nil
  }

  private static func words(_ line: String) -> [String] {
    line.split { $0 == " " || $0 == "\t" }.map(String.init)
  }

  /// Returns the size in a line, and whether it belongs to a key frame if the line says so.
  private static func frame(_ line: String, _ shape: Shape) -> (size: Int, isKey: Bool?)? {
    var fields: [String]
    if shape == .sizes {
      fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      if fields.count > 1, fields[0] == "frame" { fields.removeFirst() }
      // ffprobe ends some lines with side data.
      while fields.count > 1, fields[fields.count - 1].isEmpty { fields.removeLast() }
    } else {
      fields = words(line)
    }
    let places = shape.places
    guard places.count.contains(fields.count), let size = number(fields[places.size]) else { return nil }
    guard let type = places.type, type < fields.count else { return (size, nil) }
    return types.contains(fields[type]) ? (size, fields[type].hasPrefix("I")) : nil
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
