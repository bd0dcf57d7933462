package import Ladder
import Quantity
import Systems

extension NamedLadder {
  static let stream = NamedLadder(
    name: "stream", summary: "180p30 300, 360p30 750, 720p30 1250 kbps; three temporal layers",
    source: "stream-video-js fallback rates (layers.ts)",
    ladder: .threeTemporal([("q", .p180, 300), ("h", .p360, 750), ("f", .p720, 1250)]))

  static let streamIOS = NamedLadder(
    name: "stream-ios", summary: "180p30 250, 360p30 500, 720p30 1000 kbps; no temporal layers",
    source: "GetStream's iOS SDK: 1 Mbps at 1280x720, size and rate halved per encoding",
    ladder: .streamIOS(capture: VideoFormat(.p720, framesPerSecond: 30)), fitted: Ladder.streamIOS(capture:))
}

extension Ladder {
  /// Returns the encodings of GetStream's iOS SDK: 1 Mbps at 1280x720, less in proportion to the pixels of a smaller
  /// capture; size and bit rate halve with each encoding down; one encoding for a long side up to 320 px, two up to 640
  /// px, else three (`VideoLayers`, `PublishOption`).
  package static func streamIOS(capture: VideoFormat) -> Ladder {
    let size = capture.resolution
    let full =
      Int64(1_000_000) * Int64(min(size.pixels, Resolution.p720.pixels)) / Int64(Resolution.p720.pixels)
    let long = max(size.width, size.height)
    let count = long <= 320 ? 1 : long <= 640 ? 2 : 3
    return Ladder(
      encodings: ["q", "h", "f"].prefix(count).enumerated().map { index, rid in
        let shift = count - 1 - index
        return Encoding(
          rid: rid,
          format: VideoFormat(
            Resolution(width: size.width >> shift, height: size.height >> shift),
            milliFramesPerSecond: capture.milliFramesPerSecond),
          cumulativeBitrates: [BitRate(bitsPerSecond: full >> Int64(shift))])
      })
  }
}
