import CallStatistics
import JSON
import Ladder
import Media
import Plan
import Quantity
import ResultReading

/// Sources with their encodings, and the server's reports on them.
extension ParticipantStatistics {
  private enum SentColumn: String, CaseIterable {
    case layer, active
    case width = "frame_width_px"
    case height = "frame_height_px"
    case frameRate = "frames_per_second"
    case target = "target_bitrate_bps"
    case bitRate = "bitrate_bps"
    case limitation = "quality_limitation_reason"
    case keyFrames = "key_frames_encoded"
    case pliCount = "pli_count"
    case firCount = "fir_count"
    case nackCount = "nack_count"
    case retransmissions = "retransmitted_packets_sent"
  }

  private typealias SentRow = SubjectRows<SentColumn>.Row

  /// A camera or a screen share, with the names of its objects.
  private struct Source {
    let plan: VideoSourcePlan
    let rows: [SentRow]

    var isScreen: Bool { plan.kind == .screen }
    private var number: Int { isScreen ? 2 : 1 }
    var mediaID: String { "SV\(number)" }
    var codecID: String { "CO\(number)" }
    var payloadType: Int64 { Int64(95 + number) }
    func ssrc(_ encoding: Int) -> Int { number * 1_000_000 + encoding }

    /// Layers in the order of the table.
    var layers: [String] {
      rows.reduce(into: []) { layers, row in
        if !layers.contains(row[text: .layer]) { layers.append(row[text: .layer]) }
      }
    }
  }

  /// A stream with its own SSRC, one row per interval.
  private struct Encoding {
    let ssrc: Int
    /// RID; `nil` for a source's only encoding.
    let rid: String?
    let rows: [SentRow?]
  }

  func sent() throws -> [BrowserStatistics.Object] {
    var sources: [(source: Source, encodings: [Encoding])] = []
    for (isScreen, plan) in [(false, plan.camera), (true, plan.screen)] {
      guard let plan else { continue }
      let name = SourceName(owner: id, isScreen: isScreen).description
      let rows = try SubjectRows<SentColumn>.read(directory + "/sent.csv", of: [("source", name)]).rows
      // A source that has never sent anything has no statistics.
      guard !rows.isEmpty else { continue }
      let source = Source(plan: plan, rows: rows)
      sources.append((source, encodings(of: source)))
    }
    let beside = rest(besides: sources.flatMap(\.encodings))
    var padding = beside.padding
    var objects: [BrowserStatistics.Object] = []
    for (source, encodings) in sources {
      objects += [media(source), codec(source)]
      let padded = paddedEncodings(of: encodings)
      for (place, encoding) in encodings.enumerated() {
        let own = padding.indices.map { padded[$0] == place ? padding[$0] : 0 }
        objects += reports(on: encoding, of: source, padding: own)
      }
      // Padding is the camera's, unless there is none.
      for index in padding.indices where padded[index] != nil { padding[index] = 0 }
    }
    if plan.publishesAudio { objects.append(voice(beside.voice)) }
    return objects
  }

  /// Returns the bytes per interval sent in addition to video.
  private func rest(besides encodings: [Encoding]) -> (voice: [Double], padding: [Double]) {
    let speech =
      Double((plan.voice.wireSize(repeating: true) - Self.uncounted) * 8) / plan.voice.packetTime.seconds
    let most = plan.publishesAudio ? speech : 0
    var voice: [Double] = []
    var padding: [Double] = []
    for (index, row) in intervals.rows.enumerated() {
      let video = encodings.reduce(0) { $0 + ($1.rows[index]?[.bitRate] ?? 0) }
      let rest = max(0, (row[.upBitRate] ?? 0) * Self.countedShare - video)
      voice.append(min(rest, most) * intervals.length(index) / 8)
      padding.append(max(0, rest - most) * intervals.length(index) / 8)
    }
    return (voice, padding)
  }

  /// Returns the index of the encoding that carries the padding in each interval, the largest active one; `nil` if none
  /// is.
  private func paddedEncodings(of encodings: [Encoding]) -> [Int?] {
    intervals.rows.indices.map { index in
      encodings.indices.filter { encodings[$0].rows[index]?[text: .active] == "true" }
        .max { (encodings[$0].rows[index]?[.height] ?? 0) < (encodings[$1].rows[index]?[.height] ?? 0) }
    }
  }

  private func media(_ source: Source) -> BrowserStatistics.Object {
    let capture = source.plan.capture
    var media = BrowserStatistics.Object(id: source.mediaID, type: "media-source")
    for (name, value) in [
      ("kind", .text("video")),
      ("trackIdentifier", .text(source.isScreen ? "screen" : "camera")),
      ("width", .number(Double(capture.resolution.width))),
      ("height", .number(Double(capture.resolution.height))),
      ("framesPerSecond", .number(Double(capture.milliFramesPerSecond) / 1000)),
    ] as [(String, JSONValue)] {
      media.add(name, value, count: intervals.count)
    }
    return media
  }

  private func codec(_ source: Source) -> BrowserStatistics.Object {
    var codec = BrowserStatistics.Object(id: source.codecID, type: "codec")
    for (name, value) in [
      ("mimeType", .text("video/\(source.plan.codec.rawValue.uppercased())")),
      ("payloadType", .integer(source.payloadType)),
      ("clockRate", .integer(90_000)),
      ("transportId", .text(Self.transportID)),
    ] as [(String, JSONValue)] {
      codec.add(name, value, count: intervals.count)
    }
    return codec
  }

