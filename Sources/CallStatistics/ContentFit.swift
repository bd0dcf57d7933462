import Ladder
import Media
import Quantity

/// Content of a source, and its limits over time, with which a simulated call sends what the recorded one sent.
///
/// Our model. Where the path was not full, the sender sent what its content needed, or what its app or its own estimate
/// allowed; in a call that never filled its path it did so throughout. Such stretches (``SentStretch``) give the
/// content as the rate that 720p30 would need at the same quality (`ContentDemand`). The richest content counts, and in
/// the other stretches a limit at the sender removes the excess, until the path is full again. Short stretches before
/// the largest picture are those of an encoder starting up. A picture that libwebrtc would not send so early, so large
/// at once, or at such a rate, kept its resolution. Without any usable stretch the content is a guess
/// (``VideoContentGuess``).
struct ContentFit {
  /// An encoding as sent.
  struct Layer: Equatable {
    var format: VideoFormat
    /// Target rate [kbps].
    var kilobits: Double
  }

  /// A change of what the sender sends.
  struct Change: Equatable {
    /// Time in whole seconds.
    var at: Int
    /// Maximum rate of each encoding [kbps], a single one for a source with one encoding; empty for no limit.
    var maxima: [Double] = []
    /// Maximum height and frames per second; `nil` for the capture's.
    var height: Int?
    var frameRate: Int?
    /// Indicates that the encoder does not scale the picture.
    var keepsSize = false
    /// Indicates that nothing is sent.
    var isOff = false

    /// Checks whether limits differ by less than shows in a simulated call.
    func isLike(_ other: Change) -> Bool {
      isOff == other.isOff && height == other.height && frameRate == other.frameRate
        && keepsSize == other.keepsSize && maxima.count == other.maxima.count
        && zip(maxima, other.maxima).allSatisfy { abs($0 - $1) <= tolerance * max($0, $1) }
    }
  }

  /// Share of the estimate below which a source is not limited by the path.
  static let free = 0.8
  /// Minimum length of a stretch that gives the content [s].
  static let shortest = 8.0
  /// Share of the estimate below which a path that is full at other times was not, for shorter stretches, or those in
  /// which the estimate was cut and the rate follows it.
  static let clearlyFree = 0.5
  /// Factor of its minimum rate that an encoding needs to restart: libwebrtc's hysteresis.
  static let hysteresis = 1.2
  /// Maximum rate of an encoding without an app maximum, including RTP headers [kbps].
  static let usualMaximum = 2600.0
  /// Time in which an encoder starts up [s], and height at which libwebrtc starts on its own [pixel].
  private static let starting = 15.0
  static let startHeight = 360.0
  /// Initial rate of libwebrtc's encoder: its first estimate of 300 kbps, less a voice [kbps].
  private static let startRate = 265.0
  /// Time after which an encoder that scales on its own has reached any size [s].
  private static let started = 30
  /// Relative difference below which limits count as equal.
  private static let tolerance = 0.08
  /// Share of the content below which a rate counts as limited separately.
  static let less = 0.95
  /// Relative difference below which the rates of consecutive stretches count as the same content.
  static let alike = 0.15
  /// Share of the capture's height or frame rate below which a picture counts as smaller or slower.
  private static let smaller = 0.9
  private static let slower = 0.8
  /// Limit of an encoder relative to its intended rate, including RTP headers.
  static let limit = 0.98
  /// Limit of an encoder that drops captured frames, relative to other limits: its rate control sends 0 to 10 % less.
  private static let thinning = 1.05
  /// Share of a limit from which a sender limited by its path may need more.
  private static let near = 0.9

  /// Rate that 720p30 needs [kbps]; `nil` for a guess.
  let content: Double?
  /// Guess if there is no such stretch: `true` for content richer than a talking head, `nil` if unknown.
  let isRich: Bool?
  /// Minimum rate that 720p30 needs, for content that is not richer [kbps].
  let leastContent: Double?
  /// Maximum rate of a source with one encoding, if it could only be sent with an app's own maximum [kbps].
  private(set) var maximum: Double?
  /// Limits over time.
  private(set) var changes: [Change] = []
  /// Factor from the rate at the sent size to the content of a scalable stream, which also sends its lower layers;
  /// `nil` for a source written as VP8 or H.264.
  private(set) var scalable: Double?
  /// Size of the picture in the stretch that gave the content.
  private(set) var size: Resolution?
  /// Format of a source that was never sent as large as captured.
  private(set) var sent: VideoFormat?
  /// Encodings, with sizes chosen by the app, of a source with several encodings that do not match libwebrtc's ladder
  /// for its capture.
  private(set) var layers: [Layer] = []
  /// All stretches, with a flag for those in which the path did not limit what was sent.
  let stretches: [(stretch: SentStretch, isFree: Bool)]

