import Network
import Quantity
import Statistics
import Transport

/// Both ends of one path between a participant and the SFU: pacing and repairs at its sender, feedback and reports at
/// its receiver.
struct PathState: BitwiseCopyable {
  /// Whether its participant is in the meeting.
  var isOpen = false
  var pacer: Pacer
  /// The probe of an allocator that packets belong to now; -1 for none.
  var allocatorProbe: Int32 = -1
  /// When the pacer's pending event is due [ns]; -1 for none.
  var pacerDueAt: Int64 = -1
  var arrivals = ArrivalLog()
  /// When the receiver's next feedback is due.
  var feedbackDueAt = Deadline.never
  var lastFeedbackAt = LastTime.never
  /// When feedback has reached the sender last.
  var heardAt = LastTime.never
  var unreported = UnreportedCounts()
  var losses = LossMeter()
  var repairs = RetransmissionBudget()
  var reports: ReportState
  var totals = Totals()

  /// The numbers that packets have for their receiver alone, where no feedback reports them.
  struct UnreportedCounts: BitwiseCopyable {
    /// At the sender: of the next packet.
    var next: UInt16 = 0
    /// At the receiver: of the last packet that came, and how many have come.
    var newest: UInt16 = 0
    var arrivals = 0
  }

  /// What the sender has put on the path since the beginning.
  struct Totals: BitwiseCopyable {
    /// Media, repairs and padding [byte].
    var mediaBytes: Int64 = 0
    /// Padding [byte]; and without what surrounds its RTP packets.
    var paddingBytes: Int64 = 0
    var paddingRTPBytes: Int64 = 0
    var controlPackets: Int64 = 0
    var controlBytes: Int64 = 0
  }

  /// RTCP sender and receiver reports.
  struct ReportState: BitwiseCopyable {
    var exchange = ReportExchange()
    /// The last round trip by receiver reports; `nil` before the first.
    var roundTrip: SimDuration?
    var times: RandomStream
    /// When the next reports are due; an event at another time is of an earlier connection.
    var senderDueAt = Deadline.never
    var receiverDueAt = Deadline.never
    /// Bytes sent until the last sender report, and its time.
    var reportedBytes: Int64 = 0
    var reportedAt = SimTime.zero
  }

  init(pacer: Pacer, reportTimes: RandomStream) {
    self.pacer = pacer
    reports = ReportState(times: reportTimes)
  }

  /// Opens a new connection: packets that waited for the old one are gone, and its measurements no longer hold.
  ///
  /// - Parameters:
  ///   - next: number of the first packet that will be sent on it.
  ///   - arrived: packets that have come before.
  mutating func open(next: UInt16, arrived: Int) {
    isOpen = true
    pacer.removeAll()
    pacerDueAt = -1
    allocatorProbe = -1
    arrivals.beginConnection(from: next)
    feedbackDueAt = .never
    lastFeedbackAt = .never
    heardAt = .never
    losses.beginConnection(from: next, arrivals: arrived)
    reports.exchange = ReportExchange(from: next, arrivals: arrived)
    reports.roundTrip = nil
  }

  mutating func noteControl(_ packet: Packet) {
    totals.controlPackets += 1
    totals.controlBytes += Int64(packet.size)
  }

  func deallocate() {
    pacer.deallocate()
    arrivals.deallocate()
  }
}
