import Quantity

/// BBR of either version, behind one interface for the sender.
enum BBRControl: BitwiseCopyable, Sendable {
  case version1(BBRWindow)
  case version3(BBR3Window)

  /// Creates the algorithm that the parameters select; `nil` for one without a model of the path.
  init?(_ parameters: TCPParameters) {
    switch parameters.congestionControl {
    case .cubic, .reno: return nil
    case .bbr: self = .version1(BBRWindow(initial: parameters.initialWindow))
    case .bbr3: self = .version3(BBR3Window(initial: parameters.initialWindow))
    }
  }

  /// Window [segment].
  var window: Int {
    switch self {
    case .version1(let model): model.window
    case .version3(let model): model.window
    }
  }

  /// Pacing rate [segment/s].
  var pacingRate: Double {
    switch self {
    case .version1(let model): model.pacingRate
    case .version3(let model): model.pacingRate
    }
  }

  mutating func acknowledge(_ ack: BBRAcknowledgement, isRecovering: Bool, at now: SimTime) {
    switch self {
    case .version1(var model):
      model.acknowledge(ack, isRecovering: isRecovering, at: now)
      self = .version1(model)
    case .version3(var model):
      model.acknowledge(ack, isRecovering: isRecovering, at: now)
      self = .version3(model)
    }
  }

  mutating func collapse() {
    switch self {
    case .version1(var model):
      model.collapse()
      self = .version1(model)
    case .version3(var model):
      model.collapse()
      self = .version3(model)
    }
  }
}

/// Times at which a paced connection may send.
struct SegmentPacing: BitwiseCopyable, Sendable {
  /// Time at which a ready segment may leave; never while none is waiting.
  var waitsUntil = Deadline.never
  private var nextAt = SimTime.zero

  /// Checks whether a segment may leave now; if not, sets ``waitsUntil``.
  mutating func permits(at now: SimTime) -> Bool {
    if nextAt <= now { return true }
    waitsUntil = Deadline(nextAt)
    return false
  }

  /// - Parameter rate: pacing rate [segment/s].
  mutating func noteSent(at rate: Double, _ now: SimTime) {
    let spacing = SimDuration(nanoseconds: Int64((1e9 / max(rate, 0.1)).rounded()))
    nextAt = max(nextAt, now) + spacing
  }
}
