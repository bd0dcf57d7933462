import Files
import Plan
import ResultReading

/// Reports as JUnit XML for Jenkins, GitLab and GitHub's test reporters: one suite per directory, one case per
/// expectation and point.
package enum JUnitReport {
  /// Formats the contents of the file, without times, so that the same results have the same bytes.
  ///
  /// - Parameter strict: `true` to report inconclusive cases as failures; otherwise they are skipped.
  package static func text(of reports: [ExpectationReport], strict: Bool) -> String {
    var suites = ""
    var total = (tests: 0, failures: 0, errors: 0, skipped: 0)
    for report in reports {
      let failures = report.cases.count { isFailure($0, strict) }
      let skipped = report.cases.count { isSkipped($0, strict) }
      let errors = report.unfinished.count
      let tests = report.cases.count + errors
      total.tests += tests
      total.failures += failures
      total.errors += errors
      total.skipped += skipped
      suites += "  <testsuite name=\"\(escaped(report.directory.name))\" tests=\"\(tests)\""
      suites += " failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\">\n"
      suites += properties(of: report)
      for one in report.cases { suites += element(one, report, strict) }
      for run in report.unfinished {
        suites += "    <testcase classname=\"\(escaped(report.directory.name))\" "
        suites += "name=\"run \(escaped(run.runID))\">\n"
        suites +=
          "      <error type=\"\(escaped(run.status))\" message=\"\(escaped(run.error))\"/>\n    </testcase>\n"
      }
      suites += "  </testsuite>\n"
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + "<testsuites name=\"meetsim\" tests=\"\(total.tests)\" failures=\"\(total.failures)\" "
      + "errors=\"\(total.errors)\" skipped=\"\(total.skipped)\">\n\(suites)</testsuites>\n"
  }

  private static func isFailure(_ one: ExpectationReport.Case, _ strict: Bool) -> Bool {
    one.judgement.verdict == .fail || strict && one.judgement.verdict == .inconclusive
  }

  private static func isSkipped(_ one: ExpectationReport.Case, _ strict: Bool) -> Bool {
    one.judgement.verdict == .inconclusive && !strict
  }

  private static func properties(of report: ExpectationReport) -> String {
    let repetitions = report.cases.map(\.runs).max() ?? report.directory.results.runs.count
    var values = [("version", report.directory.version), ("repetitions", "\(repetitions)")]
    if !report.directory.seed.isEmpty { values.append(("seed", report.directory.seed)) }
    return "    <properties>\n"
      + values.map { "      <property name=\"\($0.0)\" value=\"\(escaped($0.1))\"/>\n" }.joined()
      + "    </properties>\n"
  }

  private static func element(
    _ one: ExpectationReport.Case, _ report: ExpectationReport, _ strict: Bool
  ) -> String {
    let place = one.point.isEmpty ? "" : " [\(one.point)]"
    var text = "    <testcase classname=\"\(escaped(report.directory.name))\" "
    text += "name=\"\(escaped("\(one.subject) \(one.bound)\(place)"))\" "
    text += "file=\"\(escaped(report.directory.file))\" line=\"\(one.expectation.line)\""
    let message = escaped(one.sentence)
    if isFailure(one, strict) {
      text += ">\n      <failure type=\"expectation\" message=\"\(message)\"/>\n    </testcase>\n"
    } else if isSkipped(one, strict) {
      text += ">\n      <skipped message=\"\(message)\"/>\n    </testcase>\n"
    } else {
      text += "/>\n"
    }
    return text
  }

  /// Escapes a text as an XML 1.0 attribute; control characters are made visible, other characters invalid in XML
  /// become '?'.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.printableLines.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "&#10;"
      case _ where scalar.value == 0xfffe || scalar.value == 0xffff: result += "?"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
