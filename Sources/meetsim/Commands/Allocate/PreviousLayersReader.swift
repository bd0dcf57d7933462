import Decision
import Files
import Ladder
import Meeting
import Quantity

/// Reads the layers forwarded before a decision from a CSV with the columns `source,encoding,temporal`; also
/// `current_encoding,since_s,downgraded_s` for systems with clocks, and `spatial` for scalable streams.
struct PreviousLayersReader {
  struct Problem: Error, CustomStringConvertible {
    let line: Int
    var column = 1
    let description: String
  }

  private static let required = ["source", "encoding", "temporal"]
  private static let optional = ["current_encoding", "since_s", "downgraded_s", "spatial"]

  /// - Parameter known: sources that may be listed.
  static func layers(
    of bytes: [UInt8], known: [StandaloneAllocation.Source]
  ) throws(Problem) -> [PreviousLayer] {
    do {
      var reader = CSVReader(bytes)
      guard let header = try reader.record() else {
        throw Problem(
          line: 1, description: "the file is empty: it begins with '\(required.joined(separator: ","))'")
      }
      try check(header, reader)
      var layers: [PreviousLayer] = []
      while let record = try reader.record() {
        let columns = record.indices.map { reader.column(of: $0) }
        let row = Row(header: header, record: record, line: reader.line, columns: columns)
        let layer = try row.layer(known: known)
        if layers.contains(where: { $0.source == layer.source }) {
          throw row.problem("source", "'\(layer.source)' is listed twice: remove one")
        }
        layers.append(layer)
      }
      return layers
    } catch let problem as Problem {
      throw problem
    } catch let error as CSVError {
      throw Problem(line: error.line, description: error.description)
    } catch {
      throw Problem(line: 1, description: "\(error)")
    }
  }

  private static func check(_ header: [String], _ reader: CSVReader) throws(Problem) {
    for (place, name) in header.enumerated() where !(required + optional).contains(name) {
      throw Problem(
        line: reader.line, column: reader.column(of: place),
        description: "unknown column '\(name)': expected \((required + optional).joined(separator: ", "))")
    }
    for name in required where !header.contains(name) {
      throw Problem(line: reader.line, description: "the column '\(name)' is missing")
    }
  }

  private struct Row {
    let header: [String]
    let record: [String]
    let line: Int
    /// Column in its line at which each field starts.
    let columns: [Int]

    func layer(known: [StandaloneAllocation.Source]) throws(Problem) -> PreviousLayer {
      guard record.count == header.count else {
        throw Problem(line: line, description: "\(record.count) fields where the header has \(header.count)")
      }
      let name = text("source") ?? ""
      guard let source = known.first(where: { $0.name == name }) else {
        let names = known.map(\.name).joined(separator: ", ")
        throw problem("source", "there is no source '\(name)': expected one of \(names)")
      }
      let encoding = try source.isScalable ? spatial(of: source) : encoding("encoding", of: source)
      let temporal = try number("temporal", in: 0...3)
      guard (encoding == nil) == (temporal == nil) else {
        throw problem(
          encoding == nil ? "encoding" : "temporal",
          "'encoding' and 'temporal' are both empty, for nothing, or neither")
      }
      var target: LayerID?
      if let encoding, let temporal {
        let own = source.layers.filter { $0.id.encoding == encoding }.map(\.id.temporal)
        guard own.contains(temporal) else {
          throw problem(
            "temporal",
            "temporal: \(source.isScalable ? "spatial layer" : "encoding") \(encoding) of '\(name)' has no layer "
              + "\(temporal): expected one of \(Self.list(own))"
          )
        }
        target = LayerID(encoding: encoding, temporal: temporal)
      }
      var layer = PreviousLayer(source: name, target: target)
      layer.currentEncoding = try self.encoding("current_encoding", of: source)
      layer.since = try duration("since_s")
      layer.downgraded = try duration("downgraded_s")
      return layer
    }

    /// Creates a problem located at the field of a column.
    func problem(_ column: String, _ description: String) -> Problem {
      let place = header.firstIndex(of: column) ?? 0
      return Problem(line: line, column: columns[place], description: description)
    }

    /// Returns a field's text; `nil` for an empty or missing one.
    private func text(_ column: String) -> String? {
      guard let place = header.firstIndex(of: column), !record[place].isEmpty else { return nil }
      return record[place]
    }

    private func encoding(_ column: String, of source: StandaloneAllocation.Source) throws(Problem) -> Int? {
      guard let encoding = try number(column, in: 0...7) else { return nil }
      var own: [Int] = []
      for layer in source.layers where layer.id.encoding != own.last { own.append(layer.id.encoding) }
      guard own.contains(encoding) else {
        throw problem(
          column,
          "\(column): '\(source.name)' has no encoding \(encoding): expected one of \(Self.list(own))")
      }
      return encoding
    }

    /// Returns the spatial layer in a stream that has several.
    private func spatial(of source: StandaloneAllocation.Source) throws(Problem) -> Int? {
      if let stream = try number("encoding", in: 0...7), stream > 0 {
        throw problem("encoding", "encoding: '\(source.name)' is one stream of several spatial layers: 0")
      }
      guard header.contains("spatial") else {
        throw problem("encoding", "'\(source.name)' has spatial layers: add the column 'spatial'")
      }
      return try encoding("spatial", of: source)
    }

    private func number(_ column: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
      guard let text = text(column) else { return nil }
      guard let number = Int(text), range.contains(number) else {
        throw problem(
          column, "\(column): '\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)"
        )
      }
      return number
    }

    private func duration(_ column: String) throws(Problem) -> SimDuration? {
      guard let text = text(column) else { return nil }
      guard let seconds = Double(text), (0...86_400).contains(seconds) else {
        throw problem(column, "\(column): '\(text)' is not a number of seconds from 0 to 86400")
      }
      return SimDuration(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    private static func list(_ numbers: [Int]) -> String {
      numbers.map(String.init).joined(separator: ", ")
    }
  }
}
