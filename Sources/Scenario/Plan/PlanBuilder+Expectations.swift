import Metrics
import Plan
import Quantity
import YAML

extension PlanBuilder {
  /// Keys that name the subject of an expectation.
  private static let subjectKeys = ["viewer", "source", "voice", "participant", "link"]

  /// Reads an expectation.
  ///
  /// - Parameter more: reads keys beyond those of a scenario's expectation.
  func readExpectation(_ node: Node, more: (Fields) -> Void = { _ in }) -> Expectation? {
    guard let fields = Fields(node, "the expectation", reading) else { return nil }
    defer { fields.finish() }
    more(fields)
    let subject = readSubject(fields)
    let metricNode = fields.require("metric", example: "frame_height")
    let metric = metricNode.flatMap { fields.text(of: $0, "metric") }
    let stat = fields.text("stat")
    let window = readTimes(fields)
    let isNode = fields.require("is", example: "\">= 720\"")
    let condition = isNode.flatMap { readCondition($0, fields) }
    let isKnown = subject?.source != nil || !ExpectedValue.isOfAnotherScope(metric, than: .tile)
    guard let subject, let metricNode, let metric, let window, isKnown,
      let value = ExpectedValue.named(
        metric, metricNode, stat: stat, of: subject.scope, in: window, until: condition, fields)
    else { return nil }
    guard let viewer = subject.viewer, let source = subject.source, let condition else { return nil }
    var expectation = Expectation(
      scope: subject.scope, viewer: viewer, source: source, metric: value.metric, stat: value.stat,
      measure: value.measure, relation: condition.relation, bound: condition.bound,
      line: node.mark?.line ?? 0, column: node.mark?.column)
    if let within = window.within {
      expectation.relation = .atMost
      expectation.bound = within.seconds
    }
    return expectation
  }

  private func readCondition(_ node: Node, _ fields: Fields) -> Expectation.Target? {
    guard let text = fields.text(of: node, "is") else { return nil }
    let parts = text.split(separator: " ")
    guard parts.count == 2, let relation = Expectation.Relation(rawValue: String(parts[0])),
      let value = Double(decimal: parts[1])
    else {
      fields.report(
        node,
        "is: '\(text)' is not a relation and a number, such as '>= 720'\(Self.cure(for: text))")
      return nil
    }
    return Expectation.Target(relation: relation, bound: value)
  }

  /// Suggests a correction for a condition that is almost valid.
  private static func cure(for text: String) -> String {
    let signs = text.prefix { "<>=!~≥≤".contains($0) }
    let rest = text.dropFirst(signs.count).split(separator: " ")
    guard let number = rest.first else { return "" }
    let known = Expectation.Relation(rawValue: String(signs)) != nil
    if Double(decimal: number) != nil, rest.count == 1 {
      return known ? ": put a space between them" : ": the relations are >=, <=, >, < and =="
    }
    let digits = number.prefix { $0.isNumber || $0 == "." }
    guard known, !digits.isEmpty else { return "" }
    return ": the number is in the metric's own unit, which is not written"
  }

  // MARK: Subject

  /// Reads the subject of an expectation; an unknown name is reported and becomes `nil`.
  private func readSubject(
    _ fields: Fields
  ) -> (scope: ScalarMetric.Scope, viewer: String?, source: String?)? {
    fields.know(Self.subjectKeys)
    let stated = Self.subjectKeys.filter(fields.keys.contains)
    switch stated {
    case []: return (.meeting, "", "")
    case ["participant"]: return (.participant, pattern("participant", fields), "")
    case ["link"]: return (.link, "", pattern("link", fields))
    case ["viewer", "source"]: return (.tile, pattern("viewer", fields), pattern("source", fields))
    case ["viewer", "voice"]: return (.voice, pattern("viewer", fields), pattern("voice", fields))
    case ["viewer"]:
      fields.report(
        nil,
        "the expectation needs 'source', such as 'source: teacher', or 'voice'; for what a participant has in all "
          + "write 'participant' in place of 'viewer'")
      // To report the other mistakes as well, assume that a tile was meant.
      return (.tile, pattern("viewer", fields), nil)
    case ["source"], ["voice"]:
      fields.report(
        nil,
        "the expectation needs 'viewer', such as 'viewer: student-1', or 'viewer: every' for all who watch")
    default:
      fields.report(
        fields.key(stated[stated.count - 1]),
        "an expectation is about a tile ('viewer' and 'source'), a voice ('viewer' and 'voice'), a 'participant', a "
          + "'link' or, with none of these, the meeting: '\(stated.joined(separator: "', '"))' do not go together"
      )
    }
    return nil
  }

