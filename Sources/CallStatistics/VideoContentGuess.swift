import Ladder
import Media

/// A guess at the content of a source with rates limited by the path.
///
/// Our model: a talking head needs no more than a measured rate at each size (`ContentDemand`). An encoding that
/// arrived at more than ``excess`` times that rate over five consecutive samples, at constant height, is richer.
enum VideoContentGuess {
  static let excess = 1.2
  /// Factor from the sent rate to the content of a source that nearly reached a talking head's rate on a full path; it
  /// needs more.
  static let need = 1.25
  private static let run = 5
  /// Sizes that a camera may be assumed to have.
  private static let sizes = [
    Resolution(width: 320, height: 180), .p360, Resolution(width: 960, height: 540), .p720,
  ]

  /// Returns the assumed format of an unknown camera: 720p30, or if no picture size is known, the smallest format at
  /// which a talking head takes as much as was sent, since an encoder with so little rate for a larger picture would
  /// downscale it.
  static func capture(_ record: CallRecord, _ source: CallRecord.Source) -> VideoFormat {
    let usual = VideoFormat(.p720, framesPerSecond: 30)
    let isKnown = record.samples.contains { sample in
      source.encodings.clamped(to: sample.encodings.indices).contains {
        (sample.encodings[$0].height ?? 0) >= 16
      }
    }
    guard !isKnown, source.encodings.count == 1, record.samples.count > run else { return usual }
    let rates = record.samples.indices.dropFirst(run).compactMap {
      record.rate(of: source.encodings, from: $0 - run, to: $0)
    }
    let formats = sizes.map { VideoFormat($0, framesPerSecond: 30) }
    return formats.first { format in
      ContentDemand(format, content: .talkingHead).ceiling / 1000 * excess >= rates.max() ?? 0
    } ?? usual
  }

  /// Returns the highest rate of an encoding relative to a talking head's; 0 if there is none.
  static func richness(_ record: CallRecord, _ source: CallRecord.Source) -> Double {
    var largest = 0.0
    for place in source.encodings {
      let values = record.samples.map { $0.encodings.count > place ? $0.encodings[place] : nil }
      guard values.count > run else { continue }
      for end in run..<values.count {
        guard let height = values[end]?.height, height >= 16,
          (end - run...end).allSatisfy({ values[$0]?.height == height }),
          let rate = record.rate(of: place..<place + 1, from: end - run, to: end)
        else { continue }
        let width = values[end]?.width ?? height * 16 / 9
        let size = Resolution(width: Int(width), height: Int(height))
        let frames = source.capture?.milliFramesPerSecond ?? 30_000
        let demand = ContentDemand(
          VideoFormat(size, milliFramesPerSecond: frames), content: .talkingHead)
        largest = max(largest, rate * 1000 / demand.ceiling)
      }
    }
    return largest
  }
}
