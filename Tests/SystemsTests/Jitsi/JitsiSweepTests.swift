import Allocation
import Ladder
import Quantity
import Systems
import Testing
import Vendors

/// The sweeps of jitsi-videobridge's BitrateControllerTest.kt: four sources, budgets from 0 to 5 Mbps in steps of 10
/// kbps, listing each budget at which the allocation changes.
@Suite("Jitsi's published sweeps")
struct JitsiSweepTests {
  /// Budgets [kbps], and the allocation from there on.
  private typealias Rows = [(Int64, String)]

  private func sweep(_ asked: [Asked], lastN: Int? = nil, _ parameters: JitsiParameters = .init()) -> [String]
  {
    var rows: [String] = []
    var last = ""
    for budget in stride(from: Int64(0), through: 5_000_000, by: 10_000) {
      let given = text(JitsiRule(parameters).decide(state(budget, asked, lastN: lastN)))
      if given != last { rows.append("\(budget / 1000): \(given)") }
      last = given
    }
    return rows
  }

  private func lines(_ rows: Rows) -> [String] { rows.map { "\($0): \($1)" } }

  private let stageRows: Rows = [
    (0, "- - - -"), (50, "l7 - - -"), (100, "l15 - - -"), (150, "l30 - - -"), (500, "s30 - - -"),
    (550, "s30 l7 - -"), (600, "s30 l7 l7 -"), (650, "s30 l7 l7 l7"), (700, "s30 l15 l7 l7"),
    (750, "s30 l15 l15 l7"), (800, "s30 l15 l15 l15"), (850, "s30 l30 l15 l15"), (900, "s30 l30 l30 l15"),
    (960, "s30 l30 l30 l30"), (2150, "h30 l7 l7 l7"), (2200, "h30 l15 l7 l7"), (2250, "h30 l15 l15 l7"),
    (2300, "h30 l15 l15 l15"), (2350, "h30 l30 l15 l15"), (2400, "h30 l30 l30 l15"),
    (2460, "h30 l30 l30 l30"),
  ]

  private let tileRows: Rows = [
    (0, "- - - -"), (50, "l7 - - -"), (100, "l7 l7 - -"), (150, "l7 l7 l7 -"), (200, "l7 l7 l7 l7"),
    (250, "l15 l7 l7 l7"), (300, "l15 l15 l7 l7"), (350, "l15 l15 l15 l7"), (400, "l15 l15 l15 l15"),
    (450, "l30 l15 l15 l15"), (500, "l30 l30 l15 l15"), (550, "l30 l30 l30 l15"), (610, "l30 l30 l30 l30"),
  ]

  @Test func aCameraOnTheStageComesFirstUpTo360p30() {
    let others = [Asked(speech: 1), Asked(speech: 2), Asked(speech: 3)]
    var staged = Asked.stage()
    staged.speech = 0
    #expect(sweep([staged] + others) == lines(stageRows))
    // The active speaker.
    staged.speech = 1
    #expect(sweep([staged, Asked(speech: 0)] + others.dropFirst()) == lines(stageRows))
  }

  @Test func aScreenShareOnTheStageTakesAllUpToItsHighestLayer() {
    let rows: Rows = [
      (0, "s30 - - -"), (160, "h7 - - -"), (1320, "h15 - - -"), (2000, "h30 - - -"), (2050, "h30 l7 - -"),
      (2100, "h30 l7 l7 -"), (2150, "h30 l7 l7 l7"), (2200, "h30 l15 l7 l7"), (2250, "h30 l15 l15 l7"),
      (2300, "h30 l15 l15 l15"), (2350, "h30 l30 l15 l15"), (2400, "h30 l30 l30 l15"),
      (2460, "h30 l30 l30 l30"),
    ]
    #expect(sweep([.stage(isScreen: true), Asked(), Asked(), Asked()]) == lines(rows))
  }

  /// In pull request 2444 the thumbnails start at 710 kbps.
  @Test func atFullResolutionTheShareSharesIfItIsToldTo() {
    var parameters = JitsiParameters()
    parameters.prefersResolution = true
    let rows = sweep([.stage(isScreen: true), Asked(), Asked(), Asked()], parameters)
    #expect(rows.prefix(3) == ["0: s30 - - -", "160: h7 - - -", "710: h7 l7 - -"])
    #expect(rows.last == "2460: h30 l30 l30 l30")
  }

  @Test func lastNOfOneLeavesTheStageAlone() {
    let rows: Rows = [
      (0, "- - - -"), (50, "l7 - - -"), (100, "l15 - - -"), (150, "l30 - - -"), (500, "s30 - - -"),
      (2010, "h30 - - -"),
    ]
    var staged = Asked.stage()
    staged.speech = 1
    let others = [Asked(speech: 0), Asked(speech: 2), Asked(speech: 3)]
    #expect(sweep([staged] + others, lastN: 1) == lines(rows))
  }

  @Test func lastNOfZeroGivesNothing() {
    #expect(sweep([.stage(), Asked(), Asked(), Asked()], lastN: 0) == ["0: - - - -"])
    #expect(sweep([Asked(place: 0), Asked(place: 1), Asked(), Asked()], lastN: 0) == ["0: - - - -"])
  }

