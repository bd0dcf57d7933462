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
  func handle(_ input: ControllerInput, on path: Int, at now: SimTime) -> PathOutlook
  func takeProbe(_ path: Int) -> ProbeCluster?
  /// Returns the state that an allocator follows, with a probe's verdict; this may change the outlook.
  func takeSenderState(_ path: Int, at now: SimTime) -> SenderState?
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

  func handle(_ input: ControllerInput, on path: Int, at now: SimTime) -> PathOutlook {
    controllers[path].handle(input, at: now)
    return outlook(of: path)
  }

  func takeProbe(_ path: Int) -> ProbeCluster? { controllers[path].takeProbe() }

  func takeSenderState(_ path: Int, at now: SimTime) -> SenderState? {
    controllers[path].takeSenderState(at: now)
  }
}
