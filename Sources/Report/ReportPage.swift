import CPages
import Files
import JSON
import ResultReading

/// A page about one run, two runs or a sweep, for a browser without a network.
package enum ReportPage {
  /// Reason why directories cannot share a page.
  package struct Mismatch: Error, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// Creates the page of one or two directories.
  ///
  /// - Throws: ``ResultReadingError``, or ``Mismatch`` for directories that do not belong on one page.
  package static func html(of directories: [String]) throws -> [UInt8] {
    let sweeps = directories.filter {
      Directory.exists($0 + "/runs.csv") || Directory.exists($0 + "/plan.csv")
    }
    if let sweep = sweeps.first {
      guard directories.count == 1 else {
        throw Mismatch(description: "a report shows one sweep, or one run, or two runs")
      }
      let page = try SweepPage(sweep)
      return html(title: page.name, data: .object(added(("kind", .text("sweep")), to: page.json)))
    }
    for directory in directories where !Directory.isDirectory(directory) {
      throw ResultReadingError(directory, "there is no such directory")
    }
    let runs = try directories.map { directory throws(ResultReadingError) in try RunPage(directory) }
    guard let first = runs.first, let last = runs.last else {
      throw Mismatch(description: "name a result directory")
    }
    guard runs.count == 1 || !Set(first.viewers).isDisjoint(with: last.viewers) else {
      throw Mismatch(description: "nobody watches in both '\(first.directory)' and '\(last.directory)'")
    }
    let title = runs.count == 1 ? first.header.scenario : RunDifference(first.header, last.header).title
    return html(
      title: title,
      data: .object([
        ("kind", .text("run")), ("title", .text(title)),
        ("runs", .list(try runs.map { run throws(ResultReadingError) in try run.json() })),
      ]))
  }

  private static func added(_ entry: (String, JSONValue), to value: JSONValue) -> [(String, JSONValue)] {
    guard case .object(let entries) = value else { return [entry] }
    return [entry] + entries
  }

  /// Nothing is loaded, whatever a name in the data contains.
  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"

  private static func html(title: String, data: JSONValue) -> [UInt8] {
    let head = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <title>\(escaped(title)) · meetsim</title>
      <style>

      """
    let body = """
      </style>
      </head>
      <body>
      <div id="page"><noscript><p>The report is drawn by scripts within it; this browser runs none.</p></noscript></div>
      <script type="application/json" id="data">
      """
    // A '<' in the data could end the enclosing script.
    let text = data.compact.replacing("<", with: "\\u003c")
    let styles = Array(UnsafeBufferPointer(start: cpages_styles(), count: cpages_styles_length()))
    let scripts = Array(UnsafeBufferPointer(start: cpages_scripts(), count: cpages_scripts_length()))
    return Array(head.utf8) + styles + Array(body.utf8) + Array(text.utf8)
      + Array("</script>\n<script>\n\"use strict\";\n".utf8) + scripts
      + Array("</script>\n</body>\n</html>\n".utf8)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
