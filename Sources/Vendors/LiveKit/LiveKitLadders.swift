package import Ladder
package import Quantity
import Systems

extension NamedLadder {
  static let livekit = NamedLadder(
    name: "livekit",
    summary:
      "from a 720p capture 180p20 150, 360p20 450, 720p30 1700 kbps; two encodings for a long side below 960 px, one "
      + "below 480 px; three temporal layers 40/20/40",
    source:
      "livekit-client's defaults (publishUtils.ts, options.ts: most per encoding); libwebrtc's simulcast.cc: targets "
      + "below these",
    ladder: .livekit(capture: VideoFormat(.p720, framesPerSecond: 30)), fitted: { .livekit(capture: $0) })

  static let livekitScreen = NamedLadder(
    name: "livekit-screen",
    summary:
      "from a 1080p capture 540p15 625, 1080p15 2500 kbps: half its size and the whole, of any capture; one encoding for "
      + "a long side below 480 px; three temporal layers 40/20/40",
    source:
      "livekit-client's defaults (publishUtils.ts, computeDefaultScreenShareSimulcastPresets; options.ts)",
    ladder: .livekitScreen(capture: VideoFormat(.p1080, framesPerSecond: 15)),
    fitted: Ladder.livekitScreen(capture:))
}

extension Ladder {
  /// A preset of livekit-client; presets are ordered by size.
  private struct Preset {
    var size: Resolution
    var kilobits: Int64
    var framesPerSecond: Int

    init(_ width: Int, _ height: Int, _ kilobits: Int64, _ framesPerSecond: Int) {
      size = Resolution(width: width, height: height)
      self.kilobits = kilobits
      self.framesPerSecond = framesPerSecond
    }
  }

  /// `VideoPresets`, 16:9.
  private static let widePresets = [
    Preset(160, 90, 90, 20), Preset(320, 180, 160, 20), Preset(384, 216, 180, 20), Preset(640, 360, 450, 20),
    Preset(960, 540, 800, 25), Preset(1280, 720, 1700, 30), Preset(1920, 1080, 3000, 30),
    Preset(2560, 1440, 5000, 30), Preset(3840, 2160, 8000, 30),
  ]

  /// `VideoPresets43`, 4:3.
  private static let narrowPresets = [
    Preset(160, 120, 70, 20), Preset(240, 180, 125, 20), Preset(320, 240, 140, 20),
    Preset(480, 360, 330, 20), Preset(640, 480, 500, 20), Preset(720, 540, 600, 25),
    Preset(960, 720, 1300, 30), Preset(1440, 1080, 2300, 30), Preset(1920, 1440, 3800, 30),
  ]

  /// Returns livekit-client's simulcast encodings of a camera (`computeVideoEncodings`, VP8).
  ///
  /// The capture is sent with the bit rate of the smallest preset that is at least as wide. If the long side is at
  /// least 960 px, encodings of 180 and 360 lines are added; from 480 px, one of 180 lines. The presets' rates are
  /// limits; the targets are libwebrtc's for the size where these are lower, such as 150 kbps at 320x180.
  package static func livekit(capture: VideoFormat) -> Ladder {
    let size = capture.resolution
    let long = max(size.width, size.height)
    guard let whole = preset(for: size) else { return .single(capture: capture) }
    let lower = presets(of: size).filter { $0.size.height == 180 || $0.size.height == 360 }
    let count = long >= 960 ? 2 : long >= 480 ? 1 : 0
    let encodings = lower.prefix(count).map { preset in
      let lines = min(preset.size.height, size.lines)
      return Preset(
        size.width * lines / size.lines, size.height * lines / size.lines, preset.kilobits,
        preset.framesPerSecond)
    }
    return livekit(
      encodings + [Preset(size.width, size.height, whole.kilobits, whole.framesPerSecond)], capture: capture)
  }

  /// Returns the presets for an aspect ratio: captures closer to 16:9 than to 4:3 are wide, with the boundary at the
  /// mean, 14:9.
  private static func presets(of size: Resolution) -> [Preset] {
    max(size.width, size.height) * 9 > size.lines * 14 ? widePresets : narrowPresets
  }

  /// Returns the smallest preset that is at least as wide as a capture, or the largest of all.
  private static func preset(for size: Resolution) -> Preset? {
    let presets = presets(of: size)
    return presets.first { $0.size.width >= max(size.width, size.height) } ?? presets.last
  }

  /// Returns the maximum of livekit-client's scalable stream: that of the preset, lowered for a better codec
  /// (`publishUtils.ts`, determineAppropriateEncoding).
  package static func livekitMaximum(of codec: VideoCodec, capture: VideoFormat, isScreen: Bool) -> BitRate {
    let whole = isScreen ? 2500 : preset(for: capture.resolution)?.kilobits ?? 2500
    return BitRate.kilobits(whole).scaled(by: codec == .av1 ? 0.7 : 0.85)
  }

  /// Returns livekit-client's simulcast encodings of a screen share (`computeDefaultScreenShareSimulcastPresets`, VP8).
  ///
  /// A capture of any size is sent at 2500 kbps and 15 fps (`ScreenSharePresets.h1080fps15`, the default of
  /// `screenShareEncoding`); if the long side is at least 480 px, an encoding of half the size and a quarter of the
  /// rate, at least 150 kbps, is added.
  package static func livekitScreen(capture: VideoFormat) -> Ladder {
    let size = capture.resolution
    let whole = Preset(size.width, size.height, 2500, 15)
    guard max(size.width, size.height) >= 480 else { return livekit([whole], capture: capture) }
    let half = Preset(size.width / 2, size.height / 2, max(150, whole.kilobits / 4), whole.framesPerSecond)
    return livekit([half, whole], capture: capture)
  }

  /// Returns a ladder of encodings with livekit-client's limits, ascending in size.
  private static func livekit(_ presets: [Preset], capture: VideoFormat) -> Ladder {
    Ladder(
      encodings: zip(["q", "h", "f"], presets).enumerated().map { index, own in
        let (rid, preset) = own
        let most = BitRate.kilobits(preset.kilobits)
        var encoding = Encoding(
          rid: rid,
          format: VideoFormat(
            preset.size,
            milliFramesPerSecond: min(capture.milliFramesPerSecond, preset.framesPerSecond * 1000)),
          rates: LibwebrtcSimulcast.rates(of: preset.size, isLowest: index == 0).limited(to: most))
        encoding.maximum = most
        return encoding
      })
  }
}
