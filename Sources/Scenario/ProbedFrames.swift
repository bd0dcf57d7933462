import JSON

/// Reads the video frames listed by `ffprobe -show_frames -of json`, or the packets listed by `-show_packets`.
///
/// Sizes are a frame's `pkt_size` or a packet's `size` [byte]; key frames have `key_frame`, or a `K` among their flags.
enum ProbedFrames {
  /// Returns the frames of a file; `nil` for a file that is not JSON.
  ///
  /// - Throws: ``FrameTableError`` at an entry that is not a frame with a size.
  static func frames(of bytes: [UInt8]) throws(FrameTableError) -> ListedFrames? {
    var reader = JSONReader(bytes)
    guard reader.startsObject || reader.startsArray else { return nil }
    let root: PlacedJSON
    do throws(JSONDefect) {
      root = try PlacedJSON(bytes)
    } catch {
      let place = error.place(in: bytes)
      throw FrameTableError(line: place.line, column: place.column, message: "this is no JSON: \(error.text)")
    }
    guard let entries = (root["frames"] ?? root["packets"])?.elements else {
      throw failure(root, bytes, "there is no list 'frames', as 'ffprobe -show_frames -of json' writes")
    }
    var frames = ListedFrames()
    var stream: Double?
    var places = PlaceCounter(bytes)
    for entry in entries {
      let kind = entry["media_type"] ?? entry["codec_type"] ?? entry["type"]
      guard kind == nil || kind?.text == "video" else { continue }
      if let own = entry["stream_index"]?.number {
        guard stream == nil || stream == own else {
          throw failure(
            entry, bytes, "there are frames of several video streams: choose one by '-select_streams v:0'")
        }
        stream = own
      }
      guard let size = entry["pkt_size"] ?? entry["size"] else {
        throw failure(entry, bytes, "the frame has no 'pkt_size'")
      }
      let isKey =
        entry["key_frame"]?.number.map { $0 == 1 } ?? entry["flags"]?.text.map { $0.contains("K") }
      let place = places.place(of: size.offset)
      try frames.add(
        whole(size), isKey: isKey, text: size.text ?? size.number.map { "\($0)" } ?? "this value",
        line: place.line, column: place.column)
    }
    guard frames.table != nil else { throw failure(root, bytes, "the list has no frames of video") }
    return frames
  }

  /// Returns a whole number, also if written as a string, as ffprobe does.
  private static func whole(_ value: PlacedJSON) -> Int? {
    guard let number = value.number ?? value.text.flatMap(Double.init), number == number.rounded(),
      abs(number) < 1e9
    else { return nil }
    return Int(number)
  }

  private static func failure(_ value: PlacedJSON, _ bytes: [UInt8], _ message: String) -> FrameTableError {
    let place = value.place(in: bytes)
    return FrameTableError(line: place.line, column: place.column, message: message)
  }
}
