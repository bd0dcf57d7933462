package import Ladder
import Quantity
import Systems

extension NamedLadder {
  static let stream = NamedLadder(
    name: "stream",
    summary:
      "from a 720p capture 180p30 300, 360p30 750, 720p30 1250 kbps, size halved per encoding; two encodings for a long "
      + "side up to 640 px, one up to 320 px; three temporal layers",
    source: "stream-video-js (layers.ts: computeVideoLayers, withSimulcastConstraints, fallback rates)",
    ladder: .stream(capture: VideoFormat(.p720, framesPerSecond: 30)), fitted: { .stream(capture: $0) })

  static let streamIOS = NamedLadder(
    name: "stream-ios", summary: "180p30 250, 360p30 500, 720p30 1000 kbps; no temporal layers",
    source: "GetStream's iOS SDK: 1 Mbps at 1280x720, size and rate halved per encoding",
    ladder: .streamIOS(capture: VideoFormat(.p720, framesPerSecond: 30)), fitted: { .streamIOS(capture: $0) })
}

extension Ladder {
  /// Returns the encodings of GetStream's JavaScript SDK: the capture and its successive halves, with rates that shrink
  /// in proportion to the pixels of a capture smaller than 1280x720 (`computeVideoLayers`).
  ///
  /// - Parameter dropsSmallest: `false` if small captures get all encodings, see ``streamEncodings(of:_:)``.
  package static func stream(capture: VideoFormat, dropsSmallest: Bool = true) -> Ladder {
    let size = capture.resolution
    let pixels = Int64(min(size.pixels, Resolution.p720.pixels))
    let kept = [300, 750, 1250].enumerated().suffix(streamEncodings(of: size, dropsSmallest))
    return Ladder(
      encodings: zip(["q", "h", "f"], kept).map { rid, own in
        let most = Int64(own.element) * 1000 * pixels / Int64(Resolution.p720.pixels)
        return Encoding(
          rid: rid,
          format: VideoFormat(
            size.halved(2 - own.offset), milliFramesPerSecond: min(capture.milliFramesPerSecond, 30_000)),
          cumulativeBitrates: [40, 60, 100].map { BitRate(bitsPerSecond: most * $0 / 100) })
      })
  }

  /// Returns the encodings of GetStream's iOS SDK: 1 Mbps at 1280x720, shrinking in proportion to the pixels of a
  /// smaller capture; size and bit rate halve with each encoding down (`VideoLayers`, `PublishOption`).
  ///
  /// - Parameter dropsSmallest: `false` if small captures get all encodings, see ``streamEncodings(of:_:)``.
  package static func streamIOS(capture: VideoFormat, dropsSmallest: Bool = true) -> Ladder {
    let size = capture.resolution
    let full =
      Int64(1_000_000) * Int64(min(size.pixels, Resolution.p720.pixels)) / Int64(Resolution.p720.pixels)
    let count = streamEncodings(of: size, dropsSmallest)
    return Ladder(
      encodings: ["q", "h", "f"].prefix(count).enumerated().map { index, rid in
        let shift = count - 1 - index
        return Encoding(
          rid: rid,
          format: VideoFormat(size.halved(shift), milliFramesPerSecond: capture.milliFramesPerSecond),
          cumulativeBitrates: [BitRate(bitsPerSecond: full >> Int64(shift))])
      })
  }

  /// Returns the number of encodings of a capture: one for a long side of up to 320 px, two up to 640 px, else three
  /// (`withSimulcastConstraints`, after libwebrtc's limits). This avoids sending 640x480 at 160x120.
  ///
  /// - Parameter dropsSmallest: `false` for three encodings whatever the capture.
  private static func streamEncodings(of size: Resolution, _ dropsSmallest: Bool) -> Int {
    let long = max(size.width, size.height)
    return !dropsSmallest || long > 640 ? 3 : long > 320 ? 2 : 1
  }
}

extension Resolution {
  /// Returns the size halved a number of times, rounded down.
  fileprivate func halved(_ times: Int) -> Resolution {
    Resolution(width: max(1, width >> times), height: max(1, height >> times))
  }
}
