/// A JSON value (RFC 8259) whose members keep their order.
package indirect enum JSONValue: Sendable {
  case text(String)
  case integer(Int64)
  case real(Double)
  case flag(Bool)
  case null
  case list([JSONValue])
  case object([(String, JSONValue)])

  /// Returns a number as other programs write it, with whole numbers without a decimal point.
  package static func number(_ value: Double) -> JSONValue {
    value == value.rounded() && abs(value) < 1e15 ? .integer(Int64(value)) : .real(value)
  }

  /// Member of an object; `nil` if there is none, and for other values.
  package subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members.first { $0.0 == name }?.1 } else { nil }
  }

  package var text: String? { if case .text(let text) = self { text } else { nil } }

  package var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }
}
