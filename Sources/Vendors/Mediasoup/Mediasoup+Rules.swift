import Systems

extension Mediasoup {
  /// Rules by which tiles are allocated their layers.
  static let rules = [
    RuleDescription(
      "MediasoupRule",
      "Consumers are served by priority: in the first round each takes one step, in later ones as many as "
        + "its priority says, until none fits; a source with one encoding flows whatever is left.",
      source: "mediasoup, Transport::DistributeAvailableOutgoingBitrate"),
    RuleDescription(
      "MediasoupClient",
      "The client has closed or paused the consumer.",
      source: "mediasoup's demo app"),
  ]
}
