package import JSON
import Quantity

/// Name and metadata of a column of a result table.
package struct TableColumn: Sendable, Equatable {
  /// A Frictionless field type.
  package enum ValueType: String, Sendable { case string, integer, number, boolean }

  package var name: String
  package var type: ValueType
  /// Unit; `nil` for text, and for numbers with their unit in another column.
  package var unit: ColumnUnit?
  /// Set if the column's fields may be empty.
  package var isNullable: Bool
  /// Meaning of the column, without the unit.
  package var meaning: String
  /// Meaning of an empty field; empty for a column that is always filled.
  package var empty: String
  /// Complete list of the words that the column can hold; empty if the values are not limited to a list.
  package var values: [ColumnValue]

  package init(
    name: String, type: ValueType, unit: ColumnUnit? = nil, isNullable: Bool = true, meaning: String,
    empty: String = "", values: [ColumnValue] = []
  ) {
    self.name = name
    self.type = type
    self.unit = unit
    self.isNullable = isNullable
    self.meaning = meaning
    self.empty = empty
    self.values = values
  }

  /// Frictionless field descriptor; the unit follows the description in brackets, unless it is 1.
  package var field: JSONValue {
    var entries: [(String, JSONValue)] = [("name", .text(name)), ("type", .text(type.rawValue))]
    var description = meaning
    if let unit, unit != .one { description += " [\(unit.rawValue)]" }
    if !empty.isEmpty { description += "; empty: \(empty)" }
    entries.append(("description", .text(description)))
    if let unit { entries.append(("unit", .text(unit.rawValue))) }
    var constraints: [(String, JSONValue)] = isNullable ? [] : [("required", .flag(true))]
    if !values.isEmpty { constraints.append(("enum", .list(values.map { .text($0.word) }))) }
    if !constraints.isEmpty { entries.append(("constraints", .object(constraints))) }
    return .object(entries)
  }
}

/// One of the words that a column can hold.
package struct ColumnValue: Sendable, Equatable {
  package var word: String
  /// Meaning, as a phrase; empty if the word is self-explanatory.
  package var meaning: String

  package init(_ word: String, _ meaning: String = "") {
    self.word = word
    self.meaning = meaning
  }
}

/// Unit of a column of numbers.
package enum ColumnUnit: String, Sendable {
  /// Unit of counts, fractions and scores.
  case one = "1"
  case pixels = "px"
  case pixelsPerSecond = "px/s"
  case hertz = "Hz"
  case bitsPerSecond = "bit/s"
  case seconds = "s"
  /// Samples of audio at 48 kHz.
  case samples = "1/48000 s"
}
