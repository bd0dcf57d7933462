import Ladder
import Media
import Quantity

/// Content of a source, and limits on it over time, with which a simulated call sends what the recorded one sent.
///
/// Our model. Where the path was not full, the sender sent what its content needed or what its app allowed. Such
/// stretches, at one picture size each, give the content as the rate that 720p30 would need at the same quality
/// (`ContentDemand`); the richest with the largest picture counts, and in the others a limit of the sender takes what is
/// too much. Short ones before the largest picture are those of an encoder that is starting. Without any stretch the
/// content is a guess (``VideoContentGuess``).
struct ContentFit {
  /// A stretch in which the path did not limit the source.
  private struct Stretch {
    var from: Int
    /// Length [s].
    var length: Double
    /// Rate of each encoding, headers of RTP included [kbps], and its format if known.
    var rates: [Double]
    var formats: [VideoFormat?]
    /// Size of the largest picture; `nil` if unknown.
    var width: Double?
    var height: Double?
    /// Rate that 720p30 would need [kbps].
    var content: Double
  }

  /// An encoding as it was sent.
  struct Layer: Equatable {
    var format: VideoFormat
    /// Target rate [kbps].
    var kilobits: Double
  }

  /// A change of the sender's limits.
  struct Change: Equatable {
    /// Time in whole seconds.
    var at: Int
    /// Maximum rate of each encoding [kbps]; one for a source with one.
    var maxima: [Double]
    /// Maximum height; `nil` for the capture's.
    var height: Int?
  }

  /// Share of the estimate below which a source is not limited by the path.
  static let free = 0.8
  /// Minimum length of a stretch [s].
  private static let shortest = 8.0
  /// Rate below which an encoding is off [kbps].
  private static let sending = 5.0
  /// Share of its minimum that an encoding takes to begin again: libwebrtc's hysteresis.
  private static let hysteresis = 1.2
  /// Time until a call has reached its rate [s].
  private static let start = 5.0
  /// A talking head at 720p30.
  private static let reference = ContentDemand(VideoFormat(.p720, framesPerSecond: 30), content: .talkingHead)
  /// Largest rate of an encoding for which the app sets no maximum, headers of RTP included [kbps].
  static let usualMaximum = 2600.0
  /// Maximum length of a stretch in which an encoder starts [s].
  private static let starting = 15.0
  /// Rates that differ by less need no limit of their own.
  private static let tolerance = 0.08
  /// Limit of an encoder relative to the rate that it is to have, headers of RTP included.
  private static let limit = 0.98

  /// Rate that 720p30 needs [kbps]; `nil` for a guess.
  let content: Double?
  /// A guess without such a stretch: `true` for content richer than a talking head, `nil` if nothing tells.
  let isRich: Bool?
  /// Rate that 720p30 needs at least, of content that is not richer [kbps].
  let leastContent: Double?
  /// Largest rate of a source of one encoding, if it takes an app's own maximum to send it [kbps].
  private(set) var maximum: Double?
  /// Limits over time.
  private(set) var changes: [Change] = []
  /// Size of the picture in the stretch that gave the content.
  private(set) var size: Resolution?
  /// Format of a source that was never sent as large as it was captured.
  private(set) var sent: VideoFormat?
  /// Encodings of a source with several that a ladder of libwebrtc for its capture does not have: sizes that the app
  /// chose.
  private(set) var layers: [Layer] = []

  init(_ record: CallRecord, _ source: CallRecord.Source, _ course: CapacityCourse) {
    let richness = VideoContentGuess.richness(record, source)
    let excess = VideoContentGuess.excess
    isRich = richness > excess ? true : richness > 1 / excess ? false : nil
    leastContent =
      isRich == false && source.encodings.count == 1
      ? richness * VideoContentGuess.need * Self.reference.ceiling / 1000 : nil
    let stretches = Self.settled(Self.stretches(record, source, course))
    let largest = stretches.compactMap(\.height).max()
    let full = stretches.filter { $0.height == largest }
    content = full.map(\.content).max()
    guard let content else { return }
    if let width = full.first?.width, let height = largest, width >= 16, height >= 16 {
      size = Resolution(width: Int(width), height: Int(height))
    }
    let most = full.compactMap(\.rates.last).max() ?? 0
    if source.encodings.count == 1, most > Self.usualMaximum { maximum = most }
    if source.encodings.count > 1, let best = full.max(by: { $0.content < $1.content }) {
      layers = Self.layers(best, source)
    }
    let tallest = record.samples.compactMap { Self.height(source, $0) }.max() ?? 0
    if let size, let capture = source.capture, source.encodings.count == 1, tallest <= Double(size.height),
      tallest < 0.9 * Double(capture.resolution.height)
    {
      sent = VideoFormat(size, milliFramesPerSecond: capture.milliFramesPerSecond)
    }
    let captured = Double((sent ?? source.capture)?.resolution.height ?? size?.height ?? 0)
    for stretch in stretches {
      let isSmaller = stretch.height.map { captured > 0 && $0 < 0.9 * captured } ?? false
      let isLess = stretch.content < content * (1 - Self.tolerance)
      let wasLimited = changes.last.map { $0.height != nil || !$0.maxima.isEmpty } ?? false
      guard isSmaller || isLess || wasLimited || source.encodings.count > 1 else { continue }
      let change = Change(
        at: changes.isEmpty && stretch.from <= Int(Self.start) ? 0 : stretch.from,
        maxima: stretch.rates.map { $0 * Self.limit },
        height: isSmaller ? stretch.height.map { Int($0) } : nil)
      if changes.last?.maxima != change.maxima || changes.last?.height != change.height {
        changes.append(change)
      }
    }
  }

