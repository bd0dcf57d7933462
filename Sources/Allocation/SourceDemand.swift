package import Ladder
package import Quantity

/// What a client asks of one source beyond a size; each system's servers look at some of it.
package struct SourceDemand: Hashable, Sendable {
  /// Whether the viewer's client has put the source on its stage.
  package var isOnStage = false
  /// Place among the sources that the client puts first, from 0; `nil` for the others.
  package var place: Int?
  /// Most lines; 0 for no video at all, `nil` for any.
  package var maximumLines: Int?
  /// The highest encoding and temporal layer that the client chooses; `nil` for any.
  package var ceiling: LayerID?
  /// The layer that the requested size and frame rate stand for: of several of that format none above it; `nil` for any.
  package var selected: LayerID?
  /// Place of the publisher in the order of speech, 0 for who speaks or spoke last; `nil` for who has not spoken.
  package var speechRank: Int?

  package init() {}

  /// Whether a layer is not above the selected one.
  package func selects(_ layer: LayerID) -> Bool { selected.map { layer <= $0 } ?? true }
}

/// What a client asks of its whole downlink; each system's servers look at some of it.
package struct ViewerDemand: Hashable, Sendable {
  /// Most sources that are forwarded; `nil` for any number.
  package var sourceLimit: Int?
  /// Most video; `nil` for any rate.
  package var maximumRate: BitRate?
  /// Lines that the active speaker is raised to; `nil` for none.
  package var speakerLines: Int?
  /// What the outgoing queue needs for itself; `nil` for what the server finds.
  package var queueDrain: BitRate?
  /// The least that the estimate has been lately; `nil` for the estimate itself.
  package var minimumTarget: BitRate?

  package init() {}
}
