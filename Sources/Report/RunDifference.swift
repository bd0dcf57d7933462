/// Differences between two runs, by their resolved scenarios.
struct RunDifference {
  /// Values that differ; "" for a missing one.
  private let values: [(path: String, first: String, second: String)]
  private let names: (String, String)

  init(_ first: RunHeader, _ second: RunHeader) {
    names = (first.scenario, second.scenario)
    let paths = [first, second].map { Self.paths(of: $0.resolvedScenario) }
    let known = Dictionary(paths[1].map { ($0.path, $0.value) }) { first, _ in first }
    let there = Set(paths[0].map(\.path))
    var values = paths[0].compactMap { path, value -> (path: String, first: String, second: String)? in
      known[path] == value ? nil : (path, value, known[path] ?? "")
    }
    values += paths[1].filter { !there.contains($0.path) }.map { ($0.path, "", $0.value) }
    values = values.filter { !["name", "title", "seed"].contains($0.path) }
    self.values = first.seed == second.seed ? values : values + [("seed", first.seed, second.seed)]
  }

  /// Title of a page of both: what differs, in the paths of the scenario.
  var title: String {
    guard !values.isEmpty else { return "\(names.0) twice: nothing differs" }
    let shown = values.prefix(2).map { value in
      "\(value.path): \(value.first.isEmpty ? "unset" : value.first) or "
        + (value.second.isEmpty ? "unset" : value.second)
    }
    let more = values.count > 2 ? [" and \(values.count - 2) more"] : []
    let name = names.0 == names.1 ? "\(names.0) with " : "\(names.0) and \(names.1): "
    return name + shown.joined(separator: ", ") + more.joined()
  }

  /// Part of a path: a key, or the number of an item of a list.
  private struct Step {
    let column: Int
    let name: String
    var number = 0
  }

  /// Lists the values of a resolved scenario, which is YAML in block style, with their paths; participants go by their
  /// ids.
  private static func paths(of yaml: String) -> [(path: String, value: String)] {
    var found: [(path: String, value: String)] = []
    var steps: [Step] = []
    for line in yaml.split(separator: "\n") {
      var rest = line.drop { $0 == " " }
      var column = line.count - rest.count
      var isFirst = true
      while rest.hasPrefix("- ") {
        var number = 1
        while let last = steps.last, last.column > column || last.column == column && last.number > 0 {
          if last.column == column { number = last.number + 1 }
          steps.removeLast()
        }
        steps.append(Step(column: column, name: "\(number)", number: number))
        rest = rest.dropFirst(2)
        column += 2
        isFirst = false
      }
      if isFirst { while let last = steps.last, last.column >= column { steps.removeLast() } }
      while let last = steps.last, last.number == 0, last.column >= column { steps.removeLast() }
      let colon = rest.firstIndex(of: ":")
      let isKey = colon.map { rest[$0...].hasPrefix(": ") || rest[$0...] == ":" } ?? false
      if let colon, isKey {
        steps.append(Step(column: column, name: String(rest[..<colon])))
        rest = rest[colon...].dropFirst().drop { $0 == " " }
      }
      if !rest.isEmpty { found.append((steps.map(\.name).joined(separator: "."), String(rest))) }
    }
    let ids = found.filter { $0.path.hasPrefix("participants.") && $0.path.hasSuffix(".id") }
    return found.map { path, value in
      guard let id = ids.first(where: { path.hasPrefix($0.path.dropLast(2)) }) else { return (path, value) }
      return ("participants.\(id.value)." + path.dropFirst(id.path.count - 2), value)
    }
  }
}
