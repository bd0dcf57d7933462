import Quantity

/// What a client has called for, and what of it is in force: each call takes ``AgoraParameters/switchDelay``.
struct AgoraRequests {
  private enum Change {
    case streamType(participant: Int, low: Bool)
    case level(AgoraFallback.Level)
  }

  /// In the order of their times, which is that of the calls.
  private var pending: [(due: SimTime, change: Change)] = []
  private let defaultIsLow: Bool
  /// By participant, where it is not the default: the type of the last call, and the type in force.
  private var called: [Int: Bool] = [:]
  private var inForce: [Int: Bool] = [:]
  private(set) var level = AgoraFallback.Level.asWished

  /// - Parameters:
  ///   - low: the default stream type.
  ///   - pinned: participants whose high streams are requested all the same.
  init(low: Bool, pinned: [Int]) {
    defaultIsLow = low
    for participant in pinned { reset(participant, low: false) }
  }

  /// The type in force for a participant.
  func isLow(_ participant: Int) -> Bool { inForce[participant] ?? defaultIsLow }

  /// When the next call takes effect; `nil` if all have.
  var nextDue: SimTime? { pending.first?.due }

  /// Requests a stream type (`setRemoteVideoStream`).
  mutating func setStreamType(of participant: Int, low: Bool, due: SimTime) {
    guard (called[participant] ?? defaultIsLow) != low else { return }
    called[participant] = low
    append(.streamType(participant: participant, low: low), due)
  }

  mutating func setLevel(_ level: AgoraFallback.Level, due: SimTime) { append(.level(level), due) }

  private mutating func append(_ change: Change, _ due: SimTime) {
    pending.append((max(due, pending.last?.due ?? due), change))
  }

  /// Lets the calls take effect whose time has come.
  mutating func apply(at now: SimTime) {
    let count = pending.prefix { $0.due <= now }.count
    for (_, change) in pending[..<count] {
      switch change {
      case .streamType(let participant, let low): inForce[participant] = low
      case .level(let next): level = next
      }
    }
    pending.removeFirst(count)
  }

  /// Sets a participant's stream type at once and drops what is pending for it.
  mutating func reset(_ participant: Int, low: Bool) {
    pending.removeAll {
      if case .streamType(participant, _) = $0.change { true } else { false }
    }
    called[participant] = low
    inForce[participant] = low
  }
}
