import Metrics

/// Shortfall of a visible tile over a run: from its request, by ``Metrics/PixelShortfall``, or by freezes.
package struct TileShortfall: Equatable, Sendable {
  /// Quantity by which tiles are ranked.
  package enum Measure: String, CaseIterable, Sendable {
    /// Pixels and frames missing from the request.
    case pixels
    /// Time in freezes.
    case freezes
  }

  package let viewer: String
  package let source: String
  /// End of the interval with the largest shortfall [s], in the middle of the longest stretch with the same one; intervals
  /// in which the tile was starting or switching count only if there is no other. Of a freeze that covers a whole
  /// interval, the last one before the picture goes on.
  package private(set) var worstAt = 0.0
  /// Shortfall in that interval [pixel, or ns of freezes]; 0 if the tile was starting or switching and lacks pixels.
  private var worst: Int128 = 0
  /// Shortfall over all intervals [pixel, or ns of freezes].
  private var total: Int128 = 0
  /// Latest intervals in a row with the same shortfall.
  private var stretch: Stretch?
  /// Number of intervals in the longest stretch with the largest shortfall.
  private var longest = 0

  private struct Stretch: Equatable {
    var first: Int
    let last: Int
    let weight: Int128

    var count: Int { last - first + 1 }
  }

  private init(viewer: String, source: String) {
    self.viewer = viewer
    self.source = source
  }

  private mutating func add(_ weight: Int128, _ lack: Int128, at place: Int, _ time: Double, interval: Double)
  {
    total += lack
    var latest = Stretch(first: place, last: place, weight: weight)
    if let stretch, stretch.weight == weight, place == stretch.last + 1 { latest.first = stretch.first }
    stretch = latest
    guard (weight, latest.count) > (worst, longest) else { return }
    (worst, longest) = (weight, latest.count)
    let middle = (latest.first + latest.last) / 2
    worstAt = middle == place ? time : Double(middle + 1) * interval
  }

  /// Adds a freeze, at its end, or if it covers a whole interval, before the picture goes on or is gone.
  private mutating func add(_ freeze: FreezeCourse.Freeze, interval: Double) {
    let lack = Int128((freeze.duration * 1e9).rounded())
    let place = IntervalTable.place(ofEnd: freeze.at, interval: interval)
    if freeze.duration >= 2 * interval {
      add(lack, lack, at: place - 1, Double(place) * interval, interval: interval)
    } else {
      add(lack, lack, at: place, freeze.at, interval: interval)
    }
  }

  /// Returns the tiles of a run with the largest shortfalls, worst first; a tile that is off screen or muted has none.
  ///
  /// - Parameters:
  ///   - viewer: the only viewer whose tiles count; `nil` for all.
  ///   - name: the only source whose tiles count; `nil` for all.
  ///   - length: length of the table's intervals, of which the last may be shorter [s].
  package static func worst(
    in directory: String, viewer: String?, source name: String?, interval length: Double, count: Int,
    by measure: Measure = .pixels
  ) throws(ResultReadingError) -> [TileShortfall] {
    var table = try ColumnReader(path: directory + "/streams.csv")
    let columns = try Columns(table)
    var found: [TileShortfall] = []
    var courses: [FreezeCourse] = []
    var places: [String: Int] = [:]
    while try table.next() {
      guard let time = try table.moment(columns.time) else { continue }
      let own = try table.text(columns.viewer)
      let source = try table.text(columns.source)
      guard viewer ?? own == own, name ?? source == source else { continue }
      let interval = IntervalTable.place(ofEnd: time, interval: length)
      let key = own + "\n" + source
      let place = places[key] ?? found.count
      if place == found.count {
        places[key] = place
        found.append(TileShortfall(viewer: own, source: source))
        courses.append(FreezeCourse())
      }
      switch measure {
      case .pixels:
        let lack = try columns.lack(in: table, over: time - Double(interval) * length)
        guard lack > 0 else { continue }
        let weight = try columns.isBeginning(in: table) ? 0 : lack
        found[place].add(weight, lack, at: interval, time, interval: length)
      case .freezes:
        guard let row = try columns.freezes(in: table) else {
          courses[place].leaveScreen()
          continue
        }
        courses[place].add(row, at: time, length: time - Double(interval) * length)
      }
    }
    for place in courses.indices {
      courses[place].leaveScreen()
      for freeze in courses[place].freezes { found[place].add(freeze, interval: length) }
    }
    found.removeAll { $0.total == 0 }
    let order = found.indices.sorted { (-found[$0].total, $0) < (-found[$1].total, $1) }
    return order.prefix(count).map { found[$0] }
  }

  private struct Columns {
    let time: Int
    let viewer: Int
    let source: Int
    let limitation: Int
    let askedHeight: Int
    let askedRate: Int
    let height: Int
    let rate: Int
    let state: Int
    let freezeCount: Int
    let freezesDuration: Int

    init(_ table: ColumnReader) throws(ResultReadingError) {
      time = try table.index(of: "time_s")
      viewer = try table.index(of: "viewer")
      source = try table.index(of: "source")
      limitation = try table.index(of: "limitation")
      askedHeight = try table.index(of: "requested_height_px")
      askedRate = try table.index(of: "requested_fps")
      height = try table.index(of: "frame_height_px")
      rate = try table.index(of: "frames_per_second")
      state = try table.index(of: "state")
      freezeCount = try table.index(of: "freeze_count")
      freezesDuration = try table.index(of: "freezes_duration_s")
    }

    func isBeginning(in table: ColumnReader) throws(ResultReadingError) -> Bool {
      ["starting", "switching"].contains(try table.text(limitation))
    }

    /// Returns what a row says of freezes; `nil` if the tile is not on the screen.
    func freezes(in table: ColumnReader) throws(ResultReadingError) -> FreezeCourse.Row? {
      let (state, limitation) = (try table.text(state), try table.text(limitation))
      guard try table.number(askedHeight) != nil,
        StreamRow.isOnScreen(state: state.utf8, limitation: limitation.utf8)
      else { return nil }
      return FreezeCourse.Row(
        framesPerSecond: try table.number(rate) ?? 0, freezeCount: try table.number(freezeCount) ?? 0,
        freezesDuration: try table.number(freezesDuration) ?? 0, state: state, limitation: limitation)
    }

    /// Returns the number of pixels by which a row falls short of its request.
    ///
    /// - Parameter length: length of the row's interval [s].
    func lack(in table: ColumnReader, over length: Double) throws(ResultReadingError) -> Int128 {
      let word = try table.text(limitation)
      guard word != "off-screen", word != "muted", word != "none",
        let asked = try table.number(askedHeight), let rate = try table.number(askedRate)
      else { return 0 }
      let pixels = PixelShortfall(
        requestedHeight: asked, requestedRate: rate, height: try table.number(height) ?? 0,
        rate: try table.number(self.rate) ?? 0, seconds: length)
      return pixels.missing
    }
  }
}
