import CongestionControl
import Network
import Quantity
import SimulationKernel
import Transport

/// Transport-wide feedback: what receivers note, send back over the real reverse path, and what senders make of it.
extension MeetingSimulation {
  /// Notes a packet's arrival at the end of its path.
  @inline(__always)
  mutating func noteArrival(_ packet: Packet, on path: Int, kernel: inout Kernel) {
    guard usesFeedback else { return }
    paths[path].arrivals.append(packet.transportSequence, at: kernel.now)
    guard !paths[path].hasFeedbackEvent else { return }
    paths[path].hasFeedbackEvent = true
    let due = paths[path].lastFeedbackAt + feedbackInterval(of: path)
    kernel.schedule(
      at: max(due, kernel.now + .milliseconds(1)), tag: MeetingEvent(.feedback, path).tag)
  }

  /// The receiving end's own estimate decides how often it reports.
  private func feedbackInterval(of path: Int) -> SimDuration {
    let participant = Path.participant(of: path)
    let reverse = Path.isUp(path) ? Path.down(participant) : Path.up(participant)
    return ArrivalLog.interval(ownEstimate: controllers.estimate(reverse))
  }

  /// A receiver's feedback is due.
  mutating func report(on path: Int, kernel: inout Kernel) {
    paths[path].hasFeedbackEvent = false
    let participant = Path.participant(of: path)
    guard participants[participant].isJoined, let message = paths[path].arrivals.takeMessage() else { return }
    paths[path].lastFeedbackAt = kernel.now
    var packet = Packet(
      sentAt: kernel.now, size: message.size, sequence: message.count, destination: UInt16(participant),
      kind: PacketKind.transportFeedback.rawValue, frame: message.first)
    packet.transportSequence = message.base
    sendControl(packet, against: path, kernel: &kernel)
  }

  /// Sends an RTCP packet on the way back of a path.
  mutating func sendControl(_ packet: Packet, against path: Int, kernel: inout Kernel) {
    let participant = Path.participant(of: path)
    let reverse = Path.isUp(path) ? Path.down(participant) : Path.up(participant)
    var packet = packet
    packet.destination = UInt16(participant)
    paths[reverse].noteControl(packet)
    network.send(packet, on: firstLink[reverse], kernel: &kernel)
  }

  /// Feedback has reached the sender of a path.
  mutating func learn(from packet: Packet, on path: Int, kernel: inout Kernel) {
    let first = Int(packet.frame)
    controllers.receive(
      base: packet.transportSequence, arrivals: paths[path].arrivals,
      places: first..<first + Int(packet.sequence), on: path, at: kernel.now)
    paths[path].arrivals.noteDelivery(from: first)
    followController(path, kernel: &kernel)
  }

  /// The controllers' periodic work, every 25 ms as in libwebrtc (`api/transport/goog_cc_factory.cc`).
  mutating func control(kernel: inout Kernel) {
    kernel.schedule(after: Self.controlPeriod, tag: MeetingEvent(.control).tag)
    for participant in participants.indices where participants[participant].isJoined {
      for path in Path.up(participant)...Path.down(participant) where firstLink[path] != .max {
        controllers.process(path, at: kernel.now)
        followController(path, kernel: &kernel)
      }
    }
  }

  /// Gives the pacer what its controller says now.
  private mutating func followController(_ path: Int, kernel: inout Kernel) {
    paths[path].pacer.setRates(controllers.target(path), at: kernel.now)
    while let cluster = controllers.takeProbe(path) { paths[path].pacer.probe(cluster) }
    schedulePacer(path, kernel: &kernel)
    if Path.isUp(path) { followUplink(of: Path.participant(of: path), kernel: &kernel) }
  }
}
