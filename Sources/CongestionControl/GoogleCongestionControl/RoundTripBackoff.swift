/// Lowers the target while feedback stays away (libwebrtc `send_side_bandwidth_estimation.cc`): above 3 s by a fifth
/// each second, to no less than 5 kbit/s.
struct RoundTripBackoff: Sendable {
  private static let limit: Int64 = 3_000_000_000
  static let factor = 0.8
  static let interval: Int64 = 1_000_000_000
  static let floor = 5.0

  private var updatedAt: Int64?
  private var propagation: Int64 = 0
  private var lastSentAt: Int64?

  mutating func update(propagation: Int64, at now: Int64) {
    self.propagation = propagation
    updatedAt = now
  }

  mutating func send(at now: Int64) { lastSentAt = now }

  func isAboveLimit(at now: Int64) -> Bool {
    guard let updatedAt else { return false }
    let sinceSent = lastSentAt.map { now - $0 } ?? now - updatedAt
    return max(now - updatedAt - sinceSent, 0) + propagation > Self.limit
  }
}
