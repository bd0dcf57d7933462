import Quantity

/// State shared by all rows of a run.
struct RecordedRun {
  var id = QuotedText("")
  /// Names to which indices in rows refer.
  var participants: [QuotedText] = []
  var sources: [QuotedText] = []
  var links: [QuotedText] = []
  var layers: [QuotedText] = []
  /// Interval that the rows' counters cover.
  var interval = SimDuration.zero
  /// Time of the row.
  var now = SimTime.zero

  /// Converts bytes per interval to a bit rate.
  @inline(__always)
  func rate(ofBytes bytes: Int64) -> BitRate { BitRate(bytes: bytes, in: interval) }

  // Columns shared by several tables.

  @inline(__always)
  func declareID(to columns: inout some ColumnSink & ~Copyable) {
    columns.column(
      "run_id", nil, "identifies the run: a hash of version, scenario, traces, seed and repetition", id)
  }

  @inline(__always)
  func declareTime(_ meaning: StaticString, to columns: inout some ColumnSink & ~Copyable) {
    columns.column("time_s", .seconds, meaning, FixedPoint.seconds(now.sinceStart, decimals: 3))
  }

  /// Declares the two leading columns of interval tables.
  @inline(__always)
  func declareInterval(to columns: inout some ColumnSink & ~Copyable) {
    declareID(to: &columns)
    declareTime("simulated time at the end of the interval", to: &columns)
  }

  @inline(__always)
  func declareTile(viewer: Int, source: Int, to columns: inout some ColumnSink & ~Copyable) {
    columns.column("viewer", nil, "viewing participant", participants[viewer])
    columns.column(
      "source", nil, "publishing participant; ID/screen for a screen share", sources[source])
  }
}
