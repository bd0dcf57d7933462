/// Name and metadata of a column of a result table.
package struct TableColumn: Sendable, Equatable {
  /// A Frictionless field type.
  package enum ValueType: String, Sendable { case string, integer, number }

  package var name: String
  package var type: ValueType
  /// `nil` for text, and for numbers whose unit is in another column.
  package var unit: ColumnUnit?
  /// Whether its fields may be empty.
  package var isNullable: Bool
  /// Meaning of the column, without the unit.
  package var meaning: String

  package init(
    name: String, type: ValueType, unit: ColumnUnit? = nil, isNullable: Bool = true, meaning: String
  ) {
    self.name = name
    self.type = type
    self.unit = unit
    self.isNullable = isNullable
    self.meaning = meaning
  }

  /// A Frictionless field descriptor; the unit follows the description in brackets, unless it is 1.
  package var field: JSONValue {
    var entries: [(String, JSONValue)] = [("name", .text(name)), ("type", .text(type.rawValue))]
    if let unit, unit != .one {
      entries.append(("description", .text("\(meaning) [\(unit.rawValue)]")))
    } else {
      entries.append(("description", .text(meaning)))
    }
    if let unit { entries.append(("unit", .text(unit.rawValue))) }
    if !isNullable { entries.append(("constraints", .object([("required", .flag(true))]))) }
    return .object(entries)
  }
}

/// A unit of a column of numbers.
package enum ColumnUnit: String, Sendable {
  /// Counts, fractions and scores.
  case one = "1"
  case pixels = "px"
  case pixelsPerSecond = "px/s"
  case hertz = "Hz"
  case bitsPerSecond = "bit/s"
  case seconds = "s"
  /// Samples of audio at 48 kHz.
  case samples = "1/48000 s"
}
