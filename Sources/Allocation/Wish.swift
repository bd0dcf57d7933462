package import Ladder

/// How urgently a stream is wanted.
package enum Priority: String, Hashable, Sendable, CaseIterable {
  case high, medium, low
}

/// Where a tile is.
package enum Visibility: String, Hashable, Sendable {
  case onScreen
  /// Within the view's content, scrolled off the screen.
  case offScreen
  /// Not part of the view, or hidden by the app.
  case hidden
}

/// What one viewer wants of one source, now.
package struct Wish: Hashable, Sendable {
  /// The source's number in the meeting.
  package var source: Int
  /// What the app asks for; never more is given.
  package var requested: VideoFormat
  /// What of it is allowed: `requested` after gates and caps.
  package var maximum: VideoFormat
  /// Pictures larger than this are not received at all, not even in place of a layer that the source lacks; `nil`
  /// without such a gate.
  package var gate: Resolution?
  /// `nil` when no priority is stated.
  package var priority: Priority?
  /// The layers that the source can send now, rising; empty while it sends nothing.
  package var offers: [Layer]
  /// The layers that the source could send if its uplink carried everything.
  package var ladder: [Layer]
  /// The tile on the viewer's screen [px]; `nil` when the app does not say.
  package var tile: Resolution?
  package var visibility: Visibility
  /// Dual-stream systems: whether the low stream is asked for.
  package var wantsLowStream: Bool
  /// Why nothing can come, known before any allocation.
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
  /// Whether a picture of this format is within another's size and frame rate.
  package func isWithin(_ limit: VideoFormat) -> Bool {
    resolution.height <= limit.resolution.height && milliFramesPerSecond <= limit.milliFramesPerSecond
  }
}
