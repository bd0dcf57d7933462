import Quantity
import Systems

/// Calls that a client has made, pending and in effect: each takes effect after ``AgoraParameters/switchDelay``.
struct AgoraRequests {
  private enum Change {
    case streamType(participant: Int, low: Bool)
    case level(participant: Int, AgoraFallback.Level)
  }

  /// Pending changes in order of due time, which is the order of the calls.
  private var pending: [(due: SimTime, change: Change)] = []
  private let defaultIsLow: Bool
  /// Stream types last requested, by participant; only those that differ from the default.
  private var called: [Int: Bool] = [:]
  /// Stream types in effect, by participant; only those that differ from the default.
  private var inForce: [Int: Bool] = [:]
  /// Fallbacks in effect, by participant.
  private var levels: [Int: AgoraFallback.Level] = [:]

  /// Creates the initial requests.
  ///
  /// - Parameters:
  ///   - low: `true` if the default stream type is low.
  ///   - pinned: participants whose high streams are requested regardless of the default.
  init(low: Bool, pinned: [Int]) {
    defaultIsLow = low
    for participant in pinned { reset(participant, low: false) }
  }

  /// Checks whether the stream type in effect for a participant is low.
  func isLow(_ participant: Int) -> Bool { inForce[participant] ?? defaultIsLow }

  /// Returns the level in effect for a participant.
  func level(of participant: Int) -> AgoraFallback.Level { levels[participant] ?? .asWished }

  /// `true` while any stream has fallen back.
  var hasFallbacks: Bool { !levels.isEmpty }

  /// Time at which the next pending call takes effect; `nil` if none is pending.
  var nextDue: SimTime? { pending.first?.due }

  /// Requests a stream type (`setRemoteVideoStream`).
  mutating func setStreamType(of participant: Int, low: Bool, due: SimTime) {
    guard (called[participant] ?? defaultIsLow) != low else { return }
    called[participant] = low
    append(.streamType(participant: participant, low: low), due)
  }

  mutating func setLevel(of participant: Int, _ level: AgoraFallback.Level, due: SimTime) {
    append(.level(participant: participant, level), due)
  }

  private mutating func append(_ change: Change, _ due: SimTime) {
    pending.append((max(due, pending.last?.due ?? due), change))
  }

  /// Applies the pending calls that are due.
  mutating func apply(at now: SimTime) {
    let count = pending.prefix { $0.due <= now }.count
    for (_, change) in pending[..<count] {
      switch change {
      case .streamType(let participant, let low): inForce[participant] = low
      case .level(let participant, let next): levels[participant] = next == .asWished ? nil : next
      }
    }
    pending.removeFirst(count)
  }

  /// Sets a participant's stream type at once, without a fallback, and drops pending calls for the participant.
  mutating func reset(_ participant: Int, low: Bool) {
    pending.removeAll {
      switch $0.change {
      case .streamType(participant, _), .level(participant, _): true
      case .streamType, .level: false
      }
    }
    levels[participant] = nil
    called[participant] = low
    inForce[participant] = low
  }
}
