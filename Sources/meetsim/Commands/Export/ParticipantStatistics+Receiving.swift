import CallStatistics
import JSON
import ResultReading

/// Streams that the participant watched.
extension ParticipantStatistics {
  private enum ReceivedColumn: String, CaseIterable {
    case source
    case width = "frame_width_px"
    case height = "frame_height_px"
    case frameRate = "frames_per_second"
    case bitRate = "bitrate_bps"
    case packetsLost = "packets_lost"
    case freezeCount = "freeze_count"
    case freezesDuration = "freezes_duration_s"
    case keyFrames = "key_frames_decoded"
    case pliCount = "pli_count"
    case nackCount = "nack_count"
  }

  private typealias ReceivedRow = SubjectRows<ReceivedColumn>.Row

  func received() throws -> [BrowserStatistics.Object] {
    let rows = try SubjectRows<ReceivedColumn>.read(directory + "/streams.csv", of: [("viewer", id)]).rows
    var sources: [String] = []
    for row in rows where !sources.contains(row[text: .source]) && (row[.bitRate] ?? 0) > 0 {
      sources.append(row[text: .source])
    }
    return sources.enumerated().map { index, source in
      stream(index, of: source, intervals.aligned(rows.filter { $0[text: .source] == source }))
    }
  }

  private func stream(_ index: Int, of source: String, _ rows: [ReceivedRow?]) -> BrowserStatistics.Object {
    func values(_ column: ReceivedColumn) -> [JSONValue?] {
      intervals.samples(rows.map { $0?[column] })
    }
    func amounts(_ column: ReceivedColumn) -> [Double] { rows.map { $0?[column] ?? 0 } }
    let bytes = amounts(.bitRate).enumerated().map { $1 * intervals.length($0) / 8 * Self.countedShare }
    let packets = bytes.map { $0 / Self.packet }
    var stream = BrowserStatistics.Object(id: "IV\(index + 1)", type: "inbound-rtp")
    for (name, value) in [("kind", "video"), ("trackIdentifier", source), ("transportId", Self.transportID)] {
      stream.add(name, .text(value), count: intervals.count)
    }
    stream.add("ssrc", .number(Double(5_000_000 + index)), count: intervals.count)
    stream.add("bytesReceived", intervals.counter(zip(bytes, packets).map { $0 - $1 * Self.header }))
    stream.add("headerBytesReceived", intervals.counter(packets.map { $0 * Self.header }))
    stream.add("packetsReceived", intervals.counter(packets))
    stream.add("packetsLost", intervals.counter(amounts(.packetsLost)))
    stream.add("frameWidth", values(.width))
    stream.add("frameHeight", values(.height))
    stream.add("framesPerSecond", values(.frameRate))
    stream.add("framesDecoded", intervals.counter(ofRate: amounts(.frameRate)))
    stream.add("keyFramesDecoded", intervals.counter(amounts(.keyFrames)))
    stream.add("freezeCount", intervals.counter(amounts(.freezeCount)))
    var frozen = 0.0
    let durations = amounts(.freezesDuration).map { duration -> Double in
      frozen += duration
      return (frozen * 1000).rounded() / 1000
    }
    stream.add("totalFreezesDuration", intervals.samples(durations))
    stream.add("pliCount", intervals.counter(amounts(.pliCount)))
    stream.add("nackCount", intervals.counter(amounts(.nackCount)))
    return stream
  }
}
