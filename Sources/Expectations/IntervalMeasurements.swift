package import Metrics
package import Plan

/// Values that expectations need but runs do not record, measured on the interval tables while these are written.
///
/// Memory does not grow with simulated time, except for quantiles of columns with many different values.
package struct IntervalMeasurements: Sendable {
  private var tables: [MeasuredTable] = []

  /// - Parameters:
  ///   - expectations: those without a measure are ignored.
  ///   - interval: length of the tables' intervals [ms].
  package init(_ expectations: [Expectation], interval: Int64) {
    for scope in ScalarMetric.Scope.allCases {
      var measured: [Expectation] = []
      for expectation in expectations where expectation.scope == scope && expectation.measure != nil {
        let isKnown = measured.contains {
          $0.viewer == expectation.viewer && $0.source == expectation.source
            && $0.measure == expectation.measure
        }
        if !isKnown { measured.append(expectation) }
      }
      if let table = MeasuredTable(scope, measured, interval: interval) { tables.append(table) }
    }
  }

  /// Adds the next bytes of a table, which start with its header.
  package mutating func add(_ bytes: [UInt8], to table: ResultTable) {
    for place in tables.indices where tables[place].table == table { tables[place].add(bytes) }
  }

  /// Formats the values as rows of `scalars.csv` and counts them.
  package func rows(runID: String) -> (bytes: [UInt8], count: Int) {
    var writer = ByteWriter()
    var written: Set<[String]> = []
    for table in tables {
      // Of all that a pattern covers, a tile that is off the screen throughout the window is nobody's concern.
      for series in table.series where series.isNamed || series.values.hasIntervals {
        // Two patterns may cover the same subject.
        let measure = series.values.measure
        let name = [table.scope.rawValue, series.viewer, series.source, measure.column, measure.name]
        guard written.insert(name).inserted else { continue }
        let words = [runID] + name + [measure.unit, measure.direction.rawValue]
        for word in words {
          writer.field(word)
          writer.comma()
        }
        if let value = series.value { Self.write(value, to: &writer) }
        writer.newline()
      }
    }
    return (writer.bytes, written.count)
  }

  /// Writes a number with six decimals, or as many as fit.
  private static func write(_ value: Double, to writer: inout ByteWriter) {
    var decimals = 6
    var scale = 1e6
    while decimals > 0, abs(value) * scale >= 9e18 {
      decimals -= 1
      scale /= 10
    }
    guard abs(value) * scale < 9e18 else { return }
    writer.fixed(Int64((value * scale).rounded()), decimals: decimals)
  }
}
