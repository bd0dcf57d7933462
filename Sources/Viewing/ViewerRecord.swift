package import Layout

/// An action of a viewer's client that the tables report, left for the meeting to record.
package enum ViewerRecord {
  /// An event that the client reports.
  case event(String, detail: String, result: String, viewer: Int)
  /// The layout of the screen.
  case screen(ScreenLayout, viewer: Int)
}
