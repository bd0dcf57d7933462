import Allocation
import Metrics
import Quantity
import Testing

@Suite("Tables with a row per event or per run")
struct MomentTableTests {
  @Test func decisions() throws {
    try check(
      .decisions,
      [
        ExpectedColumn("run_id", .string, nil, "r,1", "r,1"),
        ExpectedColumn("time_s", .number, .seconds, "12.345", "12.345"),
        ExpectedColumn("viewer", .string, nil, "c,em", "ann"),
        ExpectedColumn("source", .string, nil, "b\"ob/screen", "c,em"),
        ExpectedColumn("rank", .integer, .one, "4", ""),
        ExpectedColumn("rule", .string, nil, "JanusPolicy", "StreamClient"),
        ExpectedColumn("estimate_bps", .integer, .bitsPerSecond, "1700000", ""),
        ExpectedColumn("voice_reserve_bps", .integer, .bitsPerSecond, "70000", "0"),
        ExpectedColumn("padding_bps", .integer, .bitsPerSecond, "2000", "0"),
        ExpectedColumn("header_bps", .integer, .bitsPerSecond, "100000", "0"),
        ExpectedColumn("repair_bps", .integer, .bitsPerSecond, "8000", "0"),
        ExpectedColumn("cap_bps", .integer, .bitsPerSecond, "1600000", ""),
        ExpectedColumn("budget_bps", .integer, .bitsPerSecond, "1520000", ""),
        ExpectedColumn("given_before_bps", .integer, .bitsPerSecond, "640000", "0"),
        ExpectedColumn("wanted", .string, nil, "f.2", ""),
        ExpectedColumn("given", .string, nil, "h.1", ""),
        ExpectedColumn("previous", .string, nil, "q.0", ""),
        ExpectedColumn("reason", .string, nil, "bandwidth", "policy"),
        ExpectedColumn("missing_bps", .integer, .bitsPerSecond, "250000", "0"),
      ]
    ) { recorder in
      var budget = VideoBudget(estimate: .kilobits(1_700))
      budget.voices = .kilobits(70)
      budget.padding = .kilobits(2)
      budget.headers = .kilobits(100)
      budget.repairs = .kilobits(8)
      budget.cap = .kilobits(1_600)
      recorder.record(
        DecisionRow(
          viewer: 2, source: 1, rank: 4, rule: "JanusPolicy", budget: budget, givenBefore: .kilobits(640),
          wanted: "f.2", given: "h.1", previous: "q.0", reason: "bandwidth", missing: .kilobits(250)), at: now
      )
      recorder.record(
        DecisionRow(
          viewer: 0, source: 2, rank: nil, rule: "StreamClient", budget: VideoBudget(estimate: nil),
          givenBefore: .zero, wanted: "", given: "", previous: "", reason: "policy", missing: .zero), at: now)
    }
  }

  /// A row is written for a different word, or for a rate that differs by 1 % of the estimate: 10 kbps of 1 Mbps.
  @Test func smallDifferencesOfRatesAreNoNews() {
    func row(
      _ estimate: Int64, missing: Int64 = 0, given: String = "q.0", previous: String = "", rank: Int? = 1
    ) -> DecisionRow {
      DecisionRow(
        viewer: 0, source: 1, rank: rank, rule: "r",
        budget: VideoBudget(estimate: BitRate(bitsPerSecond: estimate)), givenBefore: .zero, wanted: "f.2",
        given: given, previous: previous, reason: "bandwidth", missing: BitRate(bitsPerSecond: missing))
    }
    let last = row(1_000_000)
    #expect(row(1_009_999).news(after: last) == .nothing && row(1_010_000).news(after: last) == .decision)
    #expect(row(990_001).news(after: last) == .nothing && row(990_000).news(after: last) == .decision)
    #expect(row(1_000_000, missing: 9_999).news(after: last) == .nothing)
    #expect(row(1_000_000, missing: 10_000).news(after: last) == .order)
    #expect(row(1_000_000, previous: "q.0").news(after: last) == .nothing)
    #expect(row(1_000_000, given: "h.0").news(after: last) == .decision)
    #expect(row(1_000_000, given: "h.0", rank: 2).news(after: last) == .decision)
    #expect(row(1_000_000, rank: 2).news(after: last) == .order)
    #expect(row(1_000_000, rank: nil).news(after: last) == .decision)
  }

  @Test func events() throws {
    try check(
      .events,
      [
        ExpectedColumn("run_id", .string, nil, "r,1", "r,1"),
        ExpectedColumn("time_s", .number, .seconds, "12.345", "12.345"),
        ExpectedColumn("participant", .string, nil, "b\"ob", ""),
        ExpectedColumn("event", .string, nil, "main-stage", "link"),
        ExpectedColumn("detail", .string, nil, "a, \"b\"", ""),
        ExpectedColumn("result", .string, nil, "ok", "not-joined"),
      ]
    ) { recorder in
      recorder.record(
        EventRow(participant: 1, event: "main-stage", detail: "a, \"b\"", result: "ok"), at: now)
      recorder.record(EventRow(participant: nil, event: "link", detail: "", result: "not-joined"), at: now)
    }
  }

  @Test func layout() throws {
    try check(
      .layout,
      [
        ExpectedColumn("run_id", .string, nil, "r,1", "r,1"),
        ExpectedColumn("time_s", .number, .seconds, "12.345", "12.345"),
        ExpectedColumn("viewer", .string, nil, "c,em", "ann"),
        ExpectedColumn("source", .string, nil, "b\"ob/screen", ""),
        ExpectedColumn("area", .string, nil, "share", ""),
        ExpectedColumn("x_px", .integer, .pixels, "20", ""),
        ExpectedColumn("y_px", .integer, .pixels, "350", ""),
        ExpectedColumn("width_px", .integer, .pixels, "640", ""),
        ExpectedColumn("height_px", .integer, .pixels, "360", ""),
        ExpectedColumn("z", .integer, .one, "1", ""),
        ExpectedColumn("visible_frac", .number, .one, "0.4968", ""),
      ]
    ) { recorder in
      recorder.record(
        LayoutRow(
          viewer: 2, source: 1, area: "share", frame: (20, 350, 640, 360), z: 1, visibleTenThousandths: 4968),
        at: now)
      recorder.record(
        LayoutRow(viewer: 0, source: nil, area: nil, frame: nil, z: nil, visibleTenThousandths: nil), at: now)
    }
  }

  @Test func scalars() throws {
    try check(
      .scalars,
      [
        ExpectedColumn("run_id", .string, nil, "r,1", "r,1"),
        ExpectedColumn("scope", .string, nil, "tile", "meeting"),
        ExpectedColumn("viewer", .string, nil, "b\"ob", ""),
        ExpectedColumn("source", .string, nil, "c,em/screen", ""),
        ExpectedColumn("metric", .string, nil, "frame_delay", "mos"),
        ExpectedColumn("stat", .string, nil, "p50", "mean"),
        ExpectedColumn("unit", .string, nil, "s", "1"),
        ExpectedColumn("direction", .string, nil, "smaller", "bigger"),
        ExpectedColumn("value", .number, nil, "-12.345", ""),
      ]
    ) { recorder in
      recorder.record(
        ScalarRow(
          scope: "tile", viewer: "b\"ob", source: "c,em/screen", metric: "frame_delay", stat: "p50",
          unit: "s",
          direction: .smaller, value: -12_345, decimals: 3))
      recorder.record(
        ScalarRow(
          scope: "meeting", metric: "mos", stat: "mean", unit: "1", direction: .bigger, value: nil,
          decimals: 2))
    }
  }
}
