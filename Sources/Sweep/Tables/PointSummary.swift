import Quantity
import Statistics

/// Summary of each metric over the repetitions of one point.
struct PointSummary {
  /// Columns that identify a metric, from scope to direction, followed by those of its statistics.
  static let columns = [
    "scope", "viewer", "source", "metric", "stat", "unit", "direction", "n", "mean", "sd", "ci_lo", "ci_hi",
    "ci_level", "min", "p05", "p50", "p95", "max", "failed",
  ]

  static let metricColumn = 3

  /// Bytes between the run id and the value, which identify a metric.
  private var names: [ArraySlice<UInt8>] = []
  private var places: [ArraySlice<UInt8>: Int] = [:]
  private var values: [[Double]] = []

  /// Adds the rows of one run.
  mutating func add(_ rows: [UInt8]) {
    var begin = 0
    // Runs of a point usually have the same rows in the same order.
    var expected = 0
    while let end = rows[begin...].firstIndex(of: 0x0a) {
      defer { begin = end + 1 }
      guard let first = rows[begin..<end].firstIndex(of: 0x2c),
        let last = rows[begin..<end].lastIndex(of: 0x2c), first < last
      else { continue }
      let name = rows[first + 1..<last]
      let place: Int
      if expected < names.count, names[expected].elementsEqual(name) {
        place = expected
      } else if let known = places[name] {
        place = known
      } else {
        place = names.count
        names.append(name)
        places[name] = place
        values.append([])
      }
      expected = place + 1
      // An empty value means that nothing was measured.
      if let value = Double(String(decoding: rows[last + 1..<end], as: UTF8.self)), value.isFinite {
        values[place].append(value)
      }
    }
  }

  /// Returns one row per metric, in the order of the runs' rows.
  ///
  /// - Parameters:
  ///   - level: confidence level of the intervals.
  ///   - failed: number of the point's runs without a result.
  func rows(level: Double, failed: Int) -> [[String]] {
    zip(names, values).map { name, values in
      let sample = Sample(values)
      let estimate = MeanEstimate(values: values, level: level)
      let numbers: [Double?] = [
        sample.mean, sample.standardDeviation, estimate?.interval?.low, estimate?.interval?.high, level,
        sample.sorted.first, sample.quantile(0.05), sample.quantile(0.5), sample.quantile(0.95),
        sample.sorted.last,
      ]
      var fields = name.split(separator: 0x2c, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      fields.append("\(sample.count)")
      for number in numbers { fields.append(number?.decimalText ?? "") }
      fields.append("\(failed)")
      return fields
    }
  }
}
