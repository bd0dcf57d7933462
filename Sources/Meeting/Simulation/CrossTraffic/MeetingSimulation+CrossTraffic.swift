import CrossTraffic
import Metrics
import Network
import Quantity
import SimulationKernel
import Statistics
import Transport

/// Traffic that is no meeting's: it shares a link with the meeting's packets and ends where the link ends.
extension MeetingSimulation {
  /// A period of a flow begins or ends.
  mutating func switchCrossTraffic(_ number: Int, kernel: inout Kernel) {
    let flow = plan.crossTraffic[number]
    let isDue = flow.periods.contains { $0.contains(kernel.now) }
    guard isDue != crossFlows[number].isRunning else { return }
    crossFlows[number].isRunning = isDue
    recorder.record(
      EventRow(
        participant: nil, event: isDue ? "traffic-start" : "traffic-stop", detail: flow.name,
        result: "ok"), at: kernel.now)
    guard isDue else {
      crossFlows[number].timerAt = .distantFuture
      return
    }
    switch flow.kind {
    case .tcp(let control): beginTransfer(number, control, kernel: &kernel)
    case .shortTCP: setCrossTimer(number, at: kernel.now + pause(of: number), kernel: &kernel)
    case .constantRate: setCrossTimer(number, at: kernel.now, kernel: &kernel)
    case .onOff(_, let on, _):
      crossFlows[number].isOn = true
      crossToggleAt[number] = kernel.now + exponential(number, mean: on)
      setCrossTimer(number, at: kernel.now, kernel: &kernel)
    }
  }

  /// A flow's timer: a packet, a transfer or a timeout is due.
  mutating func crossTimer(_ number: Int, kernel: inout Kernel) {
    let now = kernel.now
    guard crossFlows[number].isRunning, crossFlows[number].timerAt == now else { return }
    crossFlows[number].timerAt = .distantFuture
    switch plan.crossTraffic[number].kind {
    case .tcp: timeOut(number, kernel: &kernel)
    case .shortTCP(let control):
      guard crossFlows[number].sender.isFinished || crossFlows[number].epoch == 0 else {
        return timeOut(number, kernel: &kernel)
      }
      let bytes = 30_000 + 20_000 * crossFlows[number].draws.uniform()
      beginTransfer(number, control, bytes: ByteCount(Int64(bytes)), kernel: &kernel)
    case .constantRate(let rate):
      sendCross(number, Self.datagram(at: now), kernel: &kernel)
      setCrossTimer(number, at: now + Self.spacing(at: rate), kernel: &kernel)
    case .onOff(let rate, let on, let off):
      if now >= crossToggleAt[number] {
        crossFlows[number].isOn.toggle()
        crossToggleAt[number] = now + exponential(number, mean: crossFlows[number].isOn ? on : off)
      }
      guard crossFlows[number].isOn else {
        return setCrossTimer(number, at: crossToggleAt[number], kernel: &kernel)
      }
      sendCross(number, Self.datagram(at: now), kernel: &kernel)
      setCrossTimer(number, at: now + Self.spacing(at: rate), kernel: &kernel)
    }
  }

  /// A packet of a flow has come to the end of its link.
  mutating func receiveCross(_ packet: Packet, kernel: inout Kernel) {
    let number = Int(packet.stream)
    switch plan.crossTraffic[number].kind {
    case .constantRate, .onOff: return
    case .tcp, .shortTCP: break
    }
    guard packet.destination == crossFlows[number].epoch else { return }
    let segment = TCPSegment(number: Int64(packet.sequence), size: Int32(packet.size), sentAt: packet.sentAt)
    answer(number, with: crossFlows[number].receiver.receive(segment, at: kernel.now), kernel: &kernel)
    let due = crossFlows[number].receiver.deadline
    guard due != .distantFuture, due != crossFlows[number].delayedAnswerAt else { return }
    crossFlows[number].delayedAnswerAt = due
    kernel.schedule(at: due, tag: MeetingEvent(.crossDelayedAnswer, number).tag)
  }

  mutating func answerDelayed(_ number: Int, kernel: inout Kernel) {
    guard crossFlows[number].delayedAnswerAt == kernel.now else { return }
    crossFlows[number].delayedAnswerAt = .distantFuture
    answer(number, with: crossFlows[number].receiver.timeout(at: kernel.now), kernel: &kernel)
  }

