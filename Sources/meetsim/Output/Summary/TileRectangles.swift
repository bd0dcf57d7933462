import Meeting

/// Similar tiles in few rows: each combines some viewers with the sources that all of them show, except themselves.
struct TileRectangles {
  let viewers: String
  let sources: String
  let tiles: [MeetingRun.Tile]

  static func of(_ tiles: [MeetingRun.Tile]) -> [TileRectangles] {
    let byViewer = split(tiles, along: \.viewer, across: \.source)
    let bySource = split(tiles, along: \.source, across: \.viewer)
    return byViewer.count <= bySource.count
      ? byViewer.map { TileRectangles(viewers: $0.names, sources: $0.others, tiles: $0.tiles) }
      : bySource.map { TileRectangles(viewers: $0.others, sources: $0.names, tiles: $0.tiles) }
  }

  /// Combines names that share the same counterparts, in the order of the tiles.
  private static func split(
    _ tiles: [MeetingRun.Tile], along name: (MeetingRun.Tile) -> String,
    across other: (MeetingRun.Tile) -> String
  ) -> [(names: [String], others: [String], tiles: [MeetingRun.Tile])] {
    let groups = Dictionary(grouping: tiles, by: name)
    let names = distinct(tiles.map(name))
    let order = distinct(tiles.map(\.viewer) + tiles.map(\.source))
    let ranks = Dictionary(uniqueKeysWithValues: zip(order, 0...))
    /// Counterparts of a name, without and with the name itself: in a full mesh, where everybody sees all others, only
    /// the latter sets are equal.
    func sets(of one: String) -> [[String]] {
      let own = (groups[one] ?? []).map(other)
      return [own, own + [one]].map { $0.sorted { ranks[$0, default: 0] < ranks[$1, default: 0] } }
    }
    let candidates = names.map(sets(of:))
    var votes: [[String]: Int] = [:]
    for set in candidates.joined() { votes[set, default: 0] += 1 }
    var parts: [(names: [String], others: [String], tiles: [MeetingRun.Tile])] = []
    var places: [[String]: Int] = [:]
    let chosen = candidates.map { votes[$0[1], default: 0] > votes[$0[0], default: 0] ? $0[1] : $0[0] }
    for (place, one) in names.enumerated() {
      // A set with the name itself is of use only to a group.
      let isShared = chosen.count { $0 == chosen[place] } > 1
      let set = isShared ? chosen[place] : candidates[place][0]
      let members = groups[one] ?? []
      if let place = places[set] {
        parts[place].names.append(one)
        parts[place].tiles += members
      } else {
        places[set] = parts.count
        parts.append(([one], set, members))
      }
    }
    return parts
  }

  private static func distinct(_ names: [String]) -> [String] {
    var known: Set<String> = []
    return names.filter { known.insert($0).inserted }
  }

  private init(viewers: [String], sources: [String], tiles: [MeetingRun.Tile]) {
    self.viewers = NameList.text(of: viewers)
    self.sources = Self.text(of: sources, seenBy: viewers)
    self.tiles = tiles
  }

  /// Lists the sources that viewers see; nobody sees itself.
  private static func text(of sources: [String], seenBy viewers: [String]) -> String {
    let seen = Set(sources)
    guard viewers.contains(where: seen.contains) else { return NameList.text(of: sources) }
    guard viewers.count > 1, viewers.allSatisfy(seen.contains) else {
      return NameList.text(of: sources) + " except itself"
    }
    let others = sources.filter { !viewers.contains($0) }
    return others.isEmpty ? "each other" : NameList.text(of: others) + " and each other"
  }
}