  init(_ record: CallRecord, _ source: CallRecord.Source, _ course: CapacityCourse) {
    let richness = VideoContentGuess.richness(record, source)
    let excess = VideoContentGuess.excess
    isRich = richness > excess ? true : richness > 1 / excess ? false : nil
    leastContent =
      isRich == false && source.encodings.count == 1
      ? richness * VideoContentGuess.need * SentStretch.reference.ceiling / 1000 : nil
    let wasFull = course.steps.contains { $0.cuts > 0 }
    let all = SentStretch.all(record, source, course).map { stretch in
      (
        stretch: stretch,
        isFree: !wasFull && source.encodings.count == 1
          || Self.isFree(record, source, stretch, cuts: wasFull ? course.cuts : nil)
      )
    }
    stretches = all
    let free = Self.settled(all.filter { $0.isFree && $0.0.content >= 1 }.map(\.0))
    let largest = free.compactMap(\.height).max()
    let full = free.filter { $0.height == largest }
    let lasting = Self.lastingContents(free)
    // A path that was full at other times may have carried more than was sent in the free stretches.
    let pressed = all.filter { !$0.isFree && $0.0.length >= Self.shortest }.map { $0.0.content }.max() ?? 0
    content = (lasting.isEmpty ? free.map(\.content) : lasting).max().map {
      pressed > $0 ? pressed * VideoContentGuess.need : $0
    }
    defer {
      scalable = Self.scalable(
        source, changes, top: sent ?? source.capture ?? size.map { VideoFormat($0, framesPerSecond: 30) })
    }
    guard let content else {
      // What the source needs is unknown, but not when nothing was sent.
      for (stretch, isFree) in all {
        let isOff = stretch.isOff && isFree && !Self.isOutage(record, stretch)
        guard isOff != (changes.last?.isOff ?? false) else { continue }
        changes.append(Change(at: Int(stretch.from.rounded()), isOff: isOff))
      }
      return
    }
    if let width = full.first?.width, let height = largest, width >= 16, height >= 16 {
      size = Resolution(width: Int(width), height: Int(height))
    }
    let most = full.compactMap(\.rates.last).max() ?? 0
    if source.encodings.count == 1, most > Self.usualMaximum { maximum = most }
    if source.encodings.count > 1, let best = full.max(by: { $0.content < $1.content }) {
      layers = Self.layers(best, source)
    }
    let tallest = record.samples.compactMap { SentStretch.height(source, $0) }.max() ?? 0
    if let size, let capture = source.capture, source.encodings.count == 1, tallest <= Double(size.height),
      tallest < Self.smaller * Double(capture.resolution.height)
    {
      sent = VideoFormat(size, milliFramesPerSecond: capture.milliFramesPerSecond)
    }
    let captured = Double((sent ?? source.capture)?.resolution.height ?? size?.height ?? 0)
    let rate =
      layers.last?.format.framesPerSecond ?? source.capture?.framesPerSecond
      ?? free.compactMap(\.frameRate).max() ?? 0
    let first = free.first?.from ?? 0
    let usual = source.encodings.count > 1 ? Self.usualMaxima(source, sent ?? source.capture) : []
    let padded = Self.padded(source, sent ?? source.capture)
    var before: (height: Double?, isFree: Bool)?
    var keptSince: Int?
    for (stretch, isFree) in all {
      defer { if !stretch.isOff { before = (stretch.height, isFree) } }
      // Encodings that are off after the start-up were not on during it.
      let start = source.encodings.count > 1 ? Self.starting : CapacityEvidence.start
      let isFirst = stretch.from <= start && changes.isEmpty && !stretch.isOff
      let last = changes.last ?? Change(at: 0)
      var change = Change(at: isFirst ? 0 : Int(stretch.from.rounded()))
      if stretch.isOff {
        guard isFree, !Self.isOutage(record, stretch) else { continue }
        change.isOff = true
      } else if isFree, stretch.from >= first {
        let isSmaller = stretch.height.map { captured > 0 && $0 < Self.smaller * captured } ?? false
        let isSlower = stretch.frameRate.map { rate > 0 && $0 < Self.slower * rate } ?? false
        let isOther = Self.isOfOtherShape(stretch, sent ?? source.capture)
        change.maxima =
          layers.isEmpty
          ? Self.maxima(stretch, content, usual: usual, isOther: isOther, padded: padded)
          : Self.maxima(stretch, of: layers)
        if isSlower { change.maxima = change.maxima.map { $0 * Self.thinning } }
        change.height = isSmaller ? stretch.height.map { Int($0) } : nil
        change.frameRate = isSlower ? stretch.frameRate.map { max(1, Int($0.rounded())) } : nil
        change.keepsSize =
          source.kind == .camera && source.encodings.count == 1 && Self.isKept(stretch, after: before)
      } else if !last.isOff, !last.keepsSize, stretch.rate <= Self.near * last.maxima.reduce(0, +) {
        continue
      }
      if !change.isLike(last) { changes.append(change) }
      guard change.keepsSize else {
        keptSince = nil
        continue
      }
      // The pieces of one stretch keep the size for as long as the whole.
      let since = keptSince.flatMap { change.at < $0 + Self.started ? $0 : nil } ?? change.at
      keptSince = since
      if stretch.end > Double(since + Self.started), !Self.isTooLow(stretch, stretch.rate) {
        change.at = since + Self.started
        change.keepsSize = false
        changes.append(change)
      }
    }
  }

