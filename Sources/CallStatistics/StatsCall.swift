/// The call described by the statistics of peer connections.
///
/// It is the call of the connection that sent the most video or, if none sent any, received the most. The path is the
/// candidate pair in use at each moment (``StatsPath``), whose `availableOutgoingBitrate` is the estimate; round trips
/// come from the receiver's reports on the video, or else from the pair. If another connection of the file received a
/// stream (the same SSRC), its counters give arrivals and losses; otherwise these come from the bytes sent and the
/// reports on them. Losses are the sum over all video streams. Each value is taken at its own timestamp.
struct StatsCall {
  /// Maximum time from a value's use to its sample [ms].
  private static let slack = 500.0
  /// Maximum number of video streams of a connection, over its whole life.
  private static let mostStreams = 500

  private let connections: [StatsConnection]
  private let connection: StatsConnection
  private let path: StatsPath
  private let groups: [StreamGroup]
  private let isReceived: Bool
  private let file: String

  /// Returns the record of the call in a log.
  ///
  /// - Throws: ``CallRecordError`` if there is no call with video, if its sources cannot be told apart, or if the part
  ///   is too short or has a gap.
  static func record(
    of log: StatsLog, _ part: CallPart, path: String
  ) throws(CallRecordError) -> CallRecord {
    try StatsCall(log, part, file: path).record(part, log)
  }

  private init(_ log: StatsLog, _ part: CallPart, file: String) throws(CallRecordError) {
    func bytes(_ connection: StatsConnection, _ type: String, _ counter: String) -> Double {
      connection.videos(type).map { $0.growth(counter) }.reduce(0, +)
    }
    let sent = log.connections.map { bytes($0, "outbound-rtp", "bytesSent") }
    let received = log.connections.map { bytes($0, "inbound-rtp", "bytesReceived") }
    isReceived = (sent.max() ?? 0) <= 0
    let counts = isReceived ? received : sent
    guard let most = counts.indices.max(by: { counts[$0] < counts[$1] }), counts[most] > 0 else {
      throw CallRecordError(path: file, text: Self.noVideo(log))
    }
    self.file = file
    connections = log.connections
    connection = connections[most]
    path = StatsPath(connection)
    let streams =
      isReceived
      ? connection.videos("inbound-rtp").filter { $0.growth("bytesReceived") > 0 }
      : connection.videos("outbound-rtp").filter { $0.growth("bytesSent") > 0 }
    guard streams.count <= Self.mostStreams else {
      throw CallRecordError(
        path: file,
        text: "a call of \(streams.count) video streams cannot be imported: at most \(Self.mostStreams)")
    }
    groups =
      isReceived
      ? StreamGroup.received(streams)
      : try StreamGroup.sent(
        streams, isChosen: part.camera != nil || part.screen != nil, path: file)
  }

  private static func noVideo(_ log: StatsLog) -> String {
    let count = log.connections.count
    let types = Set(log.connections.flatMap(\.objects).map(\.type))
    let text = "no connection of \(log.format) sent or received video"
    guard count > 0, !types.isEmpty else { return text + ": it has no statistics of any" }
    return text
      + ": 'outbound-rtp' with 'bytesSent', or 'inbound-rtp' with 'bytesReceived', of kind video is needed"
  }

  // MARK: Samples

  private func record(_ part: CallPart, _ log: StatsLog) throws(CallRecordError) -> CallRecord {
    let counter = isReceived ? "bytesReceived" : "bytesSent"
    let all =
      (isReceived ? [] : path.times) + groups.flatMap(\.streams).flatMap { $0.series(counter)?.times ?? [] }
    // Rates over shorter times are those of single frames.
    var times: [Double] = []
    for time in all.sorted() where time >= (times.last ?? -.infinity) + CallRecord.leastGap * 1000 {
      times.append(time)
    }
    let first = times.first ?? 0
    let clock = try CallClock(times.map { ($0 - first) / 1000 }, part, path: file)
    let chosen = try SourceChoice(groups, connection, part, isReceived: isReceived, file: file)
    let arrivals = chosen.groups.map { group in group.encodings.map { arrival(of: $0, from: times) } }
    let age = max(2000, 1500 * clock.interval) + Self.slack
    let begin = times[clock.range.lowerBound]
    var record = CallRecord(samples: [], sources: chosen.sources, hasVoice: hasVoice)
    record.isReceived = isReceived
    record.notes = log.notes + chosen.notes + notes(log)
    let reports = connection.videos("remote-inbound-rtp")
    var last: String?
    for time in times[clock.range] {
      let now = time + Self.slack
      var sample = CallRecord.Sample(time: (time - begin) / 1000, estimate: nil, encodings: [])
      let pair = path.pair(at: now, age: age)
      sample.isOnNewPath = pair.map { $0.id != last ?? $0.id } ?? false
      last = pair?.id ?? last
      if !isReceived, let estimate = pair?.number("availableOutgoingBitrate", at: now, age: age),
        estimate > 0,
        estimate <= CallRecord.mostEstimate * 1000
      {
        sample.estimate = estimate / 1000
      }
      for (group, arrived) in zip(chosen.groups, arrivals) {
        for (chain, other) in zip(group.encodings, arrived) {
          sample.encodings.append(encoding(chain, other, at: now, age: age))
        }
      }
      let trips =
        reports.map { $0.number("roundTripTime", at: now, age: age) }
        + [pair?.number("currentRoundTripTime", at: now, age: age)]
      sample.roundTrip = trips.lazy.compactMap { $0 }.first {
        $0 >= 0 && $0 * 1000 <= CallRecord.mostRoundTrip
      }
      .map { $0 * 1000 }
      (sample.lost, sample.packets) = counts(chosen.groups, arrivals, reports, at: now)
      record.samples.append(sample)
    }
    return record
  }

