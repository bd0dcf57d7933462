package import Ladder
import Quantity
import Systems

extension NamedLadder {
  static let bluejeans = NamedLadder(
    name: "bluejeans", summary: "90p15, 180p30, 360p30, 720p30; three temporal layers",
    source:
      "bit rates of BlueJeans' web SDK (videoSimulcastConfig); its clients send three of the four at a time, here all "
      + "four, so that every documented quality is available; base layers of 40 % are our model",
    ladder: .bluejeans([.p90, .p180, .p360, .p720]))

  static let bluejeansThumbnails = NamedLadder(
    name: "bluejeans-thumbnails", summary: "90p15, 180p30, 720p30: a 720p sender with 90p thumbnails",
    source: "BlueJeans' web SDK (RTCEncodingManager)", ladder: .bluejeans([.p90, .p180, .p720]))

  static let bluejeansClassic = NamedLadder(
    name: "bluejeans-classic", summary: "180p30, 360p30, 720p30: a sender without thumbnails",
    source: "BlueJeans' web SDK (RTCEncodingManager)", ladder: .bluejeans([.p180, .p360, .p720]))
}

extension Ladder {
  /// Returns BlueJeans' encodings of the given sizes.
  package static func bluejeans(_ sizes: [Resolution]) -> Ladder {
    let table: [(Resolution, Int, [Int64])] = [
      (.p90, 15, [40, 59, 99]), (.p180, 30, [109, 163, 272]), (.p360, 30, [256, 384, 640]),
      (.p720, 30, [512, 768, 1280]),
    ]
    return Ladder(
      encodings: table.filter { sizes.contains($0.0) }.enumerated().map { index, row in
        Encoding(
          rid: "r\(index)", format: VideoFormat(row.0, framesPerSecond: row.1),
          cumulativeBitrates: row.2.map(BitRate.kilobits))
      })
  }

  /// Returns BlueJeans' content share: up to 300 kbps at up to 6 fps and full resolution (web SDK, RTCEncodingManager).
  package static func bluejeansContent(capture: VideoFormat) -> Ladder {
    let rate = min(capture.milliFramesPerSecond, 6000)
    return Ladder(encodings: [
      Encoding(
        rid: "c", format: VideoFormat(capture.resolution, milliFramesPerSecond: rate),
        cumulativeBitrates: [.kilobits(300)])
    ])
  }
}
