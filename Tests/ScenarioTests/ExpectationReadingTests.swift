import Metrics
import Plan
import Scenario
import TestSupport
import Testing

@Suite("Reading expectations")
struct ExpectationReadingTests {
  private func text(_ expectation: String) -> String {
    """
    name: t
    duration: 60s
    participants:
      - {id: ann, publish: {camera: 720p30, screen: 1080p5}}
      - {id: s, count: 2, publish: {camera: 180p15}, view: {everybody: 180p}}
      - {id: eve, view: {everybody: 180p}}
    expect:
      - {\(expectation)}
    """
  }

  private func read(_ expectation: String) throws -> Plan.Expectation {
    try #require(Meetings.scenario(text(expectation)).plan.expectations.first)
  }

  @Test func aValueOfTheWholeMeetingIsARowOfTheScalars() throws {
    let one = try read("viewer: eve, source: ann/screen, metric: frame_height, stat: p50, is: '>= 720'")
    #expect(one.scope == .tile && one.source == "ann/screen" && one.measure == nil)
    #expect(one.metric == "frame_height" && one.stat == "p50")
    #expect(try read("participant: eve, metric: utility_ratio, is: '>= 0'").scope == .participant)
    #expect(try read("link: eve/down, metric: queue_delay, stat: max, is: '<= 1'").source == "eve/down")
    let meeting = try read("metric: jain_index, is: '>= 0.9'")
    #expect(meeting.scope == .meeting && meeting.viewer.isEmpty && meeting.source.isEmpty)
  }

  /// If no statistic is given, the metric's own is used, even for a part of the meeting.
  @Test(arguments: [
    ("viewer: eve, source: ann, metric: freezes_duration", "total"),
    ("viewer: eve, source: ann, metric: frame_height", "p50"),
    ("viewer: eve, source: ann, metric: frame_delay", "mean"),
    ("participant: eve, metric: freezes_duration", "max"),
    ("viewer: eve, source: ann, metric: bitrate", "mean"),
  ])
  func aMetricHasAStatisticOfItsOwn(subject: String, stat: String) throws {
    #expect(try read("\(subject), is: '>= 0'").stat == stat)
    let part = "viewer: eve, source: ann, metric: freezes_duration, from: 10s, to: 20s, is: '<= 1'"
    #expect(try read(part).measure?.statistic == .total)
  }

  @Test(arguments: [
    ("from: 10.5s, to: 11.9s", true), ("from: 10s, to: 10.9s", true), ("from: 10s, to: 11s", false),
    ("from: 9.1s, to: 11.2s", false), ("from: 59.5s", false),
  ])
  func aWindowWithoutAWholeIntervalIsWarnedOf(window: String, isWarned: Bool) throws {
    let scenario = try Meetings.scenario(
      text("viewer: eve, source: ann, metric: mos, stat: mean, \(window), is: '>= 3'"))
    let warnings = scenario.warnings.map(\.description).filter { $0.contains("no interval of the tables") }
    #expect(warnings.count == (isWarned ? 1 : 0), "\(warnings)")
  }

  @Test func anyOtherStatisticIsMeasuredOnTheSubjectsTable() throws {
    let low = try read("viewer: eve, source: ann, metric: frame_height, stat: p05, is: '>= 90'")
    #expect(low.metric == "frame_height_px" && low.stat == "p05")
    #expect(low.measure?.unit == "px" && low.measure?.direction == .bigger)
    let late = try read("viewer: eve, source: ann, metric: mos, from: 10s, to: 20.5s, is: '>= 3'")
    #expect(late.stat == "mean from 10 s to 20500 ms")
    #expect(late.measure?.from == 10_000 && late.measure?.to == 20_500)
    let voice = try read("viewer: s-1, voice: ann, metric: concealed, stat: max, is: '<= 0.1'")
    #expect(voice.scope == .voice && voice.metric == "concealed_frac" && voice.stat == "max")
    #expect(try read("link: '*/up', metric: utilization_frac, stat: max, is: '<= 1'").source == "*/up")
  }

  @Test func timeToRecoverIsAtMostWithin() throws {
    let one = try read(
      "viewer: eve, source: ann, metric: frame_height, is: '>= 720', after: 40s, within: 2.5s")
    #expect(one.relation == .atMost && one.bound == 2.5)
    #expect(one.stat == "recovery to >= 720.0 from 40 s" && one.measure?.unit == "s")
    #expect(one.measure?.target == .init(relation: .atLeast, bound: 720))
  }

  @Test func everyAndStarsStandForMany() throws {
    let one = try read("viewer: every, source: 's-*', metric: mos, is: '>= 1'")
    #expect(one.viewer == "*" && one.source == "s-*")
    // A participant may have that name.
    let named = try Meetings.scenario(
      "name: t\nduration: 9s\nparticipants: [{id: every}]\nexpect: [{participant: every, metric: data_up, stat: total, is: '> 1'}]"
    ).plan.expectations.first
    #expect(named?.viewer == "every")
  }

