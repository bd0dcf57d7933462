import CallStatistics
import TestSupport
import Testing

/// Handmade tables whose capacities follow from a few lines of arithmetic.
@Suite("Capacities of calls")
struct CapacityCourseTests {
  /// A call sampled each second.
  ///
  /// - Parameters:
  ///   - estimates: [kbps].
  /// - rates: received video [kbps]; the last one repeats.
  ///   - lost: packets lost in each second.
  private func record(_ estimates: [Int], rates: [Int], lost: [Int] = [0], trips: [Int] = [40]) throws
    -> CallRecord
  {
    var rows = ["t,bwe_kbps,recv_bytes,rtt_ms,lost,h"]
    var bytes = 0
    var gone = 0
    for (second, estimate) in estimates.enumerated() {
      let trip = trips[min(second, trips.count - 1)]
      rows.append("\(second),\(estimate),\(bytes),\(trip),\(gone),360")
      bytes += rates[min(second, rates.count - 1)] * 125
      gone += lost[min(second, lost.count - 1)]
    }
    return try GetStatsTable.read(Array(rows.joined(separator: "\n").utf8), path: "made.csv")
  }

  private func course(_ estimates: [Int], rates: [Int]) throws -> [CapacityCourse.Step] {
    CapacityCourse(try record(estimates, rates: rates)).steps
  }

  /// Climbs by 36 kbps a second to 1296, and falls to 935.
  private static let tooth = [972, 1008, 1044, 1080, 1116, 1152, 1188, 1224, 1260, 1296, 935]

  /// Before the cut 1296 / 1.08 = 1200; after it 935 / 0.85 = 1100; 1100 kbps of video arrived, which with headers and
  /// a voice is 1138 + 35 = 1173. Without the lowest, the mean is 1186.5.
  @Test func aCutReadsTheCapacityInThreeWays() throws {
    let steps = try course(Self.tooth + [950], rates: [1100])
    #expect(steps.count == 1)
    #expect(steps[0].from == 0 && steps[0].cuts == 1)
    #expect(abs(steps[0].kilobits - 1186.5) < 0.01)
  }

