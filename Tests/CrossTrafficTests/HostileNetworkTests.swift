import CrossTraffic
import Quantity
import Statistics
import Testing

/// A network that randomly loses, delays and thereby reorders segments and acknowledgements.
private struct HostileNetwork {
  var sender: TCPSender
  var receiver: TCPReceiver
  var stream: RandomStream
  let loss: UInt64?
  private var segments: [(at: SimTime, segment: TCPSegment)] = []
  private var answers: [(at: SimTime, ack: TCPAcknowledgement)] = []
  private(set) var now = SimTime.zero
  private(set) var leastInFlight = 0

  init(parameters: TCPParameters, bytes: ByteCount, loss: Double, stream: RandomStream) {
    sender = TCPSender(parameters: parameters, bytes: bytes)
    receiver = TCPReceiver(parameters: parameters)
    self.stream = stream
    self.loss = Fraction(loss)?.threshold
    sender.start(at: now)
    send()
  }

  private mutating func arrival() -> SimTime? {
    // 20 to 30 ms: with some 10 segments in that time, many overtake each other.
    let delay = SimDuration.microseconds(20_000 + Int64(stream.index(below: 10_000)))
    return stream.happens(threshold: loss) ? nil : now + delay
  }

  private mutating func send() {
    while let segment = sender.next(at: now) {
      if let at = arrival() { segments.append((at, segment)) }
    }
    leastInFlight = min(leastInFlight, sender.inFlight)
  }

  private mutating func answer(_ ack: TCPAcknowledgement?) {
    if let ack, let at = arrival() { answers.append((at, ack)) }
  }

  /// Runs until everything is acknowledged; returns whether that happened before `end`.
  mutating func finish(before end: SimTime) -> Bool {
    while !sender.isFinished {
      let segment = segments.indices.min { segments[$0].at < segments[$1].at }
      let ack = answers.indices.min { answers[$0].at < answers[$1].at }
      let segmentAt = segment.map { Deadline(segments[$0].at) } ?? .never
      let ackAt = ack.map { Deadline(answers[$0].at) } ?? .never
      let next = min(segmentAt, ackAt, receiver.deadline, sender.deadline)
      guard let time = next.time, time < end else { return false }
      now = time
      if let segment, segmentAt == next {
        answer(receiver.receive(segments.remove(at: segment).segment, at: now))
      } else if let ack, ackAt == next {
        sender.acknowledge(answers.remove(at: ack).ack, at: now)
        send()
      } else if receiver.deadline == next {
        answer(receiver.timeout(at: now))
      } else {
        sender.timeout(at: now)
        send()
      }
    }
    return true
  }
}

@Suite("TCP through a network that loses and reorders")
struct HostileNetworkTests {
  @Test(arguments: TCPCongestionControl.allCases, [true, false])
  func everyByteArrivesOnce(control: TCPCongestionControl, selective: Bool) {
    var parameters = TCPParameters()
    parameters.congestionControl = control
    parameters.usesSelectiveAcknowledgements = selective
    // A small ring wraps often.
    parameters.receiveWindow = ByteCount(20 * 1448)
    for repetition in 0..<20 {
      var stream = RandomStream(seed: 3, repetition: repetition, name: "hostile")
      let bytes = ByteCount(1 + Int64(stream.index(below: 400_000)))
      let loss = [0, 0.01, 0.1, 0.3][repetition % 4]
      var network = HostileNetwork(parameters: parameters, bytes: bytes, loss: loss, stream: stream)
      let isFinished = network.finish(before: seconds(100_000))
      #expect(isFinished, "stuck at \(network.sender.firstUnacknowledged), repetition \(repetition)")
      #expect(network.receiver.received == bytes)
      #expect(network.leastInFlight >= 0)
      #expect(network.sender.inFlight == 0)
    }
  }
}
