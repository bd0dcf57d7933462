package import Ladder
package import Quantity

/// Client's constraints on one source in addition to its size; each system's servers use some of them.
package struct SourceDemand: Hashable, Sendable {
  /// Set while the viewer's client has the source on its stage.
  package var isOnStage = false
  /// Rank among the sources that the client prioritises, from 0; `nil` for the others.
  package var place: Int?
  /// Maximum number of lines; 0 for no video at all, `nil` for any.
  package var maximumLines: Int?
  /// Highest encoding and temporal layer that the client selects; `nil` for any.
  package var ceiling: LayerID?
  /// Layer that the requested size and frame rate stand for, which rules out higher layers of the same format; `nil`
  /// for any.
  package var selected: LayerID?
  /// Rank of the publisher in the order of speech, 0 for the current or last speaker; `nil` for a publisher that has
  /// not spoken.
  package var speechRank: Int?

  /// Quality that the server chooses until the track's settings arrive; `nil` in systems whose clients send none.
  package var qualityByDefault: QualityByDefault?

  /// Set while the server goes on as if the source were shown, although its client has disabled it.
  package var isKeptHidden = false

  package enum QualityByDefault: Hashable, Sendable { case lowest, highest }

  package init() {}

  /// Checks whether a layer is at or below the selected one.
  package func selects(_ layer: LayerID) -> Bool { selected.map { layer <= $0 } ?? true }
}

/// Client's constraints on its whole downlink; each system's servers use some of them.
package struct ViewerDemand: Hashable, Sendable {
  /// Maximum number of forwarded sources; `nil` for any number.
  package var sourceLimit: Int?
  /// Maximum video rate; `nil` for any rate.
  package var maximumRate: BitRate?
  /// Lines that the active speaker is raised to; `nil` for none.
  package var speakerLines: Int?
  /// Rate that draining the outgoing queue needs; `nil` for the server's own calculation.
  package var queueDrain: BitRate?
  /// Lowest recent estimate; `nil` for the estimate itself.
  package var minimumTarget: BitRate?
  /// Number of the app's current request, which lets the server tell a new request from a new speaker in a slot.
  package var requestNumber = 0
  /// Set while the app is in the background and stays subscribed to the tracks that it disables.
  package var keepsTracks = false
  /// Sources on the screen that are not subscribed to because of the system's limit per viewer.
  package var beyondLimit: Set<Int> = []

  package init() {}
}
