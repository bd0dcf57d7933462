import Files

/// A condition on a sweep variable: it must have the given value.
package struct VariableCondition: Equatable, Sendable {
  package let name: String
  package let value: String
  /// Value in the base unit, if it has a unit.
  package var number: Double?

  /// Parses `NAME=VALUE`, such as `viewers=9`; `nil` for anything else.
  package init?(text: String) {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
    name = String(text[..<equals])
    value = String(text[text.index(after: equals)...])
  }

  /// Compares a variable's value as text or as a number.
  func holds(for variable: RunRecord.Variable) -> Bool {
    // Tables prefix an apostrophe to values that a spreadsheet would take for a formula.
    guard variable.value != value, variable.value != "'" + value else { return true }
    guard let wanted = number ?? Double(value), let present = Double(variable.value) else { return false }
    return wanted == present
  }
}

extension Results {
  /// Returns the runs that satisfy a condition, with its variable removed.
  ///
  /// - Throws: ``ResultReadingError`` if there is no such variable, or it never has the value.
  package func selecting(_ condition: VariableCondition) throws(ResultReadingError) -> Results {
    let table = directory + "/runs.csv"
    let names = runs.first?.variables.map(\.name) ?? []
    // Unlike in sweep files, column names end with a quantity's base unit.
    let ends = ["", "_bps", "_s", "_frac", "_bytes"]
    guard let name = ends.lazy.map({ condition.name + $0 }).first(where: names.contains) else {
      let known = names.isEmpty ? "nothing varies" : "the variables are \(names.joined(separator: ", "))"
      throw ResultReadingError(table, line: 1, "there is no variable '\(condition.name)': \(known)")
    }
    let kept = runs.indices.filter { run in
      runs[run].variables.contains { $0.name == name && condition.holds(for: $0) }
    }
    guard !kept.isEmpty else {
      var values: [String] = []
      for variable in runs.flatMap(\.variables)
      where variable.name == name && !values.contains(variable.value) {
        values.append(variable.value)
      }
      throw ResultReadingError(
        table, line: 1,
        "'\(condition.name)' is never '\(condition.value)': its values are \(values.joined(separator: ", "))")
    }
    return Results(
      directory: directory, kind: kind,
      runs: kept.map { runs[$0].without(name) },
      scalars: ScalarTable(
        keys: scalars.keys, values: scalars.values.map { row in kept.map { row[$0] } }))
  }
}

extension Results {
  /// Returns the whole-run values of one viewer, of one source, or of both.
  ///
  /// - Parameters:
  ///   - viewer: a participant; `nil` for any.
  ///   - source: a source or a link; `nil` for any.
  /// - Throws: ``ResultReadingError`` if there is no such value.
  package func selecting(viewer: String?, source: String?) throws(ResultReadingError) -> Results {
    let kept = scalars.keys.indices.filter { place in
      let key = scalars.keys[place]
      // A value of the meeting may name a viewer, such as the one in the worst seat, but is not a value of that viewer.
      return (viewer == nil || key.viewer == viewer && key.scope != "meeting")
        && (source == nil || key.source == source)
    }
    guard kept.isEmpty else {
      return Results(
        directory: directory, kind: kind, runs: runs,
        scalars: ScalarTable(
          keys: kept.map { scalars.keys[$0] }, values: kept.map { scalars.values[$0] }))
    }
    let names = [viewer.map { "viewer '\($0)'" }, source.map { "source '\($0)'" }].compactMap { $0 }
    throw ResultReadingError(
      directory + "/scalars.csv", line: 1, "there is no value of \(names.joined(separator: " and "))")
  }
}

extension Results {
  /// A sweep's points in order of first occurrence, each with its runs as indices into ``runs``.
  package var points: [(id: String, runs: [Int])] {
    var points: [(id: String, runs: [Int])] = []
    var places: [String: Int] = [:]
    for (number, run) in runs.enumerated() {
      if let place = places[run.pointID] {
        points[place].runs.append(number)
      } else {
        places[run.pointID] = points.count
        points.append((run.pointID, [number]))
      }
    }
    return points
  }

  /// Returns the whole-run values of one metric.
  ///
  /// - Throws: ``ResultReadingError`` if there is no such metric.
  package func selecting(metric: String) throws(ResultReadingError) -> Results {
    let kept = scalars.keys.indices.filter { scalars.keys[$0].metric == metric }
    guard kept.isEmpty else {
      return Results(
        directory: directory, kind: kind, runs: runs,
        scalars: ScalarTable(
          keys: kept.map { scalars.keys[$0] }, values: kept.map { scalars.values[$0] }))
    }
    let known = scalars.keys.map(\.metric).uniqued()
    throw ResultReadingError(
      directory + "/scalars.csv", line: 1,
      "there is no metric '\(metric)': expected one of \(known.joined(separator: ", "))")
  }
}

extension RunRecord {
  fileprivate func without(_ variable: String) -> RunRecord {
    RunRecord(
      runID: runID, pointID: pointID, repetition: repetition, seed: seed, status: status, error: error,
      variables: variables.filter { $0.name != variable })
  }
}
