import Allocation
import Ladder
package import Layout
import Quantity

/// Places of the sources on the screen.
extension Client {
  /// Returns the sources' places on the screen as the user sees it now; the state signalled to the SFU may lag behind.
  ///
  /// The layout has the view's own geometry, or automatic placement if it has none; in the background, it has only the
  /// view's window. The viewer's own tile is not included, and its place stays free.
  package func screenLayout(_ roster: Roster) -> ScreenLayout {
    guard roster.isJoined else { return ScreenLayout(screen: screenFrame()) }
    if let background = screen.background.current ?? screen.background.entered {
      return windowLayout(background, roster)
    }
    switch screen.arrangement {
    case .grid(let grid): return layout(of: grid, roster)
    case .container(let container): return layout(of: container, roster)
    case .request, .layout, .tiles, .everybody, .signals:
      return layout(of: unplacedTiles(roster))
    }
  }

  /// Returns the screen, scrolled to an offset [pt]; a view with neither geometry nor a specified screen gets the
  /// screen of automatic placement.
  private func screenFrame(x: Double = 0, y: Double = 0) -> PixelFrame {
    let plan = screen.plan
    let isStated =
      switch screen.arrangement {
      case .grid, .container: true
      case .request, .layout, .tiles, .everybody, .signals: plan.statesScreen
      }
    guard isStated else {
      let size = AutomaticPlacement.screen
      return PixelFrame(x: 0, y: 0, width: size.width, height: size.height)
    }
    let size = PixelFrame(
      GridTile(x: 0, y: 0, width: plan.screen.width, height: plan.screen.height), scale: plan.screen.scale)
    return PixelFrame(
      x: Int((x * plan.screen.scale).rounded()), y: Int((y * plan.screen.scale).rounded()),
      width: size.width, height: size.height)
  }

  /// Places a picture-in-picture window in the lower right corner, at most as large as the screen [our model].
  private func windowLayout(_ background: Background, _ roster: Roster) -> ScreenLayout {
    let display = screenFrame()
    var layout = ScreenLayout(screen: display)
    guard let window = background.window, let source = window.source(roster) else { return layout }
    let size = window.size.scaled(toFit: display)
    layout.place(
      source,
      at: PixelFrame(
        x: display.right - size.width, y: display.bottom - size.height, width: size.width,
        height: size.height),
      .window, z: 1)
    return layout
  }
}

// MARK: Views that scroll

extension Client {
  private func layout(of grid: Grid, _ roster: Roster) -> ScreenLayout {
    let display = screen.plan.screen
    let members = [roster.viewer] + screen.tileOrder(roster)
    let height = GridTile(x: 0, y: 0, width: 0, height: grid.visibleHeight(display))
    var layout = ScreenLayout(
      screen: screenFrame(y: screen.scrollOffset(in: grid, count: members.count, at: roster.now)),
      visibleHeight: PixelFrame(height, scale: display.scale).height)
    for (participant, tile) in zip(members, screen.tiles(of: grid, count: members.count)).dropFirst() {
      var frame = PixelFrame(tile, scale: display.scale)
      if let own = screen.tiles.sizes[participant] { (frame.width, frame.height) = (own.width, own.height) }
      place(participant, at: frame, in: &layout, roster)
    }
    finish(&layout, roster)
    return layout
  }

  private func layout(of container: TileContainer, _ roster: Roster) -> ScreenLayout {
    let (members, _, tiles) = screen.content(of: container, sizes: screen.tiles.sizes, roster)
    let offset = min(screen.scroll.course.offset(at: roster.now), screen.maximumScroll(of: container, tiles))
    let isRow = container.kind == .row
    var layout = ScreenLayout(screen: screenFrame(x: isRow ? offset : 0, y: isRow ? 0 : offset))
    for (participant, tile) in zip(members, tiles) where participant != roster.viewer {
      place(participant, at: PixelFrame(tile, scale: screen.plan.screen.scale), in: &layout, roster)
    }
    finish(&layout, roster)
    return layout
  }

  private func place(
    _ participant: Int, at frame: PixelFrame, in layout: inout ScreenLayout, _ roster: Roster
  ) {
    guard let source = roster.members[participant].camera else { return }
    layout.place(source, at: frame, .grid, isHidden: screen.tiles.hidden.contains(participant))
  }

  /// Adds the screen shares on top of the content, one below the other from the top; they do not scroll [our model].
  private func finish(_ layout: inout ScreenLayout, _ roster: Roster) {
    let display = layout.screen
    var y = display.y
    for share in screen.shownShares(roster) {
      let own = screen.stated.shareSizes[roster.sources[share].participant]
      let size = own ?? roster.sources[share].capture.resolution.scaled(toFit: display, fills: true)
      layout.place(
        share, at: PixelFrame(x: display.x, y: y, width: size.width, height: size.height), .share, z: 1)
      y += size.height
    }
    layout.isScrolling = roster.now < screen.scroll.course.endsAt
  }
}

// MARK: Views without geometry

/// A tile for which the view specifies no place.
private struct UnplacedTile {
  var source: Int
  /// Size [px]; `nil` if unknown.
  var size: Resolution?
  var area = ScreenLayout.Area.grid
  /// Set if it comes first, in its own row.
  var isLarge = false
  var isHidden = false
}

