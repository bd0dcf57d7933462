import Ladder
import Metrics
import Plan
import Quantity
import YAML

/// Turns expectations into the plan's.
struct ExpectationReader: PlanReader {
  let draft: MeetingDraft

  /// Reads an expectation of a scenario.
  func expectation(_ node: Node) -> Expectation? {
    Entry<ExpectationSection>(
      node, "the expectation", reading, only: ExpectationSection.ofScenarios
    ).flatMap(expectation)
  }

  /// Returns the plan's expectation; `nil`, with an error reported, if the meeting has no such value.
  func expectation(_ own: Entry<ExpectationSection>) -> Expectation? {
    let subject = subject(own)
    let window = window(own)
    let isKnown = subject?.source != nil || !ExpectedValue.isOfAnotherScope(own.metric?.text, than: .tile)
    guard let subject, let metric = own.metric, let window, isKnown,
      let value = ExpectedValue.named(
        metric, stat: own.stat, of: subject.scope, in: window, until: own.condition?.target, own)
    else { return nil }
    guard let viewer = subject.viewer, let source = subject.source, let condition = own.condition else {
      return nil
    }
    let unit = value.unit(in: subject.scope)
    if let stated = condition.unit, stated != unit {
      let kind = unit == "1" ? "a number without a unit" : "in \(unit)"
      let bound = condition.target.bound
      var hint = ""
      if unit == "s", stated == "1", (0...1).contains(bound) {
        let share = SimDuration.milliseconds(Int64((draft.duration.seconds * bound * 1000).rounded()))
        hint = ": for that share of the meeting write '\(condition.target.relation.rawValue) \(share)'"
      }
      own.report(
        at: "is", "is: '\(value.metric)' is \(kind), not in \(stated == "1" ? "%" : stated)\(hint)")
      return nil
    }
    let mark = own.fields.node.mark
    var expectation = Expectation(
      scope: subject.scope, viewer: viewer, source: source, metric: value.metric, stat: value.stat,
      measure: value.measure, relation: condition.target.relation, bound: condition.target.bound,
      line: mark?.line ?? 0,
      column: mark?.column)
    if let within = window.within {
      expectation.relation = .atMost
      expectation.bound = within.seconds
    }
    return expectation
  }

  // MARK: Subject

  /// Returns the subject of an expectation; an unknown name is reported and becomes `nil`.
  private func subject(
    _ own: Entry<ExpectationSection>
  ) -> (scope: ScalarMetric.Scope, viewer: String?, source: String?)? {
    let stated = ExpectationSection.subjects.filter(own.states)
    switch stated {
    case []: return (.meeting, "", "")
    case ["participant"]: return (.participant, pattern(own.participant), "")
    case ["link"]: return (.link, "", pattern(own.link))
    case ["viewer", "source"]: return (.tile, pattern(own.viewer), pattern(own.source))
    case ["viewer", "voice"]: return (.voice, pattern(own.viewer), pattern(own.voice))
    case ["viewer"]:
      let source = names(of: "source").first { $0 != own.viewer?.text } ?? "teacher"
      own.report(
        "the expectation needs 'source', such as 'source: \(source)', or 'voice'; for what a participant has in all "
          + "write 'participant' in place of 'viewer'")
      // To report the other mistakes too, assume that a tile was meant.
      return (.tile, pattern(own.viewer), nil)
    case ["source"], ["voice"]:
      let viewer = participants.first { $0.view != nil }?.id ?? "student-1"
      own.report(
        "the expectation needs 'viewer', such as 'viewer: \(viewer)', or 'viewer: every' for all who watch")
    default:
      own.report(
        atKey: stated[stated.count - 1],
        "an expectation is about a tile ('viewer' and 'source'), a voice ('viewer' and 'voice'), a 'participant', a "
          + "'link' or, with none of these, the meeting: '\(stated.joined(separator: "', '"))' do not go together"
      )
    }
    return nil
  }

  /// Returns the valid names for a key.
  private func names(of key: String) -> [String] {
    switch key {
    case "link": draft.links.plans.map(\.name)
    case "voice": participants.filter(\.publishesAudio).map(\.id)
    case "source":
      participants.flatMap { participant in
        (participant.camera == nil ? [] : [participant.id])
          + (participant.screen == nil ? [] : [SourceName(owner: participant.id, isScreen: true).description])
      }
    default: participants.map(\.id)
    }
  }