  /// Returns the factor for a scalable source; `nil` if it has limits, which a scenario can only change for simulcast
  /// and single streams.
  private static func scalable(_ source: CallRecord.Source, _ changes: [Change], top: VideoFormat?) -> Double?
  {
    // Limits during the encoder's start-up are not the sender's.
    let begun = changes.lastIndex { Double($0.at) < shortest } ?? 0
    guard let sending = source.scalable, source.encodings.count == 1, let top,
      changes.dropFirst(begun).allSatisfy({ $0.maxima.isEmpty && $0.height == nil && $0.frameRate == nil })
    else { return nil }
    func demand(_ size: Resolution) -> Double {
      ContentDemand(
        VideoFormat(size, milliFramesPerSecond: top.milliFramesPerSecond), content: .talkingHead
      ).ceiling
    }
    let mode = sending.mode.fitted(to: top.resolution)
    let all = (0..<mode.spatialLayers).map {
      demand(mode.size(of: $0, capture: top.resolution, codec: sending.codec))
    }
    return demand(top.resolution) / all.reduce(0, +) / CodecModel(sending.codec).complexity
  }

  /// Checks whether libwebrtc's encoder would have scaled a picture: at its rate, at start-up, or when growing to it
  /// from the smaller picture sent before.
  private static func isKept(_ stretch: SentStretch, after before: (height: Double?, isFree: Bool)?) -> Bool {
    isTooLow(stretch, stretch.rate) || stretch.from < starting && isTooLow(stretch, startRate)
      || before.map { $0.isFree && $0.height ?? .infinity < stretch.height ?? 0 } ?? false
  }

  /// Checks whether a rate [kbps] is too low for libwebrtc to start at a picture or grow to it.
  private static func isTooLow(_ stretch: SentStretch, _ rate: Double) -> Bool {
    guard let width = stretch.width, let height = stretch.height else { return false }
    let rate = BitRate(bitsPerSecond: Int64(rate * 1000))
    return SinglecastLimits.isTooLow(rate, pixels: Int(width * height), codec: .vp8)
  }

  /// Returns the encodings of a stretch, from the lowest up; empty if their sizes are those of libwebrtc's ladder.
  private static func layers(_ stretch: SentStretch, _ source: CallRecord.Source) -> [Layer] {
    let all = zip(stretch.formats, stretch.rates).compactMap { format, rate in
      format.map { Layer(format: $0, kilobits: rate * limit) }
    }.filter { $0.kilobits >= 1 }
    guard let top = all.last else { return [] }
    let ladder = Ladder.libwebrtcVP8(capture: source.capture ?? top.format).encodings.map(
      \.format.resolution.height)
    let heights = all.map(\.format.resolution.height)
    // Encodings above those sent may be off.
    let isUsual =
      heights.count <= ladder.count && zip(ladder, heights).allSatisfy { abs($0 - $1) * 10 <= $0 }
    let isRising = zip(all, all.dropFirst()).allSatisfy {
      $0.format.resolution.pixels < $1.format.resolution.pixels && $0.kilobits < $1.kilobits
    }
    let isWithinUsual = isUsual && top.kilobits <= limit * usualMaximum
    return isWithinUsual || !isRising ? [] : all
  }
}