  /// Returns the encodings of a source; the layers of a scalable stream count as one.
  private func encodings(of source: Source) -> [Encoding] {
    let layers = source.layers
    let rows = layers.map { layer in intervals.aligned(source.rows.filter { $0[text: .layer] == layer }) }
    guard source.plan.ladder.scalability == nil else {
      let merged = intervals.rows.indices.map { index in Self.merged(rows.compactMap { $0[index] }) }
      return [Encoding(ssrc: source.ssrc(0), rid: nil, rows: merged)]
    }
    return layers.indices.map { index in
      Encoding(ssrc: source.ssrc(index), rid: layers.count > 1 ? layers[index] : nil, rows: rows[index])
    }
  }

  /// Joins the spatial layers of an interval: the largest picture sent, and all bytes.
  private static func merged(_ layers: [SentRow]) -> SentRow? {
    guard var row = layers.max(by: { ($0[.height] ?? 0) < ($1[.height] ?? 0) }) else { return nil }
    for column in [SentColumn.target, .bitRate, .retransmissions] {
      row[column] = layers.reduce(0) { $0 + ($1[column] ?? 0) }
    }
    // A key picture, or a message from the server, concerns all layers.
    for column in [SentColumn.keyFrames, .pliCount, .firCount, .nackCount] {
      row[column] = layers.compactMap { $0[column] }.max()
    }
    if layers.contains(where: { $0[text: .active] == "true" }) { row[text: .active] = "true" }
    return row
  }

  /// Returns the sender's and the server's reports on an encoding.
  ///
  /// - Parameter padding: bytes per interval.
  private func reports(
    on encoding: Encoding, of source: Source, padding: [Double]
  ) -> [BrowserStatistics.Object] {
    let rows = encoding.rows
    var out = BrowserStatistics.Object(id: "OV\(encoding.ssrc)", type: "outbound-rtp")
    var report = BrowserStatistics.Object(id: "RV\(encoding.ssrc)", type: "remote-inbound-rtp")
    let bytes = rows.indices.map { (rows[$0]?[.bitRate] ?? 0) * intervals.length($0) / 8 }
    let packets = rows.indices.map { index in
      max(bytes[index] / Self.packet, (rows[index]?[.frameRate] ?? 0) * intervals.length(index))
    }
    func values(_ column: SentColumn) -> [JSONValue?] {
      intervals.samples(rows.map { $0?[column] })
    }
    func counts(_ column: SentColumn) -> [JSONValue?] {
      intervals.counter(rows.map { $0?[column] ?? 0 })
    }
    let count = intervals.count
    for (name, value) in [
      ("kind", "video"), ("mediaSourceId", source.mediaID), ("transportId", Self.transportID),
      ("codecId", source.codecID), ("remoteId", report.id),
    ] {
      out.add(name, .text(value), count: count)
    }
    out.add("ssrc", .number(Double(encoding.ssrc)), count: count)
    if let rid = encoding.rid { out.add("rid", .text(rid), count: count) }
    if source.isScreen { out.add("contentType", .text("screenshare"), count: count) }
    if let mode = source.plan.ladder.scalability {
      out.add("scalabilityMode", .text(mode.name), count: count)
    }
    out.add("active", intervals.samples { rows[$0].map { .flag($0[text: .active] == "true") } })
    out.add("bytesSent", intervals.counter(zip(bytes, packets).map { $0 - $1 * Self.header }))
    out.add(
      "headerBytesSent", intervals.counter(zip(packets, padding).map { $0 * Self.header + $1 }))
    out.add("packetsSent", intervals.counter(packets))
    out.add("retransmittedPacketsSent", counts(.retransmissions))
    out.add("framesEncoded", intervals.counter(ofRate: rows.map { $0?[.frameRate] ?? 0 }))
    out.add("keyFramesEncoded", counts(.keyFrames))
    out.add("frameWidth", values(.width))
    out.add("frameHeight", values(.height))
    out.add("framesPerSecond", values(.frameRate))
    out.add("targetBitrate", values(.target))
    out.add(
      "qualityLimitationReason", intervals.samples { rows[$0].map { .text($0[text: .limitation]) } })
    out.add("pliCount", counts(.pliCount))
    out.add("firCount", counts(.firCount))
    out.add("nackCount", counts(.nackCount))
    report.add("kind", .text("video"), count: count)
    report.add("localId", .text(out.id), count: count)
    report.add("ssrc", .number(Double(encoding.ssrc)), count: count)
    let losses = intervals.rows.map { $0[.upLoss] }
    report.add("packetsLost", intervals.counter(zip(packets, losses).map { $0 * ($1 ?? 0) }))
    report.add("fractionLost", intervals.samples(losses))
    report.add("roundTripTime", intervals.samples(roundTrips))
    return [out, report]
  }

  /// Returns the stream of the voice.
  ///
  /// - Parameter bytes: bytes per interval.
  private func voice(_ bytes: [Double]) -> BrowserStatistics.Object {
    var voice = BrowserStatistics.Object(id: "OA9", type: "outbound-rtp")
    voice.add("kind", .text("audio"), count: intervals.count)
    voice.add("ssrc", .number(9_000_000), count: intervals.count)
    voice.add("bytesSent", intervals.counter(bytes))
    return voice
  }
}
