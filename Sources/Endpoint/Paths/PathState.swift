import CongestionControl
import Network
package import Quantity
package import Statistics
package import Transport

/// Both ends of one path between a participant and the SFU: pacing and repairs at its sender, feedback and reports at
/// its receiver.
package struct PathState: BitwiseCopyable {
  /// Set while its participant is in the meeting.
  package var isOpen = false
  package var pacer: Pacer
  /// Allocator's probe to which packets currently belong; -1 for none.
  var allocatorProbe: Int32 = -1
  /// Time at which the pacer's pending event is due.
  var pacerDueAt = Deadline.never
  package var arrivals = ArrivalLog()
  var feedback: FeedbackClock
  /// Time at which feedback last reached the sender.
  var heardAt = LastTime.never
  var unreported = UnreportedCounts()
  var losses = LossMeter()
  package var repairs = RetransmissionBudget()
  /// Forward error correction of the last second.
  var protection = RetransmissionBudget()
  package var reports: ReportState
  package var totals = Totals()

  /// Clock of the receiver's feedback.
  struct FeedbackClock: BitwiseCopyable {
    /// Time at which the next message is due.
    var dueAt = Deadline.never
    /// Time of the last message.
    var lastAt = LastTime.never
    /// Random phases of the clock, which has been running since before the first packet.
    var phases: RandomStream
  }

  /// Packet numbers used only by the receiver, where no feedback reports them.
  struct UnreportedCounts: BitwiseCopyable {
    /// Number of the next packet, at the sender.
    package var next: UInt16 = 0
    /// Number of the last packet that arrived, at the receiver.
    package var newest: UInt16 = 0
    /// Number of packets that have arrived, at the receiver.
    package var arrivals = 0
  }

  /// Bytes and packets that the sender has put on the path since the beginning.
  package struct Totals: BitwiseCopyable {
    /// Media, repairs and padding [byte].
    var mediaBytes: Int64 = 0
    /// Padding, including the overhead around its RTP packets [byte].
    package var paddingBytes: Int64 = 0
    /// Padding, without the overhead around its RTP packets [byte].
    package var paddingRTPBytes: Int64 = 0
    package var controlPackets: Int64 = 0
    package var controlBytes: Int64 = 0
  }

  /// State of the RTCP sender and receiver reports.
  package struct ReportState: BitwiseCopyable {
    var exchange = ReportExchange()
    /// Last round trip measured by receiver reports; `nil` before the first.
    package var roundTrip: SimDuration?
    /// Time of the last sender report that a receiver report has answered.
    var answeredAt = LastTime.never
    /// Fraction of the sender's packets missing from the last receiver report, 0 to 1.
    package var lossFraction = 0.0
    /// Loss in the last reports of enough packets.
    var recentLoss = ReportedLoss()
    package var times: RandomStream
    /// Time at which the next sender report is due; an event at another time belongs to an earlier connection.
    var senderDueAt = Deadline.never
    /// Time at which the next receiver report is due; an event at another time belongs to an earlier connection.
    var receiverDueAt = Deadline.never
    /// Bytes sent up to the last sender report.
    var reportedBytes: Int64 = 0
    /// Time of the last sender report.
    package var reportedAt = SimTime.zero

    /// Draws a time between half and one and a half times the mean (RFC 3550 section 6.3.1).
    mutating func wait(_ mean: SimDuration) -> SimDuration {
      SimDuration(nanoseconds: Int64(Double(mean.nanoseconds) * (0.5 + times.uniform())))
    }

    /// Draws a time within a range.
    mutating func wait(within range: ClosedRange<SimDuration>) -> SimDuration {
      let span = Double((range.upperBound - range.lowerBound).nanoseconds)
      return range.lowerBound + SimDuration(nanoseconds: Int64(span * times.uniform()))
    }

    /// Notes the bytes sent up to a sender report.
    ///
    /// - Returns: the bytes sent since the last report, and their rate; `nil` if no time has passed.
    mutating func takeRate(of sentBytes: Int64, at now: SimTime) -> (bytes: Int64, rate: BitRate?) {
      let bytes = sentBytes - reportedBytes
      let elapsed = now - reportedAt
      reportedBytes = sentBytes
      reportedAt = now
      guard elapsed > .zero else { return (bytes, nil) }
      return (bytes, BitRate(rounding: (Double(bytes) * 8 / elapsed.seconds).rounded(.towardZero)))
    }
  }

  init(pacer: Pacer, reportTimes: RandomStream, feedbackPhases: RandomStream) {
    self.pacer = pacer
    feedback = FeedbackClock(phases: feedbackPhases)
    reports = ReportState(times: reportTimes)
  }

  /// Opens a new connection, and discards the measurements of the old one and the packets that waited for it.
  ///
  /// - Parameters:
  ///   - next: number of the first packet that will be sent on it.
  ///   - arrived: number of packets that have arrived before.
  package mutating func open(next: UInt16, arrived: Int) {
    isOpen = true
    pacer.removeAll()
    pacerDueAt = .never
    allocatorProbe = -1
    arrivals.beginConnection(from: next)
    feedback.dueAt = .never
    feedback.lastAt = .never
    heardAt = .never
    losses.beginConnection(from: next, arrivals: arrived)
    reports.exchange = ReportExchange(from: next, arrivals: arrived)
    reports.roundTrip = nil
    reports.answeredAt = .never
    reports.lossFraction = 0
    reports.recentLoss = ReportedLoss()
  }

  mutating func noteControl(_ packet: Packet) {
    totals.controlPackets += 1
    totals.controlBytes += Int64(packet.size)
  }

  package func deallocate() {
    pacer.deallocate()
    arrivals.deallocate()
  }
}
