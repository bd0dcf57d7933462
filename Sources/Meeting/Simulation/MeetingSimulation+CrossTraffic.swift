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
    recorder.recordEvent(
      at: kernel.now, participant: nil, event: isDue ? "traffic-start" : "traffic-stop", detail: flow.name,
      result: "ok")
    guard isDue else {
      crossFlows[number].timerAt = .distantFuture
      return
    }
    switch flow.kind {
    case .tcp(let control): beginTransfer(number, TCPSender(control: control), kernel: &kernel)
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
      let segments = UInt32((bytes / 1448).rounded(.up))
      beginTransfer(number, TCPSender(control: control, segments: segments), kernel: &kernel)
    case .constantRate(let rate):
      sendCross(number, TCPSegment(number: 0, sentAt: now), kernel: &kernel)
      setCrossTimer(number, at: now + Self.spacing(at: rate), kernel: &kernel)
    case .onOff(let rate, let on, let off):
      if now >= crossToggleAt[number] {
        crossFlows[number].isOn.toggle()
        crossToggleAt[number] = now + exponential(number, mean: crossFlows[number].isOn ? on : off)
      }
      guard crossFlows[number].isOn else {
        return setCrossTimer(number, at: crossToggleAt[number], kernel: &kernel)
      }
      sendCross(number, TCPSegment(number: 0, sentAt: now), kernel: &kernel)
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
    let expected = crossFlows[number].receiver.receive(packet.sequence)
    crossFlows[number].acknowledgements.append(
      .init(number: expected, echo: packet.sentAt, epoch: packet.destination))
    kernel.schedule(
      after: plan.crossTraffic[number].returnDelay, tag: MeetingEvent(.crossAcknowledgement, number).tag)
  }

  mutating func acknowledgeCross(_ number: Int, kernel: inout Kernel) {
    guard let acknowledgement = crossFlows[number].acknowledgements.removeFirst(),
      acknowledgement.epoch == crossFlows[number].epoch, crossFlows[number].isRunning
    else { return }
    crossFlows[number].sender.acknowledge(acknowledgement.number, echo: acknowledgement.echo, at: kernel.now)
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

  private mutating func beginTransfer(_ number: Int, _ sender: TCPSender, kernel: inout Kernel) {
    crossFlows[number].sender = sender
    crossFlows[number].receiver = TCPReceiver()
    crossFlows[number].epoch &+= 1
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
      sentAt: segment.sentAt, size: TCPSender.segmentSize, stream: UInt16(number), sequence: segment.number,
      destination: crossFlows[number].epoch, kind: PacketKind.crossTraffic.rawValue)
    network.send(packet, on: UInt16(plan.crossTraffic[number].link), kernel: &kernel)
  }

  private static func spacing(at rate: BitRate) -> SimDuration {
    SimDuration(nanoseconds: Int64(TCPSender.segmentSize) * 8_000_000_000 / max(rate.bitsPerSecond, 1))
  }
}
