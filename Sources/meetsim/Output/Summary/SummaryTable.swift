import Files
import Meeting
import Metrics
import Quantity
import TextLayout

/// Tables of delivered quality for a terminal.
struct SummaryTable {
  /// Maximum number of rows in the tables of viewers and of tiles when both are shown; the worst are listed.
  private static let viewerLimit = 8
  private static let tileLimit = 10
  /// Maximum number of rows in a table shown alone.
  private static let limit = 24

  private let summary: RunSummary
  /// The only table to show; `nil` for both viewers and tiles.
  private let grouping: RunSummary.Grouping?
  private let showsAll: Bool
  private let width: Int

  init(_ summary: RunSummary, by grouping: RunSummary.Grouping?, showsAll: Bool, width: Int) {
    self.summary = summary
    self.grouping = grouping
    self.showsAll = showsAll
    self.width = width
  }

  var lines: [Terminal.Line] {
    guard !summary.tiles.isEmpty else {
      return [
        Terminal.Line(summary.hiddenTiles.isEmpty ? "no subscriptions" : "nothing asked for was visible")
      ]
    }
    var lines: [Terminal.Line] = []
    switch grouping {
    case .viewer: lines = table(of: summary.viewers, isViewer: true, limit: Self.limit)
    case .source: lines = table(of: summary.sources, isViewer: false, limit: Self.limit)
    case .tile: lines = tileTable(limit: Self.limit)
    case nil:
      lines =
        table(of: summary.viewers, isViewer: true, limit: Self.viewerLimit) + [Terminal.Line("")]
        + tileTable(limit: Self.tileLimit)
    }
    lines.append(Terminal.Line(""))
    var legend =
      "of screen: share shown of the tiles' pixels at 24 frames per second, while on the screen and unmuted; of "
    legend +=
      "request: of the pixels that the system asked for; freezes: their number, and how long a tile was frozen"
    if grouping != .tile { legend += " (of several tiles, the one frozen longest)" }
    legend += "; bars: of screen over time, █ all, ▁ an eighth or less, · none"
    if summary.tiles.contains(where: { $0.summary.visible.requests.count > 1 }) {
      legend += "; *: the longest of several requests, and what was shown meanwhile"
    }
    if !summary.hiddenTiles.isEmpty {
      let count = summary.hiddenTiles.count
      legend += "; not counted: \(count) \(count == 1 ? "tile" : "tiles") never visible"
    }
    return lines + legend.wrapped(to: width).map { Terminal.Line($0) }
  }

  /// Elements whose cells differ only in names, merged into one row; the worst are listed first.
  private struct Entry {
    var row: Row
    /// Shown share of the tiles' pixels [1/1000].
    var thousandths: Int
    var freezes: Int64
    /// Number of viewers, sources or tiles in this row.
    var count: Int
  }

  private func shown(
    _ entries: [Entry], _ columns: [Column], limit: Int, of things: String
  ) -> [Terminal.Line] {
    let sorted = entries.enumerated().sorted { a, b in
      (a.element.thousandths, -a.element.freezes, a.offset)
        < (b.element.thousandths, -b.element.freezes, b.offset)
    }.map(\.element)
    // A remark in place of a single row would save nothing.
    let kept = showsAll || sorted.count <= limit + 1 ? sorted : Array(sorted.prefix(limit))
    var lines = Self.lines(columns, kept.map(\.row), duration: summary.duration, width: width)
    let rest = sorted.dropFirst(kept.count)
    if let best = rest.first {
      let count = rest.reduce(0) { $0 + $1.count }
      lines.append(
        Terminal.Line("… and \(count) more \(things), none below \(Self.percent(best.thousandths)): --all"))
    }
    return lines
  }

  // MARK: Viewers and sources

