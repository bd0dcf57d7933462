import Metrics
import TestSupport
import Testing

/// Parts of the yardstick in meetings.
@Suite("The yardstick, packet by packet")
struct YardstickMeetingTests {
  /// Returns the parts of v's gap, with constant links and an estimator that knows them.
  private func gap(uplink: String, seconds: Int = 20) throws -> [String: Double] {
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: yardstick
        duration: \(seconds)s
        policy: {name: best, switching-cost: 0 %}
        links:
          wide: {capacity: 20 Mbps, delay: 5 ms}
          up: {capacity: \(uplink), delay: 5 ms}
          down: {capacity: 2500 kbps, delay: 5 ms}
        participants:
          - {id: a, up: up, down: wide, publish: {camera: 720p30}}
          - {id: b, up: wide, down: wide, publish: {camera: 720p30}}
          - {id: v, up: wide, down: down, view: {stage: a, tiles: {b: 320x180}}}
        """)
    ).tables
    let rows = tables.rows(of: .scalars).filter { $0["viewer"] == "v" && $0["scope"] == "participant" }
    let names =
      ["utility", "optimum"] + ["estimate", "reserve", "rule", "switching", "loss"].map { "gap_\($0)" }
    var parts: [String: Double] = [:]
    for row in rows where names.contains(row["metric"]) && row["stat"] == "mean" {
      parts[row["metric"]] = row.number("value")
    }
    #expect(parts.count == names.count)
    return parts
  }

  /// The exact optimum allocates its budget as the optimum does, whatever an uplink makes of the layers: its decisions
  /// count at the rates at which the layers are offered. In the first 20 s a layer may grow beyond the rate it was
  /// decided by.
  @Test(arguments: ["600 kbps", "1200 kbps", "20 Mbps"])
  func theOptimumIsNotBeyondItself(uplink: String) throws {
    let parts = try gap(uplink: uplink)
    let longer = try gap(uplink: uplink, seconds: 40)
    let rule = try 2 * #require(longer["gap_rule"]) - #require(parts["gap_rule"])
    #expect(rule > -0.001 && rule < 0.25, "\(parts), \(longer)")
    #expect(abs(try #require(parts["gap_switching"])) < 0.05, "\(parts)")
    #expect(abs(try #require(parts["gap_loss"])) < 0.2, "\(parts)")
    let sum = parts.filter { $0.key.hasPrefix("gap_") }.values.reduce(0, +)
    let whole = try #require(parts["optimum"]) - #require(parts["utility"])
    #expect(abs(sum - whole) < 1.5e-6, "\(parts)")
  }
}
