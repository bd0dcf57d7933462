import Allocation
import JSON
import Ladder
import Meeting
import Metrics
import Quantity
import Systems

/// JSON for programs.
extension Explanation {
  var json: JSONValue {
    var entries: [(String, JSONValue)] = [
      ("viewer", .text(viewer)), ("source", .text(source)), ("at_s", .real(moment.seconds)),
      ("decided_at_s", .real(decision.at.seconds)), ("asked", .text("\(decision.own.requested)")),
      ("wanted", .text(decision.row.wanted)), ("given", .text(decision.row.given)),
      ("limitation", .text(limitation)), ("decided_limitation", .text(decision.row.reason)),
      ("rule", .text(decision.row.rule)),
    ]
    if let shown = decision.shown.format { entries.append(("shown", .text("\(shown)"))) }
    if let rule {
      entries += [
        ("rule_sentence", .text(rule.sentence(with: settings))), ("rule_source", .text(rule.source)),
      ]
    }
    let state = decision.state
    entries.append(("steps", decided.json))
    var now: [(String, JSONValue)] = [
      ("estimate_bps", .integer(state.estimate.bitsPerSecond)), ("steps", self.now.json),
    ]
    if let link = state.link { now.insert(("capacity_bps", .integer(link.capacity.bitsPerSecond)), at: 0) }
    if let last = state.last { now.append(("arriving_bps", .integer(last.rate.bitsPerSecond))) }
    now.append(
      (
        "encodings",
        .list(
          state.encodings.map {
            .object([("name", .text($0.name)), ("state", .text($0.reach.text ?? "detected"))])
          })
      ))
    if let wait = state.wait {
      now.append(("waits_for_key_frame_of", .text(wait.encoding)))
      now.append(("has_given_up", .flag(wait.repetition == .never)))
    }
    entries.append(("state", .object(now)))
    entries.append(("freezes", .list(decision.freezes.map(json))))
    if let threshold {
      entries += [
        ("missing_bps", .integer(threshold.extra.bitsPerSecond)),
        ("next", .text("\(threshold.layer.format)")),
      ]
    }
    entries.append(
      (
        "remedies",
        .list(
          tried.helped.map { remedy in
            .object([
              ("change", .text(remedy.change)), ("agreeing", .integer(Int64(remedy.agreeing))),
              ("repetitions", .integer(Int64(remedy.repetitions))),
              ("losers", .list(remedy.losers.map { .text("\($0.viewer) sees \($0.source)") })),
            ])
          })
      ))
    entries.append(("failed", .list(tried.failed.map { .text($0) })))
    entries.append(("sentences", .list(sentences.map { .text($0) })))
    return .object(entries)
  }

  private func json(_ freeze: Freeze) -> JSONValue {
    var entries: [(String, JSONValue)] = [
      ("begin_s", .real(freeze.begin.seconds)), ("cause", .text(freeze.cause.rawValue)),
      ("sentence", .text(sentence(freeze))), ("is_resized", .flag(freeze.resized != nil)),
    ]
    if let end = freeze.end { entries.insert(("end_s", .real(end.seconds)), at: 1) }
    return .object(entries)
  }
}
