import Systems

/// Limits the streams received in a channel with more senders than Agora recommends.
///
/// Source: "How many users can Agora Video SDK support": beyond 17 senders each user gets a random 17 of the streams.
/// With 18 hosts each misses one, so a host's own stream counts; an audience member receives 17.
package enum AgoraUserLimit {
  /// Returns the senders that a user receives, in ascending order.
  ///
  /// - Parameters:
  ///   - order: all other senders, in an order random for this user.
  ///   - sends: `true` if the user sends too.
  ///   - limit: maximum number of streams, including the user's own.
  package static func received(order: [Int], sends: Bool, limit: Int) -> [Int] {
    order.prefix(max(0, limit - (sends ? 1 : 0))).sorted()
  }
}
