import CrossTraffic
import Quantity
import Testing

/// A network that preserves order and loses the first copies of some segments; all its delays are equal.
private struct Trace {
  var sender: TCPSender
  var receiver: TCPReceiver
  var lost: Set<Int64>
  /// Segment numbers in the order in which they left the sender.
  private(set) var sent: [Int64] = []
  private(set) var windows: [Double] = []
  private var underWay: [TCPSegment] = []
  private var now = SimTime.zero

  init(selective: Bool, lost: Set<Int64>, bytes: ByteCount? = nil) {
    var parameters = TCPParameters()
    parameters.congestionControl = .reno
    parameters.usesSelectiveAcknowledgements = selective
    parameters.delaysAcknowledgements = false
    sender = TCPSender(parameters: parameters, bytes: bytes)
    receiver = TCPReceiver(parameters: parameters)
    self.lost = lost
    sender.start(at: now)
    send()
  }

  private mutating func send() {
    while let segment = sender.next(at: now) {
      sent.append(segment.number)
      if lost.remove(segment.number) == nil { underWay.append(segment) }
    }
  }

  /// Delivers the oldest segment in flight and its acknowledgement.
  mutating func arrive() {
    now += .milliseconds(1)
    guard !underWay.isEmpty else { return }
    guard let ack = receiver.receive(underWay.removeFirst(), at: now) else { return }
    sender.acknowledge(ack, at: now)
    send()
    windows.append(sender.window.segments)
  }

  mutating func arrive(_ count: Int) { for _ in 0..<count { arrive() } }

  mutating func timeOut() {
    now = sender.deadline.time ?? now
    sender.timeout(at: now)
    send()
  }

  var isIdle: Bool { underWay.isEmpty }
}

@Suite("Loss recovery by hand")
struct RecoveryTests {
  @Test func newRenoRepairsALossEachRoundTrip() {
    var trace = Trace(selective: false, lost: [2, 5])
    #expect(trace.sent == Array(0...9))
    trace.arrive(2)
    // Slow start: two for each of 0 and 1; the two duplicates (3, 4) release one each: limited transmit.
    #expect(trace.sent.suffix(4) == [10, 11, 12, 13])
    trace.arrive(2)
    #expect(trace.sent.suffix(2) == [14, 15])
    // The third duplicate (6): 12 is halved, and 2 is retransmitted.
    trace.arrive()
    #expect(trace.sent.last == 2 && trace.sender.phase == .fastRecovery)
    #expect(trace.sender.window.segments == 6)
    // Duplicates 4 to 8 (7 ... 11) reduce the segments in flight from 11 to 6.
    trace.arrive(5)
    #expect(trace.sent.last == 2 && trace.sender.inFlight == 6)
    // 12 ... 15
    trace.arrive(4)
    #expect(trace.sent.suffix(5) == [2, 16, 17, 18, 19])
    // 2 acknowledges everything up to 5, a partial acknowledgement: 5 is retransmitted, plus a new segment.
    trace.arrive()
    #expect(trace.sent.suffix(2) == [5, 20] && trace.sender.phase == .fastRecovery)
    #expect(trace.sender.firstUnacknowledged == 5 && trace.sender.inFlight == 6)
    trace.arrive(4)
    #expect(trace.sent.suffix(4) == [21, 22, 23, 24])
    // 5 acknowledges beyond 15, the last segment when recovery began.
    trace.arrive()
    #expect(trace.sender.phase == .open && trace.sender.firstUnacknowledged == 20)
    #expect(trace.sender.window.segments == 6 && trace.sent.last == 25)
  }

  @Test func selectiveAcknowledgementsRepairBothLossesInOneRoundTrip() {
    var trace = Trace(selective: true, lost: [2, 5])
    trace.arrive(5)
    #expect(trace.sent.suffix(3) == [14, 15, 2] && trace.sender.inFlight == 11)
    // 7, 8: now three above 5 have arrived. 9, 10: six are in flight.
    trace.arrive(4)
    #expect(trace.sent.last == 2 && trace.sender.inFlight == 6)
    trace.arrive(5)
    #expect(trace.sent.suffix(6) == [2, 5, 16, 17, 18, 19])
    trace.arrive()
    #expect(trace.sender.firstUnacknowledged == 5 && trace.sent.last == 20)
    trace.arrive()
    #expect(trace.sender.phase == .open && trace.sender.firstUnacknowledged == 16)
    #expect(trace.sender.window.segments == 6 && trace.sent.last == 21)
  }

  @Test(arguments: [true, false])
  func aLostTailWaitsForTheTimeout(selective: Bool) {
    // 10 segments, the last four of which are lost: nothing follows them that could reveal it.
    var trace = Trace(selective: selective, lost: [6, 7, 8, 9], bytes: ByteCount(14_480))
    trace.arrive(6)
    #expect(trace.isIdle && trace.sender.firstUnacknowledged == 6)
    let before = trace.sent.count
    trace.timeOut()
    #expect(trace.sent[before...] == [6] && trace.sender.phase == .timeoutRecovery)
    // Slow start from a single segment.
    trace.arrive()
    #expect(trace.sent[before...] == [6, 7, 8])
    trace.arrive(3)
    #expect(trace.sent[before...] == [6, 7, 8, 9] && trace.sender.isFinished)
    #expect(trace.receiver.received == ByteCount(14_480))
    #expect(trace.sender.deadline == .never)
  }

  @Test func timeoutsBackOffUntilSomethingComes() throws {
    var sender = TCPSender()
    sender.start(at: .zero)
    while sender.next(at: .zero) != nil {}
    var waits: [Double] = []
    var last = SimTime.zero
    for _ in 0..<9 {
      let now = try #require(sender.deadline.time)
      waits.append((now - last).seconds)
      last = now
      sender.timeout(at: now)
      #expect(sender.next(at: now)?.number == 0)
      #expect(sender.next(at: now) == nil)
    }
    #expect(waits == [1, 2, 4, 8, 16, 32, 64, 120, 120])
    // The threshold is still that of the first timeout.
    #expect(sender.window.threshold == 7)
  }

  @Test func theReceiveWindowCapsWhatIsUnderWay() {
    var parameters = TCPParameters()
    parameters.initialWindow = 100
    parameters.receiveWindow = ByteCount(20 * 1448)
    var sender = TCPSender(parameters: parameters)
    sender.start(at: .zero)
    var count = 0
    while sender.next(at: .zero) != nil { count += 1 }
    #expect(count == 20)
  }

  @Test func theLastSegmentIsAsLongAsWhatIsLeft() {
    var sender = TCPSender(bytes: ByteCount(3000))
    #expect(sender.next(at: .zero) == nil, "before its start")
    sender.start(at: .zero)
    let sizes = (0..<4).map { _ in sender.next(at: .zero)?.size }
    #expect(sizes == [1500, 1500, 156, nil])
  }
}