  private func table(of sides: [RunSummary.Side], isViewer: Bool, limit: Int) -> [Terminal.Line] {
    let columns = [
      Column(title: isViewer ? "viewer" : "source", isName: true),
      Column(title: isViewer ? "tiles" : "viewers", isRight: true, rank: 0),
      Column(title: "of screen", isRight: true), Column(title: "of request", isRight: true, rank: 1),
      Column(title: "freezes", isRight: true, rank: 3),
      Column(title: "main reason"), Column(title: isViewer ? "worst tile" : "worst viewer", isName: true),
      Column(title: "shown there", rank: 2),
    ]
    let groups = Self.grouped(sides) { side in
      [
        "\(side.totals.tiles)", Self.percent(side.totals.thousandths),
        Self.percent(side.totals.ofRequest.thousandths), Self.freezes(side.totals),
        side.totals.reason ?? "-", Self.shown(side.worst), NameList.stem(of: side.name),
        NameList.stem(of: isViewer ? side.worst.source : side.worst.viewer),
      ]
    }
    let lines = showsAll || groups.count <= limit + 1 ? groups : Self.similar(groups, sides)
    let entries = lines.map { cells, members -> Entry in
      let totals = members.map(\.totals).min { $0.thousandths < $1.thousandths } ?? members[0].totals
      let worst = NameList.ordered(members.map { isViewer ? $0.worst.source : $0.worst.viewer })
      let isPerfect = totals.reason == nil
      return Entry(
        row: Row(
          cells: [NameList.text(of: members.map(\.name))] + cells[..<5]
            + [isPerfect ? "-" : NameList.text(of: worst), isPerfect ? "-" : cells[5]],
          courses: members.map(\.course), tone: totals.tone),
        thousandths: totals.thousandths, freezes: totals.freezeCount, count: members.count)
    }
    return shown(entries, columns, limit: limit, of: isViewer ? "viewers" : "sources")
  }

  /// Maximum difference of shares merged into one row if there are too many rows [1/1000].
  private static let similarShare = 30

  /// Merges groups whose cells differ only in freezes and in similar shares; members keep the order of the run.
  private static func similar(
    _ groups: [(cells: [String], members: [RunSummary.Side])], _ sides: [RunSummary.Side]
  ) -> [(cells: [String], members: [RunSummary.Side])] {
    let ranks = Dictionary(zip(sides.map(\.name), 0...)) { first, _ in first }
    let sorted = groups.sorted { $0.members[0].totals.thousandths < $1.members[0].totals.thousandths }
    var merged: [(cells: [String], members: [RunSummary.Side])] = []
    var open: [[String]: Int] = [:]
    for group in sorted {
      let cells = group.cells
      let key = [cells[0], cells[4], cells[6], cells[7]]
      let share = group.members[0].totals.thousandths
      guard let place = open[key], share - merged[place].members[0].totals.thousandths <= similarShare else {
        open[key] = merged.count
        merged.append(group)
        continue
      }
      merged[place].members += group.members
      let all = merged[place].members.map(\.totals)
      merged[place].cells[1] = range(all.map { wholePercents($0.thousandths) }) + " %"
      merged[place].cells[2] = range(all.map { wholePercents($0.ofRequest.thousandths) }) + " %"
      if merged[place].cells[3] != cells[3] {
        merged[place].cells[3] = range(all.map { Int($0.freezeCount) })
      }
    }
    return merged.map { cells, members in
      (cells, members.sorted { ranks[$0.name, default: 0] < ranks[$1.name, default: 0] })
    }
  }

  private static func range(_ values: [Int]) -> String {
    let (least, most) = (values.min() ?? 0, values.max() ?? 0)
    return least == most ? "\(least)" : "\(least)…\(most)"
  }

  /// Formats the delivered and the requested format of a tile: `180p15 of 720p30`.
  private static func shown(_ tile: MeetingRun.Tile) -> String {
    "\(tile.deliveredText) of \(tile.askedText)"
  }

  // MARK: Tiles

