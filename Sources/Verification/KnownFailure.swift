import Files

/// A check that fails, with the reason why it is left failing.
package struct KnownFailure: Equatable, Sendable {
  package let caseName: String
  package let metric: String
  package let reason: String

  /// Those of `Cases/known-failures.csv`, a row each: `case,metric,reason`.
  package static let all: [KnownFailure] = parsed(PackageResources.known_failures_csv)

  /// The entry for a check; `nil` if there is none.
  package static func entry(of caseName: String, metric: String) -> KnownFailure? {
    all.first { $0.caseName == caseName && $0.metric == metric }
  }

  private static func parsed(_ bytes: [UInt8]) -> [KnownFailure] {
    let rows = String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst()
    return rows.compactMap { row in
      let fields = row.split(separator: ",", maxSplits: 2).map(String.init)
      return fields.count == 3 ? KnownFailure(caseName: fields[0], metric: fields[1], reason: fields[2]) : nil
    }
  }
}
