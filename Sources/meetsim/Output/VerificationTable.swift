import Files
import TextLayout
import Verification

/// Results of the validation, as a table for a terminal or as CSV.
struct VerificationTable {
  private let isCSV: Bool
  private var counts: [VerificationCheck.Verdict: Int] = [:]
  private var calls = CallCounts()

  init(isCSV: Bool) { self.isCSV = isCSV }

  var failed: Int { counts[.fail, default: 0] }

  func begin() {
    if isCSV { Terminal.result("case,metric,published,simulated,tolerance,verdict,source\n") }
  }

  /// Adds a case as soon as it has run.
  mutating func add(_ one: VerificationCase, _ outcome: VerificationOutcome) {
    var outcome = outcome
    var reasons: [String] = []
    for place in outcome.checks.indices {
      let check = outcome.checks[place]
      guard let known = KnownFailure.entry(of: one.name, metric: check.metric) else { continue }
      if check.verdict == .fail {
        outcome.checks[place].verdict = .knownFailure
        if !reasons.contains(known.reason) { reasons.append(known.reason) }
      } else if check.verdict == .pass {
        Terminal.error("warning: \(one.name): \(check.metric) passes, but is among the known failures")
      }
    }
    for check in outcome.checks {
      counts[check.verdict, default: 0] += 1
      calls.add(check, isFitted: one.isFitted)
    }
    guard !isCSV else {
      for check in outcome.checks {
        let fields = [
          one.name, check.metric, check.published, check.simulated, check.tolerance, check.verdict.rawValue,
          one.source,
        ]
        Terminal.result(CSVLine.text(of: fields))
      }
      return
    }
    Terminal.result(
      String(
        ReferenceText.wrapped("\(one.name): \(one.setup.printable)", indent: 0).dropFirst(one.name.count)),
      heading: one.name)
    Terminal.result(ReferenceText.wrapped("(\(one.source.printable))", indent: 2))
    Terminal.result(Self.lines(of: outcome.checks).joined(separator: "\n") + "\n")
    Terminal.result(reasons.map { ReferenceText.wrapped("known failure: \($0)", indent: 2) }.joined() + "\n")
  }

  /// Returns a line per check of a case; the measured quantity, with any remark, is wrapped as necessary.
  private static func lines(of checks: [VerificationCheck]) -> [String] {
    let heads = ["published", "simulated", "tolerance", "verdict"]
    let values = checks.map { [$0.published, $0.simulated, $0.tolerance, $0.verdict.rawValue] }
    let rest = heads.indices.reduce(0) { sum, column in
      sum + 2 + ([heads] + values).reduce(0) { max($0, $1[column].count) }
    }
    var rows = [[""] + heads]
    for (check, values) in zip(checks, values) {
      let metric = check.metric + (check.remark.isEmpty ? "" : " (\(check.remark))")
      for (number, part) in metric.wrapped(to: max(12, Terminal.width - rest - 2))
        .enumerated()
      {
        rows.append(["  " + part] + (number == 0 ? values : heads.map { _ in "" }))
      }
    }
    return TextTable.aligned(rows)
  }

  func end() {
    guard !isCSV else { return }
    if let rows = calls.rows { Terminal.result(TextTable.aligned(rows).joined(separator: "\n") + "\n\n") }
    let (known, skipped) = (counts[.knownFailure, default: 0], counts[.skipped, default: 0])
    Terminal.result(
      "\(counts[.pass, default: 0]) checks pass, \(failed) fail"
        + (known > 0 ? ", \(known) fail as known" : "") + (skipped > 0 ? ", \(skipped) skipped" : "") + "\n")
  }
}

/// Number of passing checks on recorded calls, by kind; recordings to which constants were fitted are counted
/// separately.
private struct CallCounts {
  private struct Count {
    var passed = 0
    var all = 0

    mutating func add(_ check: VerificationCheck) {
      passed += check.verdict == .pass ? 1 : 0
      all += check.verdict == .skipped ? 0 : 1
    }

    var text: String { all > 0 ? "\(passed) of \(all)" : "-" }
    var share: String { all > 0 ? "\((passed * 100 + all / 2) / all) %" : "-" }
  }

  private var fitted: [CallCheckKind: Count] = [:]
  private var others: [CallCheckKind: Count] = [:]
  private var kinds: [CallCheckKind: Count] = [:]

  mutating func add(_ check: VerificationCheck, isFitted: Bool) {
    guard let kind = check.kind else { return }
    kinds[kind, default: Count()].add(check)
    if isFitted {
      fitted[kind, default: Count()].add(check)
    } else {
      others[kind, default: Count()].add(check)
    }
  }

  /// Rows of the table, with sums; `nil` without recorded calls.
  var rows: [[String]]? {
    guard !kinds.isEmpty else { return nil }
    func row(_ name: String, _ counts: ([CallCheckKind: Count]) -> Count) -> [String] {
      let total = counts(kinds)
      return [name, total.text, total.share, counts(fitted).text, counts(others).text]
    }
    let rows = CallCheckKind.allCases.filter { kinds[$0] != nil }.map { kind in
      row(kind.rawValue) { $0[kind] ?? Count() }
    }
    let sum = row("all") { counts in
      counts.values.reduce(into: Count()) { sum, count in
        sum.passed += count.passed
        sum.all += count.all
      }
    }
    return [["recorded calls", "pass", "share", "fitted", "not fitted"]] + rows + [sum]
  }
}
