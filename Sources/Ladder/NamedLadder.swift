package import Quantity

/// A ladder that a scenario can name.
package struct NamedLadder: Sendable {
  package var name: String
  package var summary: String
  /// Where its rates come from.
  package var source: String
  package var ladder: Ladder
  /// Makes it for a capture where it is more than ``ladder`` cut at the capture.
  private var fitted: (@Sendable (VideoFormat) -> Ladder)?

  private init(
    name: String, summary: String, source: String, ladder: Ladder,
    fitted: (@Sendable (VideoFormat) -> Ladder)? = nil
  ) {
    self.name = name
    self.summary = summary
    self.source = source
    self.ladder = ladder
    self.fitted = fitted
  }

  /// The ladder that a capture can feed.
  package func of(_ capture: VideoFormat) -> Ladder { fitted?(capture) ?? ladder.capped(to: capture) }

  /// Every named ladder.
  package static let all: [NamedLadder] = [
    NamedLadder(
      name: "bluejeans", summary: "90p15, 180p30, 360p30, 720p30; three temporal layers",
      source:
        "rates of BlueJeans' web SDK (videoSimulcastConfig); its clients send three of the four at a time, all four "
        + "here so that each documented quality can be served; base layers 40 % by our model",
      ladder: .bluejeans([.p90, .p180, .p360, .p720])),
    NamedLadder(
      name: "bluejeans-thumbnails", summary: "90p15, 180p30, 720p30: a 720p sender with 90p thumbnails",
      source: "BlueJeans' web SDK (RTCEncodingManager)", ladder: .bluejeans([.p90, .p180, .p720])),
    NamedLadder(
      name: "bluejeans-classic", summary: "180p30, 360p30, 720p30: a sender without thumbnails",
      source: "BlueJeans' web SDK (RTCEncodingManager)", ladder: .bluejeans([.p180, .p360, .p720])),
    NamedLadder(
      name: "webrtc-vp8",
      summary:
        "of a 720p capture 180p30 150, 360p30 500, 720p30 2500 kbps, of another by its size; three temporal layers "
        + "40/20/40",
      source:
        "libwebrtc video/config/simulcast.cc (sizes and rates) and simulcast_rate_allocator.cc (shares)",
      ladder: .libwebrtcVP8(capture: VideoFormat(.p720, framesPerSecond: 30)),
      fitted: Ladder.libwebrtcVP8(capture:)),
    NamedLadder(
      name: "stream", summary: "180p30 300, 360p30 750, 720p30 1250 kbps; three temporal layers",
      source: "stream-video-js fallback rates (layers.ts)",
      ladder: .threeTemporal([("q", .p180, 300), ("h", .p360, 750), ("f", .p720, 1250)])),
    NamedLadder(
      name: "stream-ios", summary: "180p30 250, 360p30 500, 720p30 1000 kbps; no temporal layers",
      source: "GetStream's iOS SDK: 1 Mbps at 1280x720, size and rate halved per step",
      ladder: .streamIOS(capture: VideoFormat(.p720, framesPerSecond: 30))),
    NamedLadder(
      name: "agora-dual", summary: "640x360@15 800 and 160x120@5 45 kbps",
      source: "Agora scalable-UI guide, live profile (encoder table, low stream)",
      ladder: .dualStream(
        high: VideoFormat(.p360, framesPerSecond: 15), highRate: .kilobits(800),
        low: VideoFormat(Resolution(width: 160, height: 120), framesPerSecond: 5), lowRate: .kilobits(45))),
    NamedLadder(
      name: "single", summary: "one encoding of the capture, up to 2500 kbps; smaller pictures less",
      source: "libwebrtc video/config/encoder_stream_factory.cc",
      ladder: .single(capture: VideoFormat(.p720, framesPerSecond: 30)), fitted: Ladder.single(capture:)),
  ]
}

extension Ladder {
  /// One encoding between libwebrtc's least and greatest rate of a stream (`video/config/encoder_stream_factory.cc`).
  package static func single(capture: VideoFormat) -> Ladder {
    var encoding = Encoding(rid: "f", format: capture, cumulativeBitrates: [.kilobits(2500)])
    encoding.minimum = .kilobits(30)
    encoding.maximum = .kilobits(2500)
    return Ladder(encodings: [encoding])
  }

