package import Ladder
package import Media
package import Quantity

/// Parameters that an app has set on a sender since its call began.
package struct SenderSettings: Sendable {
  /// Limit on the source, and limits on its encodings, from the lowest up.
  struct Limits<Value: Sendable>: Sendable {
    var source: Value?
    var encodings: [Value?] = []

    mutating func apply(_ change: SendChange.Limit<Value>?) {
      switch change {
      case nil: break
      case .lifted: self = Limits()
      case .source(let value): source = value
      case .encodings(let values):
        for (index, value) in values {
          while encodings.count <= index { encodings.append(nil) }
          encodings[index] = value
        }
      }
    }

    func of(_ index: Int) -> Value? { encodings.indices.contains(index) ? encodings[index] : nil }
  }

  private var maximums = Limits<BitRate>()
  private var lines = Limits<Int>()
  private var milliFrames = Limits<Int>()
  private var scales = Limits<Double>()
  /// Encodings that the app has left on; `nil` for all.
  private var on: EncodingSet?
  package private(set) var capture: SendChange.Capture?
  package private(set) var priority = SenderPriority.low

  /// Set once a change has been applied.
  package private(set) var areSet = false

  package init() {}

  package mutating func apply(_ change: SendChange) {
    areSet = true
    maximums.apply(change.maximum)
    lines.apply(change.maximumLines)
    milliFrames.apply(change.maximumMilliFrames)
    scales.apply(change.scale)
    if let on = change.encodings { self.on = on }
    if let capture = change.capture { self.capture = capture }
    if let priority = change.priority { self.priority = priority }
  }

  /// Returns the encodings that the app has switched off, of a source with a number of them.
  package func off(of count: Int) -> EncodingSet {
    on.map { EncodingSet(first: count).subtracting($0) } ?? []
  }

  /// Checks whether a change leaves all settings but the capture as they are.
  ///
  /// - Parameter count: number of the source's encodings.
  package func areAlready(_ change: SendChange, encodings count: Int) -> Bool {
    var next = self
    next.apply(change)
    return next.maximums == maximums && next.lines == lines && next.milliFrames == milliFrames
      && next.scales == scales && next.off(of: count) == off(of: count) && next.priority == priority
  }

  /// Returns a capture's format within the source's limits, as a scalable stream is encoded: its layers are those of a
  /// smaller or slower capture.
  package func confined(_ capture: VideoFormat) -> VideoFormat {
    var size = lines.source.map(capture.resolution.limited) ?? capture.resolution
    if let scale = scales.source { size = size.divided(by: scale) }
    return VideoFormat(
      size,
      milliFramesPerSecond: min(
        capture.milliFramesPerSecond, milliFrames.source ?? capture.milliFramesPerSecond))
  }

  /// Maximum rate of the source.
  package var maximum: RateLimit { maximums.source.map(RateLimit.init) ?? .unlimited }

  /// Returns the maximum rate of an encoding, given the settings of the source and of the encoding.
  package func maximum(of encoding: Int) -> RateLimit {
    min(maximum, maximums.of(encoding).map(RateLimit.init) ?? .unlimited)
  }

  /// Returns the ladder of a source without its app's limits: that of a capture that the app has set, except for frames
  /// of its own.
  ///
  /// - Parameter base: ladder of the source as it is published.
  package func ladder(of base: Ladder, forOwnFrames isOwn: Bool) -> Ladder {
    isOwn ? base : capture?.ladder ?? base
  }

  /// Returns the encodings under these settings, and those that are off.
  ///
  /// Under a source's maximum, an encoding is off if its minimum rate does not fit beside the targets of those below
  /// it, since libwebrtc's allocator never reaches it; the lowest stays on [our model: a browser's sender only has
  /// maximums for encodings].
  ///
  /// - Parameters:
  ///   - base: encodings of the capture without settings.
  ///   - all: encodings of the source, at least as many.
  ///   - leastShare: minimum share of their rates at which encodings without limits run.
  package func confine(
    _ base: Ladder, to capture: Resolution, among all: Ladder, leastShare: Double
  ) -> (ladder: Ladder, off: EncodingSet) {
    var encodings = base.encodings + all.encodings.dropFirst(base.encodings.count)
    let own = EncodingSet(first: base.encodings.count)
    var off = off(of: encodings.count).union(EncodingSet(first: encodings.count).subtracting(own))
    let frame = lines.source.map(capture.limited) ?? capture
    let sizes = frame == capture ? base.encodings.map(\.format.resolution) : base.sizes(carrying: frame)
    var below = BitRate.zero
    for index in base.encodings.indices {
      guard var size = sizes[index] else {
        off.insert(EncodingSet(index))
        continue
      }
      if let scale = scales.source { size = size.divided(by: scale) }
      if let scale = scales.of(index) { size = capture.divided(by: scale) }
      if let limit = lines.of(index) { size = size.limited(toLines: limit) }
      if all.encodings.count == 1, encodings[index].hasLimits {
        // The encoder limits a lone encoding by its picture size.
        encodings[index].format.resolution = size
      } else {
        encodings[index] = encodings[index].resized(to: size)
      }
      for limit in [milliFrames.source, milliFrames.of(index)] {
        if let limit { encodings[index] = encodings[index].slowed(to: limit) }
      }
      if let limit = maximums.of(index) { encodings[index].limit(to: limit) }
      let least = encodings[index].minimum ?? encodings[index].bitrate.scaled(by: leastShare)
      if index > 0, !maximum.admits(below + least) { off.insert(EncodingSet(index)) }
      if !off.contains(index) { below += encodings[index].bitrate }
    }
    var ladder = all
    ladder.encodings = encodings
    return (ladder, off)
  }
}

extension SenderSettings.Limits: Equatable where Value: Equatable {}