  /// Lists the names that a key can have.
  private func names(of key: String) -> [String] {
    switch key {
    case "link": links.map(\.name)
    case "voice": participants.filter(\.publishesAudio).map(\.id)
    case "source":
      participants.flatMap { participant in
        (participant.camera == nil ? [] : [participant.id])
          + (participant.screen == nil ? [] : ["\(participant.id)/screen"])
      }
    default: participants.map(\.id)
    }
  }

  /// Checks whether a key can have a name; faster than a list, since files may have an expectation for each of many.
  private func isName(_ text: String, of key: String) -> Bool {
    if key == "link" { return linkNumbers[text] != nil }
    let isScreen = key == "source" && text.hasSuffix("/screen")
    let owner = isScreen ? String(text.dropLast("/screen".count)) : text
    guard let number = participantNumbers[owner] else { return false }
    switch key {
    case "source": return isScreen ? participants[number].screen != nil : participants[number].camera != nil
    case "voice": return participants[number].publishesAudio
    default: return true
    }
  }

  /// Reads a name, `every`, or a pattern in which `*` stands for any characters.
  ///
  /// - Returns: the pattern; `nil` after an error was reported.
  private func pattern(_ key: String, _ fields: Fields) -> String? {
    guard let node = fields.take(key), let text = fields.text(of: node, key) else { return nil }
    if isName(text, of: key) { return text }
    if text == "every" { return "*" }
    if faults.explain(text) { return nil }
    if text.contains("*") {
      let known = names(of: key)
      if known.contains(where: { Expectation.matches(text, $0) }) || !faults.sources.isEmpty { return text }
      fields.report(
        node, "\(key): '\(text)' matches none: expected \(known.prefix(40).joined(separator: ", "))")
      return nil
    }
    if key == "link" { return linkNumber(node, fields).map { links[$0].name } }
    let owner = text.hasSuffix("/screen") ? String(text.dropLast("/screen".count)) : text
    if key == "source" || key == "voice", let number = participantNumbers[owner] {
      if faults.sources.contains(number) { return nil }
      let lacking = key == "voice" ? "audio" : owner == text ? "camera" : "screen"
      fields.report(
        node,
        "\(key): '\(participants[number].id)' publishes no \(lacking): add '\(lacking)' to its 'publish'")
      return nil
    }
    guard participantNumbers["\(text)-1"] != nil,
      let group = declarations.first(where: { $0.name == text })?.name
    else { return participantID(node, key, fields).map { participants[$0].id } }
    fields.report(
      node,
      "\(key): there is no participant '\(group)': it is a group: name a member, such as '\(group)-1', or all of "
        + "them with '\(group)-*'")
    return nil
  }

  // MARK: Window

  /// Reads `from` and `to`, or `after` and `within`.
  private func readTimes(_ fields: Fields) -> ExpectedValue.Window? {
    var window = ExpectedValue.Window()
    var isValid = true
    for (key, place) in [
      ("from", \ExpectedValue.Window.from), ("to", \.to), ("after", \.after), ("within", \.within),
    ] where fields.take(key) != nil {
      window[keyPath: place] = fields.duration(key)
      if let time = window[keyPath: place] {
        guard time > duration else { continue }
        fields.report(fields.take(key), "\(key): \(time) is after the meeting's end (\(duration))")
      }
      isValid = false
    }
    guard isValid else { return nil }
    if window.after != nil || window.within != nil {
      guard let after = window.after, let within = window.within, window.from == nil else {
        fields.report(
          fields.key(window.after == nil ? "within" : "after"),
          "the time to recover needs 'after' and 'within', such as 'after: 40s, within: 5s', and no 'from'")
        return nil
      }
      guard within + .milliseconds(1) <= (window.to ?? duration) - after else {
        fields.report(
          fields.key("within"),
          "within: 'after' + 'within' is \(after + within), past "
            + (window.to.map { "'to' (\($0))" } ?? "the meeting's end (\(duration))") + ": it could not fail"
        )
        return nil
      }
      return window
    }
    let from = window.from ?? .zero
    guard let to = window.to, to <= from else { return window }
    fields.report(fields.take("to"), "to: \(to) is not after \(from)")
    return nil
  }
}
