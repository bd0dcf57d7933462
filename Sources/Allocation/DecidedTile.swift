package import Ladder

/// A decision on a tile, with what the words of ``Limitation`` depend on beside it.
package struct DecidedTile {
  private let wish: Wish
  private let grant: Grant
  private let desire: Layer?
  /// Whether source and viewer, respectively, began less than 10 s ago on links that would carry more.
  package var isSourceStarting = false
  package var isViewerStarting = false
  /// Whether what is forwarded waits for a key frame.
  package var isSwitching = false

  /// - Parameter desire: what the rule would give if neither the viewer's downlink nor the sender's uplink were short.
  package init(_ wish: Wish, _ grant: Grant, desire: Layer?) {
    self.wish = wish
    self.grant = grant
    self.desire = desire
  }

  /// What keeps the tile below its request. A rule knows what binds it: budget, hold, cap and device; for the rest it is
  /// what would have to change for the tile to improve.
  package var limitation: Limitation {
    switch grant.limitation {
    case .offScreen, .muted, .device, .requestCap, .hold, .switching, .starting: return grant.limitation
    case .bandwidth: return isViewerStarting ? .starting : .bandwidth
    case .none: return isSwitching ? .switching : .none
    case .sender, .senderUplink, .layerMissing, .policy: return unhindered
    }
  }

  private var unhindered: Limitation {
    guard let top = wish.ladder.last else { return .sender }
    if let layer = grant.layer, layer.format.milliFramesPerSecond == 0 { return .sender }
    if let desire, grant.layer.map({ $0.id < desire.id }) ?? true {
      // The rule would give more than the source sends at present.
      if isSourceStarting { return .starting }
      if !wish.offers.contains(where: { $0.id == desire.id }) { return .senderUplink }
    }
    if grant.layer?.id == top.id { return .sender }
    let next = wish.ladder.first { layer in grant.layer.map { layer.id > $0.id } ?? true }
    return next?.format.isWithin(wish.maximum) ?? false ? .policy : .layerMissing
  }
}