  private static let mistakes: [(String, String)] = [
    (
      "viewer: s, source: ann, metric: mos, is: '>= 1'",
      "8:14: error: viewer: there is no participant 's': it is a group: name a member, such as 's-1', or all of them "
        + "with 's-*'"
    ),
    (
      "viewer: x-*, source: ann, metric: mos, is: '>= 1'",
      "8:14: error: viewer: 'x-*' matches none: expected ann, s-1, s-2, eve"
    ),
    (
      "viewer: s-1, source: eve, metric: mos, is: '>= 1'",
      "8:27: error: source: 'eve' publishes no camera: add 'camera' to its 'publish'"
    ),
    (
      "viewer: eve, source: s-1/screen, metric: mos, is: '>= 1'",
      "8:27: error: source: 's-1' publishes no screen: add 'screen' to its 'publish'"
    ),
    (
      "viewer: eve, metric: mos, is: '>= 1'",
      "8:5: error: the expectation needs 'source', such as 'source: ann', or 'voice'; for what a participant has in "
        + "all write 'participant' in place of 'viewer'"
    ),
    (
      "viewer: eve, source: ann, metric: freezes, is: '>= 1'",
      "8:40: error: metric: there is no metric 'freezes' of a tile: did you mean 'freezes_duration' or 'freeze_count'?"
    ),
    (
      "link: eve/down, participant: eve, metric: mos, is: '>= 1'",
      "8:6: error: an expectation is about a tile ('viewer' and 'source'), a voice ('viewer' and 'voice'), a "
        + "'participant', a 'link' or, with none of these, the meeting: 'participant', 'link' do not go together"
    ),
    (
      "metric: mos, is: '>= 1'",
      "8:14: error: metric: there is no metric 'mos' of the meeting: it is one of a tile: name it with 'viewer' and "
        + "'source'"
    ),
    (
      "viewer: eve, source: ann, metric: frame_heigth, is: '>= 1'",
      "8:40: error: metric: there is no metric 'frame_heigth' of a tile: did you mean 'frame_height'?"
    ),
    (
      "viewer: eve, source: ann, metric: frame_delay, stat: p95, is: '<= 1'",
      "8:59: error: stat: 'frame_delay' has no 'p95', only mean, max"
    ),
    (
      "viewer: eve, source: ann, metric: freezes_duration, is: '<= 5 %'",
      "8:62: error: is: 'freezes_duration' is in s, not in %: for that share of the meeting write '<= 3 s'"
    ),
    (
      "viewer: eve, source: ann, metric: mos, stat: median, is: '<= 1'",
      "8:51: error: stat: 'mos' has no 'median', only mean, min, max, total, p05, p10, p20, p25, p50, p75, p80, p90, "
        + "p95, p99: did you mean 'p50'?"
    ),
    (
      "viewer: eve, source: ann, metric: frame_delay, from: 9s, is: '<= 1'",
      "8:40: error: metric: 'frame_delay' is measured over the whole meeting only: remove the times, or use a column of "
        + "'streams.csv'"
    ),
    (
      "viewer: eve, source: ann, metric: mos, from: 9s, to: 8s, is: '>= 1'",
      "8:59: error: to: 8 s is not after 9 s"
    ),
    (
      "viewer: eve, source: ann, metric: mos, to: 61s, is: '>= 1'",
      "8:49: error: to: 61 s is after the meeting's end (60 s)"
    ),
    (
      "viewer: eve, source: ann, metric: mos, within: 5s, is: '>= 1'",
      "8:45: error: the time to recover needs 'after' and 'within', such as 'after: 40s, within: 5s', and no 'from'"
    ),
    (
      "viewer: eve, source: ann, metric: mos, after: 55s, within: 5s, is: '>= 1'",
      "8:57: error: within: 'after' + 'within' is 60 s, past the meeting's end (60 s): it could not fail"
    ),
    (
      "viewer: eve, source: ann, metric: mos, is: '>=3'",
      "8:49: error: is: '>=3' is not a relation and a number, such as '>= 720': put a space between them"
    ),
    (
      "viewer: eve, source: ann, metric: frame_height, stat: p50, is: '>= 720 lines'",
      "8:69: error: is: '>= 720 lines' is not a relation and a number, such as '>= 720': the units are p, px, fps, ms, s, "
        + "kbps, Mbps, MB and %, or none"
    ),
    (
      "viewer: eve, source: ann, metric: frame_height, stat: p50, is: '>= 2 s'",
      "8:69: error: is: 'frame_height' is in px, not in s"
    ),
    (
      "viewer: eve, source: ann, metric: mos, is: '>= 3p'",
      "8:49: error: is: 'mos' is a number without a unit, not in px"
    ),
  ]

  @Test(arguments: [
    ("frame_height, stat: p50", ">= 720p", 720.0), ("frame_height, stat: p50", ">= 720 px", 720),
    ("freezes_duration, stat: total", "<= 1500 ms", 1.5), ("bitrate", "> 1.2 Mbps", 1_200_000),
    ("requested_height_share", ">= 95 %", 0.95), ("frames_per_second", ">= 24 fps", 24), ("mos", ">= 3", 3),
  ])
  func boundsMayHaveTheMetricsUnit(metric: String, condition: String, bound: Double) throws {
    let one = try read("viewer: eve, source: ann, metric: \(metric), is: '\(condition)'")
    #expect(one.bound == bound)
  }

  @Test(arguments: mistakes)
  func mistakesAreNamedWithTheirPlace(expectation: String, message: String) throws {
    do {
      _ = try ScenarioReader.read(bytes: Array(text(expectation).utf8), file: "t", directory: "")
      Issue.record("it was read")
    } catch {
      #expect(error.diagnostics.map(\.description) == ["t:" + message])
    }
  }
}
