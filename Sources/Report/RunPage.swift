import Allocation
import Expectations
import Files
import JSON
import Metrics
import Plan
import ResultReading
import Scenario

/// Data of a run's page, with each viewer's tables in one piece, so that the page unpacks only what it shows.
struct RunPage {
  let directory: String
  let header: RunHeader
  let viewers: [String]
  private let streams: TableColumns
  private let layout: TableColumns
  private let others: [ResultTable: TableColumns]
  /// Ends of the intervals [s].
  private let times: [Double]
  private let expected: ExpectedDirectory?

  private static let streamColumns = [
    "source", "kind", "state", "tile_width_px", "tile_height_px", "requested_height_px", "requested_fps",
    "target_height_px", "frame_width_px", "frame_height_px", "frames_per_second", "bitrate_bps",
    "packets_lost",
    "freeze_count", "freezes_duration_s", "limitation", "mos", frozenColumn,
  ]
  /// Length of the freeze that covers an interval [s]: a row of the table only tells when one ended.
  private static let frozenColumn = "frozen_s"
  private static let participantColumns = [
    "participant", "up_capacity_bps", "up_estimate_bps", "up_bitrate_bps", "up_loss_frac", "up_queue_delay_s",
    "down_capacity_bps", "down_estimate_bps", "down_bitrate_bps", "down_loss_frac", "down_queue_delay_s",
    "audio_bitrate_bps", "audio_loss_frac",
  ]
  private static let voiceColumns = [
    "source", "packets_received", "packets_lost", "concealed_frac", "jitter_buffer_delay_s",
  ]
  private static let needed: [(ResultTable, [String])] = [
    (.participants, ["time_s", "participant"]), (.decisions, ["time_s", "viewer", "source"]),
    (.events, ["time_s", "participant", "event"]),
    (.audio, ["time_s", "viewer", "source", "packets_received"]),
    (.scalars, ["scope", "viewer", "metric", "stat", "unit", "direction", "value"]),
  ]

  init(_ directory: String) throws(ResultReadingError) {
    self.directory = directory
    header = try RunHeader(directory)
    func table(_ table: ResultTable, _ columns: [String]) throws(ResultReadingError) -> TableColumns {
      if let found = try TableColumns.read(table, in: directory, needed: columns) { return found }
      guard Directory.exists(StoredTable.path(of: directory + "/" + table.fileName)) else {
        throw ResultReadingError(
          directory, "it has no \(table.fileName): a report needs that table of one run")
      }
      // No viewers.
      return TableColumns(rows: 0)
    }
    streams = try table(
      .streams,
      ["time_s", "viewer", "source", "state", "requested_height_px", "frame_height_px", "frames_per_second"])
    layout = try table(
      .layout, ["time_s", "viewer", "source", "x_px", "y_px", "width_px", "height_px", "visible_frac"])
    var others: [ResultTable: TableColumns] = [:]
    for (name, columns) in Self.needed {
      others[name] = try TableColumns.read(name, in: directory, needed: columns)
    }
    self.others = others
    let both = streams.numbers("time_s") + (others[.participants]?.numbers("time_s") ?? [])
    times = Set(both).sorted()
    viewers = Set(streams.texts("viewer")).sorted(by: NaturalOrder.isBefore)
    // A page of tables without a manifest has no verdicts.
    expected = try? ExpectedDirectory.read(directory)
  }

  /// Length of an interval [s].
  private var interval: Double {
    let lengths = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
    return lengths.isEmpty ? times.first ?? 1 : lengths[lengths.count / 2]
  }

