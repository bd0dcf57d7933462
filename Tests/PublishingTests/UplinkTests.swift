import CongestionControl
import Endpoint
import Ladder
import Network
import Plan
import Publishing
import Quantity
import SimulationKernel
import Systems
import TestSupport
import Testing
import Vendors

private typealias Bench = PublishingBench

/// `a` takes 100 kbps, `b` 500, `c` 2000; the estimator knows the capacity, of which 1 / 1.1 is left for video after
/// headers.
@Suite("Publishing: the uplink's capacity in, encodings out")
struct UplinkTests {
  /// From 60 % on, an encoding runs in steps of 5 %.
  @Test func aFallingCapacityTakesTheHighestEncodingsFirst() throws {
    var bench = try Bench()
    bench.demand(0b111)
    var fits: [String] = []
    for kilobits: Int64 in [
      // 2000 kbps of video are enough for c, since nobody settles for less; 1350 are 67.5 % of it.
      2201, 1485,
      // 1199 kbps are less than 60 %; 320 are 64 % of b.
      1319, 352,
      // 65 kbps are 65 % of a. At 36 % it still runs, as the last encoding; below 10 % nothing does.
      72, 40, 10,
    ] {
      bench.setCapacity(.kilobits(kilobits))
      fits.append(bench.fit())
    }
    #expect(fits == ["100 100 100", "100 100 65", "100 100 -", "100 60 -", "65 - -", "35 - -", "- - -"])
  }

  /// Lower encodings take bandwidth only if viewers want them for their own sake.
  @Test(arguments: [
    (UInt32(0b000), "100 100 90"), (Bench.a, "100 100 85"), (Bench.a | Bench.b, "100 100 60"),
  ])
  func settledViewersTakeTheirShareFirst(settled: UInt32, fit: String) throws {
    var bench = try Bench()
    bench.demand(0b111, settled: settled)
    // 1820 kbps; 1720 without a, 1220 without both.
    bench.setCapacity(.kilobits(2002))
    let fitted = bench.fit()
    #expect(fitted == fit)
  }

  @Test func anEncodingThatTheUplinkDoesNotCarryIsNotSent() throws {
    var bench = try Bench()
    bench.demand(0b111)
    _ = bench.fit()
    bench.capture(2)
    bench.setCapacity(.kilobits(1000))
    _ = bench.fit()
    bench.capture(2)
    #expect(bench.frames == ["K212", "K212", "K2.."])
  }

  @Test func fallsAreFollowedAtOnceAndRisesLater() throws {
    var bench = try Bench()
    bench.demand(0b111)
    bench.setCapacity(.kilobits(1000))
    _ = bench.fit()
    // 95 % of the last estimate that was followed.
    for (kilobits, follows) in [(1000, false), (950, false), (949, true)] as [(Int64, Bool)] {
      bench.setCapacity(.kilobits(kilobits))
      let must = bench.publishers.mustFollowUplink(of: Bench.p, bench.wires.net.endpoints)
      #expect(must == follows)
    }
  }

  @Test func theOfferIsWhatTheUplinkCarries() throws {
    var bench = try Bench()
    bench.demand(0b111)
    let joined = bench.publishers.sources[0].takeAnnouncement()
    #expect(joined?.isCapturing == true && joined?.offers.count == 9)
    let unchanged = bench.fit()
    let none = bench.publishers.sources[0].takeAnnouncement()
    #expect(unchanged == "100 100 100" && none == nil)
    bench.setCapacity(.kilobits(1485))
    _ = bench.fit()
    // c runs at 65 % of 2000 kbps, and so do its temporal layers of 40, 60 and 100 %.
    let fallen = bench.publishers.sources[0].takeAnnouncement()
    #expect(fallen?.offers.suffix(3).map(\.bitrate) == [.kilobits(520), .kilobits(780), .kilobits(1300)])
    bench.setCapacity(.kilobits(352))
    _ = bench.fit()
    let low = bench.publishers.sources[0].takeAnnouncement()
    #expect(low?.offers.map(\.id.encoding) == [0, 0, 0, 1, 1, 1] && low?.ladder.count == 9)
    bench.publishers.leave(Bench.p)
    bench.refreshCapture()
    let left = bench.publishers.sources[0].takeAnnouncement()
    #expect(left?.isCapturing == false && left?.offers.isEmpty == true)
  }

