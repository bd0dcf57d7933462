import CallStatistics
import JSON
import Ladder
import Network
import Plan
import Quantity
import ResultReading

/// What a participant's browser would have reported of a run, from its tables.
///
/// Tables have no packet counts: packets are those of 1100 bytes of RTP [our model], and packets lost are the uplink's
/// loss of that many. Round trips are the delays and mean queues of both directions. Media sent beside the video is
/// taken for the voice.
struct ParticipantStatistics {
  private let directory: String
  private let id: String
  private let plan: ParticipantPlan
  /// Delay of both directions without queues [s].
  private let roundTrip: Double
  /// Rows of `participants.csv`, one per interval that the participant was there.
  private let own: [SubjectRows.Row]
  /// Rows of ``own`` that become samples: one a second, or one an interval that is longer.
  private let sampled: [Int]
  private let interval: Double

  /// Start of every run [ms since 1970]: 1 January 2026, so that the same run gives the same bytes.
  private static let epoch = 1_767_225_600_000.0
  /// Size of a packet with its RTP header [byte].
  private static let packet = 1100.0
  /// Identifier of the screen share's media source.
  private static let screenSource = "SV2"
  /// RTP header with extensions [byte].
  private static let header = 24.0
  /// Share of a packet's bytes on the wire that `getStats()` counts: without SRTP's tag, UDP and IP.
  private static let countedShare = 1100.0 / 1138

  init(_ directory: String, _ id: String, _ plan: MeetingPlan) throws {
    self.directory = directory
    self.id = id
    guard let participant = plan.participants.first(where: { $0.id == id }) else {
      throw ResultReadingError(directory, "there is no participant '\(id)'")
    }
    self.plan = participant
    roundTrip = (participant.up + participant.down).reduce(0) {
      $0 + plan.links[$1].parameters.propagationDelay.seconds
    }
    own = try SubjectRows.read(
      directory + "/participants.csv",
      columns: [
        "up_estimate_bps", "up_bitrate_bps", "up_loss_frac", "up_queue_delay_s", "down_bitrate_bps",
        "down_queue_delay_s",
      ], of: [("participant", id)]
    ).rows
    guard own.count > 1 else {
      throw ResultReadingError(directory, "there are fewer than two intervals of participant '\(id)'")
    }
    interval = own[1].time - own[0].time
    var sampled: [Int] = []
    for index in own.indices {
      if let last = sampled.last, own[index].time - own[last].time < 0.9995 { continue }
      sampled.append(index)
    }
    self.sampled = sampled
  }

  /// All objects of the participant's peer connection.
  func statistics() throws -> BrowserStatistics {
    var objects = [transport, pair]
    for source in [(name: id, plan: self.plan.camera), (name: "\(id)/screen", plan: self.plan.screen)] {
      guard let plan = source.plan else { continue }
      objects += try sent(source.name, plan)
    }
    if plan.publishesAudio { objects.append(try voice()) }
    objects += try received()
    let times = sampled.map { Self.epoch + (own[$0].time * 1000).rounded() }
    return BrowserStatistics(times: times, objects: objects)
  }

  // MARK: Connection

  private func samples(_ values: [Double?]) -> [JSONValue?] {
    sampled.map { values[$0].map { .number($0) } }
  }

  /// Counter of an amount per interval; whole numbers.
  private func counter(_ amounts: [Double]) -> [JSONValue?] {
    var sum = 0.0
    let sums = amounts.map { amount -> Double? in
      sum += amount
      return sum.rounded()
    }
    return samples(sums)
  }

  /// Length of each interval; the first one counts from the participant's joining.
  private func length(_ index: Int) -> Double {
    index == 0 ? min(interval, own[0].time) : own[index].time - own[index - 1].time
  }

  /// Round trip of each interval [s].
  private var roundTrips: [Double] {
    own.map { roundTrip + ($0.numbers[3] ?? 0) + ($0.numbers[5] ?? 0) }
  }

  private var transport: BrowserStatistics.Object {
    var transport = BrowserStatistics.Object(id: "T1", type: "transport")
    transport.add("selectedCandidatePairId", .text("CP1"), count: sampled.count)
    transport.add("dtlsState", .text("connected"), count: sampled.count)
    return transport
  }

  private var pair: BrowserStatistics.Object {
    var pair = BrowserStatistics.Object(id: "CP1", type: "candidate-pair")
    pair.add("state", .text("succeeded"), count: sampled.count)
    pair.add("nominated", .flag(true), count: sampled.count)
    pair.add("transportId", .text("T1"), count: sampled.count)
    pair.add("availableOutgoingBitrate", samples(own.map { $0.numbers[0] }))
    pair.add("currentRoundTripTime", samples(roundTrips.map { $0 }))
    pair.add(
      "bytesReceived",
      counter(own.indices.map { (own[$0].numbers[4] ?? 0) * length($0) / 8 * Self.countedShare }))
    return pair
  }

  // MARK: Sending

