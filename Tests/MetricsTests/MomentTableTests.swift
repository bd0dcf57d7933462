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
        ExpectedColumn("budget_bps", .integer, .bitsPerSecond, "1500000", ""),
        ExpectedColumn("wanted", .string, nil, "1280x720@30", "320x180@15"),
        ExpectedColumn("given", .string, nil, "640x360@15", "none"),
        ExpectedColumn("previous", .string, nil, "320x180@7.5", "none"),
        ExpectedColumn("reason", .string, nil, "bandwidth", "policy"),
        ExpectedColumn("missing_bps", .integer, .bitsPerSecond, "250000", "0"),
      ]
    ) { recorder in
      recorder.record(
        DecisionRow(
          viewer: 2, source: 1, rank: 4, rule: "JanusPolicy", budget: .kilobits(1_500), wanted: "1280x720@30",
          given: "640x360@15",
          previous: "320x180@7.5", reason: "bandwidth", missing: .kilobits(250)), at: now)
      recorder.record(
        DecisionRow(
          viewer: 0, source: 2, rank: nil, rule: "StreamClient", budget: .unlimited, wanted: "320x180@15",
          given: "none", previous: "none",
          reason: "policy", missing: .zero), at: now)
    }
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
