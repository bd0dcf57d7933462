import Network
import Quantity
import Statistics
import Transport

/// A direction between a participant and the SFU, by number: two for each participant.
enum Path {
  static func up(_ participant: Int) -> Int { 2 * participant }
  static func down(_ participant: Int) -> Int { 2 * participant + 1 }
  static func participant(of path: Int) -> Int { path >> 1 }
  static func isUp(_ path: Int) -> Bool { path & 1 == 0 }
}

/// One way between a participant and the SFU: what its sender and its receiver keep for pacing and feedback.
struct PathState: BitwiseCopyable {
  var pacer: Pacer
  var arrivals = ArrivalLog()
  /// When the pacer's pending event is due [ns]; -1 for none.
  var pacerDueAt: Int64 = -1
  var hasFeedbackEvent = false
  var lastFeedbackAt = SimTime(nanoseconds: -1_000_000_000)
  var repairs = RetransmissionBudget()
  /// Sent to fill gaps, since the beginning [byte].
  var paddingBytes: Int64 = 0
  /// The same without what is around RTP packets.
  var paddingRTPBytes: Int64 = 0
  /// RTCP sent on this way since the beginning, with the bytes of it.
  private(set) var controlPackets: Int64 = 0
  private(set) var controlBytes: Int64 = 0
  var reports = ReportExchange()
  /// The sender's last round trip by receiver reports; `nil` before the first.
  var roundTrip: SimDuration?
  var reportTimes: RandomStream
  var hasReportEvents = false
  /// Bytes sent until the last sender report.
  var reportedBytes: Int64 = 0
  /// Bytes of media, repairs and padding that left the sender, since the beginning.
  var sentBytes: Int64 = 0
  var reportedAt = SimTime.zero

  init(pacer: Pacer, reportTimes: RandomStream) {
    self.pacer = pacer
    self.reportTimes = reportTimes
  }

  /// A new connection: what waited for the old one is gone, and what was measured on it says nothing.
  mutating func restart() {
    pacer.removeAll()
    arrivals.forgetUnreported()
    roundTrip = nil
  }

  mutating func noteControl(_ packet: Packet) {
    controlPackets += 1
    controlBytes += Int64(packet.size)
  }

  func deallocate() {
    pacer.deallocate()
    arrivals.deallocate()
  }
}