  private func tileTable(limit: Int) -> [Terminal.Line] {
    let columns = [
      Column(title: "viewer", isName: true), Column(title: "source", isName: true), Column(title: "asked"),
      Column(title: "delivered"), Column(title: "of screen", isRight: true),
      Column(title: "of request", isRight: true, rank: 2),
      Column(title: "as asked", isRight: true, rank: 0), Column(title: "bit rate", isRight: true, rank: 1),
      Column(title: "freezes", isRight: true, rank: 4), Column(title: "main reason", rank: 3),
    ]
    let groups = Self.grouped(summary.tiles) { tile in
      [
        tile.askedText, tile.deliveredText, Self.freezes(tile.totals), tile.totals.reason ?? "-",
        NameList.stem(of: tile.viewer), NameList.stem(of: tile.source),
      ]
    }
    let entries = groups.flatMap { cells, members in
      Self.alike(members).flatMap(TileRectangles.of).map { part -> Entry in
        let rates = Self.range(part.tiles.map { Int(($0.bitsPerSecond / 1000).rounded()) })
        let worst = part.tiles.min { $0.thousandths < $1.thousandths } ?? part.tiles[0]
        let shares = part.tiles.map(Self.shares)
        let percents = shares[0].indices.map { place in Self.range(shares.map { $0[place] }) + " %" }
        return Entry(
          row: Row(
            cells: [part.viewers, part.sources] + cells[..<2] + percents + ["\(rates) kbps"] + cells[2..<4],
            courses: part.tiles.map(\.summary.visible.course), tone: worst.totals.tone),
          thousandths: worst.thousandths, freezes: worst.totals.freezeCount, count: part.tiles.count)
      }
    }
    return shown(entries, columns, limit: limit, of: "tiles")
  }

  /// Returns a tile's shares in whole percents: of the screen, of the request, and as asked.
  private static func shares(_ tile: MeetingRun.Tile) -> [Int] {
    let visible = tile.summary.visible
    return [tile.thousandths, visible.ofRequest.thousandths, visible.thousandthsAsAsked].map(wholePercents)
  }

  /// Divides tiles into groups whose shares differ by at most one percent each, lowest shares first; members keep the
  /// order of the run.
  private static func alike(_ tiles: [MeetingRun.Tile]) -> [[MeetingRun.Tile]] {
    var groups: [(least: [Int], most: [Int], places: [Int])] = []
    let all = tiles.map(shares)
    for place in tiles.indices.sorted(by: { (all[$0][0], $0) < (all[$1][0], $1) }) {
      let found = groups.indices.first { index in
        all[place].indices.allSatisfy {
          max(groups[index].most[$0], all[place][$0]) - min(groups[index].least[$0], all[place][$0]) <= 1
        }
      }
      guard let found else {
        groups.append((all[place], all[place], [place]))
        continue
      }
      groups[found].least = zip(groups[found].least, all[place]).map { min($0, $1) }
      groups[found].most = zip(groups[found].most, all[place]).map { max($0, $1) }
      groups[found].places.append(place)
    }
    return groups.map { group in group.places.sorted().map { tiles[$0] } }
  }

  // MARK: Cells

  /// Groups elements with equal cells, in order of first appearance; cells that are not displayed also keep elements
  /// apart.
  private static func grouped<Element>(
    _ elements: [Element], cells: (Element) -> [String]
  ) -> [(cells: [String], members: [Element])] {
    var groups: [(cells: [String], members: [Element])] = []
    var places: [[String]: Int] = [:]
    for element in elements {
      let cells = cells(element)
      if let place = places[cells] {
        groups[place].members.append(element)
      } else {
        places[cells] = groups.count
        groups.append((cells, [element]))
      }
    }
    return groups
  }

  /// Formats a share, rounded down, so that 100 % means complete.
  private static func percent(_ thousandths: Int) -> String { "\(wholePercents(thousandths)) %" }

  /// Rounds a share to percents: 100 only for all of it.
  private static func wholePercents(_ thousandths: Int) -> Int {
    thousandths < 1000 ? min(99, (thousandths + 5) / 10) : 100
  }

  /// Formats the number of freezes, and the time for which the longest-frozen tile was frozen.
  private static func freezes(_ totals: DeliveryTotals) -> String {
    guard totals.freezeCount > 0 else { return "-" }
    return "\(totals.freezeCount), \((totals.longestFreezes.seconds * 10).rounded() / 10) s"
  }
}