  /// Returns the encodings of a stretch, from the lowest up, unless libwebrtc's ladder has their sizes.
  private static func layers(_ stretch: Stretch, _ source: CallRecord.Source) -> [Layer] {
    let all = zip(stretch.formats, stretch.rates).compactMap { format, rate in
      format.map { Layer(format: $0, kilobits: rate * limit) }
    }.filter { $0.kilobits >= 1 }
    guard let top = all.last else { return [] }
    let ladder = Ladder.libwebrtcVP8(capture: source.capture ?? top.format).encodings.map(
      \.format.resolution.height)
    let heights = all.map(\.format.resolution.height)
    let isUsual =
      ladder.count == heights.count && zip(ladder, heights).allSatisfy { abs($0 - $1) * 10 <= $0 }
    let isRising = zip(all, all.dropFirst()).allSatisfy {
      $0.format.resolution.pixels < $1.format.resolution.pixels && $0.kilobits < $1.kilobits
    }
    let isWithinUsual = isUsual && top.kilobits <= limit * usualMaximum
    return isWithinUsual || !isRising ? [] : all
  }

  // MARK: Stretches

  /// Leaves out the stretches in which an encoder was starting: short ones of ever larger pictures.
  private static func settled(_ stretches: [Stretch]) -> [Stretch] {
    let largest = stretches.compactMap(\.height).max()
    guard let first = stretches.firstIndex(where: { $0.height == largest }) else { return stretches }
    let before = stretches[..<first]
    let isRising = zip(before, before.dropFirst()).allSatisfy { ($0.height ?? 0) <= ($1.height ?? 0) }
    return isRising && before.allSatisfy { $0.length < starting } ? Array(stretches[first...]) : stretches
  }

  private static func stretches(
    _ record: CallRecord, _ source: CallRecord.Source, _ course: CapacityCourse
  ) -> [Stretch] {
    let samples = record.samples
    var stretches: [Stretch] = []
    var first = samples.firstIndex { $0.time >= start } ?? samples.count
    while first < samples.count - 1 {
      let step = course.steps.last { Double($0.from) <= samples[first].time }
      let key = height(source, samples[first])
      let level = rate(record, source, at: first + 3, since: first)
      var last = first
      var isSame = true
      while last + 1 < samples.count, isSame {
        let next = last + 1
        isSame =
          course.steps.last { Double($0.from) <= samples[next].time } == step
          && height(source, samples[next]) == key
        guard isSame else { break }
        guard isAlike(level, rate(record, source, at: next, since: first)) else {
          last = turn(record, source, around: next, after: first) ?? last
          break
        }
        last = next
      }
      if samples[last].time - samples[first].time >= shortest, isFree(record, source, first, last),
        let stretch = stretch(record, source, first, last)
      {
        stretches.append(stretch)
      }
      first = isSame && last > first ? last : last + 1
    }
    return stretches
  }

  /// Returns the sample around one at which the rate changes the most.
  private static func turn(
    _ record: CallRecord, _ source: CallRecord.Source, around index: Int, after first: Int
  ) -> Int? {
    func change(_ place: Int) -> Double {
      let before = record.rate(of: source.encodings, from: max(0, place - 3), to: place) ?? 0
      let after = record.rate(
        of: source.encodings, from: place, to: min(record.samples.count - 1, place + 3))
      return abs((after ?? 0) - before)
    }
    let places = max(first + 1, index - 4)..<min(record.samples.count - 1, index + 4)
    return places.max { change($0) < change($1) }
  }

  /// Rate of a source over the samples around one of a stretch, smoothed [kbps].
  private static func rate(
    _ record: CallRecord, _ source: CallRecord.Source, at index: Int, since start: Int
  ) -> Double? {
    let first = max(start, index - 3)
    let last = min(record.samples.count - 1, max(index, start) + 3)
    return record.rate(of: source.encodings, from: first, to: last)
  }

