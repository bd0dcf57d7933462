import CongestionControl
public import Network
package import Quantity
public import SimulationKernel
import Statistics
import Transport

/// Transport-wide feedback: arrivals are logged, reported over the simulated reverse path, and passed to the sender's
/// controller.
extension Endpoints {
  /// Logs a voice packet's arrival if voice packets are numbered on its path.
  @inlinable @inline(__always)
  public mutating func noteVoiceArrival(_ packet: Packet, on path: Int, kernel: inout Kernel) {
    if rules.reportsVoice(on: path) || !rules.usesFeedback(on: path) {
      noteArrival(packet, on: path, kernel: &kernel)
    }
  }

  /// Logs a packet's arrival at the end of its path.
  @inlinable @inline(__always)
  public mutating func noteArrival(_ packet: Packet, on path: Int, kernel: inout Kernel) {
    if rules.usesFeedback(on: path) {
      log(packet, on: path, kernel: &kernel)
    } else if countsLosses || rules.receivesEstimates(on: path) {
      count(packet, on: path)
    }
  }

  @usableFromInline
  mutating func count(_ packet: Packet, on path: Int) {
    paths[path].unreported.newest = packet.transportSequence
    paths[path].unreported.arrivals += 1
  }

  @usableFromInline
  mutating func log(_ packet: Packet, on path: Int, kernel: inout Kernel) {
    paths[path].arrivals.append(packet.transportSequence, at: kernel.now)
    guard paths[path].feedback.dueAt == .never else { return }
    let due: SimTime
    if let last = paths[path].feedback.lastAt.time {
      let interval = feedbackInterval(of: path)
      due = last + interval * ((kernel.now - last).nanoseconds / interval.nanoseconds + 1)
    } else {
      due = kernel.now + firstWait(on: path)
    }
    paths[path].feedback.dueAt = Deadline(due)
    kernel.schedule(at: due, tag: MeetingEvent(.feedback, path).tag)
  }

  /// Draws the time until a path's receiver first sends feedback: its clock has been running since before the
  /// connection, at the interval of a receiver without an estimate of its own.
  private mutating func firstWait(on path: Int) -> SimDuration {
    let interval = Double(ArrivalLog.initialInterval.nanoseconds)
    return SimDuration(nanoseconds: Int64(interval * (1 - paths[path].feedback.phases.uniform())))
  }

  /// Returns the interval of a path's feedback, which depends on the estimate of the direction in which the feedback
  /// travels.
  private func feedbackInterval(of path: Int) -> SimDuration {
    ArrivalLog.interval(ownEstimate: controllers.estimate(peers.feedbackPath(of: path)))
  }

  /// Sends a receiver's feedback when it is due.
  package mutating func sendFeedback(on path: Int, links: inout PathLinks, kernel: inout Kernel) {
    guard paths[path].feedback.dueAt == Deadline(kernel.now) else { return }
    paths[path].feedback.dueAt = .never
    guard paths[path].isOpen, let message = paths[path].arrivals.takeMessage() else { return }
    paths[path].feedback.lastAt = LastTime(kernel.now)
    var packet = Packet(
      sentAt: kernel.now, size: message.size, sequence: message.count,
      destination: UInt16(Path.participant(of: path)), kind: PacketKind.transportFeedback.rawValue,
      frame: message.first)
    packet.transportSequence = message.base
    sendControl(packet, against: path, links: &links, kernel: &kernel)
  }

  /// Handles feedback that has reached the sender of a path.
  package mutating func receiveFeedback(_ packet: Packet, on path: Int, kernel: inout Kernel) {
    let first = Int(packet.frame)
    paths[path].heardAt = LastTime(kernel.now)
    controllers.receive(
      base: packet.transportSequence, arrivals: paths[path].arrivals,
      places: first..<first + Int(packet.sequence), on: path, at: kernel.now)
    paths[path].arrivals.noteDelivery(from: first)
    followController(path, kernel: &kernel)
  }

  /// Checks whether an estimate is based on feedback of the last second, not on its absence.
  package func hears(_ path: Int, at now: SimTime) -> Bool {
    !paths[path].heardAt.hasPassed(.seconds(1), at: now)
  }

  /// Performs the controller's periodic work.
  package mutating func process(_ path: Int, kernel: inout Kernel) {
    controllers.process(path, at: kernel.now)
    followController(path, kernel: &kernel)
  }

  /// Sets the pacer to its controller's current target.
  mutating func followController(_ path: Int, kernel: inout Kernel) {
    guard !rules.isAllocatorDriven(path) else { return }
    paths[path].pacer.setRates(controllers.target(path), at: kernel.now)
    while let cluster = controllers.takeProbe(path) { paths[path].pacer.probe(cluster) }
    schedulePacer(path, kernel: &kernel)
  }
}
