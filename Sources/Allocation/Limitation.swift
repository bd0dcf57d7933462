/// Limit that keeps a tile below its request; the values of the `limitation` column, in the order in which they are
/// checked.
///
/// Hot paths match cases, since `==` would compare the raw values, which are strings.
package enum Limitation: String, Hashable, Sendable, CaseIterable {
  /// The tile is not on the viewer's screen.
  case offScreen = "off-screen"
  /// The source is muted or gone.
  case muted
  /// Camera, capture rate or the ladder's top are below the request.
  case sender
  /// The requested encoding is off, smaller or lost because the sender's uplink does not carry it, or has only
  /// recently begun to.
  case senderUplink = "sender-uplink"
  /// The encoding is off, or the estimate low, because the sender or the viewer started less than 10 s ago; the links
  /// would carry it.
  case starting
  /// The viewer's stated decode limit.
  case device
  /// The viewer's own call or setting: the 720p gate, a receive cap, a preferred resolution, a window.
  case requestCap = "request-cap"
  /// The source's layers leave a gap: the next one would exceed the request, or a cap.
  case layerMissing = "layer-missing"
  /// The viewer's budget.
  case bandwidth
  /// The rule, or the sender's encoder, waits: a hold-off after a downgrade, or a hysteresis.
  case hold
  /// The layer has been decided, but its key frame has not arrived.
  case switching
  /// The rule gives no more, or more frames than requested, whatever the budget.
  case policy
  /// Height and frame rate are as requested.
  case none
}
