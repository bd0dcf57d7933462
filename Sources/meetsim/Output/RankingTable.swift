import Comparison
import Metrics
import Scenario
import Statistics
import TextLayout

/// Ranked variants of a scenario as a table for a terminal.
struct RankingTable {
  private let ranking: VariantRanking
  private let viewer: String?
  private let source: String?
  /// Labels of variants without a row.
  private let omitted: [String]
  private let showsAll: Bool
  private let width: Int

  /// Maximum number of losses listed for a variant, of variants that are not decided, and of names of omitted ones.
  private static let limit = 3

  /// - Parameter omitted: labels of suggestions that change nothing, which are counted instead of listed.
  init(
    _ ranking: VariantRanking, viewer: String?, source: String?, omitting omitted: [String], showsAll: Bool,
    width: Int
  ) {
    self.ranking = ranking
    self.viewer = viewer
    self.source = source
    self.omitted = omitted
    self.showsAll = showsAll
    self.width = width
  }

  var lines: [Terminal.Line] {
    let subject = ranking.subject
    let metric = ComparisonReport.metric(subject.metric, subject.stat, subject.unit)
    let whom = [source.map { "of \($0)" }, viewer.map { "at \($0)" }].compactMap { $0 }.joined(separator: " ")
    let kind = subject.count > 1 ? ", mean of \(subject.count) values" : ""
    let better = subject.direction == .bigger ? "more is better" : "less is better"
    let head =
      "\(metric)\(whom.isEmpty ? "" : " " + whom)\(kind); \(better); \(ranking.pairs) repetitions with the same random "
      + "numbers"
    return head.wrapped(to: width).map { Terminal.Line($0, .strong) } + [Terminal.Line("")]
      + table
      + [Terminal.Line("")]
      + [idle, remark].compactMap(\.self).flatMap { $0.wrapped(to: width) }.map { Terminal.Line($0) } + losses
  }

  private var rows: [VariantRanking.Row] { ranking.rows.filter { !omitted.contains($0.label) } }

  /// Sentence on the suggestions without a row; `nil` if there are none.
  private var idle: String? {
    guard !omitted.isEmpty else { return nil }
    let names =
      showsAll || omitted.count <= Self.limit
      ? omitted.map { "'\($0)'" }.joined(separator: ", ") : "--all names them"
    let subject = omitted.count == 1 ? "1 suggestion leaves" : "\(omitted.count) suggestions leave"
    return "\(subject) \(ranking.subject.metric) as it is in all runs: \(names)."
  }

  private var table: [Terminal.Line] {
    let shown = rows
    var rows = [["", "variant", "mean", "difference", "interval", ""]]
    let base = shown.first { $0.verdict == .base }
    for (place, row) in shown.enumerated() {
      // Rounded to the last decimal shown of the larger of the two means.
      let scale = max(abs(base?.mean ?? 0), abs(row.mean ?? 0))
      let isClear = row.verdict == .better || row.verdict == .worse
      func end(_ value: Double) -> String { Self.figure(value, of: scale, keepsSign: isClear) }
      let interval = row.difference?.interval.map { "\(end($0.low)) to \(end($0.high))" }
      rows.append([
        "\(place + 1)", row.label, row.mean.map(ComparisonReport.figure) ?? "-",
        row.difference.map { ($0.difference > 0 ? "+" : "") + Self.figure($0.difference, of: scale) } ?? "",
        interval ?? "", Self.verdict(on: row),
      ])
    }
    let tones: [Terminal.Tone] = [.strong] + shown.map { $0.verdict == .worse ? .bad : .plain }
    return TextTable.blocks(rows, names: 1..<2, leading: 2, right: [0, 2, 3], width: width).flatMap {
      zip($0, tones).map { Terminal.Line($0, $1) }
    }
  }

