package import Quantity

/// TCP congestion control algorithms.
package enum TCPCongestionControl: String, CaseIterable, Hashable, Sendable {
  /// RFC 9438, the default of Linux, Windows and macOS.
  case cubic
  /// RFC 5681.
  case reno
  /// Version 1, as in Linux since 4.9.
  case bbr
  /// Version 3, draft-ietf-ccwg-bbr.
  case bbr3
}

/// TCP parameters, shared by both ends of a connection.
package struct TCPParameters: Hashable, Sendable {
  package var congestionControl = TCPCongestionControl.cubic
  /// Payload of a full segment [byte]: 1500 minus 52 of headers.
  package var segmentSize: Int32 = 1448
  /// Initial congestion window [segment]: RFC 6928.
  package var initialWindow = 10
  /// Receive window, more than 6 segments: half of the 6 MiB maximum of Linux's `tcp_rmem`, since its accounting
  /// includes overhead.
  package var receiveWindow = ByteCount(3 << 20)
  /// Makes the receiver send SACK blocks (RFC 2018), as all current hosts do. Without them recovery is NewReno (RFC
  /// 6582): one lost segment per round trip.
  package var usesSelectiveAcknowledgements = true
  /// Makes the receiver acknowledge every second segment only (RFC 5681 section 4.2).
  package var delaysAcknowledgements = true
  /// Maximum acknowledgement delay: 40 ms in Linux (`TCP_DELACK_MIN`).
  package var acknowledgementDelay = SimDuration.milliseconds(40)
  /// Number of duplicate acknowledgements that indicate a loss: RFC 5681.
  package var duplicateThreshold = 3
  /// Initial timeout, before the first measurement: RFC 6298 (2.1).
  package var initialTimeout = SimDuration.seconds(1)
  /// Minimum margin of the timeout above the smoothed round trip, and so the minimum timeout: 200 ms in Linux
  /// (`TCP_RTO_MIN`; RFC 6298 (2.4) recommends 1 s, which no common stack uses).
  package var minimumTimeoutMargin = SimDuration.milliseconds(200)
  /// Maximum timeout: 120 s in Linux (`TCP_RTO_MAX`); RFC 6298 (2.5) requires at least 60 s.
  package var maximumTimeout = SimDuration.seconds(120)

  package init() {}

  /// Receive window in whole segments, at least 8.
  var receiveWindowSegments: Int { max(8, Int(receiveWindow.bytes / Int64(max(1, segmentSize)))) }

  /// Ring size for the receive window, a power of two.
  var ringSize: Int {
    var size = 8
    while size < receiveWindowSegments { size *= 2 }
    return size
  }
}
