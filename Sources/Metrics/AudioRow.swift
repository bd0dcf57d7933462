package import Quantity

/// A row of `audio.csv`: one voice, or the mix of all, as one listener had it in an interval.
package struct AudioRow {
  package var viewer: Int
  /// `nil` for a mix.
  package var source: Int?
  package var packetsReceived: Int64
  package var packetsLost: Int64
  package var packetsDiscarded: Int64
  /// Samples are of 1/48000 s.
  package var concealedSamples: Int64
  package var concealmentEvents: Int64
  package var insertedSamples: Int64
  package var removedSamples: Int64
  /// Mean of the packets that were played; `nil` without any.
  package var delay: SimDuration?
  package var targetDelay: SimDuration
  /// 0 to 10,000.
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

extension ResultRecorder {
  /// Adds a row of `audio.csv` for the interval that ends now.
  package mutating func record(_ row: AudioRow, at now: SimTime) {
    begin(.audio)
    time(now, .audio)
    func write(_ w: inout ByteWriter) {
      w.comma()
      w.raw(participantNames[row.viewer])
      w.comma()
      if let source = row.source { w.raw(participantNames[source]) }
      w.comma()
      w.integer(row.packetsReceived)
      w.comma()
      w.integer(row.packetsLost)
      w.comma()
      w.integer(row.packetsDiscarded)
      w.comma()
      w.integer(row.concealedSamples)
      w.comma()
      w.integer(row.concealmentEvents)
      w.comma()
      w.integer(row.insertedSamples)
      w.comma()
      w.integer(row.removedSamples)
      w.comma()
      if let delay = row.delay { w.fixed(delay.nanoseconds / 100_000, decimals: 4) }
      w.comma()
      w.fixed(row.targetDelay.nanoseconds / 10_000_000, decimals: 2)
      w.comma()
      w.fixed(row.concealedTenThousandths, decimals: 4)
      w.newline()
    }
    write(&writers[ResultTable.audio.rawValue])
  }
}
