package import Quantity

/// A row of `audio.csv`: one speaker, or the SFU's mix, as received by one listener in an interval.
package struct AudioRow {
  package var viewer: Int
  /// Index of the speaker; `nil` for a mix.
  package var source: Int?
  package var packetsReceived: Int64
  package var packetsLost: Int64
  package var packetsDiscarded: Int64
  /// Number of concealed samples [1/48000 s].
  package var concealedSamples: Int64
  package var concealmentEvents: Int64
  package var insertedSamples: Int64
  package var removedSamples: Int64
  /// Mean delay of the packets played out; `nil` if there were none.
  package var delay: SimDuration?
  package var targetDelay: SimDuration
  /// Concealed fraction of the speech [1/10,000], 0 to 10,000.
  package var concealedTenThousandths: Int64

  package init(
    viewer: Int, source: Int?, packetsReceived: Int64, packetsLost: Int64, packetsDiscarded: Int64,
    concealedSamples: Int64, concealmentEvents: Int64, insertedSamples: Int64, removedSamples: Int64,
    delay: SimDuration?, targetDelay: SimDuration, concealedTenThousandths: Int64
  ) {
    self.viewer = viewer
    self.source = source
    self.packetsReceived = packetsReceived
    self.packetsLost = packetsLost
    self.packetsDiscarded = packetsDiscarded
    self.concealedSamples = concealedSamples
    self.concealmentEvents = concealmentEvents
    self.insertedSamples = insertedSamples
    self.removedSamples = removedSamples
    self.delay = delay
    self.targetDelay = targetDelay
    self.concealedTenThousandths = concealedTenThousandths
  }
}

extension AudioRow: TableRow {
  static var table: ResultTable { .audio }
  static var meaning: String { "interval, listener and voice" }
  static var primaryKey: [String] { ["run_id", "time_s", "viewer", "source"] }
  static var foreignKeys: [ForeignKey] { [.viewerInInterval, .participant("source")] }

  static var blank: AudioRow {
    AudioRow(
      viewer: 0, source: nil, packetsReceived: 0, packetsLost: 0, packetsDiscarded: 0, concealedSamples: 0,
      concealmentEvents: 0, insertedSamples: 0, removedSamples: 0, delay: nil, targetDelay: .zero,
      concealedTenThousandths: 0)
  }

  func declareColumns(in run: RecordedRun, to columns: inout some ColumnSink & ~Copyable) {
    run.declareInterval(to: &columns)
    columns.column("viewer", nil, "receiving participant", run.participants[viewer])
    columns.column(
      "source", nil, "sending participant", empty: "the SFU's mix", source.map { run.participants[$0] })
    columns.column(
      "packets_received", .one, "packets received in the interval, including late ones", packetsReceived)
    columns.column(
      "packets_lost", .one, "packets lost; negative if more packets counted as lost arrived late",
      packetsLost)
    columns.column(
      "packets_discarded", .one, "packets that arrived too late to be played out", packetsDiscarded)
    columns.column(
      "concealed_samples", .samples, "samples concealed because speech had not arrived in time",
      concealedSamples)
    columns.column("concealment_events", .one, "number of concealment events", concealmentEvents)
    columns.column(
      "inserted_samples_for_deceleration", .samples, "samples inserted to increase the delay", insertedSamples
    )
    columns.column(
      "removed_samples_for_acceleration", .samples, "samples removed to decrease the delay", removedSamples)
    columns.column(
      "jitter_buffer_delay_s", .seconds, "mean time of a packet from arrival to playout",
      empty: "no packet was played out",
      delay.map { FixedPoint.seconds($0, decimals: 4) })
    columns.column(
      "jitter_buffer_target_delay_s", .seconds, "target delay at the end of the interval",
      FixedPoint.seconds(targetDelay, decimals: 2))
    columns.column(
      "concealed_frac", .one, "fraction of the speech that was concealed",
      FixedPoint(concealedTenThousandths, decimals: 4))
  }
}
