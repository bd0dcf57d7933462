import Files

/// A check that is known to fail, with the reason for leaving it failing.
package struct KnownFailure: Equatable, Sendable {
  package let caseName: String
  package let metric: String
  package let reason: String

  /// Rows of `Cases/known-failures.csv`: `case,metric,reason`.
  package static let all: [KnownFailure] = parsed(PackageResources.known_failures_csv)

  /// Finds the entry for a check; `nil` if there is none.
  package static func entry(of caseName: String, metric: String) -> KnownFailure? {
    all.first { $0.caseName == caseName && $0.metric == metric }
  }

  /// - Precondition: the table is valid, being part of the program.
  private static func parsed(_ bytes: [UInt8]) -> [KnownFailure] {
    do {
      var reader = CSVReader(bytes)
      var failures: [KnownFailure] = []
      _ = try reader.next()
      while try reader.next() {
        precondition(reader.fieldCount == 3, "known-failures.csv:\(reader.line): \(reader.fieldCount) fields")
        failures.append(
          KnownFailure(caseName: try reader.text(0), metric: try reader.text(1), reason: try reader.text(2)))
      }
      return failures
    } catch {
      preconditionFailure("known-failures.csv:\(error.line): \(error)")
    }
  }
}
