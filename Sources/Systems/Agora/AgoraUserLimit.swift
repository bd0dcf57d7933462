/// Whom a user receives of a channel with more senders than Agora recommends.
///
/// Source: "How many users can Agora Video SDK support": above 17 senders each user has a random 17 of the streams. Of
/// 18 hosts each misses one, so a host's own stream counts; somebody of the audience receives 17.
package enum AgoraUserLimit {
  /// The senders that a user receives, rising.
  ///
  /// - Parameters:
  ///   - order: all other senders in an order that is random for this user.
  ///   - sends: whether the user is a sender too.
  ///   - limit: the most streams of a channel, the user's own included.
  package static func received(order: [Int], sends: Bool, limit: Int) -> [Int] {
    order.prefix(max(0, limit - (sends ? 1 : 0))).sorted()
  }
}
