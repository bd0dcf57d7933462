import LivenessGrid
import Metrics
import TestSupport
import Testing
import Vendors

/// Part of the grid that `Tests/Liveness/run.sh` runs in full.
@Suite("Viewers keep a picture")
struct LivenessTests {
  @Test(arguments: LivenessCell.System.allCases)
  func onEveryLadder(system: LivenessCell.System) async throws {
    var axes = LivenessCell.Axes()
    axes.systems = [system]
    axes.capacities = [300, 800, 1800, 4000]
    axes.losses = [0]
    axes.delays = [10]
    var report = LivenessReport()
    for series in axes.series {
      _ = try await report.add(series.map { try LivenessResult(cell: $0, seeds: 2, seconds: 40) })
    }
    let series =
      switch system {
      case .bluejeans: 2 * (axes.ladders.count - 2)
      case .stream: 2 * axes.ladders.count
      case .livekit, .jitsi, .mediasoup, .janus, .best: 6
      case .agora, .signal, .gso: 2
      }
    #expect(report.lines.count == series)
    #expect(report.unexplained == 0, "\(report.summary)")
  }

  /// One large picture of rich content, whose layers lie far apart: at one time none of these was shown.
  @Test(arguments: ["bluejeans", "stream"], [1200, 1800, 2600, 4000])
  func withMuchToCode(policy: String, capacity: Int) throws {
    let run = try LivenessRun(
      LivenessCell(
        system: policy == "stream" ? .stream : .bluejeans, ladder: "webrtc-vp8", people: 2,
        capacity: capacity, content: "rich"), estimator: "gcc", seed: 1, seconds: 60)
    #expect(run.pictureShare > 0.95 && run.longestGap <= 2, "\(run)")
    #expect(run.delivered > 400_000, "\(run)")
  }

  /// Unlimited encoders grow from 270p to 720p and 1.9 Mbit/s: two or three of eight fit in 6 Mbit/s, whatever they
  /// took when they were small.
  @Test func anEncodingIsOfferedAtWhatItsPictureSizeTakes() throws {
    let run = try LivenessRun(
      LivenessCell(system: .stream, ladder: "single", people: 9, capacity: 6000), estimator: "gcc", seed: 1,
      seconds: 60)
    #expect(run.pictureShare > 0.2, "\(run)")
    #expect(run.delivered < 5_800_000, "\(run)")
  }

  /// After a dip, the last of eight pictures is back as soon as the estimate carries it, even by less than the 5 %
  /// margin that other reallocations require.
  @Test func aMissingPictureIsBackAtOnce() throws {
    let run = try LivenessRun(
      LivenessCell(system: .bluejeans, ladder: "stream", people: 9, capacity: 1800, loss: 2),
      estimator: "gcc",
      seed: 1, seconds: 60)
    #expect(run.pictureShare > 0.95 && run.longestGap <= 5, "\(run)")
  }

  /// Low streams of 49 kbit/s: five fit in 300 kbit/s while nobody speaks, two beside a reserve for three voices.
  @Test func silentVoicesKeepNoPictureAway() throws {
    let run = try LivenessRun(
      LivenessCell(system: .bluejeans, ladder: "agora-dual", people: 9, capacity: 300), estimator: "gcc",
      seed: 1, seconds: 60)
    #expect(run.pictureShare > 0.4, "\(run)")
  }

  /// A key frame of 40 kB counts as 320 kbit/s over a window of one second, more than this link, and as 107 over three.
  @Test func aKeyFrameDoesNotMakeALayerTooDear() throws {
    let run = try LivenessRun(
      LivenessCell(system: .best, ladder: "webrtc-vp8", people: 9, capacity: 300, loss: 2), estimator: "gcc",
      seed: 1, seconds: 60)
    #expect(run.pictureShare > 0.3, "\(run)")
  }

  /// Congestion from 10 s, reported again at 12 s, ends at 15 s; that from 20 s ends at 27 s; the last does not end.
  @Test func congestionLastsUntilItsStateChanges() throws {
    var sink = MemorySink()
    try sink.write(Array(ResultTable.events.header.utf8), to: .events)
    let rows = [
      "r,10.000,viewer,congestion,congested,ok", "r,10.000,viewer,capacity,685606 bps,ok",
      "r,12.000,viewer,congestion,congested,ok", "r,15.000,viewer,congestion,none,ok",
      "r,19.000,viewer,congestion,earlyWarning,ok", "r,20.000,viewer,congestion,congested,ok",
      "r,20.200,viewer,probe,congesting,ok", "r,27.000,viewer,congestion,none,ok",
      "r,40.000,viewer,congestion,congested,ok",
    ]
    try sink.write(Array(rows.joined(separator: "\n").utf8), to: .events)
    #expect(sink.rows(of: .events).congestedPeriods == [10...15, 20...27, 40...(.infinity)])
  }

  /// A probe from 6.4 to 7 s whose effect may appear until 8 s, on a path of no delay, and one from 9.5 s on that does not end; the second
  /// after 6.5 s is fully within a probe, the second after 7.5 s half.
  @Test func aReceiversEstimateMayRiseASecondAfterAProbe() throws {
    var sink = MemorySink()
    try sink.write(Array(ResultTable.events.header.utf8), to: .events)
    let rows = [
      "r,6.400,viewer,probe,begins: 279664 bps for 200 ms,ok", "r,7.000,viewer,probe,notCongesting,ok",
      "r,9.500,viewer,probe,begins: 297640 bps for 300 ms,ok",
    ]
    try sink.write(Array(rows.joined(separator: "\n").utf8), to: .events)
    let periods = sink.rows(of: .events).probePeriods(roundTrip: 0)
    #expect(sink.rows(of: .events).probePeriods(roundTrip: 0.25)[0] == 6.4...8.25)
    #expect(periods == [6.4...8, 9.5...(.infinity)])
    #expect(periods[0].seconds(within: 6.5...7.5) == 1 && periods[0].seconds(within: 7.5...8.5) == 0.5)
    #expect(periods[1].seconds(within: 8...9) == 0)
  }

  /// Every system that forwards streams with several spatial layers has its part of the grid.
  @Test func everySystemThatForwardsScalableStreamsHasThem() {
    let forwarding = LivenessCell.System.allCases.filter(\.forwardsScalable)
    #expect(forwarding == [.stream, .livekit, .jitsi, .mediasoup, .janus, .best])
    #expect(Set(forwarding.map(\.rawValue)) == Set(LivenessCell.System.namesThatForwardScalable))
    let axes = LivenessCell.Axes()
    #expect(
      axes.series.filter { $0[0].ladder == "av1-L3T3_KEY" }.count
        == forwarding.count * axes.people.count * axes.losses.count * axes.delays.count)
  }

  @Test func aSeriesIsToldByItsBounds() async throws {
    var cell = LivenessCell(system: .bluejeans, ladder: "single", people: 2, capacity: 4000)
    let single = try LivenessResult(cell: cell, seeds: 1, seconds: 30)
    // 2500 kbps is 0.63 of 3942, with 58 kbps for the voice.
    #expect(single.lowestLayersFit)
    cell.capacity = 3300
    #expect(!(try LivenessResult(cell: cell, seeds: 1, seconds: 30).lowestLayersFit))
    #expect(single.shortfalls.isEmpty)
    #expect(!(try await single.isBelow(single)))
  }
}
