package import Ladder
package import Quantity

/// Priority of a subscription.
package enum Priority: String, Hashable, Sendable, CaseIterable {
  case high, medium, low
}

/// Whether a tile is visible.
package enum Visibility: String, Hashable, Sendable {
  case onScreen
  /// Part of the view's content, but scrolled off the screen.
  case offScreen
  /// Not part of the view, or hidden by the app.
  case hidden
}

/// One viewer's subscription to one source, with its current video constraints.
package struct Wish: Hashable, Sendable {
  /// Index of the source in the meeting.
  package var source: Int
  /// Format that the app requests; the allocation never exceeds it.
  package var requested: VideoFormat
  /// `requested` after gates and caps.
  package var maximum: VideoFormat
  /// Larger pictures are never forwarded, not even as a substitute for a layer that the source lacks; `nil` without
  /// such a gate.
  package var gate: Resolution?
  /// `nil` if the request has no priority.
  package var priority: Priority?
  /// Layers that the source can send at present, ascending; empty while it sends nothing.
  package var offers: [Layer]
  /// Layers that the source could send over an unconstrained uplink.
  package var ladder: [Layer]
  /// Size of the tile on the viewer's screen [px]; `nil` if unknown.
  package var tile: Resolution?
  package var visibility: Visibility
  /// Whether the viewer requests the low stream (dual-stream systems).
  package var wantsLowStream: Bool
  /// What the client would request if it had not fallen back on a weak downlink; zero if it has not.
  package var withheld = BitRate.zero
  /// Why the source cannot be received regardless of the budget; `nil` if it can.
  package var absence: Limitation?

  package init(
    source: Int, requested: VideoFormat, maximum: VideoFormat? = nil, gate: Resolution? = nil,
    priority: Priority? = nil, offers: [Layer], ladder: [Layer]? = nil, tile: Resolution? = nil,
    visibility: Visibility = .onScreen,
    wantsLowStream: Bool = false, absence: Limitation? = nil
  ) {
    self.source = source
    self.requested = requested
    self.maximum = maximum ?? requested
    self.gate = gate
    self.priority = priority
    self.offers = offers
    self.ladder = ladder ?? offers
    self.tile = tile
    self.visibility = visibility
    self.wantsLowStream = wantsLowStream
    self.absence = absence
  }
}

extension VideoFormat {
  /// Whether neither lines nor frame rate exceed the limit's.
  package func isWithin(_ limit: VideoFormat) -> Bool {
    resolution.lines <= limit.resolution.lines && milliFramesPerSecond <= limit.milliFramesPerSecond
  }
}
