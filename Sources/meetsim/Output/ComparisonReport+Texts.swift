import Comparison
import Metrics
import Quantity
import ResultReading
import Statistics

extension ComparisonReport {
  static let runHeader = "change,scope,viewer,source,metric,stat,unit,direction,base,new,relative_frac\n"
  static let sweepHeader =
    "verdict,scope,viewer,source,point,metric,stat,unit,direction,n,base,new,difference,relative_frac,"
    + "ci_lo,ci_hi,ci_level,p,p_holm\n"

  static func record(_ row: RunComparison.Row) -> String {
    CSVLine.text(
      of: [row.change.rawValue] + subject(row.key) + metric(row.key)
        + [row.base, row.new, row.relative].map(real))
  }

  static func record(_ row: SweepComparison.Row) -> String {
    let interval = row.difference.interval
    return CSVLine.text(
      of: fields(row.verdict, row.key, row.point, count: row.count)
        + [
          row.base, row.new, row.difference.difference, row.relative, interval?.low, interval?.high,
          row.level,
          row.difference.pValue, row.adjustedPValue,
        ].map(real))
  }

  static func record(_ row: SweepComparison.OneSidedRow) -> String {
    CSVLine.text(
      of: fields(row.verdict, row.key, row.point, count: row.count) + [row.base, row.new].map(real)
        + Array(repeating: "", count: 7))
  }

  /// Returns the first fields of a row of a sweep's comparison.
  private static func fields(
    _ verdict: Verdict, _ key: ScalarKey, _ point: [RunRecord.Variable]?, count: Int
  ) -> [String] {
    [verdict.rawValue] + subject(key) + [point.map(text) ?? ""] + metric(key) + ["\(count)"]
  }

  private static func subject(_ key: ScalarKey) -> [String] { [key.scope, key.viewer, key.source] }

  private static func metric(_ key: ScalarKey) -> [String] {
    [key.metric, key.stat, key.unit, key.direction.rawValue]
  }

  /// Formats a point as `name=value` pairs.
  static func text(of point: [RunRecord.Variable]) -> String {
    point.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
  }

  static func metric(_ metric: String, _ stat: String, _ unit: String) -> String {
    "\(metric) \(stat)" + (unit == "1" ? "" : " [\(unit)]")
  }

  static func plural(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  /// Formats a value with four significant digits; from 100,000 on in thousands (`k`), millions (`M`) or billions
  /// (`G`).
  static func figure(_ value: Double) -> String {
    guard value != 0, value.isFinite else { return value == 0 ? "0" : "-" }
    for (scale, letter) in [(1e9, "G"), (1e6, "M"), (1e3, "k")] where abs(value) >= max(scale, 1e5) {
      return figure(value / scale) + letter
    }
    var scale = 1.0
    while abs(value) * scale < 1000 { scale *= 10 }
    while abs(value) * scale >= 10_000 { scale /= 10 }
    // A scale below one is inexact; multiplying by its rounded inverse keeps integers exact.
    let rounded = (value * scale).rounded()
    let result = scale >= 1 ? rounded / scale : rounded * (1 / scale).rounded()
    let text = result.decimalText
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private static func real(_ value: Double?) -> String { value?.decimalText ?? "" }
}
