import Allocation
package import Ladder
import Layout

/// A source on a viewer's screen, from which any system's client derives its subscription.
package struct ShownSource: Hashable, Sendable {
  /// Index of the source in the meeting.
  package var source: Int
  /// Size on the screen [px]; `nil` if unknown.
  package var size: Resolution?
  /// Maximum requested frame rate [1/1000 Hz]; `nil` for any.
  package var milliFramesPerSecond: Int?
  package var isOnStage = false
  package var isPinned = false
  package var isVisible = true
  /// Weight in the yardstick.
  package var weight = 1.0

  package init(source: Int, size: Resolution?) {
    self.source = source
    self.size = size
  }
}

extension Client {
  /// Returns all sources on the viewer's screen, screen shares first, the stage before tiles, in the order of the view;
  /// only cameras that the viewer may receive.
  package func shownSources(_ roster: Roster) -> [ShownSource] {
    let screen = screen
    let shares = screen.shownShares(roster).map { number in
      var shown = ShownSource(source: number, size: screen.shareSize(number, roster))
      shown.isOnStage = number == screen.stagedShare(roster)
      return screen.weighted(shown, roster)
    }
    return shares + shownCameras(roster).map { screen.weighted($0, roster) }
  }

  /// Returns the source that a signal names, if the viewer may receive it.
  package func source(named signalled: SignalledSource, _ roster: Roster) -> Int? {
    guard signalled.participant != roster.viewer,
      signalled.isScreen || screen.others(roster).contains(signalled.participant)
    else { return nil }
    return roster.source(signalled)
  }

  private func shownCameras(_ roster: Roster) -> [ShownSource] {
    switch screen.arrangement {
    case .grid, .container, .tiles, .everybody, .signals: return shown(tilePlaces(roster), roster)
    case .request, .layout:
      let hasStage = screen.builtIn.layout?.hasMainStage ?? false
      return arrangedWishes(roster).enumerated().map { place, wish in
        var shown = ShownSource(source: wish.source, size: wish.requested.resolution)
        shown.milliFramesPerSecond = wish.requested.milliFramesPerSecond
        shown.isOnStage = hasStage && place == 0
        return shown
      }
    }
  }

  private func shown(_ places: [PlacedTile], _ roster: Roster) -> [ShownSource] {
    let staged = screen.stagedParticipant(roster)
    let hidden = screen.appliedTiles.hidden
    return places.compactMap { place in
      guard let source = roster.members[place.participant].camera else { return nil }
      var shown = ShownSource(source: source, size: place.size)
      shown.isOnStage = place.participant == staged
      shown.isVisible = place.visibleShare > 0 && !hidden.contains(place.participant)
      return shown
    }
  }
}

extension ViewState {
  fileprivate func weighted(_ source: ShownSource, _ roster: Roster) -> ShownSource {
    var shown = source
    let participant = roster.sources[source.source].participant
    shown.isPinned = pins.contains(participant)
    shown.weight = weight(of: source.source, isOnStage: source.isOnStage, roster)
    return shown
  }

  /// Returns the weight of a source in the yardstick: as the view specifies, else 4 on the stage and 1 elsewhere.
  func weight(of source: Int, isOnStage: Bool, _ roster: Roster) -> Double {
    let own = roster.sources[source]
    let stated = stated.weights[SignalledSource(participant: own.participant, isScreen: own.isScreen)]
    return stated ?? (isOnStage ? 4 : 1)
  }
}