  /// libwebrtc's VP8 encodings of a capture with their limits (`video/config/simulcast.cc`).
  package static func libwebrtcVP8(capture: VideoFormat) -> Ladder {
    let rids = ["q", "h", "f"]
    let encodings = LibwebrtcSimulcast.encodings(of: capture.resolution)
    return Ladder(
      encodings: encodings.enumerated().map { index, own in
        var encoding = Encoding(
          rid: rids[index],
          format: VideoFormat(own.resolution, milliFramesPerSecond: capture.milliFramesPerSecond),
          cumulativeBitrates: [40, 60, 100].map {
            BitRate(bitsPerSecond: own.rates.target.bitsPerSecond / 100 * $0)
          })
        encoding.minimum = own.rates.minimum
        encoding.maximum = own.rates.maximum
        return encoding
      })
  }

  /// BlueJeans' layers of the given sizes.
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

  /// BlueJeans' content share: 300 kbps at 6 fps at most, the resolution kept (web SDK, RTCEncodingManager).
  package static func bluejeansContent(capture: VideoFormat) -> Ladder {
    let rate = min(capture.milliFramesPerSecond, 6000)
    return Ladder(encodings: [
      Encoding(
        rid: "c", format: VideoFormat(capture.resolution, milliFramesPerSecond: rate),
        cumulativeBitrates: [.kilobits(300)])
    ])
  }

  /// 30 fps encodings whose temporal layers take 40, 20 and 40 % (libwebrtc's shares).
  package static func threeTemporal(_ rows: [(rid: String, size: Resolution, kilobits: Int64)]) -> Ladder {
    Ladder(
      encodings: rows.map { row in
        Encoding(
          rid: row.rid, format: VideoFormat(row.size, framesPerSecond: 30),
          cumulativeBitrates: [40, 60, 100].map { BitRate(bitsPerSecond: row.kilobits * 10 * $0) })
      })
  }

  /// GetStream's encodings of a capture as its iOS SDK makes them: 1 Mbps at 1280x720 and less for a smaller capture, by
  /// its pixels; size and rate halve with each step down; one encoding for a long side up to 320 px, two up to 640,
  /// else three (`VideoLayers`, `PublishOption`).
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

  /// Holds the highest encoding to a greatest rate.
  package mutating func limit(to maximum: BitRate) {
    guard let top = encodings.last, top.bitrate > maximum, top.bitrate > .zero else { return }
    let share = Double(maximum.bitsPerSecond) / Double(top.bitrate.bitsPerSecond)
    encodings[encodings.count - 1].cumulativeBitrates = top.cumulativeBitrates.map { $0.scaled(by: share) }
  }

  /// A high stream and a low one, without temporal layers.
  package static func dualStream(
    high: VideoFormat, highRate: BitRate, low: VideoFormat, lowRate: BitRate
  ) -> Ladder {
    Ladder(encodings: [
      Encoding(rid: "low", format: low, cumulativeBitrates: [lowRate]),
      Encoding(rid: "high", format: high, cumulativeBitrates: [highRate]),
    ])
  }

  /// The part of the ladder that a capture can feed: no encoding larger than it (the smallest stays), none faster.
  package func capped(to capture: VideoFormat) -> Ladder {
    var kept = encodings.filter { $0.format.resolution.height <= capture.resolution.height }
    if kept.isEmpty, var smallest = encodings.first {
      smallest.format.resolution = capture.resolution
      kept = [smallest]
    }
    for index in kept.indices {
      while kept[index].format.milliFramesPerSecond > capture.milliFramesPerSecond,
        kept[index].cumulativeBitrates.count > 1
      {
        kept[index].format.milliFramesPerSecond /= 2
        kept[index].cumulativeBitrates.removeLast()
      }
      kept[index].format.milliFramesPerSecond = min(
        kept[index].format.milliFramesPerSecond, capture.milliFramesPerSecond)
    }
    return Ladder(encodings: kept)
  }
}
