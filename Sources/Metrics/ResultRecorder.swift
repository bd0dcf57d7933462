package import Quantity

/// Turns what a meeting announces into the rows of its tables.
///
/// Rows are written into buffers; whoever runs the meeting empties them into a ``TableSink`` as it goes, so that
/// memory does not grow with simulated time.
package struct ResultRecorder {
  var writers: [ByteWriter]
  private let runID: [UInt8]
  let participantNames: [[UInt8]]
  private let sourceNames: [[UInt8]]
  private let linkNames: [[UInt8]]
  private let interval: SimDuration
  private var rowCounts = [Int](repeating: 0, count: ResultTable.allCases.count)

  /// Makes a recorder with the headers already written.
  package init(
    runID: String, participants: [String], sources: [String], links: [String], interval: SimDuration
  ) {
    let quoted = { (name: String) in
      var writer = ByteWriter()
      writer.field(name)
      return writer.bytes
    }
    self.runID = quoted(runID)
    participantNames = participants.map(quoted)
    sourceNames = sources.map(quoted)
    linkNames = links.map(quoted)
    self.interval = interval
    writers = ResultTable.allCases.map { table in
      var writer = ByteWriter()
      writer.raw(table.header)
      return writer
    }
  }

  /// Rows written so far.
  package func rowCount(of table: ResultTable) -> Int { rowCounts[table.rawValue] }

  /// Empties every buffer of at least this many bytes into a sink.
  package mutating func flush<Sink: TableSink & ~Copyable>(
    into sink: inout Sink, above threshold: Int = 0
  ) throws(ResultError) {
    for table in ResultTable.allCases where writers[table.rawValue].count > threshold {
      try sink.write(writers[table.rawValue].bytes, to: table)
      writers[table.rawValue].removeAll()
    }
  }

  mutating func begin(_ table: ResultTable) {
    rowCounts[table.rawValue] += 1
    writers[table.rawValue].raw(runID)
    writers[table.rawValue].comma()
  }

  mutating func time(_ time: SimTime, _ table: ResultTable) {
    writers[table.rawValue].fixed(time.nanoseconds / 1_000_000, decimals: 3)
  }

  /// Adds a row of `streams.csv` for the interval that ends now.
  package mutating func record(_ row: StreamRow, at now: SimTime) {
    let table = ResultTable.streams
    begin(table)
    time(now, table)
    let seconds = interval.nanoseconds
    // Exclusive access once for the whole row.
    func write(_ w: inout ByteWriter) {
      w.comma()
      w.raw(participantNames[row.viewer])
      w.comma()
      w.raw(sourceNames[row.source])
      w.comma()
      w.raw(row.kind)
      w.comma()
      w.raw(row.state.rawValue)
      w.comma()
      if let tile = row.tile { w.integer(Int64(tile.width)) }
      w.comma()
      if let tile = row.tile { w.integer(Int64(tile.height)) }
      w.comma()
      if let height = row.requestedHeight { w.integer(Int64(height)) }
      w.comma()
      if let frames = row.requestedMilliFrames { w.fixed(Int64(frames / 10), decimals: 2) }
      w.comma()
      w.integer(Int64(row.targetHeight))
      w.comma()
      if let frame = row.frame { w.integer(Int64(frame.width)) }
      w.comma()
      if let frame = row.frame { w.integer(Int64(frame.height)) }
      w.comma()
      w.fixed(Int64(row.frames) * 100_000_000_000 / seconds, decimals: 2)
      w.comma()
      w.integer(row.bytes * 8_000_000_000 / seconds)
      w.comma()
      w.integer(Int64(row.packetsLost))
      w.comma()
      w.integer(Int64(row.freezeCount))
      w.comma()
      w.fixed(row.freezesDuration.nanoseconds / 1_000_000, decimals: 3)
      w.comma()
      w.raw(row.limitation)
      w.comma()
      if let score = row.hundredthsOfMOS { w.fixed(Int64(score), decimals: 2) }
      w.newline()
    }
    write(&writers[table.rawValue])
  }

  /// Adds a row of `participants.csv`.
  package mutating func record(_ row: ParticipantRow, at now: SimTime) {
    let table = ResultTable.participants
    begin(table)
    time(now, table)
    let seconds = interval.nanoseconds
    func path(_ path: PathRow, _ w: inout ByteWriter) {
      w.integer(path.capacity.bitsPerSecond)
      w.comma()
      w.integer(path.estimate.bitsPerSecond)
      w.comma()
      w.integer(path.bytes * 8_000_000_000 / seconds)
      w.comma()
      if path.packets > 0 { w.fixed(path.packetsMissing * 10_000 / path.packets, decimals: 4) }
      w.comma()
      if path.queueDelayPackets > 0 {
        w.fixed(path.queueDelaySum / path.queueDelayPackets / 1000, decimals: 6)
      }
      w.comma()
    }
    func write(_ w: inout ByteWriter) {
      w.comma()
      w.raw(participantNames[row.participant])
      w.comma()
      path(row.up, &w)
      path(row.down, &w)
      w.integer(row.audioBytes * 8_000_000_000 / seconds)
      w.comma()
      let lost = max(0, row.audioPacketsLost)
      if row.audioPacketsReceived + lost > 0 {
        w.fixed(lost * 10_000 / (row.audioPacketsReceived + lost), decimals: 4)
      }
      w.comma()
      w.integer(Int64(row.videosReceived))
      w.comma()
      w.integer(Int64(Int128(row.decodedPixels) * 1_000_000_000 / Int128(seconds)))
      w.newline()
    }
    write(&writers[table.rawValue])
  }

  /// Adds a row of `links.csv`.
  package mutating func record(_ row: LinkRow, at now: SimTime) {
    let table = ResultTable.links
    begin(table)
    time(now, table)
    let throughput = row.deliveredBytes * 8_000_000_000 / interval.nanoseconds
    let used = (row.deliveredBytes + row.overheadBytes) * 8_000_000_000 / interval.nanoseconds
    func write(_ w: inout ByteWriter) {
      w.comma()
      w.raw(linkNames[row.link])
      w.comma()
      w.integer(row.capacity.bitsPerSecond)
      w.comma()
      w.integer(throughput)
      w.comma()
      if row.capacity > .zero { w.fixed(used * 10_000 / row.capacity.bitsPerSecond, decimals: 4) }
      w.comma()
      if row.queueDelayPackets > 0 { w.fixed(row.queueDelaySum / row.queueDelayPackets / 1000, decimals: 6) }
      w.comma()
      w.fixed(row.queueDelayMaximum / 1000, decimals: 6)
      w.comma()
      w.integer(row.packetsDropped)
      w.newline()
    }
    write(&writers[table.rawValue])
  }

  /// Adds a row of `decisions.csv`.
  package mutating func recordDecision(
    at now: SimTime, viewer: Int, source: Int, budget: BitRate, wanted: String, given: String,
    previous: String, reason: String, missing: BitRate
  ) {
    let table = ResultTable.decisions
    begin(table)
    time(now, table)
    func write(_ w: inout ByteWriter) {
      w.comma()
      w.raw(participantNames[viewer])
      w.comma()
      w.raw(sourceNames[source])
      w.comma()
      if budget != .unlimited { w.integer(budget.bitsPerSecond) }
      for word in [wanted, given, previous, reason] {
        w.comma()
        w.field(word)
      }
      w.comma()
      w.integer(missing.bitsPerSecond)
      w.newline()
    }
    write(&writers[table.rawValue])
  }

  /// Adds a row of `events.csv`.
  package mutating func recordEvent(
    at now: SimTime, participant: Int?, event: String, detail: String, result: String
  ) {
    let table = ResultTable.events
    begin(table)
    time(now, table)
    func write(_ w: inout ByteWriter) {
      w.comma()
      if let participant { w.raw(participantNames[participant]) }
      for word in [event, detail, result] {
        w.comma()
        w.field(word)
      }
      w.newline()
    }
    write(&writers[table.rawValue])
  }

  /// Adds a row of `scalars.csv`.
  package mutating func record(_ row: ScalarRow) {
    let table = ResultTable.scalars
    begin(table)
    func write(_ w: inout ByteWriter) {
      w.raw(row.scope)
      w.comma()
      w.field(row.viewer)
      w.comma()
      w.field(row.source)
      w.comma()
      w.raw(row.metric)
      w.comma()
      w.raw(row.stat)
      w.comma()
      w.raw(row.unit)
      w.comma()
      w.raw(row.direction.rawValue)
      w.comma()
      if let value = row.value { w.fixed(value, decimals: row.decimals) }
      w.newline()
    }
    write(&writers[table.rawValue])
  }
}
