import Ladder
import Quantity

/// Stretches that determine the content, and the limits of their encodings.
extension ContentFit {
  /// Returns the contents that last: of a long stretch, or the mean of consecutive ones with about the same content.
  static func lastingContents(_ stretches: [SentStretch]) -> [Double] {
    var runs: [[SentStretch]] = []
    for stretch in stretches {
      if let last = runs.last?.last, last.samples.upperBound == stretch.samples.lowerBound,
        abs(last.content - stretch.content) <= alike * max(last.content, stretch.content)
      {
        runs[runs.count - 1].append(stretch)
      } else {
        runs.append([stretch])
      }
    }
    return runs.compactMap { run in
      let length = run.reduce(0) { $0 + $1.length }
      return length >= shortest ? run.reduce(0) { $0 + $1.content * $1.length } / length : nil
    }
  }

  /// Maximum rates of libwebrtc's encodings of a camera [kbps]; empty if a source has a different number of encodings.
  static func usualMaxima(_ source: CallRecord.Source, _ capture: VideoFormat?) -> [Double] {
    guard let capture else { return [] }
    let maxima = Ladder.libwebrtcVP8(capture: capture).encodings.map {
      Double($0.bitrate.bitsPerSecond) / 1000
    }
    return maxima.count == source.encodings.count ? maxima : []
  }

  /// Returns the limits of a stretch whose encodings are listed with their rates; empty if none is clearly below its
  /// rate.
  static func maxima(_ stretch: SentStretch, of layers: [Layer]) -> [Double] {
    guard layers.count == stretch.rates.count else { return [] }
    let rates = stretch.rates.map { $0 * limit }
    let isLess = zip(rates, layers).contains { $0 < less * $1.kilobits }
    return isLess ? rates : []
  }

  /// Rate up to which libwebrtc pads a source with all its encodings on [kbps]: the lower encodings' targets plus the
  /// minimum rate of the top one.
  static func padded(_ source: CallRecord.Source, _ capture: VideoFormat?) -> Double {
    guard let capture else { return 0 }
    let encodings = Ladder.libwebrtcVP8(capture: capture).encodings
    guard encodings.count == source.encodings.count, encodings.count > 1, let top = encodings.last else {
      return 0
    }
    let rates = encodings.dropLast().map(\.bitrate) + [top.minimum ?? .zero]
    return rates.reduce(0) { $0 + Double($1.bitsPerSecond) / 1000 }
  }

  /// Returns the limits of a stretch's encodings; empty if the content limits all of them. For a thin picture larger
  /// than 720p, libvpx's rate control sends only part of a limit, so an encoding that is limited by its content keeps
  /// libwebrtc's limit. If the encodings sent less than libwebrtc fills up with padding, all are limited, which leaves
  /// it less to fill.
  ///
  /// - Parameters:
  ///   - isOther: `true` for a picture whose pixel count does not follow from a height limit.
  ///   - padded: rate up to which libwebrtc pads [kbps].
  static func maxima(
    _ stretch: SentStretch, _ content: Double, usual: [Double], isOther: Bool, padded: Double
  ) -> [Double] {
    let isPadded = stretch.rate < padded && stretch.rates.allSatisfy { $0 >= SentStretch.sending }
    let isLimited = stretch.rates.indices.map { place in
      isOther || isPadded || stretch.contents[place] < less * content
        || stretch.rates.count > 1 && (usual.isEmpty || stretch.rates[place] > usual[place])
    }
    guard isLimited.contains(true) else { return [] }
    return stretch.rates.indices.map { place in
      let isLarge = (stretch.formats[place]?.resolution.pixels ?? 0) > Resolution.p720.pixels
      return isLimited[place] || !isLarge || usual.isEmpty ? stretch.rates[place] * limit : usual[place]
    }
  }

  /// Checks whether a picture has a different aspect ratio from the capture.
  static func isOfOtherShape(_ stretch: SentStretch, _ capture: VideoFormat?) -> Bool {
    guard let size = capture?.resolution, let width = stretch.width, let height = stretch.height, height > 0
    else {
      return false
    }
    let ratio = width / height * Double(size.height) / Double(size.width)
    return abs(ratio - 1) > 0.05
  }

