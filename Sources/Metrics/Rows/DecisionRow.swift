package import Allocation
package import Quantity

/// A row of `decisions.csv`; participants and sources are indices into the recorder's names.
package struct DecisionRow {
  package var viewer: Int
  package var source: Int
  /// Rank in the order in which subscriptions are served, from 1; `nil` for a source that is no longer subscribed to.
  package var rank: Int?
  /// Name of the type that made the decision; its file has the same name.
  package var rule: String
  package var budget: VideoBudget
  /// Bit rate allocated to sources served earlier.
  package var givenBefore: BitRate
  /// Layer that the rule would allocate if bandwidth were unlimited, such as `f.2`; empty for none.
  package var wanted: String
  package var given: String
  package var previous: String
  package var reason: String
  package var missing: BitRate

  package init(
    viewer: Int, source: Int, rank: Int?, rule: String, budget: VideoBudget, givenBefore: BitRate,
    wanted: String, given: String, previous: String, reason: String, missing: BitRate
  ) {
    self.viewer = viewer
    self.source = source
    self.rank = rank
    self.rule = rule
    self.budget = budget
    self.givenBefore = givenBefore
    self.wanted = wanted
    self.given = given
    self.previous = previous
    self.reason = reason
    self.missing = missing
  }

  /// Kind of change from the last row of the same tile.
  package enum News: Sendable {
    case nothing
    /// Only its rank changed, or the budget left for it by the sources served earlier.
    case order
    /// The decision changed, or the viewer's budget.
    case decision
  }

  /// Compares the row with the last one of the same tile; only different words or ranks count, or rates that differ by
  /// at least 1 % of the estimate.
  package func news(after last: DecisionRow) -> News {
    if (rank == nil) != (last.rank == nil) || given != last.given || wanted != last.wanted
      || rule != last.rule || reason != last.reason
    {
      return .decision
    }
    let (budget, before) = (self.budget, last.budget)
    guard let estimate = budget.estimate, let estimateBefore = before.estimate else {
      // No rate is insignificant next to an unknown one.
      if budget.estimate != before.estimate || budget.cap != before.cap { return .decision }
      return rank != last.rank ? .order : .nothing
    }
    let least = max(1, estimateBefore.bitsPerSecond / 100)
    func differ(_ a: BitRate, _ b: BitRate) -> Bool { abs(a.bitsPerSecond - b.bitsPerSecond) >= least }
    let hasCap =
      switch (budget.cap.rate, before.cap.rate) {
      case (let cap?, let capBefore?): differ(cap, capBefore)
      default: budget.cap != before.cap
      }
    let hasBudget =
      differ(estimate, estimateBefore) || differ(budget.voices, before.voices)
      || differ(budget.padding, before.padding) || differ(budget.headers, before.headers)
      || differ(budget.repairs, before.repairs) || hasCap
    if hasBudget { return .decision }
    let hasOrder =
      rank != last.rank || differ(givenBefore, last.givenBefore) || differ(missing, last.missing)
    return hasOrder ? .order : .nothing
  }
}

extension DecisionRow: TableRow {
  static var table: ResultTable { .decisions }
  static var meaning: String {
    "run of the policy that says something new of a viewer's tile, and whole second before which its place in the order "
      + "(`rank`, `given_before_bps`, `missing_bps`) has changed alone"
  }
  static var foreignKeys: [ForeignKey] { [.participant("viewer")] }

  static var blank: DecisionRow {
    DecisionRow(
      viewer: 0, source: 0, rank: nil, rule: "", budget: VideoBudget(estimate: nil), givenBefore: .zero,
      wanted: "", given: "", previous: "", reason: "", missing: .zero)
  }

  func declareColumns(in run: RecordedRun, to columns: inout some ColumnSink & ~Copyable) {
    run.declareID(to: &columns)
    run.declareTime("simulated time of the decision, or of the second's end", to: &columns)
    run.declareTile(viewer: viewer, source: source, to: &columns)
    columns.column(
      "rank", .one,
      "position in the policy's allocation order, from 1",
      empty: "the source is no longer subscribed", rank)
    columns.column(
      "rule", nil, "rule that decided, by its name in its system's folder of Sources/Systems", rule)
    columns.column(
      "estimate_bps", .bitsPerSecond,
      "estimate by which the decision was made: the current one, one held through a dip, or the last acted on",
      empty: "unlimited",
      budget.estimate)
    columns.column(
      "voice_reserve_bps", .bitsPerSecond, "part of the estimate reserved for voices", budget.voices)
    columns.column("padding_bps", .bitsPerSecond, "part of the estimate reserved for padding", budget.padding)
    columns.column(
      "header_bps", .bitsPerSecond, "part of the estimate reserved for RTP headers", budget.headers)
    columns.column(
      "repair_bps", .bitsPerSecond, "part of the estimate reserved for retransmissions", budget.repairs)
    columns.column(
      "cap_bps", .bitsPerSecond, "limit of the client, or capacity that the server has settled on",
      empty: "no cap", budget.cap.rate)
    columns.column(
      "budget_bps", .bitsPerSecond,
      "video budget of the viewer: the estimate without the reserves, within the cap", empty: "unlimited",
      budget.total.rate)
    columns.column(
      "given_before_bps", .bitsPerSecond, "what the sources of a lower rank are given of the budget",
      givenBefore)
    columns.column(
      "wanted", nil, "layer that the rule would give if bandwidth were no limit", empty: "none",
      wanted.isEmpty ? nil : wanted)
    columns.column(
      "given", nil, "allocated layer, such as f.2", empty: "nothing", given.isEmpty ? nil : given)
    columns.column(
      "previous", nil, "layer allocated before", empty: "nothing", previous.isEmpty ? nil : previous)
    columns.column(
      "reason", nil, "limitation that kept the quality below the request",
      values: Limitation.columnValues, reason)
    columns.column(
      "missing_bps", .bitsPerSecond, "additional budget that the next quality needs", missing)
  }
}