  func json() throws(ResultReadingError) -> JSONValue {
    let tiles = tiles()
    let freezes = tiles.map { self.freezes(of: $0.rows) }
    let worst = WorstMoments(streams, tiles: tiles, freezes: freezes, interval: interval)
    var streams = streams
    streams[Self.frozenColumn] = .numbers(frozen(tiles.map(\.rows), freezes))
    let events = RunEvents(others[.events], end: times.last ?? 0)
    let first = firstViewer(worst, tiles)
    return .object([
      ("header", header.json), ("times", .list(times.map(JSONValue.real))),
      ("viewers", .list(viewers.map(JSONValue.text))), ("first_viewer", .text(first)),
      ("first_viewer_missing", .real(Double(worst.missing[first, default: 0]))),
      ("streams", byViewer(streams, Self.streamColumns, tiles)),
      ("layout", byViewer(layout, layout.names.filter { $0 != "viewer" })),
      ("decisions", byViewer(others[.decisions]) { $0.names.filter { $0 != "viewer" } }),
      ("audio", byViewer(others[.audio]) { _ in Self.voiceColumns }),
      ("participants", participants), ("events", events.json), ("speech", events.speech),
      ("speech_is_told", .flag(events.tellsSpeech)), ("moments", .list(worst.moments.map(\.json))),
      ("explanations", try WrittenExplanations.json(in: directory)), ("scalars", scalars),
      ("limitations", Self.limitations),
      ("verdicts", verdicts),
    ])
  }

  /// Meaning of each limitation, as a sentence.
  private static let limitations = JSONValue.object(
    Limitation.allCases.map { ($0.rawValue, .text($0.meaning.asSentence)) })

  // MARK: Tables

  /// Rows of each viewer's sources, by time.
  private func tiles() -> [(viewer: String, source: String, rows: [Int])] {
    guard case .words(let owners, let viewerWords)? = streams["viewer"],
      case .words(let sources, let sourceWords)? = streams["source"]
    else { return [] }
    var places: [Int: Int] = [:]
    var tiles: [(viewer: String, source: String, rows: [Int])] = []
    for row in 0..<streams.rows where owners[row] >= 0 && sources[row] >= 0 {
      let key = owners[row] * sourceWords.count + sources[row]
      if let place = places[key] {
        tiles[place].rows.append(row)
      } else {
        places[key] = tiles.count
        tiles.append((viewerWords[owners[row]], sourceWords[sources[row]], [row]))
      }
    }
    return tiles
  }

  /// Returns the freezes of a tile, given its rows by time.
  private func freezes(of rows: [Int]) -> [FreezeCourse.Freeze] {
    var course = FreezeCourse()
    let numbers = [
      "time_s", "requested_height_px", "frames_per_second", "freeze_count", "freezes_duration_s",
    ]
    .map { streams.numbers($0) }
    let (states, limitations) = (streams.texts("state"), streams.texts("limitation"))
    for row in rows {
      let isSeen =
        !numbers[1][row].isNaN
        && StreamRow.isOnScreen(state: states[row].utf8, limitation: limitations[row].utf8)
      guard isSeen else {
        course.leaveScreen()
        continue
      }
      let time = numbers[0][row]
      course.add(
        FreezeCourse.Row(
          framesPerSecond: numbers[2][row], freezeCount: numbers[3][row], freezesDuration: numbers[4][row],
          state: states[row], limitation: limitations[row]),
        at: time, length: time - Double(IntervalTable.place(ofEnd: time, interval: interval)) * interval)
    }
    course.leaveScreen()
    return course.freezes
  }

  /// Length of the freeze that covers each row [s]; 0 for none.
  private func frozen(_ tiles: [[Int]], _ freezes: [[FreezeCourse.Freeze]]) -> [Double] {
    let times = streams.numbers("time_s")
    var lengths = Array(repeating: 0.0, count: streams.rows)
    for (rows, freezes) in zip(tiles, freezes) {
      var last = rows.count - 1
      for freeze in freezes.reversed() {
        while last >= 0, times[rows[last]] > freeze.at { last -= 1 }
        var place = last
        while place >= 0, place == last || times[rows[place]] > freeze.at - freeze.duration {
          lengths[rows[place]] = max(lengths[rows[place]], freeze.duration)
          place -= 1
        }
      }
    }
    return lengths
  }