  /// The path carries 1187 kbps at first. The estimate then falls, too slowly for a cut, to 400 kbps that the video
  /// does not fill. Queueing delays of at least 30 ms and at least half of the longest show that the path has no more:
  /// each such second costs 3, a change 4.
  @Test(arguments: [
    (40, [70, 70], 2), (40, [69, 70], 1), (40, [70], 1), (140, [90, 90], 2), (140, [89, 90], 1),
  ])
  func packetsThatWaitShowAFullPath(early: Int, trips: [Int], count: Int) throws {
    let estimates = Self.tooth + [850, 770, 700, 640, 580, 530, 480, 435, 400, 400, 400, 400, 400, 400]
    var times = [Int](repeating: 40, count: estimates.count)
    times[3] = early
    times.replaceSubrange(21..<21 + trips.count, with: trips)
    let rates = [Int](repeating: 1100, count: 11) + [300]
    let steps = CapacityCourse(try record(estimates, rates: rates, trips: times)).steps
    #expect(steps.count == count)
    if count == 2 { #expect(steps[1].cuts == 0 && steps[1].kilobits < 1000) }
  }

  /// 1000 kbps of video and 100 kbps of padding fill the path just as 1100 kbps of video does.
  @Test func paddingFillsThePathToo() throws {
    var record = try record(Self.tooth + [950], rates: [1000])
    for second in record.samples.indices {
      record.samples[second].encodings[0].padding = 12_500 * Double(second)
    }
    #expect(abs(CapacityCourse(record).steps[0].kilobits - 1186.5) < 0.01)
  }

  /// A probe gave 3000 kbps before the cut, far above the other two readings: 1173 is taken.
  @Test func aProbeIsNoReading() throws {
    var tooth = Self.tooth
    tooth[9] = 3000
    let steps = try course(tooth + [950], rates: [1100])
    #expect(steps.count == 1)
    // The bounds stay below: no estimate lasted above 1260, 1167 without the overshoot.
    #expect(abs(steps[0].kilobits - 1173) < 0.01)
  }

  /// 800 kbps arrived, 862.6 with headers and a voice, so the path has at least that. The largest estimate that lasted
  /// two samples is assumed.
  @Test func aPathThatWasNeverFullHasAtLeastWhatArrived() throws {
    let estimates = [300, 900, 1500, 2000, 2000, 2000, 2000, 2600, 2000, 2000, 2000, 2000]
    // A fall from 2600 to 2000 would be a cut; this one is gentler.
    let gentle = estimates.map { min($0, 2200) }
    let steps = try course(gentle, rates: [800])
    #expect(steps.count == 1)
    #expect(steps[0].cuts == 0)
    #expect(abs(steps[0].kilobits - 2000) < 0.01)
    #expect(abs(steps[0].arrived - 862.64) < 0.01)
    let scenario = ImportedScenario(try record(gentle, rates: [800]))
    #expect(
      scenario.text(name: "n", source: "s").contains(
        "- {at: 0s, to: 2000 kbps}  # assumed, never full: the largest estimate; at least 863 kbps, which arrived\n"
      ))
    #expect(
      scenario.summary.hasPrefix(
        "12 s, capacity 2000 kbps (assumed: the path was never full, and has at least 863 kbps), "))
    // An estimate of 1000 kbps is less than 1.25 times 862.64.
    let low = ImportedScenario(try record(gentle.map { min($0, 1000) }, rates: [800]))
    #expect(
      low.text(name: "n", source: "s").contains(
        "- {at: 0s, to: 1078 kbps}  # assumed, never full: 1.25 times what arrived; at least 863 kbps, which arrived\n"
      ))
  }

  /// The initial probes leave an estimate of 3000 kbps, of which 600 kbps of video fill little for 12 s: the capacity
  /// is taken from the full path afterwards, and the terminal reports no assumption.
  @Test func whatTheInitialProbesLeftSaysNothing() throws {
    let record = try record(
      [Int](repeating: 3000, count: 12) + Self.tooth + Self.tooth + Self.tooth + [950],
      rates: [Int](repeating: 600, count: 12) + [1100])
    let steps = CapacityCourse(record).steps
    #expect(steps.map(\.from) == [0] && steps.map(\.cuts) == [3])
    #expect(steps.map { Int($0.kilobits.rounded()) } == [1187])
    #expect(ImportedScenario(record).summary.hasPrefix("46 s, capacity 1187 kbps, "))
  }

  /// An estimate that is cut to 1.3 times the 759.2 kbps that arrived, 986.9, was not cut because the path was full.
  @Test(arguments: [(986, 1), (987, 0)])
  func anEstimateThatStaysFarAboveWhatArrivedWasCutForAnotherReason(_ estimate: Int, _ cuts: Int) throws {
    let steps = try course(
      [1180, 1190, 1200, 1210, 1215, 1220, 1225, estimate, 990, 995, 1000], rates: [700])
    #expect(steps.map(\.cuts) == [cuts])
  }

  /// A single cut reads (1273 / 0.85 + 1938 / 1.08) / 2 = 1646 kbps: the earlier estimates of 2128 kbps, which 1364
  /// kbps did not fill, do not show a path that carries 1970.
  @Test func anEstimateThatNothingFillsDoesNotRaiseAReading() throws {
    let steps = try course(
      [1700, 1720, 1740, 1760, 1780, 1800, 1900, 2000, 2128, 2128, 2128, 1938, 1938, 1273, 1324],
      rates: [1285])
    #expect(steps.map(\.cuts) == [1])
    #expect(steps.map { Int($0.kilobits.rounded()) } == [1646])
  }

  /// Three teeth at 1186.5 kbps with cuts at 10, 21 and 32 s, then an estimate that climbs past 1.02 of it, 1307 kbps, at
  /// 37 s and stays at 2400. The rise counts from midway between 32 and 37 s; 34.5 rounds to 35.
  @Test func aRiseCountsFromMidwayBetweenTheLastCutAndTheClimb() throws {
    let teeth = Self.tooth + Self.tooth + Self.tooth
    let climb = [1050, 1100, 1150, 1250, 1400, 1700, 2000] + [Int](repeating: 2400, count: 15)
    let steps = try course(teeth + climb, rates: [1100])
    #expect(steps.map(\.from) == [0, 35])
    #expect(steps.map(\.cuts) == [3, 0])
    #expect(steps.map { Int($0.kilobits.rounded()) } == [1187, 2400])
  }

  /// The estimate falls from 2400 to 425 at 21 s and then saws below 594: the fall counts from 20 s. Each later cut
  /// reads 594 / 1.08 = 550, 425 / 0.85 = 500 and, from 450 kbps of video, 465.5 + 35 = 500.5: 525.
  @Test func aFallCountsFromTheSampleBeforeItsCut() throws {
    let before = [Int](repeating: 2400, count: 21)
    let tooth = [425, 450, 470, 500, 530, 560, 594]
    let steps = try course(
      before + tooth + tooth + tooth + [425], rates: [Int](repeating: 1800, count: 20) + [450])
    #expect(steps.map(\.from) == [0, 20])
    #expect(steps.map { Int($0.kilobits.rounded()) } == [2400, 525])
  }

  /// The estimate is cut to 250 kbps in one sample, confirmed by 250 kbps of video (258.6 + 35 with headers and a
  /// voice) and by 250 / 0.85: if the sample stands for one second that is chance; if for ten, it is a path of 294
  /// kbps.
  @Test(arguments: [(1, [1100]), (10, [1100, 294, 1100])])
  func aSampleStandsForTheTimeSinceTheOneBefore(interval: Int, capacities: [Int]) throws {
    var rows = ["t,bwe_kbps,recv_bytes"]
    var bytes = 0
    for place in 0..<24 {
      bytes += (place == 12 ? 250 : 540) * 125 * interval
      rows.append("\(place * interval),\(place == 12 ? 250 : 1100),\(bytes)")
    }
    let record = try GetStatsTable.read(Array(rows.joined(separator: "\n").utf8), path: "made.csv")
    let steps = CapacityCourse(record).steps
    #expect(steps.map { Int($0.kilobits.rounded()) } == capacities)
  }

  /// The sender is limited to 800 kbps for 30 s, then by the path at 1186.5 kbps: the limit ends there. The content
  /// needs a quarter more than the 1100 kbps that were sent on the full path, less 28.8 for five headers a frame; a
  /// talking head takes 639 at 360p and 1754 at 720p.
  @Test func aFullPathEndsALimitOfTheSender() throws {
    let teeth = Self.tooth + Self.tooth + Self.tooth
    let record = try record(
      [Int](repeating: 1250, count: 31) + teeth + [950], rates: [Int](repeating: 800, count: 30) + [1100])
    let text = ImportedScenario(record).text(name: "n", source: "s")
    #expect(text.contains("content: 3675 kbps}"), "\(text)")
    #expect(
      text.contains(
        "{at: 0s, participant: sender, send: {maximum: 784 kbps, degradation: maintain-resolution}}"),
      "\(text)")
    #expect(
      text.contains("{at: 30s, participant: sender, send: {maximum: none, degradation: maintain-framerate}}"),
      "\(text)")
  }

  /// 880 kbps are 100 packets of 1100 bytes in each second, and one more is lost: 1 of 101.
  @Test func lossesOfAPathThatIsNotFullAreItsOwn() throws {
    let record = try record(
      [Int](repeating: 1500, count: 30), rates: [880], lost: [1], trips: [900, 46, 40, 44])
    let path = PathEstimate(record, CapacityCourse(record))
    #expect(abs(path.loss - 1.0 / 101) < 1e-9)
    // The first second's round trip is the connection setup's.
    #expect(path.roundTrip == 40)
    #expect(path.queue == (300, false))
  }

  /// Round trips of 200 ms in every fifth second leave no second 3 s away from all of them, one of 29 at 2 s, and 12 at
  /// 1 s.
  @Test func aPathThatIsOftenFullHasLossesOfItsOwn() throws {
    let trips = (0..<30).map { $0 % 5 == 4 ? 200 : 40 }
    let record = try record(
      [Int](repeating: 1500, count: 30), rates: [880], lost: [1], trips: trips)
    #expect(abs(PathEstimate(record, CapacityCourse(record)).loss - 1.0 / 101) < 1e-9)
  }

  /// Eight of 2908 packets are lost, all in the eight seconds before the queue fills, where the rate would be one in
  /// 101: that is chance, as the call lost fewer overall.
  @Test func noPathLosesMoreThanItsCall() throws {
    let record = try record(
      [Int](repeating: 1500, count: 30), rates: [880], lost: [Int](repeating: 1, count: 8) + [0],
      trips: [Int](repeating: 40, count: 10) + [200])
    #expect(abs(PathEstimate(record, CapacityCourse(record)).loss - 8.0 / 2908) < 1e-9)
  }

  /// Losses while the round trip is 250 ms above its floor are the queue's.
  @Test func lossesOfAFullQueueShowItsLength() throws {
    let trips = [Int](repeating: 40, count: 12) + [290, 40]
    let lost = [Int](repeating: 0, count: 12) + [20, 0]
    let record = try record([Int](repeating: 1500, count: 30), rates: [880], lost: lost, trips: trips)
    let path = PathEstimate(record, CapacityCourse(record))
    #expect(path.loss == 0)
    #expect(path.queue == (250, true))
  }

  @Test func theScenarioStatesWhereItsValuesComeFrom() throws {
    let text = ImportedScenario(try record(Self.tooth + [950], rates: [1100], trips: [40])).text(
      name: "call-made", source: "made: #1.csv")
    let expected = [
      "# A call on the path that made---1.csv saw\n", "name: call-made\n", "duration: 12s\n",
      "      - {at: 0s, to: 1187 kbps}  # full once\n",
      "    # Half of the shortest round trip, 40 ms.\n    delay: 20 ms\n",
      "  back: {capacity: 1 Gbps, delay: 20 ms}\n",
      "    # Assumed: the call never filled the queue.\n    queue: 300 ms\n",
      // 1100 kbps at 360p is more than the 639 of a talking head.
      "    # More bits than a talking head takes at some size.\n",
      "{camera: {capture: 720p30, ladder: single, content: rich}}",
      "  - {at: 0s, participant: sender, speaks: 12s}\n",
    ]
    for part in expected { #expect(text.contains(part), "\(part) in \(text)") }
    #expect(!text.contains("loss:") && !text.contains("{title}"))
  }
}
