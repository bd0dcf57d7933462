package import ResultReading

/// Values of sweep variables as people write them: `capacity 2.4 Mbps`, `loss 5 %`, or a label.
package enum PointText {
  private typealias Unit = (name: String, factor: Double, least: Double)

  /// Units of columns by suffix, larger units first: factor and minimum value in the base unit.
  private static let units: [(suffix: String, units: [Unit])] = [
    ("_bps", [("Mbps", 1e6, 1e6), ("kbps", 1e3, 1e3), ("bps", 1, 0)]),
    ("_s", [("s", 1, 1), ("ms", 1e-3, 0)]),
    ("_frac", [("%", 0.01, 0)]), ("_bytes", [("kB", 1e3, 1e3), ("B", 1, 0)]),
  ]

  /// Name of a variable, without the unit in its column's name.
  package static func title(of name: String) -> String {
    String(name.dropLast(suffix(of: name)?.count ?? 0)).replacing("_", with: " ")
  }

  /// Formats a value with its unit.
  package static func value(_ variable: RunRecord.Variable) -> String {
    guard let number = Double(variable.value), let unit = unit(of: variable.name, for: abs(number)) else {
      return variable.value
    }
    return "\(label(number / unit.factor)) \(unit.name)"
  }

  /// Formats a value with a unit from a table: `720 px`, or `1.5 Mbps` for 1500000 bit/s.
  static func value(_ value: Double, unit: String) -> String {
    if unit == "bit/s", let scaled = self.unit(suffix: "_bps", for: abs(value)) { return text(value, scaled) }
    return ["", "1"].contains(unit) ? figure(value) : "\(figure(value)) \(unit)"
  }

  private static func text(_ value: Double, _ unit: Unit) -> String {
    "\(figure(value / unit.factor)) \(unit.name)"
  }

  /// Formats the values of one variable in one common unit, which is left out.
  ///
  /// - Returns: the values and the unit; "" for none.
  package static func column(_ name: String, _ values: [String]) -> (values: [String], unit: String) {
    let numbers = values.compactMap(Double.init)
    guard numbers.count == values.count, let largest = numbers.map(abs).max(),
      let unit = unit(of: name, for: largest)
    else { return (values, "") }
    return (numbers.map { label($0 / unit.factor) }, unit.name)
  }

  /// Formats a variable's value: as it is with up to four significant digits, such as those that people write; with
  /// three if it has more, such as one of a logarithmic range.
  private static func label(_ value: Double) -> String {
    let short = ExpectationReport.Case.short(value, digits: 4)
    guard value != value.rounded(), short != figure(value) else { return figure(value) }
    return ExpectationReport.Case.short(value, digits: 3)
  }

  /// Values that are meaningless without the name of their variable.
  private static let switches = ["on", "off", "yes", "no", "true", "false", ""]

  /// Formats the values of all variables: numbers and switches with the variable's name, labels alone.
  package static func point(_ variables: [RunRecord.Variable]) -> String {
    variables.map { variable in
      let isLabel = Double(variable.value) == nil && !switches.contains(variable.value)
      return (isLabel ? "" : title(of: variable.name) + " ") + value(variable)
    }.joined(separator: ", ")
  }

  /// Formats named values of variables, as in a sweep's tables, like ``point(_:)``.
  package static func point(named values: [(name: String, value: String)]) -> String {
    point(values.map { RunRecord.Variable(name: $0.name, value: $0.value) })
  }

  private static func unit(of name: String, for size: Double) -> Unit? {
    suffix(of: name).flatMap { unit(suffix: $0, for: size) }
  }

  private static func unit(suffix: String, for size: Double) -> Unit? {
    units.first { $0.suffix == suffix }?.units.first { size >= $0.least }
  }

  private static func suffix(of name: String) -> String? {
    units.first { name.hasSuffix($0.suffix) && name.count > $0.suffix.count }?.suffix
  }

  private static func figure(_ value: Double) -> String { ExpectationReport.Case.short(value) }
}
