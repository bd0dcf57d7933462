import Ladder
import Media

/// A guess at the content of a call's video from its rates.
///
/// Our model: a talking head needs no more than a measured rate at each size (`ContentDemand`). An encoding that
/// arrived at more than ``excess`` times that rate for five samples in a row, at one height, is richer.
enum VideoContentGuess {
  static let excess = 1.2
  private static let run = 5

  /// Returns `true` for a video richer than a talking head; `nil` if no encoding came near the rate that would tell.
  static func isRich(_ record: CallRecord) -> Bool? {
    var largest = 0.0
    for place in 0..<record.encodingCount {
      let values = record.samples.map { $0.encodings.count > place ? $0.encodings[place] : nil }
      guard values.count > run else { continue }
      for end in run..<values.count {
        guard let height = values[end]?.height, height >= 16,
          (end - run...end).allSatisfy({ values[$0]?.height == height }),
          let last = values[end]?.bytes, let first = values[end - run]?.bytes
        else { continue }
        let rate = (last - first) * 8 / (record.samples[end].time - record.samples[end - run].time)
        let size = Resolution(width: Int(height * 16 / 9), height: Int(height))
        let demand = ContentDemand(VideoFormat(size, framesPerSecond: 30), content: .talkingHead)
        largest = max(largest, rate / demand.ceiling)
      }
    }
    return largest > excess ? true : largest > 1 / excess ? false : nil
  }
}
