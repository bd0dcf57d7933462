package import Quantity

/// Reason why an encoding is smaller or slower than configured (W3C webrtc-stats, `RTCQualityLimitationReason`).
package enum QualityLimitationReason: String, Sendable, CaseIterable {
  case none, bandwidth, cpu, other

  package var meaning: String {
    switch self {
    case .none: "nothing: it has its size and frame rate, is off at the sender, or nobody requests it"
    case .bandwidth: "the estimate of the uplink, or of receivers that the sender follows"
    case .cpu: "the sender's device; never so here, since encoders take no time"
    case .other: "never so here"
    }
  }
}

/// A row of `sent.csv`; source and layer are indices into the recorder's names.
package struct SentRow {
  package var source: Int
  package var layer: Int
  package var isWanted = false
  package var isActive = false
  /// Size of the last frame encoded in the interval; `nil` without one.
  package var frame: (width: Int, height: Int)?
  package var frames = 0
  package var target = BitRate.zero
  /// Bytes of new media sent, with RTP headers.
  package var bytes: Int64 = 0
  package var limitation = QualityLimitationReason.none
  package var keyFrames = 0
  package var pictureLossIndications = 0
  package var fullIntraRequests = 0
  package var negativeAcknowledgements = 0
  package var retransmittedPackets = 0

  package init(source: Int, layer: Int) {
    self.source = source
    self.layer = layer
  }
}

extension SentRow: TableRow {
  static var table: ResultTable { .sent }
  static var meaning: String { "interval, source and encoding that its participant sends" }
  static var primaryKey: [String] { ["run_id", "time_s", "source", "layer"] }

  static var blank: SentRow { SentRow(source: 0, layer: 0) }

  func declareColumns(in run: RecordedRun, to columns: inout some ColumnSink & ~Copyable) {
    run.declareInterval(to: &columns)
    columns.column("source", nil, "publishing participant; ID/screen for a screen share", run.sources[source])
    columns.column("layer", nil, "name of the encoding; f for a source's only one", run.layers[layer])
    columns.column(
      "wanted", nil,
      "requested by the server, or it would be if the uplink carried it, as far as the sender knows",
      isWanted)
    columns.column(
      "active", nil, "switched on at the sender, whether or not the uplink carries it (W3C active)", isActive)
    columns.column(
      "frame_width_px", .pixels, "width of the last frame encoded in the interval",
      empty: "no frame was encoded", frame?.width)
    columns.column(
      "frame_height_px", .pixels, "height of the last frame encoded in the interval",
      empty: "no frame was encoded", frame?.height)
    columns.column(
      "frames_per_second", .hertz, "encoded frame rate in the interval",
      FixedPoint(Int64(frames).scaled(by: 100_000_000_000, per: run.interval.nanoseconds), decimals: 2))
    columns.column(
      "target_bitrate_bps", .bitsPerSecond,
      "the encoder's target at the end of the interval, 0 while it is not sent (W3C targetBitrate)", target)
    columns.column(
      "bitrate_bps", .bitsPerSecond, "new media that left in the interval, with RTP headers",
      run.rate(ofBytes: bytes))
    columns.column(
      "quality_limitation_reason", nil,
      "what keeps the encoding off, small or slow (W3C qualityLimitationReason)",
      values: QualityLimitationReason.allCases.map { ColumnValue($0.rawValue, $0.meaning) },
      Word(limitation.rawValue))
    columns.column(
      "key_frames_encoded", .one, "key frames encoded in the interval (W3C keyFramesEncoded)", keyFrames)
    columns.column(
      "pli_count", .one, "picture loss indications received in the interval (W3C pliCount)",
      pictureLossIndications)
    columns.column(
      "fir_count", .one, "full intra requests received in the interval (W3C firCount); servers here send PLI",
      fullIntraRequests)
    columns.column(
      "nack_count", .one, "NACK packets received in the interval (W3C nackCount)", negativeAcknowledgements)
    columns.column(
      "retransmitted_packets_sent", .one, "packets sent again in the interval (W3C retransmittedPacketsSent)",
      retransmittedPackets)
  }
}