  /// Returns the verdict on a variant, with the runs that its means leave out and the time in which its tile shows
  /// nothing.
  private static func verdict(on row: VariantRanking.Row) -> String {
    var reasons: [String] = []
    if row.missing > 0 { reasons.append("\(row.missing) without a value") }
    if row.additional > 0 { reasons.append("\(row.additional) more with a value") }
    if let darkness = row.darkness {
      reasons.append("\(ComparisonReport.figure(darkness)) s more without frames")
    }
    let words = [row.verdict.rawValue, reasons.isEmpty ? "" : "(\(reasons.joined(separator: ", ")))"]
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Sentence with the base's means over the runs of variants that have a value in fewer; empty if there are none.
  private var means: String {
    let texts = rows.compactMap { row -> String? in
      guard row.missing > 0, let mean = row.baseMean else { return nil }
      return "\(ComparisonReport.figure(mean)) over the runs of '\(row.label)'"
    }
    return texts.isEmpty ? "" : " The mean of '\(WhatIfCommand.base)' is \(texts.joined(separator: ", "))."
  }

  private var remark: String {
    let level = ComparisonReport.figure(ranking.level * 100)
    let rare = rows.filter { 2 * $0.count < ranking.pairs }.map { "'\($0.label)' (\($0.count))" }
    let last =
      rare.isEmpty
      ? "" : " Last come those with a value in less than half of them: \(rare.joined(separator: ", "))."
    let intervals = "Intervals of the difference hold together with \(level) %." + means + last
    guard !ranking.isDecided else { return intervals }
    let open = ranking.undecided.filter { !omitted.contains($0) }.map { "'\($0)'" }
    let rest = open.count > Self.limit ? ["\(open.count - Self.limit) more"] : []
    let named = (open.prefix(Self.limit) + rest).enumeration
    return intervals
      + " After \(ranking.pairs) repetitions it is open how far \(named) \(open.count == 1 ? "is" : "are") from the scenario as it is, or from the best; "
      + "a higher --limit may tell."
  }

  // MARK: Losses

  private var losses: [Terminal.Line] {
    let changed = rows.filter { $0.verdict != .base }
    guard !changed.isEmpty else { return [] }
    var lines = [Terminal.Line(""), Terminal.Line("What it costs", .strong)]
    for row in changed where !row.losses.isEmpty {
      let texts = Self.texts(of: row.losses)
      let kept = showsAll || texts.count <= Self.limit + 1 ? texts : Array(texts.prefix(Self.limit))
      lines += "\(row.label):".wrapped(to: width).map { Terminal.Line($0) }
      for text in kept {
        lines += text.wrapped(to: width - 2).map { Terminal.Line("  " + $0) }
      }
      if kept.count < texts.count {
        lines.append(Terminal.Line("  … and \(texts.count - kept.count) more: --all"))
      }
    }
    let free = changed.filter(\.losses.isEmpty).map { "'\($0.label)'" }
    if !free.isEmpty {
      lines += "No other tile is shown to lose quality with \(free.joined(separator: ", ")).".wrapped(
        to: width
      )
      .map { Terminal.Line($0) }
    }
    return lines
  }

  /// Formats a value to the fourth significant digit of a scale.
  ///
  /// - Parameter keepsSign: writes a smaller value in full instead of 0.
  private static func figure(_ value: Double, of scale: Double, keepsSign: Bool = false) -> String {
    guard scale > 0, scale.isFinite else { return ComparisonReport.figure(value) }
    var step = 1.0
    while scale / step < 1000 { step /= 10 }
    while scale / step >= 10_000 { step *= 10 }
    let rounded = (value / step).rounded() * step
    guard rounded == 0 else { return ComparisonReport.figure(rounded) }
    return keepsSign ? ComparisonReport.figure(value) : "0"
  }

  /// Formats losses, largest first, with similar tiles on one line.
  private static func texts(of losses: [VariantRanking.Loss]) -> [String] {
    var groups: [[VariantRanking.Loss]] = []
    for loss in losses {
      let place = groups.firstIndex { group in
        guard let first = group.first else { return false }
        return first.metric == loss.metric && (first.new == nil) == (loss.new == nil)
          && NameList.stem(of: first.viewer) == NameList.stem(of: loss.viewer)
          && NameList.stem(of: first.source) == NameList.stem(of: loss.source)
      }
      if let place { groups[place].append(loss) } else { groups.append([loss]) }
    }
    return groups.map { group in (group.map(size).max() ?? 0, group) }
      .sorted { $0.0 > $1.0 }.map { _, group in text(of: group) }
  }

  /// Returns the size of a loss, for the order of lines [our model]: as a share of a score's range, or of ten seconds
  /// of freezes; a tile that is gone loses its score.
  private static func size(_ loss: VariantRanking.Loss) -> Double {
    guard let new = loss.new else { return (loss.base - 1) / 4 }
    return abs(new - loss.base) / (loss.metric == "mos" ? 4 : 10)
  }

  private static func text(of group: [VariantRanking.Loss]) -> String {
    func names(_ names: [String]) -> String {
      NameList.text(of: NameList.ordered(names))
    }
    let whom = "\(names(group.map(\.viewer))) of \(names(group.map(\.source))): "
    let worst = group.max { size($0) < size($1) } ?? group[0]
    guard let new = worst.new else { return whom + "no longer shown" }
    let unit = worst.unit == "1" ? "" : " \(worst.unit)"
    let prefix = group.count > 1 ? "up to " : ""
    return whom
      + "\(worst.metric) \(ComparisonReport.figure(worst.base)) → \(ComparisonReport.figure(new))\(unit) "
      + "(\(prefix)\(signed(new - worst.base)))"
  }

  private static func signed(_ value: Double) -> String {
    (value > 0 ? "+" : "") + ComparisonReport.figure(value)
  }
}
