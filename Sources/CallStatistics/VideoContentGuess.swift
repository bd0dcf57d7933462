import Ladder
import Media

/// A guess at the content of a source whose rates were limited by the path.
///
/// Our model: a talking head needs no more than a measured rate at each size (`ContentDemand`). An encoding that
/// arrived at more than ``excess`` times that rate for five samples in a row, at one height, is richer.
enum VideoContentGuess {
  static let excess = 1.2
  private static let run = 5

  /// Returns `true` for a video richer than a talking head; `nil` if no encoding came near the rate that would tell.
  static func isRich(_ record: CallRecord, _ source: CallRecord.Source) -> Bool? {
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
    return largest > excess ? true : largest > 1 / excess ? false : nil
  }
}