  /// Values of each of the participant's intervals, by the end of the interval.
  private func aligned(_ rows: [SubjectRows.Row]) -> [SubjectRows.Row?] {
    var place = 0
    return own.map { row in
      while place < rows.count, rows[place].time < row.time - 0.0005 { place += 1 }
      return place < rows.count && rows[place].time < row.time + 0.0005 ? rows[place] : nil
    }
  }

  private static let sentColumns = [
    "layer", "active", "frame_width_px", "frame_height_px", "frames_per_second", "target_bitrate_bps",
    "bitrate_bps",
    "quality_limitation_reason", "key_frames_encoded", "pli_count", "fir_count", "nack_count",
    "retransmitted_packets_sent",
  ]

  /// A source with its encodings and the server's reports on them.
  private func sent(_ name: String, _ source: VideoSourcePlan) throws -> [BrowserStatistics.Object] {
    let isScreen = source.kind == .screen
    let number = isScreen ? 2 : 1
    var media = BrowserStatistics.Object(id: isScreen ? Self.screenSource : "SV1", type: "media-source")
    let size = source.capture.resolution
    media.add("kind", .text("video"), count: sampled.count)
    media.add("trackIdentifier", .text(isScreen ? "screen" : "camera"), count: sampled.count)
    media.add("width", .number(Double(size.width)), count: sampled.count)
    media.add("height", .number(Double(size.height)), count: sampled.count)
    media.add(
      "framesPerSecond", .number(Double(source.capture.milliFramesPerSecond) / 1000), count: sampled.count)
    let rows = try SubjectRows.read(
      directory + "/sent.csv", columns: Self.sentColumns, of: [("source", name)]
    ).rows
    var layers: [String] = []
    for row in rows where !layers.contains(row.texts[0]) { layers.append(row.texts[0]) }
    var codec = BrowserStatistics.Object(id: "CO\(number)", type: "codec")
    codec.add("mimeType", .text("video/\(source.codec.rawValue.uppercased())"), count: sampled.count)
    codec.add("payloadType", .integer(Int64(95 + number)), count: sampled.count)
    codec.add("clockRate", .integer(90_000), count: sampled.count)
    codec.add("transportId", .text("T1"), count: sampled.count)
    var objects = [media, codec]
    if let mode = source.ladder.scalability, !layers.isEmpty {
      // The layers of a scalable stream have one SSRC.
      let all = layers.map { layer in aligned(rows.filter { $0.texts[0] == layer }) }
      let merged = own.indices.map { index in Self.merged(all.compactMap { $0[index] }) }
      return objects
        + encoding(merged, layer: nil, ssrc: number * 1_000_000, media: media.id, codec: codec.id, mode: mode)
    }
    for (index, layer) in layers.enumerated() {
      let rows = aligned(rows.filter { $0.texts[0] == layer })
      objects += encoding(
        rows, layer: layers.count > 1 ? layer : nil, ssrc: number * 1_000_000 + index, media: media.id,
        codec: codec.id)
    }
    // A source that has never sent anything has no statistics.
    return layers.isEmpty ? [] : objects
  }

  /// Joins the spatial layers of an interval: the largest picture that was sent, and all of the bytes.
  private static func merged(_ layers: [SubjectRows.Row]) -> SubjectRows.Row? {
    guard var row = layers.max(by: { ($0.numbers[3] ?? 0) < ($1.numbers[3] ?? 0) }) else { return nil }
    for column in [5, 6, 12] { row.numbers[column] = layers.reduce(0) { $0 + ($1.numbers[column] ?? 0) } }
    // A key picture, and a message of the server, is of all layers.
    for column in 8...11 { row.numbers[column] = layers.compactMap { $0.numbers[column] }.max() }
    if layers.contains(where: { $0.texts[1] == "true" }) { row.texts[1] = "true" }
    return row
  }

