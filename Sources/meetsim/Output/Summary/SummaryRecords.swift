import Files
import JSON
import Meeting
import Metrics
import Quantity

/// Summary of a run for programs: all rows, in the order of the scenario.
struct SummaryRecords {
  /// A field with its value; `nil` if there is none.
  private typealias Field = (name: String, value: JSONValue?)

  private let records: [[Field]]
  private let names: [String]

  init(_ summary: RunSummary, by grouping: RunSummary.Grouping) {
    switch grouping {
    case .viewer: records = summary.viewers.map { Self.record($0, isViewer: true) }
    case .source: records = summary.sources.map { Self.record($0, isViewer: false) }
    case .tile: records = (summary.tiles + summary.hiddenTiles).map(Self.record)
    }
    names = records.first?.map(\.name) ?? []
  }

  /// All rows according to RFC 4180; missing values are empty fields.
  var csv: String {
    guard !names.isEmpty else { return "" }
    let rows = records.map { record in record.map { Self.text(of: $0.value) } }
    return ([names] + rows).map(CSVLine.text).joined()
  }

  /// All rows as a list of objects, without members for missing values.
  var json: JSONValue {
    .list(records.map { record in .object(record.compactMap { name, value in value.map { (name, $0) } }) })
  }

  private static func text(of value: JSONValue?) -> String {
    switch value {
    case .text(let text): text
    case .integer(let value): "\(value)"
    case .real(let value): value.decimalText
    default: ""
    }
  }

  private static func record(_ tile: MeetingRun.Tile) -> [Field] {
    let visible = tile.summary.visible
    let request = visible.mainRequest
    let isVisible = request != nil
    var record: [Field] = [("viewer", .text(tile.viewer)), ("source", .text(tile.source))]
    record.append(("visible_s", .real(visible.time.seconds)))
    record.append(("time_off_screen_s", .real(tile.summary.timeOffScreen.seconds)))
    record.append(("requested_height_px", request.map { .integer(Int64($0.height)) }))
    record.append(("requested_fps", request.map { .real(Double($0.milliFrames) / 1000) }))
    record.append(("frame_height_px", request.map { .integer(Int64($0.medianHeight)) }))
    record.append(("frames_per_second", request.map { .real(rounded($0.framesPerSecond, 100)) }))
    record.append(("pixels_of_screen_frac", isVisible ? share(tile.thousandths) : nil))
    record.append(("pixels_of_request_frac", isVisible ? share(visible.ofRequest.thousandths) : nil))
    record.append(("as_asked_frac", isVisible ? share(visible.thousandthsAsAsked) : nil))
    record.append(("bitrate_bps", isVisible ? .integer(Int64(tile.bitsPerSecond.rounded())) : nil))
    return record + fields(of: tile.totals)
  }

  private static func record(_ side: RunSummary.Side, isViewer: Bool) -> [Field] {
    let worst = isViewer ? side.worst.source : side.worst.viewer
    var record: [Field] = [(isViewer ? "viewer" : "source", .text(side.name))]
    record.append((isViewer ? "tiles" : "viewers", .integer(Int64(side.totals.tiles))))
    record.append(("pixels_of_screen_frac", share(side.totals.thousandths)))
    record.append(("pixels_of_request_frac", share(side.totals.ofRequest.thousandths)))
    record += fields(of: side.totals)
    record.append((isViewer ? "worst_source" : "worst_viewer", .text(worst)))
    record.append(("worst_pixels_of_screen_frac", share(side.worst.thousandths)))
    return record
  }

  private static func fields(of totals: DeliveryTotals) -> [Field] {
    [
      ("freeze_count", .integer(totals.freezeCount)),
      ("freezes_duration_s", .real(rounded(totals.longestFreezes.seconds, 1000))),
      ("main_reason", totals.reason.map { .text($0) }),
    ]
  }

  private static func share(_ thousandths: Int) -> JSONValue { .real(Double(thousandths) / 1000) }

  private static func rounded(_ value: Double, _ scale: Double) -> Double {
    (value * scale).rounded() / scale
  }
}
