import CrossTraffic
import Endpoint
import Metrics
import Network
import Plan
import Quantity
import SimulationKernel
import Statistics
import Transport

/// Cross traffic: it shares a link with the meeting's packets, and terminates at the end of that link.
struct CrossTrafficFlows: ~Copyable {
  private let plans: [CrossTrafficPlan]
  private var flows: [CrossFlowState]

  init(_ plans: [CrossTrafficPlan], seed: RunSeed) {
    self.plans = plans
    flows = plans.map { CrossFlowState(draws: seed.stream("traffic/\($0.name)")) }
  }

  deinit {
    for flow in flows { flow.answers.deallocate() }
  }

  /// Schedules the periods of every flow.
  func begin(until end: SimTime, kernel: inout Kernel) {
    for (index, flow) in plans.enumerated() {
      for period in flow.periods {
        kernel.schedule(at: period.lowerBound, tag: MeetingEvent(.crossSwitch, index).tag)
        guard period.upperBound <= end else { continue }
        kernel.schedule(at: period.upperBound, tag: MeetingEvent(.crossSwitch, index).tag)
      }
    }
  }

  /// Begins or ends a flow's active period.
  mutating func toggle(
    _ number: Int, recording: inout Recording, links: inout PathLinks, kernel: inout Kernel
  ) {
    let flow = plans[number]
    let isDue = flow.periods.contains { $0.contains(kernel.now) }
    guard isDue != flows[number].isRunning else { return }
    flows[number].isRunning = isDue
    recording.record(
      EventRow(
        participant: nil, event: isDue ? "traffic-start" : "traffic-stop", detail: flow.name,
        result: "ok"), at: kernel.now)
    guard isDue else {
      flows[number].timerAt = .never
      return
    }
    switch flow.kind {
    case .tcp(let control): beginTransfer(number, control, links: &links, kernel: &kernel)
    case .shortTCP: setTimer(number, at: kernel.now + pause(of: number), kernel: &kernel)
    case .constantRate: setTimer(number, at: kernel.now, kernel: &kernel)
    case .onOff(_, let on, _):
      flows[number].isOn = true
      flows[number].togglesAt = kernel.now + exponential(number, mean: on)
      setTimer(number, at: kernel.now, kernel: &kernel)
    }
  }

  /// Handles a flow's timer: a packet, a transfer or a timeout is due.
  mutating func timerFired(_ number: Int, links: inout PathLinks, kernel: inout Kernel) {
    let now = kernel.now
    guard flows[number].isRunning, flows[number].timerAt == Deadline(now) else { return }
    flows[number].timerAt = .never
    switch plans[number].kind {
    case .tcp: timeOut(number, links: &links, kernel: &kernel)
    case .shortTCP(let control):
      guard flows[number].sender.isFinished || flows[number].epoch == 0 else {
        return timeOut(number, links: &links, kernel: &kernel)
      }
      let bytes = 30_000 + 20_000 * flows[number].draws.uniform()
      beginTransfer(number, control, bytes: ByteCount(Int64(bytes)), links: &links, kernel: &kernel)
    case .constantRate(let rate):
      send(number, Self.datagram(at: now), links: &links, kernel: &kernel)
      setTimer(number, at: now + Self.spacing(at: rate), kernel: &kernel)
    case .onOff(let rate, let on, let off):
      if now >= flows[number].togglesAt {
        flows[number].isOn.toggle()
        flows[number].togglesAt = now + exponential(number, mean: flows[number].isOn ? on : off)
      }
      guard flows[number].isOn else {
        return setTimer(number, at: flows[number].togglesAt, kernel: &kernel)
      }
      send(number, Self.datagram(at: now), links: &links, kernel: &kernel)
      setTimer(number, at: now + Self.spacing(at: rate), kernel: &kernel)
    }
  }

  /// Returns the index of the link of a packet's flow.
  func link(of packet: Packet) -> Int { plans[Int(packet.stream)].link }

  /// Handles a packet of a flow that has reached the end of its link.
  mutating func receive(_ packet: Packet, kernel: inout Kernel) {
    let number = Int(packet.stream)
    switch plans[number].kind {
    case .constantRate, .onOff: return
    case .tcp, .shortTCP: break
    }
    guard packet.destination == flows[number].epoch else { return }
    // Packets carry only the lower half of a segment number.
    let next = flows[number].receiver.next
    let ahead = Int32(bitPattern: packet.sequence &- UInt32(truncatingIfNeeded: next))
    let segment = TCPSegment(number: next + Int64(ahead), size: Int32(packet.size), sentAt: packet.sentAt)
    answer(number, with: flows[number].receiver.receive(segment, at: kernel.now), kernel: &kernel)
    let due = flows[number].receiver.deadline
    guard let time = due.time, due != flows[number].delayedAnswerAt else { return }
    flows[number].delayedAnswerAt = due
    kernel.schedule(at: time, tag: MeetingEvent(.crossDelayedAnswer, number).tag)
  }