  private func encoding(
    _ rows: [SubjectRows.Row?], layer: String?, ssrc: Int, media: String, codec: String,
    mode: ScalabilityMode? = nil
  ) -> [BrowserStatistics.Object] {
    var out = BrowserStatistics.Object(id: "OV\(ssrc)", type: "outbound-rtp")
    var report = BrowserStatistics.Object(id: "RV\(ssrc)", type: "remote-inbound-rtp")
    let bytes = rows.indices.map { (rows[$0]?.numbers[6] ?? 0) * length($0) / 8 }
    let packets = bytes.map { $0 / Self.packet }
    func values(_ column: Int) -> [JSONValue?] {
      samples(rows.map { $0?.numbers[column] ?? nil })
    }
    func counts(_ column: Int) -> [JSONValue?] {
      counter(rows.map { ($0?.numbers[column] ?? nil) ?? 0 })
    }
    for (name, value) in [
      ("kind", "video"), ("mediaSourceId", media), ("transportId", "T1"), ("codecId", codec),
      ("remoteId", report.id),
    ] {
      out.add(name, .text(value), count: sampled.count)
    }
    out.add("ssrc", .number(Double(ssrc)), count: sampled.count)
    if let layer { out.add("rid", .text(layer), count: sampled.count) }
    if media == Self.screenSource { out.add("contentType", .text("screenshare"), count: sampled.count) }
    if let mode { out.add("scalabilityMode", .text(mode.name), count: sampled.count) }
    out.add("active", sampled.map { rows[$0].map { .flag($0.texts[1] == "true") } })
    out.add("bytesSent", counter(zip(bytes, packets).map { $0 - $1 * Self.header }))
    out.add("headerBytesSent", counter(packets.map { $0 * Self.header }))
    out.add("packetsSent", counter(packets))
    out.add("retransmittedPacketsSent", counts(12))
    out.add("framesEncoded", counter(rows.indices.map { ((rows[$0]?.numbers[4] ?? nil) ?? 0) * length($0) }))
    out.add("keyFramesEncoded", counts(8))
    out.add("frameWidth", values(2))
    out.add("frameHeight", values(3))
    out.add("framesPerSecond", values(4))
    out.add("targetBitrate", values(5))
    out.add("qualityLimitationReason", sampled.map { rows[$0].map { .text($0.texts[7]) } })
    out.add("pliCount", counts(9))
    out.add("firCount", counts(10))
    out.add("nackCount", counts(11))
    report.add("kind", .text("video"), count: sampled.count)
    report.add("localId", .text(out.id), count: sampled.count)
    report.add("ssrc", .number(Double(ssrc)), count: sampled.count)
    report.add("packetsLost", counter(own.indices.map { packets[$0] * (own[$0].numbers[2] ?? 0) }))
    report.add("fractionLost", samples(own.map { $0.numbers[2] }))
    report.add("roundTripTime", samples(roundTrips.map { $0 }))
    return [out, report]
  }

  private func voice() throws -> BrowserStatistics.Object {
    var video = [Double](repeating: 0, count: own.count)
    for name in [id, "\(id)/screen"] {
      for row in try SubjectRows.read(
        directory + "/sent.csv", columns: ["bitrate_bps"], of: [("source", name)]
      ).rows {
        if let place = own.firstIndex(where: { abs($0.time - row.time) < 0.0005 }) {
          video[place] += row.numbers[0] ?? 0
        }
      }
    }
    var voice = BrowserStatistics.Object(id: "OA9", type: "outbound-rtp")
    voice.add("kind", .text("audio"), count: sampled.count)
    voice.add("ssrc", .number(9_000_000), count: sampled.count)
    voice.add(
      "bytesSent",
      counter(
        own.indices.map { max(0, (own[$0].numbers[1] ?? 0) * Self.countedShare - video[$0]) * length($0) / 8 }
      ))
    return voice
  }

  // MARK: Receiving

  private static let receivedColumns = [
    "source", "frame_width_px", "frame_height_px", "frames_per_second", "bitrate_bps", "packets_lost",
    "freeze_count",
    "freezes_duration_s", "key_frames_decoded", "pli_count", "nack_count",
  ]

  private func received() throws -> [BrowserStatistics.Object] {
    let rows = try SubjectRows.read(
      directory + "/streams.csv", columns: Self.receivedColumns, of: [("viewer", id)]
    ).rows
    var sources: [String] = []
    for row in rows where !sources.contains(row.texts[0]) && (row.numbers[4] ?? 0) > 0 {
      sources.append(row.texts[0])
    }
    return sources.enumerated().map { index, source in
      let rows = aligned(rows.filter { $0.texts[0] == source })
      func values(_ column: Int) -> [JSONValue?] {
        samples(rows.map { $0?.numbers[column] ?? nil })
      }
      func counts(_ column: Int) -> [Double] { rows.map { ($0?.numbers[column] ?? nil) ?? 0 } }
      let bytes = rows.indices.map {
        ((rows[$0]?.numbers[4] ?? nil) ?? 0) * length($0) / 8 * Self.countedShare
      }
      let packets = bytes.map { $0 / Self.packet }
      var stream = BrowserStatistics.Object(id: "IV\(index + 1)", type: "inbound-rtp")
      for (name, value) in [("kind", "video"), ("trackIdentifier", source), ("transportId", "T1")] {
        stream.add(name, .text(value), count: sampled.count)
      }
      stream.add("ssrc", .number(Double(5_000_000 + index)), count: sampled.count)
      stream.add("bytesReceived", counter(zip(bytes, packets).map { $0 - $1 * Self.header }))
      stream.add("headerBytesReceived", counter(packets.map { $0 * Self.header }))
      stream.add("packetsReceived", counter(packets))
      stream.add("packetsLost", counter(counts(5)))
      stream.add("frameWidth", values(1))
      stream.add("frameHeight", values(2))
      stream.add("framesPerSecond", values(3))
      stream.add("framesDecoded", counter(rows.indices.map { counts(3)[$0] * length($0) }))
      stream.add("keyFramesDecoded", counter(counts(8)))
      stream.add("freezeCount", counter(counts(6)))
      var frozen = 0.0
      stream.add(
        "totalFreezesDuration",
        samples(
          counts(7).map {
            frozen += $0; return (frozen * 1000).rounded() / 1000
          }))
      stream.add("pliCount", counter(counts(9)))
      stream.add("nackCount", counter(counts(10)))
      return stream
    }
  }
}