  /// A controller at the SFU orders rates, which are met as far as the uplink carries them, lowest first.
  @Test func ordersAreFollowedWithinTheUplink() throws {
    var bench = try Bench()
    var demand = EncodingDemand(forwarded: EncodingSet(first: 3))
    demand.orders = [.kilobits(80), .zero, .kilobits(1000)]
    _ = bench.publishers.setDemand(demand, of: 0)
    var fits = [bench.fit()]
    // 480 kbps: 80 for a, and 400 is 20 % of c; at 200 kbps the remaining 120 is less than a tenth.
    bench.setCapacity(.kilobits(528))
    fits.append(bench.fit())
    bench.setCapacity(.kilobits(220))
    fits.append(bench.fit())
    #expect(fits == ["80 - 50", "80 - 20", "80 - -"])
  }

  /// Padding aims for the rate that enables the next encoding: 72 % of its rate, plus the encodings below it.
  @Test func theControllerIsToldWhatCouldBeSent() throws {
    var bench = try Bench()
    bench.demand(Bench.a | Bench.b)
    bench.setCapacity(.kilobits(200))
    var fit = bench.fit()
    #expect(fit == "100 - -")
    let short = bench.publishers.demand(of: Bench.p, headerShare: 0.1)
    #expect(short.maximumAllocated == .kilobits(600) && short.minimumAllocated == .kilobits(30))
    // 100 and 360 kbps plus 10 % of headers.
    #expect(short.maximumPadding == .kilobits(506))
    bench.run(to: 2000)
    bench.setCapacity(.megabits(2))
    bench.run(to: 4000)
    bench.setCapacity(.megabits(2))
    fit = bench.fit()
    #expect(fit == "100 100 90")
    // Nobody wants c; a and b are complete.
    let full = bench.publishers.demand(of: Bench.p, headerShare: 0.1)
    #expect(full.maximumPadding == .zero && full.maximumAllocated == .kilobits(600))
    bench.demand(0)
    let nothing = bench.publishers.demand(of: Bench.p, headerShare: 0.1)
    #expect(nothing.maximumAllocated == .zero && nothing.probesWhenApplicationLimited)
  }

  /// The stream of a screen is created with the first share, and switches probing on for the rest of the call.
  @Test func aScreenHasTheUplinkProbedFromItsFirstShareOn() throws {
    var bench = try Bench { plan in
      plan.participants[0].screen = VideoSourcePlan(
        kind: .screen, capture: VideoFormat(.p1080, framesPerSecond: 15),
        ladder: .single(capture: VideoFormat(.p1080, framesPerSecond: 15)), startsOn: false)
    }
    let screen = try #require(bench.publishers.streams.screenOf[Bench.p])
    func probes(_ bench: borrowing Bench) -> Bool {
      bench.publishers.demand(of: Bench.p, headerShare: 0).probesWhenApplicationLimited
    }
    bench.demand(Bench.a)
    let before = probes(bench)
    bench.run(to: 1000)
    bench.publishers.states[Bench.p].isSharingScreen = true
    bench.refreshCapture(screen)
    let during = probes(bench)
    bench.run(to: 2000)
    bench.publishers.states[Bench.p].isSharingScreen = false
    bench.refreshCapture(screen)
    let after = probes(bench)
    bench.run(to: 3000)
    bench.publishers.leave(Bench.p)
    bench.refreshCapture()
    bench.publishers.join(Bench.p, at: bench.kernel.now)
    bench.refreshCapture()
    bench.demand(Bench.a)
    let again = probes(bench)
    #expect(!before && during && after && !again)
  }

  @Test func theUplinkIsReportedOnlyToAController() throws {
    var bench = try Bench()
    _ = bench.fit()
    let report = bench.publishers.takeUplinkReport(of: Bench.p)
    #expect(report == nil)
    var controlled = try Bench { $0.system = GSO(.init()) }
    controlled.setCapacity(.kilobits(1100))
    _ = controlled.fit()
    var reports = [controlled.publishers.takeUplinkReport(of: Bench.p)]
    reports.append(controlled.publishers.takeUplinkReport(of: Bench.p))
    controlled.setCapacity(.kilobits(550))
    _ = controlled.fit()
    reports.append(controlled.publishers.takeUplinkReport(of: Bench.p))
    #expect(reports == [.kilobits(1000), nil, .kilobits(500)])
  }

  @Test func aNewCallBeginsWithNewEncoders() throws {
    var bench = try Bench()
    bench.demand(Bench.a)
    bench.capture(2)
    bench.publishers.leave(Bench.p)
    bench.refreshCapture()
    bench.capture(1)
    bench.publishers.join(Bench.p, at: bench.kernel.now)
    bench.restart()
    bench.demand(Bench.a)
    bench.refreshCapture()
    bench.capture(3)
    #expect(bench.frames[0] == "K2.K21")
    // Numbering continues, which distinguishes the frames of the calls.
    let numbers = bench.wires.packets(.video, on: Path.up(Bench.p)).map(\.packet.frame)
    #expect(Set(numbers) == [0, 1, 2, 3, 4])
  }
}