  private func byViewer(
    _ table: TableColumns, _ names: [String], _ tiles: [(viewer: String, source: String, rows: [Int])]
  ) -> JSONValue {
    let ticks = ticks(of: table)
    return .object(
      viewers.map { viewer in
        var packed = PackedTable(rows: tiles.filter { $0.viewer == viewer }.flatMap(\.rows))
        packed.add("tick", numbers: ticks)
        packed.add(table, names)
        return (viewer, packed.json)
      })
  }

  /// Packs each viewer's rows, in the order of the table.
  private func byViewer(_ table: TableColumns, _ names: [String]) -> JSONValue {
    var rows: [String: [Int]] = [:]
    for (row, viewer) in table.texts("viewer").enumerated() { rows[viewer, default: []].append(row) }
    let ticks = table.has("packets_received") ? ticks(of: table) : nil
    return .object(
      rows.keys.sorted(by: NaturalOrder.isBefore).map { viewer in
        var packed = PackedTable(rows: rows[viewer, default: []])
        if let ticks { packed.add("tick", numbers: ticks) }
        packed.add(table, names)
        return (viewer, packed.json)
      })
  }

  private func byViewer(_ table: TableColumns?, _ names: (TableColumns) -> [String]) -> JSONValue {
    table.map { byViewer($0, names($0)) } ?? .object([])
  }

  private var participants: JSONValue {
    guard let table = others[.participants] else { return .null }
    var packed = PackedTable(rows: Array(0..<table.rows))
    packed.add("tick", numbers: ticks(of: table))
    packed.add(table, Self.participantColumns)
    return packed.json
  }

  /// Index of each row's interval.
  private func ticks(of table: TableColumns) -> [Double] {
    let places = Dictionary(uniqueKeysWithValues: zip(times, times.indices))
    return table.numbers("time_s").map { places[$0].map(Double.init) ?? .nan }
  }

  /// Values of participants: viewer, metric, statistic, unit, direction, value.
  private var scalars: JSONValue {
    guard let table = others[.scalars] else { return .list([]) }
    let texts = ["viewer", "metric", "stat", "unit", "direction"].map { table.texts($0) }
    let values = table.numbers("value")
    let rows = table.texts("scope").enumerated().filter { $0.element == "participant" }.map(\.offset)
    return .list(
      rows.map { row in
        .list(texts.map { .text($0[row]) } + [values[row].isNaN ? .null : .real(values[row])])
      })
  }

  /// Returns the viewer whose screen is shown first: among those with the most tiles, the one that misses the most.
  private func firstViewer(
    _ worst: WorstMoments, _ tiles: [(viewer: String, source: String, rows: [Int])]
  ) -> String {
    var seen: [String: Int] = [:]
    for tile in tiles { seen[tile.viewer, default: 0] += tile.rows.count }
    let most = seen.values.max() ?? 0
    let candidates = viewers.filter { 2 * seen[$0, default: 0] >= most }
    let largest = candidates.map { worst.missing[$0, default: 0] }.max() ?? 0
    return candidates.first { worst.missing[$0, default: 0] == largest } ?? viewers.first ?? ""
  }

  private var verdicts: JSONValue {
    guard let expected else { return .list([]) }
    return .list(
      ExpectationReport(expected).cases.map { one in
        let worst = one.worst
        return .object([
          ("verdict", .text(one.judgement.verdict.rawValue)), ("subject", .text(one.subject)),
          ("bound", .text(one.bound)), ("measured", .text(one.measured)),
          ("remark", .text(worst == nil ? "" : one.judgement.remark)),
          ("viewer", .text(worst?.viewer ?? one.expectation.viewer)),
          ("source", .text(worst?.source ?? one.expectation.source)),
        ])
      })
  }
}
