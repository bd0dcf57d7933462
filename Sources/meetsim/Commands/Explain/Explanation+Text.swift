import Allocation
import Ladder
import Meeting
import Metrics
import Quantity
import Systems

/// An explanation for people, and for programs.
extension Explanation {
  var text: String {
    let own = decision.own
    var lines = [
      "\(viewer) sees \(source) at \(Self.seconds(moment)) s: given \(own.text), asked \(own.requested): \(limitation)"
    ]
    var decided = "decided at \(Self.seconds(decision.at)) s by \(decision.row.rule)"
    if let rule { decided += ": \(rule.sentence) [\(rule.source)]" }
    lines += [decided, ""]
    lines += waterfall
    lines += sentences.isEmpty ? [] : [""] + sentences
    return lines.joined(separator: "\n") + "\n"
  }

  private var waterfall: [String] {
    guard !steps.isEmpty else { return ["the estimate has no limit"] }
    let rates = steps.map { Self.kilobits($0.rate, signed: $0.kind == .change) }
    let width = rates.map(\.count).max() ?? 0
    var lines: [String] = []
    for (step, rate) in zip(steps, rates) {
      let padded = String(repeating: " ", count: width - rate.count) + rate
      lines.append(
        step.kind == .subtotal ? "\(padded) kbps  \(step.label)" : "\(padded) kbps    \(step.label)")
    }
    return lines
  }

  /// What would have changed the tile.
  var sentences: [String] {
    var sentences: [String] = []
    if let threshold {
      sentences.append(
        "With \(Self.kilobits(threshold.extra)) kbps more for video the rule gives \(threshold.layer.format)."
      )
    }
    for remedy in remedies {
      let cost =
        remedy.losers.isEmpty
        ? "no other tile loses by it"
        : "it costs " + remedy.losers.prefix(3).joined(separator: ", ")
          + (remedy.losers.count > 3 ? " and \(remedy.losers.count - 3) more tiles" : "")
      sentences.append(
        "With \(remedy.change) the tile has more in \(remedy.agreeing) of \(remedy.repetitions) repetitions; \(cost)."
      )
    }
    return sentences
  }

  var json: JSONValue {
    var entries: [(String, JSONValue)] = [
      ("viewer", .text(viewer)), ("source", .text(source)), ("at_s", .real(moment.seconds)),
      ("decided_at_s", .real(decision.at.seconds)), ("asked", .text("\(decision.own.requested)")),
      ("wanted", .text(decision.row.wanted)), ("given", .text(decision.row.given)),
      ("limitation", .text(limitation)), ("rule", .text(decision.row.rule)),
    ]
    if let rule {
      entries += [("rule_sentence", .text(rule.sentence)), ("rule_source", .text(rule.source))]
    }
    entries.append(
      (
        "steps",
        .list(
          steps.map {
            .object([
              ("kind", .text($0.kind.rawValue)), ("label", .text($0.label)),
              ("rate_bps", .integer($0.rate.bitsPerSecond)),
            ])
          })
      ))
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
          remedies.map { remedy in
            .object([
              ("change", .text(remedy.change)), ("agreeing", .integer(Int64(remedy.agreeing))),
              ("repetitions", .integer(Int64(remedy.repetitions))),
              ("losers", .list(remedy.losers.map { .text($0) })),
            ])
          })
      ))
    entries.append(("sentences", .list(sentences.map { .text($0) })))
    return .object(entries)
  }

  private static func seconds(_ time: SimTime) -> String {
    let thousandths = time.nanoseconds / 1_000_000
    let fraction = String(thousandths % 1000 + 1000).dropFirst()
    return "\(thousandths / 1000).\(fraction)"
  }

  /// Three decimals are whole bits.
  private static func kilobits(_ rate: BitRate, signed: Bool = false) -> String {
    let bits = rate.bitsPerSecond.magnitude
    let fraction = String(bits % 1000 + 1000).dropFirst()
    let sign = rate < .zero ? "-" : signed ? "+" : ""
    return "\(sign)\(bits / 1000).\(fraction)"
  }
}
