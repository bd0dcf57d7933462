import Ladder
import Media
import Quantity
import Statistics

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The encoder of a recorded camera with one encoding, given its recorded targets.
///
/// Sizes, frames and rates follow from targets and content alone (`AdaptiveEncoding`), whatever the path did. Only the
/// first picture depends on when the call was connected; it gets the recorded size.
package struct TargetedEncoder {
  /// Time between two samples, with the values recorded at its end.
  package struct Interval {
    let from: Double
    let length: Double
    /// Target [kbps]; the previous interval's if none was reported.
    let target: Double
    /// Height [pixel], and rate with RTP headers [kbps]; `nil` if unknown.
    let height: Double?
    let rate: Double?

    package init(from: Double, length: Double, target: Double, height: Double?, rate: Double?) {
      self.from = from
      self.length = length
      self.target = target
      self.height = height
      self.rate = rate
    }

    /// Returns a rate without the excess over the target, which consists of repairs and protection [kbps].
    package func media(_ rate: Double) -> Double { max(min(rate, target * headers), leastRate) }
  }

  /// Result of encoding an interval: height [pixel], and rate with RTP headers [kbps].
  struct Outcome {
    var height: Int
    var rate: Double
  }

  /// Ratio of the rates with and without RTP headers [our model].
  private static let headers = (SentStretch.payload + SentStretch.header) / SentStretch.payload
  /// Time for which the first picture's rate applies: a few frames, until the first allocation [s].
  private static let start = 0.2
  /// Rate at which libwebrtc starts with 180 lines, after four dropped frames [kbps].
  private static let smallestStart: Int64 = 190
  /// Maximum difference of logarithms counted: a factor of two.
  private static let most = 0.7
  /// Minimum rate compared [kbps].
  private static let leastRate = 20.0

  let capture: VideoFormat
  let intervals: [Interval]
  private let maximum: BitRate?

  /// - Parameters:
  ///   - usesEstimate: set to take the sender's estimate, less voice and headers, for a target that was not recorded.
  ///   - end: time after which the call is left out [s].
  /// - Returns: `nil` if the record lacks targets or heights of the source.
  init?(
    _ record: CallRecord, _ source: CallRecord.Source, capture: VideoFormat, usesEstimate: Bool = false,
    until end: Double = .infinity
  ) {
    guard source.encodings.count == 1, let place = source.encodings.first else { return nil }
    self.capture = capture
    var intervals: [Interval] = []
    var target: Double?
    for index in record.samples.indices.dropFirst() {
      let (sample, before) = (record.samples[index], record.samples[index - 1])
      guard sample.encodings.count > place, sample.time <= end else { continue }
      let budget = usesEstimate ? sample.estimate.map { record.mediaRate(onPath: $0) / Self.headers } : nil
      target = sample.encodings[place].target ?? budget ?? target
      guard let target else { continue }
      intervals.append(
        Interval(
          from: before.time, length: sample.time - before.time, target: target,
          height: SentStretch.height(source, sample),
          rate: record.rate(of: source.encodings, from: index - 1, to: index)))
    }
    let most = intervals.map(\.target).max() ?? 0
    guard most > 0, intervals.contains(where: { $0.height != nil }) else { return nil }
    self.intervals = intervals
    maximum = most > ContentFit.usualMaximum ? .kilobits(Int64(most.rounded(.up))) : nil
  }

  /// Encodes the call.
  ///
  /// - Parameter adjustsRate: `true` if the targets precede libwebrtc's correction for the encoder's overshoot.
  func run(_ content: ContentComplexity, adjustsRate: Bool, seed: UInt64) -> [Outcome] {
    var encoding = AdaptiveEncoding(
      single: capture, content: content, maximum: maximum, adjustsRate: adjustsRate)
    var sizes = RandomStream(seed: seed, name: "fit")
    var outcomes: [Outcome] = []
    var frame: Int64 = 0
    var end = 0.0
    var begun: Double?
    let period = SimDuration(milliFramesPerSecond: capture.milliFramesPerSecond).nanoseconds
    for interval in intervals {
      end += interval.length
      let until = Int64((end * 1e9).rounded())
      if begun == nil, interval.target > 0 { begun = end - interval.length }
      var bytes = 0
      while frame * period < until {
        let now = frame * period
        let isFirst = begun.map { Double(now) / 1e9 < $0 + Self.start } ?? false
        let target = BitRate(bitsPerSecond: Int64((interval.target * 1000).rounded()))
        encoding.setTarget(isFirst ? min(startRate, target) : target)
        if let coded = encoding.encode(at: SimTime(nanoseconds: now), sizes: &sizes) {
          bytes += coded.frame.bytes
        }
        frame += 1
      }
      let rate = Double(bytes) * 8 / 1000 / interval.length * Self.headers
      outcomes.append(Outcome(height: encoding.format.resolution.height, rate: rate))
    }
    return outcomes
  }

  /// Rate at which libwebrtc starts with the first recorded height.
  private var startRate: BitRate {
    let height = intervals.lazy.compactMap(\.height).first ?? Double(capture.resolution.height)
    let share = height / Double(capture.resolution.height)
    let pixels = Int(share * share * Double(capture.resolution.pixels))
    guard let rate = SinglecastLimits.start(pixels: pixels, codec: .vp8) else { return .kilobits(2500) }
    return max(rate, .kilobits(Self.smallestStart))
  }

  /// Mean square of the differences between recording and model, in logarithms of height and rate.
  func error(_ outcomes: [Outcome]) -> Double {
    var sum = 0.0
    var weight = 0.0
    for (interval, outcome) in zip(intervals, outcomes) {
      weight += interval.length
      if let height = interval.height {
        sum += interval.length * Self.square(Double(outcome.height), height)
      }
      if let rate = interval.rate {
        sum += interval.length * Self.square(interval.media(outcome.rate), interval.media(rate))
      }
    }
    return weight > 0 ? sum / weight : 0
  }

  private static func square(_ one: Double, _ other: Double) -> Double {
    let difference = min(abs(log(one / other)), most)
    return difference * difference
  }
}
