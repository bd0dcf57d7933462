package import Quantity

/// One direction of a participant's path in an interval.
package struct PathRow {
  package var capacity = BitRate.zero
  package var estimate = BitRate.zero
  package var bytes: Int64 = 0
  /// Number of packets delivered or lost in the interval; scaled up on a path of several links, like
  /// ``packetsMissing``.
  package private(set) var packets: Int64 = 0
  /// Number of those packets that were dropped or lost.
  package private(set) var packetsMissing: Int64 = 0
  /// Sum of the queuing delays of all packets [ns].
  package var queueDelaySum: Int128 = 0
  package var queueDelayPackets: Int64 = 0

  package init() {}

  /// Adds a link of the path, given the packets that it delivered and failed to deliver; the delivered fractions of
  /// links multiply.
  package mutating func addLink(delivered: Int64, missing: Int64) {
    let decided = delivered + missing
    guard decided > 0 else { return }
    guard packets > 0 else {
      (packets, packetsMissing) = (decided, missing)
      return
    }
    var all = Int128(packets) * Int128(decided)
    var through = Int128(packets - packetsMissing) * Int128(delivered)
    while all >> 48 > 0 {
      all >>= 1
      through >>= 1
    }
    packets = Int64(all)
    packetsMissing = Int64(all - through)
  }
}

/// A row of `participants.csv`.
package struct ParticipantRow {
  package var participant: Int
  package var up = PathRow()
  package var down = PathRow()
  package var audioBytes: Int64 = 0
  package var audioPacketsReceived: Int64 = 0
  /// Number of audio packets lost; negative when more packets counted as lost arrived late.
  package var audioPacketsLost: Int64 = 0
  package var videosReceived = 0
  package var decodedPixels: Int64 = 0
  package var connectionQuality: StaticString?

  package init(participant: Int) { self.participant = participant }
}

extension PathRow {
  /// Fraction of packets lost; `nil` without any packets.
  fileprivate var loss: FixedPoint? {
    packets > 0 ? FixedPoint(packetsMissing * 10_000 / packets, decimals: 4) : nil
  }

  /// Mean queuing delay; `nil` if no packet was in a queue.
  fileprivate var queueDelay: FixedPoint? {
    guard queueDelayPackets > 0 else { return nil }
    return .seconds(.mean(of: queueDelaySum, over: queueDelayPackets), decimals: 6)
  }
}

extension ParticipantRow: TableRow {
  static var table: ResultTable { .participants }
  static var meaning: String { "interval and participant in the meeting" }
  static var primaryKey: [String] { ["run_id", "time_s", "participant"] }

  static var blank: ParticipantRow { ParticipantRow(participant: 0) }

  func declareColumns(in run: RecordedRun, to columns: inout some ColumnSink & ~Copyable) {
    run.declareInterval(to: &columns)
    columns.column("participant", nil, "id of the participant", run.participants[participant])
    columns.column(
      "up_capacity_bps", .bitsPerSecond, "mean capacity of the narrowest link to the SFU", up.capacity)
    columns.column(
      "up_estimate_bps", .bitsPerSecond, "publisher's bandwidth estimate of its uplink", up.estimate)
    columns.column(
      "up_bitrate_bps", .bitsPerSecond, "received by the SFU; over TCP, with the headers that UDP would have",
      run.rate(ofBytes: up.bytes))
    columns.column(
      "up_loss_frac", .one,
      "packets lost or dropped on the uplink, as a fraction of these and those delivered",
      empty: "no packet was sent", up.loss)
    columns.column(
      "up_queue_delay_s", .seconds, "mean queuing delay on the uplink", empty: "no packet was sent",
      up.queueDelay)
    columns.column(
      "down_capacity_bps", .bitsPerSecond, "mean capacity of the narrowest link from the SFU", down.capacity)
    columns.column(
      "down_estimate_bps", .bitsPerSecond, "SFU's bandwidth estimate of the downlink", down.estimate)
    columns.column(
      "down_bitrate_bps", .bitsPerSecond,
      "received by the participant; over TCP, with the headers that UDP would have",
      run.rate(ofBytes: down.bytes))
    columns.column(
      "down_loss_frac", .one,
      "packets lost or dropped on the downlink, as a fraction of these and those delivered",
      empty: "no packet was sent", down.loss)
    columns.column(
      "down_queue_delay_s", .seconds, "mean queuing delay on the downlink", empty: "no packet was sent",
      down.queueDelay)
    columns.column(
      "audio_bitrate_bps", .bitsPerSecond, "audio received, including headers",
      run.rate(ofBytes: audioBytes))
    columns.column(
      "audio_loss_frac", .one,
      "fraction of audio packets, including comfort noise, that had not arrived when due",
      empty: "no packet was due", audioLoss)
    columns.column("videos_received", .one, "sources with at least one frame decoded", videosReceived)
    columns.column(
      "decoded_pixels_per_s", .pixelsPerSecond, "pixels decoded",
      decodedPixels.scaled(by: 1_000_000_000, per: run.interval.nanoseconds))
    columns.column(
      "connection_quality", nil,
      "the worst of loss, delay and bandwidth against need in either direction",
      empty: "the participant has left", values: ["poor", "good", "excellent"].map { ColumnValue($0) },
      connectionQuality)
  }

  /// Fraction of the audio packets due that were lost; `nil` if none was due.
  private var audioLoss: FixedPoint? {
    let lost = max(0, audioPacketsLost)
    let due = audioPacketsReceived + lost
    return due > 0 ? FixedPoint(lost * 10_000 / due, decimals: 4) : nil
  }
}
