import Files
import Metrics

/// Formats a line of a CSV table that contains texts from files.
enum CSVLine {
  /// Formats the fields according to RFC 4180, with control characters escaped.
  static func text(of fields: [String]) -> String {
    var writer = ByteWriter()
    for (place, field) in fields.enumerated() {
      if place > 0 { writer.comma() }
      writer.field(field.printable)
    }
    writer.newline()
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
