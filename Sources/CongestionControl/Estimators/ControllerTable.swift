package import Quantity

/// Type-erased controllers of a meeting's paths, by path index.
///
/// Calls are dynamically dispatched, once per batch of packets, message or timer, never per packet. Every call that can
/// change a controller's output returns its outlook.
package protocol PathControllers: AnyObject {
  func outlook(of path: Int) -> PathOutlook
  /// Resets the controller for a new connection.
  func restart(_ path: Int, at now: SimTime) -> PathOutlook
  func send(_ packets: Span<SentPacket>, on path: Int)
  func receive(_ feedback: [PacketResult], on path: Int, at now: SimTime) -> PathOutlook
  func receive(lost: Int, of packets: Int, roundTrip: SimDuration, on path: Int, at now: SimTime)
    -> PathOutlook
  func process(_ path: Int, at now: SimTime) -> PathOutlook
  func demand(_ demand: SenderDemand, on path: Int, at now: SimTime) -> PathOutlook
  func observe(capacity: BitRate, on path: Int, at now: SimTime) -> PathOutlook
  func receive(estimate: BitRate, on path: Int, at now: SimTime) -> PathOutlook
  func takeProbe(_ path: Int) -> ProbeCluster?

  // For allocators, see ``RateController``.
  func congestion(of path: Int) -> PathCongestion
  func mayProbe(_ path: Int, at now: SimTime) -> Bool
  func probeDuration(of path: Int) -> SimDuration
  func carryOut(_ command: SenderCommand, on path: Int, at now: SimTime) -> PathOutlook
  /// Returns a probe's result once; this may change the outlook.
  func takeProbeVerdict(_ path: Int, at now: SimTime) -> ProbeVerdict?
}

/// Controllers of one type, mutated in place. Path indices are internal, never user input.
final class ControllerTable<Controller: RateController & ~Copyable>: PathControllers {
  private let parameters: Controller.Parameters
  private let controllers: UnsafeMutablePointer<Controller>
  private let count: Int

  init(_ parameters: Controller.Parameters, paths: Int) {
    self.parameters = parameters
    count = paths
    controllers = .allocate(capacity: paths)
    for path in 0..<paths {
      (controllers + path).initialize(to: Controller(parameters: parameters, at: .zero))
    }
  }

  deinit {
    controllers.deinitialize(count: count)
    controllers.deallocate()
  }

  func outlook(of path: Int) -> PathOutlook {
    assert(path >= 0 && path < count)
    return controllers[path].outlook()
  }

  func restart(_ path: Int, at now: SimTime) -> PathOutlook {
    controllers[path] = Controller(parameters: parameters, at: now)
    return outlook(of: path)
  }

  func send(_ packets: Span<SentPacket>, on path: Int) { controllers[path].send(packets) }

  func receive(_ feedback: [PacketResult], on path: Int, at now: SimTime) -> PathOutlook {
    controllers[path].receive(feedback, at: now)
    return outlook(of: path)
  }

  func receive(lost: Int, of packets: Int, roundTrip: SimDuration, on path: Int, at now: SimTime)
    -> PathOutlook
  {
    controllers[path].receive(lost: lost, of: packets, roundTrip: roundTrip, at: now)
    return outlook(of: path)
  }

  func process(_ path: Int, at now: SimTime) -> PathOutlook {
    controllers[path].process(at: now)
    return outlook(of: path)
  }

  func demand(_ demand: SenderDemand, on path: Int, at now: SimTime) -> PathOutlook {
    controllers[path].demand(demand, at: now)
    return outlook(of: path)
  }

  func observe(capacity: BitRate, on path: Int, at now: SimTime) -> PathOutlook {
    controllers[path].observe(capacity: capacity, at: now)
    return outlook(of: path)
  }

  func receive(estimate: BitRate, on path: Int, at now: SimTime) -> PathOutlook {
    controllers[path].receive(estimate: estimate, at: now)
    return outlook(of: path)
  }

  func takeProbe(_ path: Int) -> ProbeCluster? { controllers[path].takeProbe() }

  func congestion(of path: Int) -> PathCongestion { controllers[path].congestion }

  func mayProbe(_ path: Int, at now: SimTime) -> Bool { controllers[path].mayProbe(at: now) }

  func probeDuration(of path: Int) -> SimDuration { controllers[path].probeDuration }

  func carryOut(_ command: SenderCommand, on path: Int, at now: SimTime) -> PathOutlook {
    controllers[path].carryOut(command, at: now)
    return outlook(of: path)
  }

  func takeProbeVerdict(_ path: Int, at now: SimTime) -> ProbeVerdict? {
    controllers[path].takeProbeVerdict(at: now)
  }
}