  private func encoding(
    _ sent: StreamChain, _ arrived: StreamChain?, at now: Double, age: Double
  ) -> CallRecord.Encoding {
    let chain = arrived ?? sent
    let direction = isReceived || arrived != nil ? "Received" : "Sent"
    func value(_ name: String, _ most: Double, of streams: StreamChain) -> Double? {
      streams.latest(name, at: now, age: age).flatMap { (0...most).contains($0) ? $0 : nil }
    }
    let headers = chain.total("headerBytes\(direction)", at: now) ?? 0
    let padding = CallRecord.padding(
      headers: headers, packets: chain.total("packets\(direction)", at: now))
    var encoding = CallRecord.Encoding(
      bytes: chain.total("bytes\(direction)", at: now).map { $0 + headers - padding },
      height: value("frameHeight", CallRecord.mostHeight, of: chain),
      width: value("frameWidth", CallRecord.mostHeight, of: chain),
      frameRate: value("framesPerSecond", 1000, of: chain),
      target: isReceived
        ? nil : value("targetBitrate", CallRecord.mostEstimate * 1000, of: sent).map { $0 / 1000 })
    encoding.padding = padding
    return encoding
  }

  /// Returns another connection's streams of the file that received an encoding's streams, if their times overlap.
  private func arrival(of chain: StreamChain, from times: [Double]) -> StreamChain? {
    guard !isReceived, let first = times.first, let last = times.last else { return nil }
    let names = chain.streams.compactMap(\.identifier)
    let others = connections.filter { $0.name != connection.name }
    let found = others.flatMap { $0.videos("inbound-rtp") }.filter { stream in
      guard let name = stream.identifier, let span = stream.span("bytesReceived") else { return false }
      return names.contains(name) && span.lowerBound <= last && span.upperBound >= first
    }
    return found.isEmpty ? nil : StreamChain(streams: found)
  }

  /// Returns the sums of packets lost and packets sent over all streams; a receiver's own counters take precedence over
  /// its reports.
  private func counts(
    _ groups: [StreamGroup], _ arrivals: [[StreamChain?]], _ reports: [StatsObject], at now: Double
  ) -> (lost: Double?, packets: Double?) {
    var lost: [Double] = []
    var packets: [Double?] = []
    var reported = false
    for (group, arrived) in zip(groups, arrivals) {
      for (chain, other) in zip(group.encodings, arrived) {
        if let receiver = isReceived ? chain : other {
          let missing = receiver.streams.compactMap { $0.number("packetsLost", at: now) }.reduce(0, +)
          lost.append(missing)
          packets.append(receiver.total("packetsReceived", at: now).map { $0 + max(0, missing) })
        } else {
          reported = true
          packets.append(chain.total("packetsSent", at: now))
        }
      }
    }
    if reported, !isReceived {
      let known = reports.filter { report in
        // Reports on streams with known receivers would be counted twice.
        !zip(groups, arrivals).contains { group, arrived in
          zip(group.encodings, arrived).contains { chain, other in
            other != nil
              && chain.streams.contains { $0.identifier != nil && $0.identifier == report.identifier }
          }
        }
      }
      lost += known.compactMap { $0.number("packetsLost", at: now) }
    }
    let sum = packets.compactMap { $0 }.reduce(0, +)
    return (lost.isEmpty ? nil : lost.reduce(0, +), packets.contains { $0 == nil } ? nil : sum)
  }

  // MARK: Around the video

  private var hasVoice: Bool {
    let type = isReceived ? "inbound-rtp" : "outbound-rtp"
    let counter = isReceived ? "bytesReceived" : "bytesSent"
    return connection.of(type).contains { $0.kind == "audio" && $0.growth(counter) > 0 }
  }

  private func notes(_ log: StatsLog) -> [String] {
    var notes: [String] = []
    if isReceived {
      notes.append(
        "\(log.format) without video that was sent: the path is the receiver's downlink, the uplinks of those who "
          + "sent are unknown and ample here")
    } else if !path.hasEstimate {
      notes.append(
        "no 'availableOutgoingBitrate', which Firefox does not report: the capacity is a lower bound, from what arrived"
      )
    }
    let others = connections.filter { $0.name != connection.name && !isReceived }.flatMap {
      $0.videos("outbound-rtp")
    }
    let left = others.filter {
      $0.growth("bytesSent") > 0.1
        * connection.videos("outbound-rtp").map { $0.growth("bytesSent") }.reduce(0, +)
    }
    let names = Set(connection.videos("outbound-rtp").compactMap(\.identifier))
    let spans = connection.videos("outbound-rtp").compactMap { $0.span("bytesSent") }
    let apart = connections.filter { $0.name != connection.name && !isReceived }.flatMap {
      $0.videos("inbound-rtp")
    }
    .filter { stream in
      guard let name = stream.identifier, names.contains(name), let span = stream.span("bytesReceived") else {
        return false
      }
      return !spans.contains { $0.overlaps(span) }
    }
    if !apart.isEmpty {
      notes.append(
        "a stream that another connection received with the same SSRC at another time is left out: the clocks of two "
          + "dumps of one call must agree")
    }
    let mine = Set(connection.videos("inbound-rtp").compactMap(\.identifier))
    if left.contains(where: { $0.identifier.map { !mine.contains($0) } ?? true }) {
      notes.append("another connection of the file sent video too, which is left out")
    }
    return notes
  }
}