  /// `true` for rates that may be those of one stretch.
  private static func isAlike(_ a: Double?, _ b: Double?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return max(a, b) <= 1.25 * min(a, b) || max(a, b) < 30
  }

  private static func height(_ source: CallRecord.Source, _ sample: CallRecord.Sample) -> Double? {
    // An encoding that is off has a height of 0.
    source.encodings.clamped(to: sample.encodings.indices).compactMap { sample.encodings[$0].height }
      .filter { $0 >= 16 }.max()
  }

  private static func isFree(
    _ record: CallRecord, _ source: CallRecord.Source, _ first: Int, _ last: Int
  ) -> Bool {
    let estimates = record.samples[first...last].compactMap(\.estimate)
    guard !estimates.isEmpty else { return true }
    let all = 0..<(record.samples.map(\.encodings.count).max() ?? 0)
    guard let rate = record.rate(of: all, from: first, to: last) else { return false }
    let sent = rate * CapacityEvidence.headers + (record.hasVoice ? CapacityEvidence.voice : 0)
    let estimate = estimates.reduce(0, +) / Double(estimates.count)
    return sent < free * estimate && !isWithheld(record, source, first, last, rest: estimate - sent)
  }

  /// `true` where what is left of the estimate [kbps] is too little for the lowest encoding that was not sent, as
  /// libwebrtc's allocator decides.
  private static func isWithheld(
    _ record: CallRecord, _ source: CallRecord.Source, _ first: Int, _ last: Int, rest: Double
  ) -> Bool {
    let captured = capture(record, source)
    let ladder = Ladder.libwebrtcVP8(capture: captured).encodings
    guard ladder.count == source.encodings.count, ladder.count > 1 else { return false }
    let off = zip(source.encodings, ladder).first { place, _ in
      (record.rate(of: place..<place + 1, from: first, to: last) ?? 0) < sending
    }
    guard let minimum = off?.1.minimum else { return false }
    return rest < Double(minimum.bitsPerSecond) / 1000 * hysteresis
  }

  private static func stretch(
    _ record: CallRecord, _ source: CallRecord.Source, _ first: Int, _ last: Int
  ) -> Stretch? {
    let rates = source.encodings.map { record.rate(of: $0..<$0 + 1, from: first, to: last) ?? 0 }
    var content = 0.0
    let formats = source.encodings.map { place in
      format(
        record.samples[first...last].compactMap { $0.encodings.count > place ? $0.encodings[place] : nil },
        capture(record, source), isKnown: source.capture != nil)
    }
    for (format, rate) in zip(formats, rates) where rate > 0 {
      guard let format else { continue }
      let own = ContentDemand(format, content: .talkingHead).ceiling
      content = max(content, rate * reference.ceiling / own)
    }
    guard content >= 1 else { return nil }
    let samples = record.samples[first...last]
    let top = source.encodings.last ?? 0
    let height = height(source, record.samples[first])
    let captured = capture(record, source)
    let shape = Double(captured.resolution.width) / Double(captured.resolution.height)
    let width = samples.lazy.compactMap { $0.encodings.count > top ? $0.encodings[top].width : nil }.first
    return Stretch(
      from: Int(record.samples[first].time.rounded()),
      length: record.samples[last].time - record.samples[first].time, rates: rates, formats: formats,
      width: width ?? height.map { ($0 * shape).rounded() }, height: height, content: content)
  }

  private static func capture(_ record: CallRecord, _ source: CallRecord.Source) -> VideoFormat {
    source.capture ?? VideoContentGuess.capture(record, source)
  }

  /// Format of an encoding in a stretch: as it was sent, else as captured.
  private static func format(
    _ encodings: [CallRecord.Encoding], _ captured: VideoFormat, isKnown: Bool
  ) -> VideoFormat? {
    let height = encodings.lazy.reversed().compactMap(\.height).first { $0 >= 16 }
    let shape = Double(captured.resolution.width) / Double(captured.resolution.height)
    let width = encodings.lazy.reversed().compactMap(\.width).first { $0 >= 16 } ?? height.map { $0 * shape }
    let size = height.flatMap { height in width.map { Resolution(width: Int($0), height: Int(height)) } }
    let sent = encodings.compactMap(\.frameRate).filter { $0 >= 1 }
    // A camera whose format is unknown has the frame rate at which it was sent.
    let rate =
      !isKnown && !sent.isEmpty
      ? Int(min(CapacityCourse.median(sent).rounded(), 60)) * 1000 : nil
    return VideoFormat(
      size ?? captured.resolution, milliFramesPerSecond: rate ?? captured.milliFramesPerSecond)
  }
}
