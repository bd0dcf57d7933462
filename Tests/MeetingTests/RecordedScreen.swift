import Metrics
import TestSupport
import Testing

/// A viewer's screen at a moment, from the rows of `layout.csv` up to then.
struct RecordedScreen {
  /// The screen, then its tiles in the order in which they were first shown; removed ones are left out.
  private(set) var shown: [(source: String, text: String)] = []

  /// - Parameter second: the moment, including rows of that exact time.
  init(_ tables: MemorySink, viewer: String, at second: Double) {
    for row in tables.rows(of: .layout) where row["viewer"] == viewer && row.number("time_s") <= second {
      let place = "\(row["x_px"]),\(row["y_px"]) \(row["width_px"])x\(row["height_px"])"
      let text = [row["area"], place, row["visible_frac"]].filter { !$0.isEmpty }.joined(separator: " ")
      let isGone = row["width_px"].isEmpty
      if let index = shown.firstIndex(where: { $0.source == row["source"] }) {
        if isGone { shown.remove(at: index) } else { shown[index].text = text }
      } else if !isGone {
        shown.append((row["source"], text))
      }
    }
  }

  subscript(source: String) -> String? { shown.first { $0.source == source }?.text }

  /// Size and scroll offset of the screen itself.
  var screen: String? { self[""] }
  var tiles: [String] { shown.filter { !$0.source.isEmpty }.map(\.source).sorted() }
}

/// Checks the invariants of every table of screens.
func checkScreens(_ tables: MemorySink) {
  struct Rectangle: Equatable { var x, y, right, bottom: Int }
  var screens: [String: Rectangle] = [:]
  var last: [String: String] = [:]
  var time = 0.0
  for row in tables.rows(of: .layout) {
    #expect(row.number("time_s") >= time, "\(row)")
    time = row.number("time_s")
    let (viewer, source) = (row["viewer"], row["source"])
    let fields = ["area", "x_px", "y_px", "width_px", "height_px", "z", "visible_frac"].map { row[$0] }
    #expect(last["\(viewer) \(source)"] != "\(fields)", "nothing has changed: \(row)")
    #expect(viewer != source, "\(row)")
    last["\(viewer) \(source)"] = "\(fields)"
    let visible = row.numberIfPresent("visible_frac")
    guard let x = row.integerIfPresent("x_px"), let y = row.integerIfPresent("y_px") else {
      #expect(visible == 0 && fields.dropLast().allSatisfy(\.isEmpty), "\(row)")
      continue
    }
    let frame = Rectangle(
      x: x, y: y, right: x + row.integer("width_px"), bottom: y + row.integer("height_px"))
    #expect(x >= 0 && y >= 0 && frame.right > x && frame.bottom > y, "\(row)")
    guard !source.isEmpty else {
      #expect(visible == nil && row["area"].isEmpty && row["z"].isEmpty, "\(row)")
      screens[viewer] = frame
      continue
    }
    guard let screen = screens[viewer], let visible else {
      Issue.record("a tile without a screen: \(row)")
      continue
    }
    #expect(["grid", "stage", "share", "window"].contains(row["area"]), "\(row)")
    #expect(0...1 ~= visible, "\(row)")
    let isOutside =
      frame.right <= screen.x || frame.x >= screen.right || frame.bottom <= screen.y
      || frame.y >= screen.bottom
    if isOutside { #expect(visible == 0, "\(row)") }
    if visible == 1 {
      #expect(
        frame.x >= screen.x && frame.right <= screen.right && frame.y >= screen.y
          && frame.bottom <= screen.bottom,
        "\(row)")
    }
  }
}
