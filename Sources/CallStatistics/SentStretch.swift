import Ladder
import Media

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A stretch of a recorded call in which a source was sent in the same way.
///
/// Our model: the logarithms of the encodings' rates and of the picture's height are constant, with an independent
/// error each second. A stretch is split where that reduces the sum of squares most, as long as it is reduced by
/// ``least`` and both parts last ``shortest``. It is always split at the start of the source, at changes of the path's
/// capacity and, unless a single stream never filled the path, at the end of the initial probes.
struct SentStretch {
  /// First and last sample; consecutive stretches share one.
  let samples: ClosedRange<Int>
  /// Start and length [s].
  let from: Double
  let length: Double
  /// Rate of each encoding, including RTP headers [kbps], and its format if known.
  let rates: [Double]
  let formats: [VideoFormat?]
  /// Most frequent size of the largest picture; `nil` if unknown.
  let width: Double?
  let height: Double?
  /// Frames per second of the encoding sent with the most; `nil` if unknown.
  let frameRate: Double?
  /// Rate that 720p30 would need at the quality of each encoding [kbps]; 0 if nothing was sent.
  let contents: [Double]

  /// Minimum length of a stretch [s].
  static let shortest = 4.0
  /// Minimum reduction of the sum of squares by a split: a change by 22 % for 10 s, or by half for 2.5 s.
  static let least = 0.4
  /// Rate below which an encoding is off [kbps].
  static let sending = 5.0
  /// Rates and heights below which differences are not significant [kbps, pixel].
  private static let lowestRate = 20.0
  private static let lowestHeight = 90.0
  /// Size of a packet's payload, and of its RTP header including extensions [byte].
  static let payload = 1076.0
  static let header = 24.0
  /// A talking head at 720p30.
  static let reference = ContentDemand(VideoFormat(.p720, framesPerSecond: 30), content: .talkingHead)

  /// Indicates that no encoding was sent.
  var isOff: Bool { rates.allSatisfy { $0 < Self.sending } }
  var end: Double { from + length }
  /// Rate of all encodings [kbps].
  var rate: Double { rates.reduce(0, +) }
  /// Rate that 720p30 would need at the best quality sent [kbps]; 0 if nothing was sent.
  var content: Double { contents.max() ?? 0 }

  private init(
    _ record: CallRecord, _ source: CallRecord.Source, captured: VideoFormat, _ samples: ClosedRange<Int>
  ) {
    self.samples = samples
    from = record.samples[samples.lowerBound].time
    length = record.samples[samples.upperBound].time - from
    rates = source.encodings.map { place in
      Self.rate(record, of: place..<place + 1, samples)
    }
    let inside = record.samples[samples].dropFirst()
    let encodings = source.encodings.map { place in
      inside.compactMap { $0.encodings.count > place ? $0.encodings[place] : nil }
    }
    formats = encodings.map { Self.format($0, captured, isKnown: source.capture != nil) }
    let heights = inside.compactMap { Self.height(source, $0) }
    let height = Self.mostFrequent(heights)
    self.height = height
    let shape = Double(captured.resolution.width) / Double(captured.resolution.height)
    let widths = encodings.last?.filter { $0.height == height }.compactMap(\.width) ?? []
    width = Self.mostFrequent(widths) ?? height.map { ($0 * shape).rounded() }
    frameRate = encodings.compactMap { encoding in
      let sent = encoding.compactMap(\.frameRate).filter { $0 >= 1 }
      return sent.isEmpty ? nil : CapacityCourse.median(sent)
    }.max()
    contents = zip(formats, rates).map { format, rate in
      guard let format, rate >= Self.sending else { return 0 }
      let own = ContentDemand(format, content: .talkingHead).ceiling
      let payload = rate - Self.headers(rate, format.framesPerSecond)
      return payload * Self.reference.ceiling / own
    }
  }

  /// Rate of the RTP headers within a stream's rate [kbps]: each frame has one packet per ``payload`` bytes or part
  /// thereof.
  private static func headers(_ rate: Double, _ framesPerSecond: Double) -> Double {
    let frame = rate * 125 / framesPerSecond
    return min(rate / 2, (frame / (payload + header)).rounded(.up) * framesPerSecond * header / 125)
  }

  /// Rate over a stretch [kbps]; before the counter starts, nothing was sent.
  private static func rate(
    _ record: CallRecord, of encodings: Range<Int>, _ samples: ClosedRange<Int>
  ) -> Double {
    let last = samples.upperBound
    guard let begin = samples.first(where: { record.samples[$0].bytes(of: encodings) != nil }), begin < last,
      let rate = record.rate(of: encodings, from: begin, to: last)
    else { return 0 }
    let times = record.samples[samples].map(\.time)
    return rate * (times[times.count - 1] - record.samples[begin].time) / (times[times.count - 1] - times[0])
  }

