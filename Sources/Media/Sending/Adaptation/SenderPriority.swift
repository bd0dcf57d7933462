/// Priority of a stream among those of its sender (W3C webrtc-priority, `RTCPriorityType`).
package enum SenderPriority: String, Hashable, Sendable, CaseIterable {
  case veryLow = "very-low"
  case low, medium, high

  /// Weight of its share of the uplink: each priority has twice that of the one below (libwebrtc
  /// `api/rtp_parameters.h`, where `low` is the default, with 1).
  package var weight: Double {
    switch self {
    case .veryLow: 0.5
    case .low: 1
    case .medium: 2
    case .high: 4
    }
  }
}
