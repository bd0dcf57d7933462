import Files
import Plan
import ResultReading

/// Reports for GitHub Actions: annotations on the lines of a file, and a step summary.
package enum GitHubReport {
  /// Maximum number of annotations of one kind that GitHub shows per step.
  package static let annotationLimit = 10
  /// Size limit of a step summary [byte].
  package static let summaryLimit = 1_048_576

  /// Formats workflow commands, one per line: at most ten errors and ten warnings, and a notice if there are more.
  ///
  /// - Parameters:
  ///   - strict: `true` to report inconclusive cases as errors.
  ///   - path: converts a path given by the user to one relative to the checkout.
  package static func annotations(
    of reports: [ExpectationReport], strict: Bool, path: (String) -> String
  ) -> String {
    var errors: [String] = []
    var warnings: [String] = []
    for report in reports {
      if let first = report.unfinished.first {
        let rest = report.unfinished.count > 1 ? " and \(report.unfinished.count - 1) more" : ""
        errors.append(
          command(
            "error", path(report.directory.file), 1, "\(report.directory.name): runs are missing",
            "run \(first.runID)\(rest): \(first.status) \(first.error)"))
      }
      for one in report.cases where one.judgement.verdict != .pass {
        let isError = one.judgement.verdict == .fail || strict
        let text = command(
          isError ? "error" : "warning", path(report.directory.file), one.expectation.line,
          "\(report.directory.name): \(one.judgement.verdict == .fail ? "expectation failed" : "inconclusive")",
          one.sentence)
        if isError { errors.append(text) } else { warnings.append(text) }
      }
    }
    var lines = errors.prefix(annotationLimit) + warnings.prefix(annotationLimit)
    if errors.count > annotationLimit || warnings.count > annotationLimit {
      lines.append(
        "::notice title=meetsim check::\(errors.count) errors and \(warnings.count) warnings in all; "
          + "see the step summary\n")
    }
    return lines.joined()
  }

  private static func command(
    _ kind: String, _ file: String, _ line: Int, _ title: String, _ message: String
  ) -> String {
    "::\(kind) file=\(property(file)),line=\(max(1, line)),title=\(property(title))::\(data(message))\n"
  }

  /// Escapes a command's message like `@actions/core`; line breaks and control characters are made visible.
  static func data(_ text: String) -> String { text.printable.replacing("%", with: "%25") }

  /// Escapes a command's property, in which colons and commas are delimiters.
  static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }

  /// Converts a path to one relative to the checkout, as annotations need it.
  ///
  /// - Parameters:
  ///   - file: path given by the user, relative to `directory` or absolute.
  ///   - directory: the working directory.
  ///   - workspace: the checkout; empty if there is none.
  package static func relative(_ file: String, from directory: String, to workspace: String) -> String {
    var parts: [Substring] = []
    let whole = file.hasPrefix("/") ? file : directory + "/" + file
    for part in whole.split(separator: "/") where part != "." {
      if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
    }
    let root = (workspace.isEmpty ? directory : workspace).split(separator: "/")
    guard parts.starts(with: root) else { return file }
    return parts.dropFirst(root.count).joined(separator: "/")
  }

  // MARK: Summary

  /// Formats Markdown for `$GITHUB_STEP_SUMMARY`: cases that did not pass come first; rows beyond the limit are only
  /// counted.
  package static func summary(of reports: [ExpectationReport], limit: Int = summaryLimit) -> String {
    var text = ""
    for report in reports {
      var lines = [
        "| verdict | expectation | point | measured | interval | remark |\n|---|---|---|---|---|---|\n"
      ]
      for verdict in [Verdict.fail, .inconclusive, .pass] {
        for one in report.cases where one.judgement.verdict == verdict {
          let cells = [
            verdict.rawValue, "\(one.subject) \(one.bound)", one.point, one.measured, one.interval,
            one.judgement.remark,
          ]
          lines.append("| " + cells.map(cell).joined(separator: " | ") + " |\n")
        }
      }
      var head = "### meetsim: \(cell(report.directory.name))\n\n"
      head +=
        "\(report.count(of: .pass)) of \(report.cases.count) expectations hold, \(report.count(of: .fail)) failed, "
        + "\(report.count(of: .inconclusive)) inconclusive"
      head += report.unfinished.isEmpty ? ".\n\n" : "; **\(report.unfinished.count) runs are missing**.\n\n"
      text += head
      for (number, line) in lines.enumerated() {
        // Leave room for the sentence on omitted rows.
        guard text.utf8.count + line.utf8.count + 100 <= limit else {
          return text + "\n\(lines.count - number) more rows omitted.\n"
        }
        text += line
      }
      text += "\n"
    }
    return text
  }

  private static func cell(_ text: String) -> String {
    text.printable.replacing("\\", with: "\\\\").replacing("|", with: "\\|").replacing("<", with: "&lt;")
      .replacing("[", with: "\\[")
  }
}
