import Allocation
import Ladder
import Meeting
import Metrics
import Quantity
import Systems

/// Text for people and JSON for programs.
extension Explanation {
  var text: String {
    let own = decision.own
    let shown = decision.shown.format.map { "\($0)" } ?? "nothing"
    var lines = [
      "\(viewer) sees \(source) at \(Self.seconds(moment)) s: shown \(shown), given \(own.text), "
        + "asked \(own.requested): \(limitation)"
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

  /// Sentences on what would have changed the tile.
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
        : "it takes a layer from \(Self.list(of: remedy.losers))"
      sentences.append(
        "With \(remedy.change) the tile has more in \(remedy.agreeing) of \(remedy.repetitions) repetitions; \(cost)."
      )
    }
    return sentences
  }

  /// Lists tiles in words, grouped by viewer.
  private static func list(of tiles: [RemedySentence.Tile]) -> String {
    var views: [(viewer: String, sources: [String])] = []
    for tile in tiles.prefix(3) {
      if views.last?.viewer == tile.viewer {
        views[views.count - 1].sources.append(tile.source)
      } else {
        views.append((tile.viewer, [tile.source]))
      }
    }
    var texts = views.map { "\($0.viewer)'s view of \($0.sources.joined(separator: " and "))" }
    if tiles.count > 3 { texts.append("\(tiles.count - 3) more tiles") }
    guard texts.count > 1, let last = texts.popLast() else { return texts.joined() }
    return texts.joined(separator: ", ") + " and " + last
  }

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
              ("losers", .list(remedy.losers.map { .text("\($0.viewer) sees \($0.source)") })),
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

  /// Formats a rate in kbit/s; three decimals make it exact to the bit.
  private static func kilobits(_ rate: BitRate, signed: Bool = false) -> String {
    let bits = rate.bitsPerSecond.magnitude
    let fraction = String(bits % 1000 + 1000).dropFirst()
    let sign = rate < .zero ? "-" : signed ? "+" : ""
    return "\(sign)\(bits / 1000).\(fraction)"
  }
}
