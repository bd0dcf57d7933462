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
    if isSendersBest { return .sender }
    if let desire, grant.layer.map({ $0.id < desire.id }) ?? true {
      // The rule would give more than the source sends at present.
      if isSourceStarting { return .starting }
      // What is offered and not given has been asked for, and has not come yet.
      return wish.offers.contains { $0.id == desire.id } ? .switching : .senderUplink
    }
    if wish.isCutByWindow, let window = wish.window {
      return wish.requested.resolution.fits(in: window) ? .layerMissing : .requestCap
    }
    let next = wish.ladder.first { layer in grant.layer.map { layer.id > $0.id } ?? true }
    return next?.format.isWithin(wish.maximum) ?? false ? .policy : .layerMissing
  }

  /// Whether what is given has the most lines or the highest frame rate that the source could send, and was asked for
  /// more.
  private var isSendersBest: Bool {
    guard !wish.ladder.isEmpty else { return true }
    guard let format = grant.layer?.format else { return false }
    // An app that pushes no frames.
    if format.milliFramesPerSecond == 0 { return true }
    let lines = wish.ladder.reduce(0) { max($0, $1.format.resolution.lines) }
    let rate = wish.ladder.reduce(0) { max($0, $1.format.milliFramesPerSecond) }
    let lacksLines =
      !wish.isCutByWindow && format.resolution.lines == lines && lines < wish.requested.resolution.lines
    return lacksLines || format.milliFramesPerSecond == rate && rate < wish.requested.milliFramesPerSecond
  }
}
