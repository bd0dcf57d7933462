/// Meanings of the limitations: their only definition.
extension Limitation {
  /// Condition under which the word is reported: a phrase without a capital or a full stop.
  package var meaning: String {
    switch self {
    case .offScreen: "the tile is not on the screen"
    case .muted: "the source is muted or gone"
    case .sender: "the camera, its capture rate or the ladder's top are below what was asked for"
    case .senderUplink:
      "the encoding that was asked for is off, smaller or lost because the sender's uplink does not carry it, or has only "
        + "come to"
    case .starting:
      "the encoding is off, or the estimate low, because it began less than 10 s ago, and the links would carry it"
    case .device: "the decode limit that is stated for the participant's device"
    case .requestCap: "the viewer's own call or setting: 720p gate, receive cap, preferred resolution, window"
    case .layerMissing:
      "the source's layers leave a gap: the next one would exceed what was asked for, or the cap"
    case .bandwidth:
      "the viewer's budget does not carry the next layer, or all frames of the given one, or its downlink loses most"
    case .hold: "the rule, or the sender's encoder, waits: time since a downgrade, hysteresis"
    case .switching: "decided, but the key frame of the new layer has not come, or came late in the interval"
    case .policy: "the rule gives no more, or more frames than were asked for, whatever the budget"
    case .none: "height and frame rate are what was asked for"
    }
  }
}
