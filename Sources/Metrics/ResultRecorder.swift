package import Quantity

/// Records a meeting's reports as table rows.
///
/// Rows are buffered; the caller flushes them into a ``TableSink`` during the run, so that memory does not grow with
/// simulated time.
package struct ResultRecorder: ~Copyable {
  private var run: RecordedRun
  /// Writers by table, as many as ``ResultTable`` has cases.
  private var writers: InlineArray<9, ByteWriter>
  private var rowCounts = [Int](repeating: 0, count: ResultTable.allCases.count)

  /// Creates a recorder with the headers already written.
  package init(
    runID: String, participants: [String], sources: [String], links: [String], layers: [String] = [],
    interval: SimDuration
  ) {
    run = RecordedRun(
      id: QuotedText(runID), participants: participants.map(QuotedText.init),
      sources: sources.map(QuotedText.init), links: links.map(QuotedText.init),
      layers: layers.map(QuotedText.init), interval: interval)
    writers = InlineArray { number in
      var writer = ByteWriter()
      writer.raw(ResultTable.allCases[number].header)
      return writer
    }
  }

  /// Sets the length of the interval that the following rows cover; the last one of a run may be shorter.
  package mutating func beginRows(of interval: SimDuration) { run.interval = interval }

  /// Returns the number of rows written so far.
  package func rowCount(of table: ResultTable) -> Int { rowCounts[table.rawValue] }

  /// Flushes every buffer of at least this many bytes into a sink.
  package mutating func flush<Sink: TableSink & ~Copyable>(
    into sink: inout Sink, above threshold: Int = 0
  ) throws(ResultError) {
    for table in ResultTable.allCases where writers[table.rawValue].count > threshold {
      try sink.write(writers[table.rawValue].bytes, to: table)
      writers[table.rawValue].removeAll()
    }
  }

  // Not generic across modules, so that each overload is specialized for its row.

  /// Adds a row of `streams.csv` for the interval that ends now.
  package mutating func record(_ row: StreamRow, at now: SimTime) { write(row, at: now) }

  /// Adds a row of `sent.csv` for the interval that ends now.
  package mutating func record(_ row: SentRow, at now: SimTime) { write(row, at: now) }

  /// Adds a row of `audio.csv` for the interval that ends now.
  package mutating func record(_ row: AudioRow, at now: SimTime) { write(row, at: now) }

  /// Adds a row of `participants.csv` for the interval that ends now.
  package mutating func record(_ row: ParticipantRow, at now: SimTime) { write(row, at: now) }

  /// Adds a row of `links.csv` for the interval that ends now.
  package mutating func record(_ row: LinkRow, at now: SimTime) { write(row, at: now) }

  /// Adds a row of `decisions.csv`.
  package mutating func record(_ row: DecisionRow, at now: SimTime) { write(row, at: now) }

  /// Adds a row of `events.csv`.
  package mutating func record(_ row: EventRow, at now: SimTime) { write(row, at: now) }

  /// Adds a row of `layout.csv`.
  package mutating func record(_ row: LayoutRow, at now: SimTime) { write(row, at: now) }

  /// Adds a row of `scalars.csv`.
  package mutating func record(_ row: ScalarRow) { write(row, at: run.now) }

  private mutating func write<Row: TableRow>(_ row: Row, at now: SimTime) {
    let table = Row.table.rawValue
    rowCounts[table] += 1
    run.now = now
    row.declareColumns(in: run, to: &writers[table])
    writers[table].endRow()
  }
}
