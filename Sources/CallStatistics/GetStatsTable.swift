/// Reads a table of `getStats()` samples of one call, about one row per second.
///
/// Columns may have the names and units of webrtc-stats, or short names with a unit (``Column``), in any case, with `_`
/// between words, and prefixed with the name of an object (`outbound-rtp.bytesSent`). Other columns are ignored,
/// including any with the capacity to which a link was shaped. A table with the columns `type` and `id` has one row per
/// statistics object, and is read in the same way as reports of these.
package enum GetStatsTable {
  /// A value of a sample, with the possible names of its column.
  struct Column {
    /// Names, each with the factor from the column's unit to ours.
    var names: [(name: String, factor: Double)]
    /// Maximum value in our unit.
    var most = CallRecord.measurable.upperBound

    /// Times, in the unit stated by the name, or else in the one inferred by ``GetStatsRows/seconds(_:)``.
    static let time = Column(names: [
      ("t", 1), ("time_s", 1), ("timestamp_ms", 0.001), ("time_ms", 0.001), ("t_ms", 0.001), ("timestamp", 1),
      ("timestamp_s", 1), ("time", 1), ("ts", 1), ("date", 1), ("datetime", 1),
    ])
    /// Sender's estimate [kbps].
    static let estimate = Column(
      names: [
        ("bwe_kbps", 1), ("availableOutgoingBitrate", 0.001), ("availableOutgoingBitrate_bps", 0.001),
        ("availableOutgoingBitrate_kbps", 1), ("bwe_bps", 0.001), ("estimate_bps", 0.001),
        ("estimate_kbps", 1),
        ("googAvailableSendBandwidth", 0.001),
      ], most: CallRecord.mostEstimate)
    static let received = Column(names: [("recv_bytes", 1), ("bytesReceived", 1)])
    static let receivedHeaders = Column(names: [("headerBytesReceived", 1)])
    static let sent = Column(names: [("sent_bytes", 1), ("bytesSent", 1)])
    static let sentHeaders = Column(names: [("headerBytesSent", 1)])
    static let packets = Column(names: [("packetsSent", 1), ("packets_sent", 1)])
    /// Round trip [ms].
    static let roundTrip = Column(
      names: [
        ("rtt_ms", 1), ("roundTripTime", 1000), ("currentRoundTripTime", 1000), ("rtt_s", 1000),
        ("roundTripTime_ms", 1), ("googRtt", 1),
      ], most: CallRecord.mostRoundTrip)
    static let lost = Column(names: [("lost", 1), ("packetsLost", 1)])
    static let width = Column(names: [("w", 1), ("frameWidth", 1)], most: CallRecord.mostHeight)
    static let height = Column(
      names: [("h", 1), ("enc_h", 1), ("frameHeight", 1)], most: CallRecord.mostHeight)
    /// The encoder's target [kbps].
    static let target = Column(
      names: [
        ("target_kbps", 1), ("targetBitrate", 0.001), ("targetBitrate_bps", 0.001),
        ("targetBitrate_kbps", 1),
      ], most: CallRecord.mostEstimate)
    static let frameRate = Column(names: [("fps", 1), ("framesPerSecond", 1)], most: 1000)
    /// Encoding requested by the viewer out of three: 0 is the highest.
    static let request = Column(names: [("substream", 1)])
  }

  /// Column prefixes of the three simulcast encodings.
  static let encodings = ["l", "m", "h"]
  private static let limit = 64_000_000

  /// Reads a table from its bytes; `path` names it in errors.
  ///
  /// - Throws: ``CallRecordError`` for a table that is not CSV, lacks the time or the bytes, has a value that is not a
  ///   number, or whose times do not increase or have a gap.
  package static func read(
    _ bytes: [UInt8], path: String, _ part: CallPart = CallPart()
  ) throws(CallRecordError) -> CallRecord {
    var rows = try GetStatsRows(bytes, path: path)
    if rows.isOfObjects { return try StatsCall.record(of: try rows.objects(), part, path: path) }
    let time = try rows.require(.time)
    let estimate = try rows.place(of: .estimate)
    var simulcast: [GetStatsRows.Place?] = []
    var heights: [GetStatsRows.Place?] = []
    for name in encodings {
      simulcast.append(try rows.place(of: Column(names: [("\(name)_bytes", 1)])))
      heights.append(try rows.place(of: Column(names: [("\(name)_h", 1)], most: CallRecord.mostHeight)))
    }
    let isSimulcast = simulcast.contains { $0 != nil }
    let received = isSimulcast ? nil : try rows.place(of: .received)
    // Beside what was received, what was sent only shows whether that is another stream.
    func sending(_ column: Column) throws(CallRecordError) -> GetStatsRows.Place? {
      isSimulcast ? nil : received == nil ? try rows.place(of: column) : try? rows.place(of: column)
    }
    let sent = try sending(.sent)
    guard isSimulcast || received != nil || sent != nil else {
      throw rows.error("there is no column 'bytesReceived', 'recv_bytes', 'bytesSent' or 'sent_bytes'")
    }
    let headers = received != nil ? try rows.place(of: .receivedHeaders) : nil
    let sentHeaders = try sending(.sentHeaders)
    let width = try rows.place(of: .width)
    let height = try rows.place(of: .height)
    let frameRate = try rows.place(of: .frameRate)
    let target = isSimulcast ? nil : try rows.place(of: .target)
    let roundTrip = try rows.place(of: .roundTrip)
    let lost = try rows.place(of: .lost)
    let packets = try sending(.packets)
    let request = isSimulcast ? try rows.place(of: .request) : nil
    var samples: [CallRecord.Sample] = []
    var uploads: [Upload] = []
    var requests: [(at: Double, scale: Int)] = []
    while try rows.next() {
      let now = try rows.time(time, after: samples.last?.time)
      var sample = CallRecord.Sample(
        time: now, estimate: try rows.number(estimate).flatMap { $0 > 0 ? $0 : nil }, encodings: [])
      if isSimulcast {
        for (place, column) in simulcast.enumerated() {
          sample.encodings.append(
            .init(bytes: try rows.number(column), height: try rows.number(heights[place])))
        }
      } else {
        let more = try rows.number(headers) ?? 0
        let upload = Upload(
          payload: try rows.number(sent), headers: try rows.number(sentHeaders) ?? 0,
          packets: try rows.number(packets), received: try rows.number(received))
        uploads.append(upload)
        sample.encodings = [
          .init(
            bytes: received == nil ? upload.bytes : upload.received.map { $0 + more },
            height: try rows.number(height), width: try rows.number(width),
            frameRate: try rows.number(frameRate),
            target: try rows.number(target))
        ]
        if received == nil { sample.packets = upload.packets }
      }
      sample.roundTrip = try rows.number(roundTrip)
      sample.lost = try rows.number(lost)
      samples.append(sample)
      if let asked = try rows.number(request) {
        guard [0, 1, 2].contains(asked) else { throw rows.error("substream must be 0, 1 or 2") }
        // Each encoding has half the height of the next.
        let scale = 1 << Int(asked)
        if requests.last?.scale != scale { requests.append((now, scale)) }
      }
    }
    let isTwoWay = Upload.areOfAnotherStream(uploads)
    if isTwoWay {
      for (place, upload) in uploads.enumerated() {
        samples[place].encodings[0].bytes = upload.bytes
        samples[place].packets = upload.packets
      }
    }
    var record = try Self.record(samples, requests, time, part, path)
    if isTwoWay {
      record.notes.append(
        "more bytes were received than sent, so they are another stream's: what arrived is taken from the bytes sent"
      )
    }
    return record
  }

  /// Counters of what was sent, beside what was received.
  private struct Upload {
    /// Bytes sent without headers.
    var payload: Double?
    var headers: Double
    var packets: Double?
    /// Bytes received without headers.
    var received: Double?

    var bytes: Double? { payload.map { $0 + headers } }

    /// Factor by which more is received than sent only of another stream: the last packets are still on their way.
    private static let more = 1.02

    /// `true` if less was sent than received, though something was.
    static func areOfAnotherStream(_ uploads: [Upload]) -> Bool {
      func growth(_ values: [Double?]) -> Double {
        let known = StatsSeries.continued(values).compactMap { $0 }
        return (known.last ?? 0) - (known.first ?? 0)
      }
      let sent = growth(uploads.map(\.payload))
      return sent > 0 && growth(uploads.map(\.received)) > more * sent
    }
  }

  /// Largest share of falls among the steps of a counter that restarts.
  private static let restarts = 0.1

  /// Returns samples with their counters continued across restarts.
  private static func continued(
    _ samples: [CallRecord.Sample], path: String
  ) throws(CallRecordError) -> [CallRecord.Sample] {
    var samples = samples
    for place in samples.first?.encodings.indices ?? 0..<0 {
      let bytes = samples.map { $0.encodings[place].bytes }
      let known = bytes.compactMap { $0 }
      let falls = zip(known, known.dropFirst()).count { $1 < $0 }
      guard falls <= 1 || Double(falls) <= restarts * Double(known.count) else {
        throw CallRecordError(
          path: path,
          text:
            "the bytes fall \(falls) times: counters since the call began are needed, not the bytes of each sample"
        )
      }
      for (index, value) in StatsSeries.continued(bytes).enumerated() {
        samples[index].encodings[place].bytes = value
      }
    }
    let lost = StatsSeries.continued(samples.map(\.lost))
    let packets = StatsSeries.continued(samples.map(\.packets))
    for index in samples.indices {
      samples[index].lost = lost[index]
      samples[index].packets = packets[index]
    }
    return samples
  }

  /// Returns the record of the selected part of the samples.
  private static func record(
    _ all: [CallRecord.Sample], _ requests: [(at: Double, scale: Int)], _ time: GetStatsRows.Place,
    _ part: CallPart, _ path: String
  ) throws(CallRecordError) -> CallRecord {
    let factor = time.isOfUnknownUnit ? GetStatsRows.seconds(all.map(\.time)) : 1
    // Rates over shorter times are those of single frames.
    var kept: [CallRecord.Sample] = []
    for sample in all where sample.time * factor >= (kept.last?.time ?? -.infinity) + CallRecord.leastGap {
      var sample = sample
      sample.time *= factor
      kept.append(sample)
    }
    kept = try continued(kept, path: path)
    let clock = try CallClock(kept.map(\.time), part, path: path)
    var chosen = Array(kept[clock.range])
    let first = chosen[0].time
    // Times may count from something other than the start of the call.
    let origin = part.from != nil || first > CallRecord.longest ? first : 0
    for place in chosen.indices { chosen[place].time -= origin }
    let end = chosen[chosen.count - 1].time
    var asked = requests.map { (at: $0.at * factor - origin, scale: $0.scale) }.filter { $0.at <= end }
    if let before = asked.lastIndex(where: { $0.at <= 0 }) {
      asked.removeFirst(before)
      asked[0].at = 0
    }
    var record = CallRecord(samples: chosen, requests: asked)
    if !record.hasEstimate {
      record.notes.append(
        "no values of 'availableOutgoingBitrate', which Firefox does not report: the capacity is a lower bound, from "
          + "what arrived")
    }
    return record
  }
}
