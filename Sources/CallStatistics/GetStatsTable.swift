/// Reads a table of `getStats()` samples of one call, about one row per second.
///
/// Columns may have the names and units of webrtc-stats, or short names with their unit (``Column``). Other columns are
/// ignored, including those with the capacity to which a link was shaped.
package enum GetStatsTable {
  /// A value of a sample, with the possible names of its column.
  struct Column {
    /// Names, each with the factor from the column's unit to ours.
    var names: [(name: String, factor: Double)]
    /// Maximum value in our unit.
    var most = CallRecord.measurable.upperBound

    static let time = Column(names: [("t", 1), ("time_s", 1)])
    /// Sender's estimate [kbps].
    static let estimate = Column(
      names: [("bwe_kbps", 1), ("availableOutgoingBitrate", 0.001)], most: CallRecord.mostEstimate)
    static let received = Column(names: [("recv_bytes", 1), ("bytesReceived", 1)])
    static let sent = Column(names: [("sent_bytes", 1), ("bytesSent", 1)])
    /// Round trip [ms].
    static let roundTrip = Column(
      names: [("rtt_ms", 1), ("roundTripTime", 1000), ("currentRoundTripTime", 1000)],
      most: CallRecord.mostRoundTrip)
    static let lost = Column(names: [("lost", 1), ("packetsLost", 1)])
    static let height = Column(
      names: [("h", 1), ("enc_h", 1), ("frameHeight", 1)], most: CallRecord.mostHeight)
    /// Encoding requested by the viewer of three encodings: 0 is the highest.
    static let request = Column(names: [("substream", 1)])
  }

  /// Column prefixes of the three simulcast encodings.
  static let encodings = ["l", "m", "h"]
  private static let limit = 64_000_000

  /// Reads a table from a file.
  ///
  /// - Throws: ``CallRecordError`` for a file that cannot be read, is not CSV, lacks the time, the estimate or the
  ///   bytes, has a value that is not a number, or whose times do not increase.
  package static func read(path: String) throws(CallRecordError) -> CallRecord {
    try read(try CallRecord.bytes(of: path, limit: limit), path: path)
  }

  /// Reads a table from its bytes; `path` names it in errors.
  package static func read(_ bytes: [UInt8], path: String) throws(CallRecordError) -> CallRecord {
    var rows = try GetStatsRows(bytes, path: path)
    let time = try rows.require(.time)
    let estimate = try rows.require(.estimate)
    let simulcast = encodings.map { rows.place(of: Column(names: [("\($0)_bytes", 1)])) }
    let isSimulcast = simulcast.contains { $0 != nil }
    let heights =
      isSimulcast
      ? encodings.map { rows.place(of: Column(names: [("\($0)_h", 1)], most: CallRecord.mostHeight)) } : []
    let single = isSimulcast ? nil : rows.place(of: .received) ?? rows.place(of: .sent)
    guard isSimulcast || single != nil else {
      throw rows.error("there is no column 'bytesReceived', 'recv_bytes', 'bytesSent' or 'sent_bytes'")
    }
    let height = rows.place(of: .height)
    let roundTrip = rows.place(of: .roundTrip)
    let lost = rows.place(of: .lost)
    let request = isSimulcast ? rows.place(of: .request) : nil
    var record = CallRecord(samples: [])
    var last: Double?
    while try rows.next() {
      guard let now = try rows.number(time) else { throw rows.error("\(rows.name(of: time)) has no value") }
      try rows.check(now, after: last)
      last = now
      if let kept = record.samples.last?.time, now < kept + CallRecord.leastGap { continue }
      var sample = CallRecord.Sample(
        time: now, estimate: try rows.number(estimate).flatMap { $0 > 0 ? $0 : nil }, encodings: [])
      if isSimulcast {
        for (place, column) in simulcast.enumerated() {
          sample.encodings.append(
            .init(bytes: try rows.number(column), height: try rows.number(heights[place])))
        }
      } else {
        sample.encodings = [.init(bytes: try rows.number(single), height: try rows.number(height))]
      }
      sample.roundTrip = try rows.number(roundTrip)
      sample.lost = try rows.number(lost)
      record.samples.append(sample)
      if let asked = try rows.number(request) {
        guard [0, 1, 2].contains(asked) else { throw rows.error("substream must be 0, 1 or 2") }
        // Each encoding has half the height of the next.
        let scale = 1 << Int(asked)
        if record.requests.last?.scale != scale { record.requests.append((now, scale)) }
      }
    }
    try rows.checkLength(record)
    return record
  }
}
