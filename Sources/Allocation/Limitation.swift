/// What kept a tile below its request; the values of the `limitation` column, in the order in which they are looked for.
///
/// Where every decision comes by, cases are matched: `==` would compare the raw values, which are texts.
package enum Limitation: String, Hashable, Sendable, CaseIterable {
  /// The tile is not on the viewer's screen.
  case offScreen = "off-screen"
  /// The source is muted or gone.
  case muted
  /// Camera, capture rate or the ladder's top are below what was asked.
  case sender
  /// The encoding that was asked for is off, smaller or lost because the sender's uplink does not carry it, or has only
  /// come to.
  case senderUplink = "sender-uplink"
  /// The encoding is off, or the estimate low, because sender or viewer began less than 10 s ago; the links would carry it.
  case starting
  /// The viewer's stated decode limit.
  case device
  /// The viewer's own call or setting: the 720p gate, a receive cap, a preferred resolution, a window.
  case requestCap = "request-cap"
  /// The source's layers leave a gap: the next one would exceed what was asked, or a cap.
  case layerMissing = "layer-missing"
  /// The viewer's budget.
  case bandwidth
  /// The rule, or the sender's encoder, waits: a time since a downgrade, or a hysteresis.
  case hold
  /// Decided; its key frame has not come.
  case switching
  /// The rule gives no more, or more frames than were asked for, whatever the budget.
  case policy
  /// Height and frame rate are what was asked.
  case none
}