  @Test func tilesOf180LinesTakeTurns() {
    let tiles = (0..<4).map { Asked(place: $0) }
    #expect(sweep(tiles) == lines(tileRows))
    #expect(
      sweep(tiles, lastN: 1) == ["0: - - - -", "50: l7 - - -", "100: l15 - - -", "160: l30 - - -"])
  }

  @Test func tilesOf360LinesGoOnFrom180p30To360p30() {
    let tiles = (0..<4).map { Asked(lines: 360, place: $0) }
    let more: Rows = [
      (960, "s30 l30 l30 l30"), (1310, "s30 s30 l30 l30"), (1660, "s30 s30 s30 l30"),
      (2010, "s30 s30 s30 s30"),
    ]
    #expect(sweep(tiles) == lines(tileRows + more))
    let alone = ["0: - - - -", "50: l7 - - -", "100: l15 - - -", "160: l30 - - -", "510: s30 - - -"]
    #expect(sweep(tiles, lastN: 1) == alone)
  }
}

/// Thresholds to the bit, by hand: a tile needs more than a layer costs, the stage's climb exactly as much.
@Suite("Jitsi's thresholds")
struct JitsiThresholdTests {
  @Test func tilesOf180Lines() {
    let budgets = changes((0..<4).map { Asked(place: $0) }).map(\.budget)
    let rounds: [Int64] = [
      0, 49_501, 99_001, 148_501, 198_001, 247_501, 297_001, 346_501, 396_001, 447_001, 498_001, 549_001,
      600_001,
    ]
    #expect(budgets == rounds)
  }

  @Test func tilesOf360Lines() {
    let budgets = changes((0..<4).map { Asked(lines: 360, place: $0) }).map(\.budget)
    #expect(budgets.suffix(5) == [600_001, 950_001, 1_300_001, 1_650_001, 2_000_001])
    #expect(budgets.count == 17)
  }

  @Test func theStage() {
    let found = changes([.stage(), Asked()]).map { "\($0.budget): \($0.given)" }
    #expect(
      found == [
        "0: - -", "49500: l7 -", "99000: l15 -", "150000: l30 -", "500000: s30 -", "549501: s30 l7",
        "599001: s30 l15",
        "650001: s30 l30",
        // 2000 and one layer of the thumbnail, which the round had served first.
        "2049501: h30 l7", "2099001: h30 l15", "2150001: h30 l30",
      ])
  }

  @Test func aScreenShareOnTheStage() {
    let found = changes([.stage(isScreen: true)]).map { "\($0.budget): \($0.given)" }
    // 500 kbps above the budget, but never for a higher frame rate.
    #expect(
      found == ["0: s30", "160000: h7", "1320000: h15", "2000000: h30"])
  }

  @Test func aShareExceedsNothingWithoutBeingFirstOnTheStageAndAllowed() {
    #expect(changes([Asked(lines: nil, place: 0, isScreen: true)]).first?.given == "-")
    // A camera before it.
    var second = Asked.stage(isScreen: true)
    second.place = 1
    #expect(changes([.stage(), second]).first?.given == "- -")
    var parameters = JitsiParameters()
    parameters.oversends = false
    #expect(changes([.stage(isScreen: true)], parameters).first?.given == "-")
    // First in the order, though not in the file.
    #expect(changes([Asked(), .stage(isScreen: true)]).first?.given == "- s30")
  }

  @Test func theShareExceedsByOneBitLessThanWouldBeTooMuch() {
    var parameters = JitsiParameters()
    parameters.maximumOversend = BitRate(bitsPerSecond: 49_499)
    let found = changes([.stage(isScreen: true)], parameters)
    #expect(found.prefix(2).map(\.budget) == [0, 1])
    #expect(found[0].given == "-" && found[1].given == "l7")
  }

  @Test func whatIsMissingIsCountedUpToTheNextLayer() {
    let outcome = JitsiRule().decide(state(400_000, [.stage(), Asked(), Asked(lines: 0)]))
    #expect(text(outcome) == "l30 - -")
    // 500 - 150 - 250 is left, which fits exactly; then the thumbnail's 49.5 plus one bit.
    #expect(outcome.decisions.map(\.missing.bitsPerSecond) == [100_000, 149_501, 0])
    #expect(outcome.decisions.map(\.hindrance) == [.bandwidth, .bandwidth, nil])
    #expect(outcome.decisions.map(\.rule) == ["stage", "stage", "off"])
    #expect(outcome.decisions.map(\.rank) == [1, 2, 3])
    #expect(
      outcome.decisions.map(\.ideal) == [
        LayerID(encoding: 2, temporal: 2), LayerID(encoding: 0, temporal: 2), nil,
      ])
    #expect(outcome.margin.rise == 100_000)
    #expect(JitsiRule().decide(state(.max, [.stage(), Asked()])).decisions.map(\.missing) == [.zero, .zero])
  }

  @Test func withoutTrustTheEstimateDoesNotCount() {
    var parameters = JitsiParameters()
    parameters.trustsEstimate = false
    let outcome = JitsiRule(parameters).decide(state(0, [.stage(), Asked()]))
    #expect(text(outcome) == "h30 l30" && outcome.margin.rise == nil)
  }
}
