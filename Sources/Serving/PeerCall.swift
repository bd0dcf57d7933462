import Endpoint
import Quantity
import Systems

/// The two participants of a meeting who are alone in it, and their connection, as the signalling server knows them.
package struct PeerCall {
  /// Two participants, during one stay of each.
  package struct Pair: Equatable {
    package let first: Int
    package let second: Int
    private let stays: [Int]

    /// Finds the two who are alone; `nil` in any other meeting.
    fileprivate init?(in directory: Directory) {
      guard directory.joinedCount == 2 else { return nil }
      let joined = directory.members.indices.filter { directory.members[$0].isJoined }
      (first, second) = (joined[0], joined[1])
      stays = joined.map { directory.presence(of: $0).stay }
    }

    package var members: [Int] { [first, second] }
  }

  /// Progress of the connection.
  private enum Step {
    /// The two are not to connect, or cannot.
    case none
    case waiting, connecting, connected
  }

  private let rules: PeerToPeerRules?
  private var pair: Pair?
  private var step = Step.none
  /// Time of the next step.
  private var dueAt: SimTime?

  init(_ rules: PeerToPeerRules?) { self.rules = rules }

  /// Checks whether a participant is connected to another one.
  package func isConnected(_ participant: Int) -> Bool {
    guard step == .connected, let pair else { return false }
    return participant == pair.first || participant == pair.second
  }

  /// Follows who is in the meeting. Two who are alone connect at once if one of them has just come, or after a while if
  /// others have left (lib-jitsi-meet, `_maybeStartOrStopP2P`).
  ///
  /// - Returns: the two whose connection ends, and the time of the next step; `nil` for none.
  mutating func follow(_ directory: Directory, hasLeft: Bool, at now: SimTime) -> (
    ended: Pair?, due: SimTime?
  ) {
    guard let rules else { return (nil, nil) }
    let alone = Pair(in: directory)
    guard alone != pair else { return (nil, nil) }
    let ended = step == .connected ? pair : nil
    pair = alone
    step = alone == nil ? .none : .waiting
    dueAt = alone == nil ? nil : hasLeft ? now + rules.returnDelay : now
    return (ended, dueAt)
  }

  /// Takes the step that is due: two who have waited begin to connect, and two who have connected send their media to
  /// each other.
  ///
  /// - Returns: the two, and whether they are connected.
  mutating func takeStep(at now: SimTime) -> (pair: Pair, isConnected: Bool)? {
    guard let pair, dueAt == now else { return nil }
    dueAt = nil
    step = step == .waiting ? .connecting : .connected
    return (pair, step == .connected)
  }

  /// Sets the time at which the two are connected; `nil` if they cannot reach each other.
  mutating func connect(at time: SimTime?) {
    dueAt = time
    if time == nil { step = .none }
  }
}
