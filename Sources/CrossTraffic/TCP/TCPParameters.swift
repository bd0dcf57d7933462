package import Quantity

/// How a TCP connection's window follows congestion.
package enum TCPCongestionControl: String, CaseIterable, Hashable, Sendable {
  /// RFC 9438, the default of Linux, Windows and macOS.
  case cubic
  /// RFC 5681.
  case reno
}

/// What can be set about a TCP connection; both ends take the same.
package struct TCPParameters: Hashable, Sendable {
  package var congestionControl = TCPCongestionControl.cubic
  /// Payload of a full segment [byte]: 1500 less 52 of headers.
  package var segmentSize: Int32 = 1448
  /// First congestion window [segment]: RFC 6928.
  package var initialWindow = 10
  /// What the receiver takes ahead of its reader at most: half of Linux's `tcp_rmem` maximum of 6 MiB, as its
  /// accounting counts overhead. More than 6 segments.
  package var receiveWindow = ByteCount(3 << 20)
  /// Whether the receiver tells what it holds beyond a gap (RFC 2018), as all hosts do today. Without, recovery is
  /// NewReno (RFC 6582): a lost segment for each round trip.
  package var usesSelectiveAcknowledgements = true
  /// Whether the receiver answers only every second segment (RFC 5681 section 4.2).
  package var delaysAcknowledgements = true
  /// How long an answer is held back at most: 40 ms in Linux (`TCP_DELACK_MIN`).
  package var acknowledgementDelay = SimDuration.milliseconds(40)
  /// Answers to later segments that tell that one is lost: RFC 5681.
  package var duplicateThreshold = 3
  /// Timeout before the first measurement: RFC 6298 (2.1).
  package var initialTimeout = SimDuration.seconds(1)
  /// The least margin of the timeout above the smoothed round trip, so that no timeout is shorter: 200 ms in Linux
  /// (`TCP_RTO_MIN`; RFC 6298 (2.4) asks for 1 s of timeout, which nobody does).
  package var minimumTimeoutMargin = SimDuration.milliseconds(200)
  /// The longest timeout: 120 s in Linux (`TCP_RTO_MAX`); RFC 6298 (2.5) asks for 60 s or more.
  package var maximumTimeout = SimDuration.seconds(120)

  package init() {}

  /// The receive window in whole segments, at least 8.
  var receiveWindowSegments: Int { max(8, Int(receiveWindow.bytes / Int64(max(1, segmentSize)))) }

  /// A power of two that holds as many segments as can be under way.
  var ringSize: Int {
    var size = 8
    while size < receiveWindowSegments { size *= 2 }
    return size
  }
}
