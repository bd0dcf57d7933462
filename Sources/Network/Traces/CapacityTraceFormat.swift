/// File formats of capacity traces.
package enum CapacityTraceFormat: String, Hashable, Sendable, CaseIterable {
  /// `t_s,rate_bps` with a header; each rate applies until the next row, the last one for as long as the one before.
  case rateCSV = "rate-csv"
  /// One non-decreasing integer per line [ms], a delivery opportunity each.
  case mahimahi
  /// `t_s mbps`, separated by spaces, tabs or a comma, at irregular times; a value applies until the next row (our
  /// rule; Pensieve's simulator uses the sample of the current interval).
  case pensieve
  /// `value,unit`, one row per second (NYU-METS).
  case mbpsLines = "mbps-lines"
  /// Epoch and elapsed time [ms], latitude, longitude, bytes and milliseconds since the previous row: a rate for the
  /// interval that ends at the row (Ghent 4G, Norway HSDPA logs).
  case sixColumn = "six-column"
  /// CSV with a header and a column `DL_bitrate` [kbit/s] (G-NetTrack, UCC 5G); times from `Timestamp`, such as
  /// `2019.12.14_10.16.30`, or one row per second without it; `-` keeps the last value; of several rows at one time the
  /// last wins.
  case gnettrack
  /// `t_ms kbps` in pairs of rows, start and end of a chunk, with the rate of the first; gaps between chunks keep the
  /// last value.
  case oboe
  /// JSON with a `trace_pattern` of `duration` [ms] and `capacity` [kbit/s], that of the uplink or the only one; a
  /// missing capacity keeps the last value; `loss`, `rtt` and `jitter` are ignored (OpenNetLab's AlphaRTC).
  case alphartc
  /// The downlink's `trace_pattern` of the same JSON.
  case alphartcDownlink = "alphartc-downlink"
  /// A table of times and rates, with columns and units by name or as stated (``TraceColumns``).
  case columns
  /// JSON list of periods: `duration_ms` and `bandwidth_kbps` (SABRE), or `duration` [s] and `speed` [kbit/s] (network
  /// patterns for dash.js); `latency_ms` is ignored.
  case playerJSON = "player-json"
  /// JSON with `timestamps` [s] and `bandwidths` [Mbit/s]; the last timestamp ends the trace; a single bandwidth is
  /// constant; delays, loss and queue are ignored (Genet's congestion control traces).
  case genet
  /// JSON of `iperf3 --json` or `--json-stream`: each interval with the rate of its `sum`; omitted intervals are left out.
  case iperf3
  /// A shell script with `tc` commands that set rates (tbf, netem, htb, cake) and `sleep` between them; the smallest
  /// rate in force on the device counts.
  case tcScript = "tc-script"
  /// Repeated output of `tc -s qdisc show`, each preceded by a line with the time: the configured rate, or else that of
  /// the bytes sent since the previous output.
  case tcLog = "tc-log"

  /// `true` if the values are achieved throughput rather than path capacity.
  package var isLowerBound: Bool {
    switch self {
    case .rateCSV, .mahimahi, .alphartc, .alphartcDownlink, .playerJSON, .genet, .tcScript, .tcLog: false
    case .pensieve, .mbpsLines, .sixColumn, .gnettrack, .oboe, .columns, .iperf3: true
    }
  }

  /// Example row.
  var example: String {
    switch self {
    case .rateCSV: "'t_s,rate_bps' such as '0.5,2000000'"
    case .mahimahi: "whole milliseconds such as '12'"
    case .pensieve: "'t_s mbps' such as '0.5 2.4'"
    case .mbpsLines: "'value,unit' such as '14.4,Mbits/sec'"
    case .sixColumn:
      "epoch, ms, latitude, longitude, bytes and ms since the previous row, separated by spaces"
    case .gnettrack, .columns: "as many values as the header has columns"
    case .oboe: "'t_ms kbps' such as '4000 1200'"
    case .alphartc, .alphartcDownlink: "'{\"duration\": 60000, \"capacity\": 300}'"
    case .playerJSON: "'{\"duration_ms\": 1000, \"bandwidth_kbps\": 1300}'"
    case .genet: "'{\"timestamps\": [0, 1], \"bandwidths\": [2.4, 1.2]}'"
    case .iperf3: "'{\"intervals\": [{\"sum\": {\"start\": 0, \"end\": 1, \"bits_per_second\": 2400000}}]}'"
    case .tcScript: "'tc qdisc change dev eth0 root netem rate 2mbit' and 'sleep 10'"
    case .tcLog: "a line of time, such as of 'date +%s.%N', and the output of 'tc -s qdisc show'"
    }
  }
}
