import Ladder

/// Consecutive streams of one encoding, such as after renegotiation.
struct StreamChain {
  var streams: [StatsObject]

  /// Sum of a counter over the streams up to a time [ms].
  func total(_ name: String, at time: Double) -> Double? {
    let known = streams.compactMap { $0.number(name, at: time) }.filter(CallRecord.measurable.contains)
    return known.isEmpty ? nil : known.reduce(0, +)
  }

  /// Latest value of a member, no older than `age` [ms].
  func latest(_ name: String, at time: Double, age: Double) -> Double? {
    streams.lazy.reversed().compactMap { $0.number(name, at: time, age: age) }.first
  }

  func largest(_ name: String) -> Double { streams.flatMap { $0.numbers(name) }.max() ?? 0 }
}

/// Video streams of one media source.
struct StreamGroup {
  /// Media source, track or media section; `nil` if the statistics name none.
  var id: String?
  /// Encodings, smallest first.
  var encodings: [StreamChain]

  var streams: [StatsObject] { encodings.flatMap(\.streams) }

  /// Groups a participant's sent streams by media source.
  ///
  /// - Parameter isChosen: `true` if the user states which streams belong to which source.
  /// - Throws: ``CallRecordError`` if streams sent simultaneously may be encodings of one source or separate sources,
  ///   and nothing tells which.
  static func sent(
    _ streams: [StatsObject], isChosen: Bool, path: String
  ) throws(CallRecordError) -> [StreamGroup] {
    let groups = grouped(streams) { stream in
      ["mediaSourceId", "trackId", "trackIdentifier", "mid"].lazy.compactMap(stream.label).first
    }
    guard !isChosen, let unknown = groups.first(where: { $0.id == nil }) else { return groups }
    let isOfOneSource =
      groups.count == 1
      && (unknown.encodings.count == 1 || unknown.streams.allSatisfy { $0.label("rid") != nil })
    guard isOfOneSource else { throw ambiguous(streams, path) }
    return groups
  }

  /// Groups a participant's received streams by track; a stream without one is a separate source.
  static func received(_ streams: [StatsObject]) -> [StreamGroup] {
    grouped(streams) { stream in
      ["trackIdentifier", "trackId", "mid"].lazy.compactMap(stream.label).first ?? stream.id
    }
  }

  private static func ambiguous(_ streams: [StatsObject], _ path: String) -> CallRecordError {
    let names = streams.map { stream in
      let height = stream.numbers("frameHeight").max().map { " (\(Int($0))p)" } ?? ""
      return (stream.identifier.map { "SSRC \($0)" } ?? stream.id) + height
    }
    let example = streams.compactMap(\.identifier).joined(separator: ",")
    return CallRecordError(
      path: path,
      text:
        "\(streams.count) video streams were sent, \(names.joined(separator: " and ")), and none has a media source, "
        + "a track or a 'rid' to tell whether they are encodings of one camera or sources of their own: choose by "
        + "'--camera \(example)' for encodings of one camera, or by one SSRC each for --camera and --screen")
  }

  /// Returns the streams with these names, as one source.
  static func chosen(_ names: [String], of groups: [StreamGroup]) -> StreamGroup? {
    if let group = groups.first(where: { $0.id.map(names.contains) ?? false }) { return group }
    let streams = groups.flatMap(\.streams).filter { $0.identifier.map(names.contains) ?? false }
    guard let first = streams.first else { return nil }
    let id = groups.first { $0.streams.contains { $0.id == first.id } }?.id
    return StreamGroup(id: id, encodings: chained(streams))
  }

  private static func grouped(_ streams: [StatsObject], by source: (StatsObject) -> String?) -> [StreamGroup]
  {
    var groups: [StreamGroup] = []
    for stream in streams {
      let id = source(stream)
      if let place = groups.firstIndex(where: { $0.id == id }) {
        groups[place].encodings.append(StreamChain(streams: [stream]))
      } else {
        groups.append(StreamGroup(id: id, encodings: [StreamChain(streams: [stream])]))
      }
    }
    return groups.map { group in
      var group = group
      group.encodings = chained(group.streams)
      return group
    }
  }

  /// Joins streams of one source in which each began after the previous one had ended.
  private static func chained(_ streams: [StatsObject]) -> [StreamChain] {
    let counter = { (stream: StatsObject) in stream.span("bytesSent") ?? stream.span("bytesReceived") ?? 0...0
    }
    var chains: [StreamChain] = []
    for stream in streams.sorted(by: { counter($0).lowerBound < counter($1).lowerBound }) {
      let begin = counter(stream).lowerBound
      let rid = stream.label("rid")
      let place = chains.firstIndex { chain in
        chain.streams.allSatisfy { counter($0).upperBound < begin && $0.label("rid") == rid }
      }
      if let place {
        chains[place].streams.append(stream)
      } else {
        chains.append(StreamChain(streams: [stream]))
      }
    }
    return chains.sorted {
      ($0.largest("frameHeight"), $0.largest("bytesSent")) < (
        $1.largest("frameHeight"), $1.largest("bytesSent")
      )
    }
  }

  // MARK: Properties

  /// Indicates that the streams declare themselves a screen share.
  var isScreenshare: Bool {
    streams.contains { $0.members["contentType"]?.values.contains(.text("screenshare")) == true }
  }

  /// Returns the streams' last codec, by MIME type; `nil` if unknown or not available in scenarios.
  func codec(_ codecs: [StatsObject]) -> VideoCodec? {
    let types = streams.reversed().lazy.compactMap { stream in
      stream.label("codecId").flatMap { id in codecs.first { $0.id == id }?.label("mimeType") }
        ?? stream.label("mimeType")
    }
    return types.first.flatMap { VideoCodec(rawValue: $0.split(separator: "/").last?.lowercased() ?? "") }
  }

  /// The streams' last scalability mode; `nil` if unknown.
  var mode: ScalabilityMode? {
    streams.reversed().lazy.compactMap { $0.label("scalabilityMode") }.first.flatMap(
      ScalabilityMode.init(name:))
  }

  /// Returns the format of the capture, from the media source or the largest encoding; `nil` if unknown.
  func capture(_ sources: [StatsObject]) -> VideoFormat? {
    var own = sources.filter { $0.id == id || id != nil && $0.label("trackIdentifier") == id }
    if own.isEmpty, sources.count == 1 { own = sources }
    let sizes = own.map { ($0.numbers("width").max() ?? 0, $0.numbers("height").max() ?? 0) }
    guard let size = sizes.max(by: { $0.0 * $0.1 < $1.0 * $1.1 }), (16...7680).contains(size.0),
      (16...4320).contains(size.1)
    else { return nil }
    return VideoFormat(
      Resolution(width: Int(size.0), height: Int(size.1)), framesPerSecond: frameRate(own) ?? 30)
  }

  /// Best sustained frame rate, such as in daylight: the capture's, or the highest of an encoding as sent, if lower
  /// [Hz].
  private func frameRate(_ sources: [StatsObject]) -> Int? {
    func best(_ objects: [StatsObject]) -> Double? {
      let rates = objects.flatMap { $0.numbers("framesPerSecond") }.filter { $0 > 0 }.sorted()
      guard !rates.isEmpty else { return nil }
      let high = rates[(rates.count - 1) * 9 / 10]
      return CapacityCourse.median(rates.filter { $0 >= 0.75 * high })
    }
    let sent = encodings.compactMap { best($0.streams) }.max()
    let known = [best(sources), sent].compactMap { $0 }
    return known.min().map { Int(min(max($0.rounded(), 1), 60)) }
  }
}
