import Meeting
import Metrics
import Quantity

/// Delivered quality in a run, by viewer, by source and by tile.
struct RunSummary {
  /// Subject of a summary row.
  enum Grouping: String, CaseIterable { case viewer, source, tile }

  /// A viewer over all its tiles, or a source over all its viewers.
  struct Side {
    let name: String
    let totals: DeliveryTotals
    /// Tile with the lowest shown share of its pixels.
    let worst: MeetingRun.Tile
    let course: DeliveryCourse
  }

  /// Tiles that were visible and not muted for some time.
  let tiles: [MeetingRun.Tile]
  let viewers: [Side]
  let sources: [Side]
  /// Tiles that were requested but never visible.
  let hiddenTiles: [MeetingRun.Tile]
  let duration: SimDuration

  /// - Parameter viewer: the only participant whose tiles count; `nil` for all.
  init(_ result: MeetingRun.Result, duration: SimDuration, viewer: String? = nil) {
    let asked = result.tiles.filter { viewer == nil || $0.viewer == viewer }
    let visible = asked.filter { $0.summary.visible.time > .zero }
    tiles = visible
    hiddenTiles = asked.filter { $0.summary.visible.time == .zero }
    self.duration = duration
    viewers = Self.sides(visible, by: \.viewer, result.viewerCourses)
    sources = Self.sides(visible, by: \.source, result.sourceCourses)
  }

  private static func sides(
    _ tiles: [MeetingRun.Tile], by name: KeyPath<MeetingRun.Tile, String>, _ courses: [MeetingRun.Course]
  ) -> [Side] {
    let groups = Dictionary(grouping: tiles) { $0[keyPath: name] }
    return courses.compactMap { one in
      guard let group = groups[one.name], let first = group.first else { return nil }
      var totals = DeliveryTotals()
      var worst = first
      for tile in group {
        totals.add(tile.summary.visible)
        if tile.thousandths < worst.thousandths { worst = tile }
      }
      return Side(name: one.name, totals: totals, worst: worst, course: one.course)
    }
  }
}

extension MeetingRun.Tile {
  var totals: DeliveryTotals {
    var totals = DeliveryTotals()
    totals.add(summary.visible)
    return totals
  }

  /// Shown share of the tile's pixels, rounded down [1/1000].
  var thousandths: Int { totals.thousandths }

  /// Mean bit rate received while visible [bit/s].
  var bitsPerSecond: Double { Double(summary.visible.bytes) * 8 / summary.visible.time.seconds }

  /// Requested format, such as `720p30`; an asterisk marks the longest-lived of several requests.
  var askedText: String {
    guard let request = summary.visible.mainRequest else { return "-" }
    let milliFrames = request.milliFrames
    let rate = milliFrames % 1000 == 0 ? "\(milliFrames / 1000)" : "\(Double(milliFrames) / 1000)"
    return "\(request.height)p\(milliFrames == 0 ? "" : rate)\(summary.visible.requests.count > 1 ? "*" : "")"
  }

  /// Median height and mean frame rate delivered during the main request.
  var deliveredText: String {
    guard let request = summary.visible.mainRequest, request.medianHeight > 0 else { return "nothing" }
    return "\(request.medianHeight)p\(Int(request.framesPerSecond.rounded()))"
  }
}

extension VisibleSummary.Request {
  /// Mean decoded frame rate while the request was active.
  var framesPerSecond: Double { Double(frames) / time.seconds }
}
