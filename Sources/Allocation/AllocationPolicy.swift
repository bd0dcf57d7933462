package import Quantity

/// The rules by which a budget is shared among wishes.
///
/// A pure function: the same budget and wishes give the same grants. Whatever needs time or memory is a state machine
/// of its own beside the policy.
package protocol AllocationPolicy: Sendable {
  /// One grant for each wish, in the wishes' order.
  ///
  /// - Parameters:
  ///   - budget: what the way to the viewer carries of video.
  ///   - cap: what the viewer's client accepts of it; the grants keep within both.
  ///   - wishes: what the viewer wants.
  func allocate(budget: BitRate, cap: BitRate, wishes: [Wish]) -> [Grant]
}

extension AllocationPolicy {
  /// As ``allocate(budget:cap:wishes:)`` for a client that accepts whatever its way carries.
  package func allocate(budget: BitRate, wishes: [Wish]) -> [Grant] {
    allocate(budget: budget, cap: .unlimited, wishes: wishes)
  }
}

/// A policy by name, with its parameters.
package enum PolicyConfiguration: Hashable, Sendable {
  case bluejeans(BlueJeansParameters)
  case agora(AgoraParameters)
  case stream(StreamParameters)
  case janus

  package var name: String {
    switch self {
    case .bluejeans: "bluejeans"
    case .agora: "agora"
    case .stream: "stream"
    case .janus: "janus"
    }
  }

  /// The policy with these parameters.
  package var policy: any AllocationPolicy {
    switch self {
    case .bluejeans(let parameters): BlueJeansPolicy(parameters: parameters)
    case .agora: AgoraPolicy()
    case .stream: StreamPolicy()
    case .janus: JanusPolicy()
    }
  }

  /// How long a change of the meeting takes to reach the allocation.
  package var reactionDelay: SimDuration {
    switch self {
    case .bluejeans(let parameters): parameters.reactionDelay
    case .agora(let parameters): parameters.switchDelay
    case .stream(let parameters): parameters.immediate
    case .janus: .milliseconds(20)
    }
  }

  /// Every policy, with a line on it and where its rules come from.
  package static let all: [(name: String, summary: String, source: String)] = [
    (
      "bluejeans",
      "priority-ordered requests, best effort down and up, 25 streams, slots for recent speakers; built-in layouts in "
        + "which nobody moves without need",
      "BlueJeans iOS, Android and web SDK documents and bundle; the server's shares are our model"
    ),
    (
      "agora",
      "dual stream: high or low per remote user, low once a host asks for it; fallback to low and then to audio, at "
        + "most 17 streams",
      "Agora documents on dual stream and fallback; thresholds and times are our model"
    ),
    (
      "stream",
      "tile size and visibility choose the layer, or an override; hidden tiles are unsubscribed or kept, as the client "
        + "(guide, ios, javascript) does",
      "GetStream video SDKs for iOS and JavaScript; the layer rule is LiveKit's, the SFU itself is closed"
    ),
    (
      "janus", "no allocation: the viewer names the encoding; publishers send every encoding",
      "Janus videoroom (substream)"
    ),
  ]
}