  /// Format of an encoding in a stretch: as sent, or else as captured.
  private static func format(
    _ encodings: [CallRecord.Encoding], _ captured: VideoFormat, isKnown: Bool
  ) -> VideoFormat? {
    let height = mostFrequent(encodings.compactMap(\.height).filter { $0 >= 16 })
    let shape = Double(captured.resolution.width) / Double(captured.resolution.height)
    let width =
      mostFrequent(encodings.filter { $0.height == height }.compactMap(\.width).filter { $0 >= 16 })
      ?? height.map { $0 * shape }
    let size = height.flatMap { height in
      width.map { Resolution(width: max(1, Int($0)), height: Int(height)) }
    }
    let sent = encodings.compactMap(\.frameRate).filter { $0 >= 1 }
    let rate = sent.isEmpty ? nil : Int((min(CapacityCourse.median(sent), 60) * 1000).rounded())
    // A camera of known format is never sent above its frame rate.
    let most = isKnown ? captured.milliFramesPerSecond : 60_000
    return VideoFormat(
      size ?? captured.resolution, milliFramesPerSecond: min(rate ?? captured.milliFramesPerSecond, most))
  }

  /// Returns the most frequent value, the largest in a tie; `nil` if there is none.
  static func mostFrequent(_ values: [Double]) -> Double? {
    var counts: [Double: Int] = [:]
    for value in values { counts[value, default: 0] += 1 }
    return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }

  /// Height of a source's largest picture in a sample; an encoding that is off has none.
  static func height(_ source: CallRecord.Source, _ sample: CallRecord.Sample) -> Double? {
    source.encodings.clamped(to: sample.encodings.indices).compactMap { sample.encodings[$0].height }
      .filter { $0 >= 16 }.max()
  }
}

// MARK: Division

extension SentStretch {
  /// Sums over the intervals between samples, from which any stretch's error follows.
  private struct Errors {
    /// Sums of weights, values and squares over the intervals before each sample; one series for each rate and one for
    /// the height.
    private var sums: [[(weight: Double, value: Double, square: Double)]]
    let times: [Double]

    init(_ record: CallRecord, _ source: CallRecord.Source) {
      times = record.samples.map(\.time)
      sums = source.encodings.map { place in
        Errors.sums(record) { index in
          max(record.rate(of: place..<place + 1, from: index - 1, to: index) ?? 0, lowestRate)
        }
      }
      var last = lowestHeight
      sums.append(
        Errors.sums(record) { index in
          last = max(SentStretch.height(source, record.samples[index]) ?? last, lowestHeight)
          return last
        })
    }

    private static func sums(
      _ record: CallRecord, _ value: (Int) -> Double
    ) -> [(weight: Double, value: Double, square: Double)] {
      var sum = (weight: 0.0, value: 0.0, square: 0.0)
      return [sum]
        + record.samples.indices.dropFirst().map { index in
          let weight = record.samples[index].time - record.samples[index - 1].time
          let value = log(value(index))
          sum = (sum.weight + weight, sum.value + weight * value, sum.square + weight * value * value)
          return sum
        }
    }

    /// Returns the sum of squared deviations from the means between two samples.
    func error(_ first: Int, _ last: Int) -> Double {
      sums.reduce(0) { total, sum in
        let weight = sum[last].weight - sum[first].weight
        let value = sum[last].value - sum[first].value
        return total + max(0, sum[last].square - sum[first].square - value * value / weight)
      }
    }
  }

  /// Splits a call into a source's stretches.
  static func all(
    _ record: CallRecord, _ source: CallRecord.Source, _ course: CapacityCourse
  ) -> [SentStretch] {
    let count = record.samples.count
    guard count > 1 else { return [] }
    let errors = Errors(record, source)
    let steps = course.steps.dropFirst().compactMap { step in
      record.samples.firstIndex { $0.time >= Double(step.from) }
    }
    // On a path that was never full, a single stream is free from the start.
    let isFree = source.encodings.count == 1 && course.steps.allSatisfy { $0.cuts == 0 }
    let settled = isFree ? 0 : record.samples.firstIndex { $0.time >= CapacityEvidence.start } ?? 0
    let begin = record.samples.firstIndex { $0.bytes(of: source.encodings) != nil } ?? 0
    let bounds = Set([0, begin, settled, count - 1] + steps).sorted()
    let captured = source.capture ?? VideoContentGuess.capture(record, source)
    return zip(bounds, bounds.dropFirst()).flatMap { divide($0...$1, errors) }
      .map { SentStretch(record, source, captured: captured, $0) }
  }

  private static func divide(_ whole: ClosedRange<Int>, _ errors: Errors) -> [ClosedRange<Int>] {
    var open = [whole]
    var parts: [ClosedRange<Int>] = []
    while let part = open.popLast() {
      let (first, last) = (part.lowerBound, part.upperBound)
      let error = errors.error(first, last)
      var best: (place: Int, gain: Double)?
      for place in first + 1..<max(last, first + 1) {
        guard errors.times[place] - errors.times[first] >= shortest,
          errors.times[last] - errors.times[place] >= shortest
        else { continue }
        let gain = error - errors.error(first, place) - errors.error(place, last)
        if gain > best?.gain ?? least { best = (place, gain) }
      }
      if let best {
        // The earlier part is taken first.
        open += [best.place...last, first...best.place]
      } else {
        parts.append(part)
      }
    }
    return parts
  }
}