  /// Drops the stretches in which an encoder was starting up: short ones with ever larger pictures, beginning at a size
  /// at which libwebrtc starts on its own.
  static func settled(_ stretches: [SentStretch]) -> [SentStretch] {
    let largest = stretches.compactMap(\.height).max()
    guard let first = stretches.firstIndex(where: { $0.height == largest }) else { return stretches }
    let before = stretches[..<first]
    let isRising = zip(before, before.dropFirst()).allSatisfy { ($0.height ?? 0) <= ($1.height ?? 0) }
    let isSmall = (before.first?.height ?? 0) <= startHeight
    let time = stretches[first].from - (before.first?.from ?? 0)
    return isRising && isSmall && time < shortest
      ? Array(stretches[first...]) : stretches
  }

  /// Checks whether the path did not limit what was sent.
  ///
  /// - Parameter cuts: samples at which the path was full; `nil` if it never was.
  static func isFree(
    _ record: CallRecord, _ source: CallRecord.Source, _ stretch: SentStretch, cuts: [Int]?
  ) -> Bool {
    let estimates = record.samples[stretch.samples].compactMap(\.estimate)
    guard !estimates.isEmpty else { return true }
    let all = 0..<(record.samples.map(\.encodings.count).max() ?? 0)
    let (first, last) = (stretch.samples.lowerBound, stretch.samples.upperBound)
    let sent = record.pathRate(ofMedia: record.rate(of: all, from: first, to: last) ?? 0)
    let estimate = CapacityCourse.median(estimates)
    if cuts != nil, stretch.from < CapacityEvidence.start, !stretch.isOff { return false }
    guard !isWithheld(record, source, stretch, rest: estimate - sent) else { return false }
    // A path that was never full still limits a rate that rises with the estimate.
    guard let cuts else { return sent < free * estimate || !follows(record, stretch) }
    let isCut = cuts.contains { first < $0 && $0 < last }
    let isDoubtful = stretch.length < shortest || isCut && follows(record, stretch)
    return sent < (isDoubtful ? clearlyFree : free) * estimate
  }

  /// Checks whether a rate rises with the estimate, at least half as much.
  static func follows(_ record: CallRecord, _ stretch: SentStretch) -> Bool {
    let pairs = stretch.samples.dropFirst().compactMap { index -> (estimate: Double, rate: Double)? in
      guard let estimate = record.samples[index].estimate, let rate = record.rate(at: index) else {
        return nil
      }
      return (estimate, rate)
    }
    guard let median = pairs.isEmpty ? nil : CapacityCourse.median(pairs.map(\.estimate)) else {
      return false
    }
    func rise(_ value: KeyPath<(estimate: Double, rate: Double), Double>) -> Double {
      let (high, low) = (pairs.filter { $0.estimate >= median }, pairs.filter { $0.estimate < median })
      guard !low.isEmpty else { return 0 }
      let below = low.map { $0[keyPath: value] }.reduce(0, +) / Double(low.count)
      return high.map { $0[keyPath: value] }.reduce(0, +) / Double(high.count) / max(below, 1) - 1
    }
    return rise(\.rate) > rise(\.estimate) / 2
  }

  /// Checks whether nothing arrived because packets were lost.
  static func isOutage(_ record: CallRecord, _ stretch: SentStretch) -> Bool {
    let last = min(stretch.samples.upperBound + 2, record.samples.count - 1)
    guard let before = record.samples[stretch.samples.lowerBound].lost, let after = record.samples[last].lost
    else { return false }
    return after > before
  }

  /// Checks whether the remainder of the estimate [kbps] is too small for the lowest encoding not sent, by the rule of
  /// libwebrtc's allocator.
  static func isWithheld(
    _ record: CallRecord, _ source: CallRecord.Source, _ stretch: SentStretch, rest: Double
  ) -> Bool {
    let captured = source.capture ?? VideoContentGuess.capture(record, source)
    let ladder = Ladder.libwebrtcVP8(capture: captured).encodings
    guard ladder.count == source.encodings.count, ladder.count > 1 else { return false }
    let off = zip(stretch.rates, ladder).first { rate, _ in rate < SentStretch.sending }
    guard let minimum = off?.1.minimum else { return false }
    return rest < Double(minimum.bitsPerSecond) / 1000 * hysteresis
  }
}
