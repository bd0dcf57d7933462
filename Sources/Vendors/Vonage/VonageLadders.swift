package import Ladder
import Quantity
import Systems

extension NamedLadder {
  static let vonage = NamedLadder(
    name: "vonage",
    summary:
      "scalable video: from a 720p capture 180p30 150, 360p30 500, 720p30 2500 kbps; two encodings below 720p, one below "
      + "360p; three temporal layers 40/20/40",
    source: "opentok-network-test-js target rates with simulcast, which are sums of libwebrtc's encodings",
    ladder: .vonage(capture: VideoFormat(.p720, framesPerSecond: 30)), fitted: { .vonage(capture: $0) })

  static let vonageSingle = NamedLadder(
    name: "vonage-single",
    summary: "without scalable video: one encoding, of 150 (180p) to 4000 kbps (1080p)",
    source: "opentok-network-test-js target rates; between its sizes linear in pixels (our model)",
    ladder: .vonageSingle(capture: VideoFormat(.p720, framesPerSecond: 30)),
    fitted: { .vonageSingle(capture: $0) })
}

extension Ladder {
  /// Returns Vonage's simulcast encodings of a camera.
  package static func vonage(capture: VideoFormat) -> Ladder {
    let pixels = capture.resolution.pixels
    let count = pixels >= Resolution.p720.pixels ? 3 : pixels >= Resolution.p360.pixels ? 2 : 1
    var ladder = Ladder.libwebrtcVP8(capture: capture, encodings: count)
    // The published sums are those of the targets; beyond them, libwebrtc gives the rest to the top encoding.
    for index in ladder.encodings.indices {
      ladder.encodings[index].maximum = ladder.encodings[index].bitrate
    }
    return ladder
  }

  /// Returns Vonage's only encoding of a camera without scalable video.
  package static func vonageSingle(capture: VideoFormat) -> Ladder {
    let rate = vonageRate(of: capture.resolution.pixels)
    var encoding = Encoding(rid: "f", format: capture, cumulativeBitrates: [rate])
    encoding.minimum = .kilobits(30)
    encoding.maximum = rate
    return Ladder(encodings: [encoding])
  }

  private static func vonageRate(of pixels: Int) -> BitRate {
    let rows: [(size: Resolution, kilobits: Int64)] = [
      (.p180, 150), (.p270, 300), (.p360, 500), (.p540, 1200), (.p720, 2500), (.p1080, 4000),
    ]
    guard let above = rows.firstIndex(where: { $0.size.pixels >= pixels }) else { return .kilobits(4000) }
    guard above > 0 else { return .kilobits(150) }
    let low = rows[above - 1]
    let high = rows[above]
    let span = Int64(high.size.pixels - low.size.pixels)
    let extra = (high.kilobits - low.kilobits) * 1000 * Int64(pixels - low.size.pixels) / span
    return BitRate(bitsPerSecond: low.kilobits * 1000 + extra)
  }
}
