package import Ladder
import Layout

/// A remote participant's tile in a view.
package struct PlacedTile {
  package let participant: Int
  /// Size [px].
  package let size: Resolution
  /// Visible share of the tile, 0 to 1.
  package let visibleShare: Double
}

/// Stage, tiles and pages of a view.
extension ViewState {
  /// Returns the screen shares that the viewer's screen shows.
  func shownShares(_ roster: Roster) -> [Int] {
    guard plan.showsShares else { return [] }
    return roster.sources.indices.filter { number in
      let source = roster.sources[number]
      return source.isScreen && source.participant != roster.viewer && source.isCapturing
    }
  }

  /// Returns the size of a screen share's tile [px]: its own, or the stage's; `nil` if unknown.
  func shareSize(_ number: Int, _ roster: Roster) -> Resolution? {
    stated.shareSizes[roster.sources[number].participant] ?? stated.stageSize
  }

  /// Returns the screen share that has taken the stage: the first without a tile of its own.
  func stagedShare(_ roster: Roster) -> Int? {
    shownShares(roster).first { stated.shareSizes[roster.sources[$0].participant] == nil }
  }

  /// Returns the participant on the stage now; `nil` while a screen share takes it [our model: the participant is then
  /// shown in a tile or not at all].
  package func stagedParticipant(_ roster: Roster) -> Int? {
    stagedShare(roster) == nil ? stated.stage : nil
  }

  /// Returns the tiles of the view as the SFU knows them; none for a request, a layout or signals.
  ///
  /// - Parameter measuresAxes: ``ClientTraits/measuresAxes``.
  func tilePlaces(_ roster: Roster, measuresAxes: Bool) -> [PlacedTile] {
    switch arrangement {
    case .grid(let grid): placements(in: grid, roster)
    case .container(let container): placements(in: container, roster, measuresAxes: measuresAxes)
    case .tiles: tilePlaces(everybody: nil, roster)
    case .everybody(let size): tilePlaces(everybody: plan.screen.pixels(of: size), roster)
    case .request, .layout, .signals: []
    }
  }

  /// Returns the tiles of a view without geometry, the stage first [px]; tiles on other pages are off screen.
  ///
  /// - Parameters:
  ///   - everybody: size of tiles without their own size; `nil` for no such tiles.
  ///   - sizes: tiles by participant; `nil` for those known to the SFU.
  package func tilePlaces(
    everybody: Resolution?, sizes: [Int: Resolution]? = nil, _ roster: Roster
  ) -> [PlacedTile] {
    let staged = stagedParticipant(roster)
    let sizes = sizes ?? appliedTiles.sizes
    var places: [PlacedTile] = []
    let others = others(roster)
    if let staged, let size = stated.stageSize, others.contains(staged) {
      places.append(PlacedTile(participant: staged, size: size, visibleShare: 1))
    }
    let tiles = others.compactMap { other in
      (sizes[other] ?? everybody).map { (participant: other, size: $0) }
    }
    let perPage = plan.tilesPerPage ?? max(1, tiles.count)
    for (place, tile) in tiles.enumerated() where tile.participant != staged {
      let isShown = place / perPage == page - 1
      places.append(
        PlacedTile(participant: tile.participant, size: tile.size, visibleShare: isShown ? 1 : 0))
    }
    return places
  }
}