  mutating func sendDelayedAnswer(_ number: Int, kernel: inout Kernel) {
    guard flows[number].delayedAnswerAt == Deadline(kernel.now) else { return }
    flows[number].delayedAnswerAt = .never
    answer(number, with: flows[number].receiver.timeout(at: kernel.now), kernel: &kernel)
  }

  private mutating func answer(
    _ number: Int, with acknowledgement: TCPAcknowledgement?, kernel: inout Kernel
  ) {
    guard let acknowledgement else { return }
    flows[number].answers.append(
      .init(acknowledgement: acknowledgement, epoch: flows[number].epoch))
    kernel.schedule(
      after: plans[number].returnDelay, tag: MeetingEvent(.crossAcknowledgement, number).tag)
  }

  mutating func receiveAnswer(_ number: Int, links: inout PathLinks, kernel: inout Kernel) {
    guard let answer = flows[number].answers.removeFirst(), answer.epoch == flows[number].epoch,
      flows[number].isRunning
    else { return }
    flows[number].sender.acknowledge(answer.acknowledgement, at: kernel.now)
    pump(number, links: &links, kernel: &kernel)
    guard case .shortTCP = plans[number].kind, flows[number].sender.isFinished else {
      return
    }
    setTimer(number, at: kernel.now + exponential(number, mean: Self.shortPause), kernel: &kernel)
  }

  private static var shortPause: SimDuration { .seconds(10) }

  /// Returns the time to the first transfer of a short flow: zero if it starts busy, otherwise a pause.
  private mutating func pause(of number: Int) -> SimDuration {
    plans[number].startsBusy ? .zero : exponential(number, mean: Self.shortPause)
  }

  private mutating func exponential(_ number: Int, mean: SimDuration) -> SimDuration {
    SimDuration(nanoseconds: Int64(flows[number].draws.exponential(mean: mean.seconds) * 1e9))
  }

  private mutating func beginTransfer(
    _ number: Int, _ control: TCPCongestionControl, bytes: ByteCount? = nil,
    links: inout PathLinks, kernel: inout Kernel
  ) {
    var parameters = TCPParameters()
    parameters.congestionControl = control
    flows[number].sender = TCPSender(parameters: parameters, bytes: bytes)
    flows[number].receiver = TCPReceiver(parameters: parameters)
    flows[number].delayedAnswerAt = .never
    flows[number].epoch &+= 1
    flows[number].sender.start(at: kernel.now)
    pump(number, links: &links, kernel: &kernel)
  }

  private mutating func timeOut(_ number: Int, links: inout PathLinks, kernel: inout Kernel) {
    if flows[number].sender.deadline.isDue(at: kernel.now) { flows[number].sender.timeout(at: kernel.now) }
    pump(number, links: &links, kernel: &kernel)
  }

  /// Sends the segments that the window allows and sets the timer.
  private mutating func pump(_ number: Int, links: inout PathLinks, kernel: inout Kernel) {
    while let segment = flows[number].sender.next(at: kernel.now) {
      send(number, segment, links: &links, kernel: &kernel)
    }
    let deadline = flows[number].sender.deadline
    guard let time = deadline.time, deadline != flows[number].timerAt else { return }
    setTimer(number, at: time, kernel: &kernel)
  }

  private mutating func setTimer(_ number: Int, at time: SimTime, kernel: inout Kernel) {
    flows[number].timerAt = Deadline(time)
    kernel.schedule(at: time, tag: MeetingEvent(.crossTimer, number).tag)
  }

  private mutating func send(
    _ number: Int, _ segment: TCPSegment, links: inout PathLinks, kernel: inout Kernel
  ) {
    let packet = Packet(
      sentAt: segment.sentAt, size: UInt16(segment.size), stream: UInt16(number),
      sequence: UInt32(truncatingIfNeeded: segment.number),
      destination: flows[number].epoch, kind: PacketKind.crossTraffic.rawValue)
    links.send(packet, onLink: UInt16(plans[number].link), kernel: &kernel)
  }

  /// Size of a constant-rate flow's packets on the wire [byte].
  private static var datagramSize: Int32 { 1500 }

  private static func datagram(at now: SimTime) -> TCPSegment {
    TCPSegment(number: 0, size: datagramSize, sentAt: now)
  }

  private static func spacing(at rate: BitRate) -> SimDuration {
    SimDuration(nanoseconds: Int64(datagramSize) * 8_000_000_000 / max(rate.bitsPerSecond, 1))
  }
}
