package import Ladder
import Quantity
import Systems

extension NamedLadder {
  static let jitsi = NamedLadder(
    name: "jitsi",
    summary:
      "from a 720p capture 180p30 150, 360p30 500, 720p30 1500 kbps; from 1080p 180p, 360p and the whole at 3000 "
      + "kbps; three temporal layers 40/20/40",
    source:
      "lib-jitsi-meet (StandardVideoQualitySettings.ts, TPCUtils.ts: most per encoding of VP8); libwebrtc's "
      + "simulcast.cc: targets below these",
    ladder: .jitsi(capture: VideoFormat(.p720, framesPerSecond: 30)), fitted: { .jitsi(capture: $0) })
}

extension Ladder {
  /// Returns lib-jitsi-meet's encodings of a camera (`_getVideoStreamEncodings`, VP8): libwebrtc's successive halves of
  /// the capture, or 180 and 360 lines below a capture of 1080 lines or more. The rates of the quality levels are
  /// limits; the targets are libwebrtc's for the size where these are lower, such as 150 kbps at 320x180.
  package static func jitsi(capture: VideoFormat) -> Ladder {
    let size = capture.resolution
    let sizes =
      size.lines < 1080
      ? LibwebrtcSimulcast.encodings(of: size).map(\.resolution)
      : [180, 360].map {
        Resolution(width: size.width * $0 / size.lines, height: size.height * $0 / size.lines)
      } + [size]
    let top = levels.first { size.lines >= $0.lines }?.kilobits ?? lowerLevels[0]
    return Ladder(
      encodings: zip(["q", "h", "f"], sizes).enumerated().map { index, own in
        let most = BitRate.kilobits(index == sizes.count - 1 ? top : lowerLevels[index])
        return Encoding(
          rid: own.0, format: VideoFormat(own.1, milliFramesPerSecond: capture.milliFramesPerSecond),
          rates: LibwebrtcSimulcast.rates(of: own.1, isLowest: index == 0).limited(to: most))
      })
  }

  /// Quality levels by lines of the capture: the maximum rates of the highest encoding.
  private static let levels: [(lines: Int, kilobits: Int64)] = [
    (2160, 6000), (1080, 3000), (720, 1500), (360, 500),
  ]
  /// Maximum rates of the encodings below the highest.
  private static let lowerLevels: [Int64] = [200, 500]
}