  private mutating func answer(
    _ number: Int, with acknowledgement: TCPAcknowledgement?, kernel: inout Kernel
  ) {
    guard let acknowledgement else { return }
    crossFlows[number].answers.append(
      .init(acknowledgement: acknowledgement, epoch: crossFlows[number].epoch))
    kernel.schedule(
      after: plan.crossTraffic[number].returnDelay, tag: MeetingEvent(.crossAcknowledgement, number).tag)
  }

  mutating func acknowledgeCross(_ number: Int, kernel: inout Kernel) {
    guard let answer = crossFlows[number].answers.removeFirst(), answer.epoch == crossFlows[number].epoch,
      crossFlows[number].isRunning
    else { return }
    crossFlows[number].sender.acknowledge(answer.acknowledgement, at: kernel.now)
    pump(number, kernel: &kernel)
    guard case .shortTCP = plan.crossTraffic[number].kind, crossFlows[number].sender.isFinished else {
      return
    }
    setCrossTimer(number, at: kernel.now + exponential(number, mean: Self.shortPause), kernel: &kernel)
  }

  private static var shortPause: SimDuration { .seconds(10) }

  /// The first transfer of a short flow: at once for one that starts busy, else after a pause.
  private mutating func pause(of number: Int) -> SimDuration {
    plan.crossTraffic[number].startsBusy ? .zero : exponential(number, mean: Self.shortPause)
  }

  private mutating func exponential(_ number: Int, mean: SimDuration) -> SimDuration {
    SimDuration(nanoseconds: Int64(crossFlows[number].draws.exponential(mean: mean.seconds) * 1e9))
  }

  private mutating func beginTransfer(
    _ number: Int, _ control: TCPCongestionControl, bytes: ByteCount? = nil, kernel: inout Kernel
  ) {
    var parameters = TCPParameters()
    parameters.congestionControl = control
    crossFlows[number].sender = TCPSender(parameters: parameters, bytes: bytes)
    crossFlows[number].receiver = TCPReceiver(parameters: parameters)
    crossFlows[number].delayedAnswerAt = .distantFuture
    crossFlows[number].epoch &+= 1
    crossFlows[number].sender.start(at: kernel.now)
    pump(number, kernel: &kernel)
  }

  private mutating func timeOut(_ number: Int, kernel: inout Kernel) {
    if crossFlows[number].sender.deadline <= kernel.now { crossFlows[number].sender.timeout(at: kernel.now) }
    pump(number, kernel: &kernel)
  }

  /// Sends what the window allows and sets the timer.
  private mutating func pump(_ number: Int, kernel: inout Kernel) {
    while let segment = crossFlows[number].sender.next(at: kernel.now) {
      sendCross(number, segment, kernel: &kernel)
    }
    let deadline = crossFlows[number].sender.deadline
    guard deadline != .distantFuture, deadline != crossFlows[number].timerAt else { return }
    setCrossTimer(number, at: deadline, kernel: &kernel)
  }

  private mutating func setCrossTimer(_ number: Int, at time: SimTime, kernel: inout Kernel) {
    crossFlows[number].timerAt = time
    kernel.schedule(at: time, tag: MeetingEvent(.crossTimer, number).tag)
  }

  private mutating func sendCross(_ number: Int, _ segment: TCPSegment, kernel: inout Kernel) {
    let packet = Packet(
      sentAt: segment.sentAt, size: UInt16(segment.size), stream: UInt16(number),
      sequence: UInt32(segment.number),
      destination: crossFlows[number].epoch, kind: PacketKind.crossTraffic.rawValue)
    network.send(packet, on: UInt16(plan.crossTraffic[number].link), kernel: &kernel)
  }

  /// Size on the wire of a packet of a constant rate [byte].
  private static var datagramSize: Int32 { 1500 }

  private static func datagram(at now: SimTime) -> TCPSegment {
    TCPSegment(number: 0, size: datagramSize, sentAt: now)
  }

  private static func spacing(at rate: BitRate) -> SimDuration {
    SimDuration(nanoseconds: Int64(datagramSize) * 8_000_000_000 / max(rate.bitsPerSecond, 1))
  }
}
