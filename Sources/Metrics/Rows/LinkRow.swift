package import Quantity

/// A row of `links.csv`.
package struct LinkRow {
  package var link: Int
  package var capacity: BitRate
  package var deliveredBytes: Int64
  /// Bytes of cross traffic among them.
  package var crossBytes: Int64
  /// Bytes of the link's capacity used by transmissions, including the link's per-packet overhead; at most the
  /// capacity.
  package var usedBytes: Int64
  /// Sum of the queuing delays [ns].
  package var queueDelaySum: Int128
  package var queueDelayPackets: Int64
  package var queueDelayMaximum: Int64
  package var packetsDropped: Int64

  package init(
    link: Int, capacity: BitRate, deliveredBytes: Int64, crossBytes: Int64 = 0, usedBytes: Int64,
    queueDelaySum: Int128, queueDelayPackets: Int64, queueDelayMaximum: Int64, packetsDropped: Int64
  ) {
    self.link = link
    self.capacity = capacity
    self.deliveredBytes = deliveredBytes
    self.crossBytes = crossBytes
    self.usedBytes = usedBytes
    self.queueDelaySum = queueDelaySum
    self.queueDelayPackets = queueDelayPackets
    self.queueDelayMaximum = queueDelayMaximum
    self.packetsDropped = packetsDropped
  }
}

extension LinkRow: TableRow {
  static var table: ResultTable { .links }
  static var meaning: String { "interval and link" }
  static var primaryKey: [String] { ["run_id", "time_s", "link"] }

  static var blank: LinkRow {
    LinkRow(
      link: 0, capacity: .zero, deliveredBytes: 0, usedBytes: 0, queueDelaySum: 0, queueDelayPackets: 0,
      queueDelayMaximum: 0, packetsDropped: 0)
  }

  func declareColumns(in run: RecordedRun, to columns: inout some ColumnSink & ~Copyable) {
    run.declareInterval(to: &columns)
    columns.column("link", nil, "name of the link", run.links[link])
    columns.column("capacity_bps", .bitsPerSecond, "mean capacity over the interval", capacity)
    columns.column(
      "throughput_bps", .bitsPerSecond, "delivered in the interval", run.rate(ofBytes: deliveredBytes))
    columns.column(
      "utilization_frac", .one,
      "fraction of the interval's capacity that transmissions used, with the link's per-packet overhead",
      empty: "no capacity", utilization(in: run))
    columns.column(
      "queue_delay_mean_s", .seconds, "mean queuing delay of the packets sent", empty: "no packet was sent",
      meanQueueDelay)
    columns.column(
      "queue_delay_max_s", .seconds, "longest queuing delay",
      FixedPoint.seconds(SimDuration(nanoseconds: queueDelayMaximum), decimals: 6))
    columns.column(
      "packets_dropped", .one, "packets dropped by the queue or lost on the link", packetsDropped)
    columns.column(
      "cross_traffic_bps", .bitsPerSecond, "part of the throughput that was cross traffic",
      run.rate(ofBytes: crossBytes))
  }

  /// Used share of the capacity; `nil` for a link without capacity.
  private func utilization(in run: RecordedRun) -> FixedPoint? {
    guard capacity > .zero else { return nil }
    let had = Int128(capacity.bitsPerSecond) * Int128(run.interval.nanoseconds)
    return FixedPoint(Int64(clamping: Int128(usedBytes) * 80_000_000_000_000 / had), decimals: 4)
  }

  /// Mean queuing delay; `nil` if no packet was in the queue.
  private var meanQueueDelay: FixedPoint? {
    guard queueDelayPackets > 0 else { return nil }
    return .seconds(.mean(of: queueDelaySum, over: queueDelayPackets), decimals: 6)
  }
}
