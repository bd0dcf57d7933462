import Files
import Ladder
import Meeting
import Quantity

/// Reads what was forwarded before a decision: a CSV with the columns `source,encoding,temporal`, and in systems with
/// clocks `current_encoding,since_s,downgraded_s`.
struct PreviousLayersReader {
  struct Problem: Error, CustomStringConvertible {
    let line: Int
    let description: String
  }

  private static let required = ["source", "encoding", "temporal"]
  private static let optional = ["current_encoding", "since_s", "downgraded_s"]

  /// - Parameter known: names of the sources that may be listed.
  static func layers(of bytes: [UInt8], known: [String]) throws(Problem) -> [PreviousLayer] {
    let records: [[String]]
    do {
      records = try CSVReader.records(of: bytes)
    } catch {
      throw Problem(line: error.line, description: error.description)
    }
    guard let header = records.first else {
      throw Problem(
        line: 1, description: "the file is empty: it begins with '\(required.joined(separator: ","))'")
    }
    for name in header where !(required + optional).contains(name) {
      throw Problem(
        line: 1,
        description: "unknown column '\(name)': expected \((required + optional).joined(separator: ", "))")
    }
    for name in required where !header.contains(name) {
      throw Problem(line: 1, description: "the column '\(name)' is missing")
    }
    var layers: [PreviousLayer] = []
    for (place, record) in records.enumerated().dropFirst() {
      let row = Row(header: header, record: record, line: place + 1)
      let layer = try row.layer(known: known)
      if layers.contains(where: { $0.source == layer.source }) {
        throw Problem(line: place + 1, description: "'\(layer.source)' is listed twice: remove one")
      }
      layers.append(layer)
    }
    return layers
  }

  private struct Row {
    let header: [String]
    let record: [String]
    let line: Int

    func layer(known: [String]) throws(Problem) -> PreviousLayer {
      guard record.count == header.count else {
        throw Problem(line: line, description: "\(record.count) fields where the header has \(header.count)")
      }
      let source = text("source") ?? ""
      guard known.contains(source) else {
        throw Problem(
          line: line,
          description: "there is no source '\(source)': expected one of \(known.joined(separator: ", "))")
      }
      let encoding = try number("encoding", in: 0...7)
      let temporal = try number("temporal", in: 0...3)
      guard (encoding == nil) == (temporal == nil) else {
        throw Problem(
          line: line, description: "'encoding' and 'temporal' are both empty, for nothing, or neither")
      }
      var target: LayerID?
      if let encoding, let temporal { target = LayerID(encoding: encoding, temporal: temporal) }
      var layer = PreviousLayer(source: source, target: target)
      layer.currentEncoding = try number("current_encoding", in: 0...7)
      layer.since = try duration("since_s")
      layer.downgraded = try duration("downgraded_s")
      return layer
    }

    /// A field; `nil` for an empty or missing one.
    private func text(_ column: String) -> String? {
      guard let place = header.firstIndex(of: column), !record[place].isEmpty else { return nil }
      return record[place]
    }

    private func number(_ column: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
      guard let text = text(column) else { return nil }
      guard let number = Int(text), range.contains(number) else {
        throw Problem(
          line: line,
          description:
            "\(column): '\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }

    private func duration(_ column: String) throws(Problem) -> SimDuration? {
      guard let text = text(column) else { return nil }
      guard let seconds = Double(text), (0...86_400).contains(seconds) else {
        throw Problem(
          line: line, description: "\(column): '\(text)' is not a number of seconds from 0 to 86400")
      }
      return SimDuration(nanoseconds: Int64((seconds * 1e9).rounded()))
    }
  }
}