  /// Checks whether a name is valid for a key; faster than searching the list, since files may have very many
  /// expectations.
  private func isName(_ text: String, of key: String) -> Bool {
    if key == "link" { return draft.links.numbers[text] != nil }
    let source = SourceName(text)
    guard let number = draft.people.numbers[key == "source" ? source.owner : text] else { return false }
    switch key {
    case "source":
      return source.isScreen ? participants[number].screen != nil : participants[number].camera != nil
    case "voice": return participants[number].publishesAudio
    default: return true
    }
  }

  /// Returns a pattern in which `*` stands for any characters, given a name, `every` or a pattern.
  ///
  /// - Returns: the pattern; `nil` after an error was reported.
  private func pattern(_ name: Name?) -> String? {
    guard let name else { return nil }
    let text = name.text
    if isName(text, of: name.field.key) { return text }
    if text == "every" { return "*" }
    if draft.faults.explain(text) { return nil }
    if Vocabulary.everybody.contains(text) {
      name.report("there is no '\(text)': did you mean 'every'?")
      return nil
    }
    if text.contains("*") {
      let known = names(of: name.field.key)
      if known.contains(where: { Expectation.matches(text, $0) }) || !draft.faults.sources.isEmpty {
        return text
      }
      name.report("'\(text)' matches none: expected \(known.prefix(40).joined(separator: ", "))")
      return nil
    }
    if name.field.key == "link" { return link(name).map { draft.links.plans[$0].name } }
    let source = SourceName(text)
    if name.field.key == "source" || name.field.key == "voice",
      let number = draft.people.numbers[source.owner]
    {
      if draft.faults.sources.contains(number) { return nil }
      let lacking = name.field.key == "voice" ? "audio" : source.isScreen ? "screen" : "camera"
      name.report("'\(participants[number].id)' publishes no \(lacking): add '\(lacking)' to its 'publish'")
      return nil
    }
    guard draft.people.numbers["\(text)-1"] != nil,
      draft.people.declarations.contains(where: { $0.name == text })
    else { return id(name) }
    name.report(
      "there is no participant '\(text)': it is a group: name a member, such as '\(text)-1', or all of "
        + "them with '\(text)-*'")
    return nil
  }

  // MARK: Window

  /// Returns the part of the meeting stated by `from` and `to`, or by `after` and `within`.
  private func window(_ own: Entry<ExpectationSection>) -> ExpectedValue.Window? {
    let window = ExpectedValue.Window(from: own.from, to: own.to, after: own.after, within: own.within)
    let end = draft.duration
    var isValid = true
    for (key, time) in [
      ("from", window.from), ("to", window.to), ("after", window.after), ("within", window.within),
    ] where own.states(key) {
      if let time, time > end { own.report(at: key, "\(key): \(time) is after the meeting's end (\(end))") }
      isValid = isValid && time.map { $0 <= end } ?? false
    }
    guard isValid else { return nil }
    if window.after != nil || window.within != nil {
      guard let after = window.after, let within = window.within, window.from == nil else {
        own.report(
          atKey: window.after == nil ? "within" : "after",
          "the time to recover needs 'after' and 'within', such as 'after: 40s, within: 5s', and no 'from'")
        return nil
      }
      guard within + .milliseconds(1) <= (window.to ?? end) - after else {
        let limit = window.to.map { "'to' (\($0))" } ?? "the meeting's end (\(end))"
        own.report(
          atKey: "within", "within: 'after' + 'within' is \(after + within), past \(limit): it could not fail"
        )
        return nil
      }
      return window
    }
    let (from, to) = (window.from ?? .zero, window.to ?? end)
    guard to > from || window.to == nil else {
      own.report(at: "to", "to: \(to) is not after \(from)")
      return nil
    }
    if to < end, !Self.hasInterval(from: from, to: to) {
      reading.warn(
        own.fields[window.from == nil ? "to" : "from"],
        "no interval of the tables, which begin every second, lies between \(from) and \(to): nothing is measured "
          + "without a shorter --interval")
    }
    return window
  }

  /// Checks whether a whole second begins and ends within a window.
  private static func hasInterval(from: SimDuration, to: SimDuration) -> Bool {
    let second = SimDuration.seconds(1).nanoseconds
    return to.nanoseconds / second > (from.nanoseconds + second - 1) / second
  }
}