extension Client {
  /// Places tiles in rows, large ones first, on a screen that is extended to hold them or, if the view specifies none,
  /// is exactly large enough; places them evenly if a size is unknown.
  private func layout(of tiles: [UnplacedTile]) -> ScreenLayout {
    let display = screenFrame()
    let tiles = tiles.filter(\.isLarge) + tiles.filter { !$0.isLarge }
    let sizes = tiles.compactMap(\.size)
    guard !tiles.isEmpty, sizes.count == tiles.count else {
      let size = Resolution(width: display.width, height: display.height)
      return layout(of: tiles, at: AutomaticPlacement.evenGrid(tiles.count, on: size), on: display)
    }
    let large = sizes.prefix(tiles.count(where: \.isLarge))
    let others = Array(sizes.dropFirst(large.count))
    let isStated = screen.plan.statesScreen
    let width = isStated ? display.width : AutomaticPlacement.rowWidth(others)
    var frames: [PixelFrame] = []
    var bottom = 0
    for size in large {
      frames.append(PixelFrame(x: 0, y: bottom, width: size.width, height: size.height))
      bottom += size.height
    }
    frames += AutomaticPlacement.rows(
      others, width: large.reduce(width) { max($0, $1.width) }, top: bottom)
    let extended = PixelFrame(
      x: 0, y: 0, width: frames.reduce(isStated ? display.width : 0) { max($0, $1.right) },
      height: frames.reduce(isStated ? display.height : 0) { max($0, $1.bottom) })
    return layout(of: tiles, at: frames, on: extended)
  }

  private func layout(
    of tiles: [UnplacedTile], at frames: [PixelFrame], on display: PixelFrame
  ) -> ScreenLayout {
    var layout = ScreenLayout(screen: display)
    for (tile, frame) in zip(tiles, frames) {
      layout.place(tile.source, at: frame, tile.area, isHidden: tile.isHidden)
    }
    return layout
  }

  private func unplacedTiles(_ roster: Roster) -> [UnplacedTile] {
    switch screen.arrangement {
    case .signals: return signalledTiles(roster)
    case .tiles: return unplacedShares(roster) + statedTiles(everybody: nil, roster)
    case .everybody(let size):
      return unplacedShares(roster)
        + statedTiles(everybody: screen.plan.screen.pixels(of: size), roster)
    case .request, .layout:
      return unplacedShares(roster) + requestedTiles(roster)
    case .grid, .container: return []
    }
  }

  /// Returns the screen shares; one without a tile of its own is as large as the stage.
  private func unplacedShares(_ roster: Roster) -> [UnplacedTile] {
    screen.shownShares(roster).map { share in
      let isOwn = screen.stated.shareSizes[roster.sources[share].participant] != nil
      let size = screen.shareSize(share, roster) ?? screen.plan.screen.pixels(of: ViewPlan.TileSize.stageSize)
      return UnplacedTile(source: share, size: size, area: .share, isLarge: !isOwn)
    }
  }

  private func statedTiles(everybody: Resolution?, _ roster: Roster) -> [UnplacedTile] {
    let staged = screen.stagedParticipant(roster)
    return screen.tilePlaces(everybody: everybody, sizes: screen.tiles.sizes, roster).compactMap { place in
      guard place.visibleShare > 0, let source = roster.members[place.participant].camera else { return nil }
      let isStaged = place.participant == staged
      return UnplacedTile(
        source: source, size: place.size, area: isStaged ? .stage : .grid, isLarge: isStaged,
        isHidden: screen.tiles.hidden.contains(place.participant))
    }
  }

  /// Returns the tiles of a stream request, with the requested qualities as sizes.
  private func requestedTiles(_ roster: Roster) -> [UnplacedTile] {
    let seating = screen.builtIn.seating
    let staged = seating.layout?.hasMainStage == true ? seating.stage ?? seating.seats.first ?? nil : nil
    return arrangedWishes(roster).compactMap { wish in
      // A source without a tile is requested but has no seat.
      guard let size = wish.tile else { return nil }
      let isStaged = staged == roster.sources[wish.source].participant
      return UnplacedTile(
        source: wish.source, size: size, area: isStaged ? .stage : .grid, isLarge: isStaged)
    }
  }

  /// Returns tiles for the sources that the client signals it wants to receive.
  private func signalledTiles(_ roster: Roster) -> [UnplacedTile] {
    var tiles = (traits.ordersShares ? [] : screen.shownShares(roster)).map {
      UnplacedTile(source: $0, size: screen.shareSize($0, roster), area: .share)
    }
    for wish in viewWishes(roster) where wish.visibility == .onScreen {
      guard !tiles.contains(where: { $0.source == wish.source }) else { continue }
      tiles.append(
        UnplacedTile(source: wish.source, size: wish.tile, area: wish.isScreenShare ? .share : .grid))
    }
    return tiles
  }
}

extension Resolution {
  /// Scales the size down to fit a rectangle, keeping its aspect ratio; with `fills`, also up to fill it in one
  /// dimension.
  fileprivate func scaled(toFit frame: PixelFrame, fills: Bool = false) -> Resolution {
    guard fills || width > frame.width || height > frame.height else { return self }
    return width * frame.height > height * frame.width
      ? Resolution(width: frame.width, height: max(1, height * frame.width / width))
      : Resolution(width: max(1, width * frame.height / height), height: frame.height)
  }
}
