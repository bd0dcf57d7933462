import Systems

/// Limit on the streams received in a channel with more senders than Agora recommends.
///
/// Source: "How many users can Agora Video SDK support": beyond 17 senders, each user gets a random 17 of the streams.
/// With 18 hosts, each misses one, so a host's own stream counts; an audience member receives 17. A stream that is
/// being received stays as long as it is sent, and a slot that becomes free goes to the next sender in the user's order
/// [our model].
package struct AgoraUserLimit: Sendable {
  /// Maximum number of streams, including the user's own.
  private let limit: Int
  /// Participants with a camera, in a random order for this user.
  private let order: [Int]
  /// Senders received now.
  package private(set) var received: [Int] = []

  package init(_ limit: Int, order: [Int]) {
    self.limit = limit
    self.order = order
  }

  /// `true` if the user's own stream, or one more stream, would displace a sender.
  package var isReached: Bool { received.count + 1 >= limit }

  /// Updates the senders in the channel.
  ///
  /// - Parameters:
  ///   - others: other participants present whose video is on.
  ///   - sends: `true` while the user's own video is on.
  /// - Returns: the participants whom the user does not receive.
  package mutating func update(others: [Int], sends: Bool) -> Set<Int> {
    let room = max(0, limit - (sends ? 1 : 0))
    guard others.count > room else {
      received = others
      return []
    }
    let senders = order.filter(others.contains)
    let (staying, missed) = (senders.filter(received.contains), senders.filter { !received.contains($0) })
    received = Array((staying + missed).prefix(room))
    return Set(senders).subtracting(received)
  }

  /// Forgets the channel.
  package mutating func leave() { received = [] }
}
