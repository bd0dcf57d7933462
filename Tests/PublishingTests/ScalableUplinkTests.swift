import CongestionControl
import Endpoint
import Ladder
import Media
import Network
import Parameters
import Plan
import Publishing
import Quantity
import SimulationKernel
import Systems
import TestSupport
import Testing

/// A camera with three spatial layers on an uplink whose estimate comes from feedback.
@Suite("Publishing: scalable streams on an uplink")
struct ScalableUplinkTests {
  private func bench(maximum: BitRate? = nil) throws -> PublishingBench {
    let mode = try #require(ScalabilityMode(name: "L3T3_KEY"))
    let gcc = try #require(Registry.estimators["gcc"])
    return try PublishingBench { plan in
      let capture = VideoFormat(.p720, framesPerSecond: 30)
      plan.participants[0].camera?.ladder = .scalable(
        ScalableSending(.vp9, mode, maximum: maximum), capture: capture, isScreen: false)
      plan.participants[0].camera?.codec = .vp9
      plan.estimator = gcc.configuration()
    }
  }

  /// Until repairs are acknowledged, libwebrtc expects 16 more bytes in every packet, of 1238 bytes in total; the
  /// layers are one stream, so one repair is enough for all three.
  @Test func oneRepairIsEnoughForAllLayers() throws {
    var bench = try bench()
    bench.demand(0b111)
    _ = bench.fit()
    _ = bench.fit()
    let before = bench.publishers.states[0].videoBudget
    bench.publishers.notePadding(by: 0)
    _ = bench.fit()
    let after = bench.publishers.states[0].videoBudget
    let estimate = bench.wires.net.endpoints.estimate(Path.up(0)).bitsPerSecond
    let packets = (estimate + 1238 * 8 - 1) / (1238 * 8)
    #expect(after - before == BitRate(bitsPerSecond: packets * 16 * 8))
  }

  /// Two layers of 142 and 418 kbps are full at 700 kbps, and the third starts at 891: it is never on, and the uplink is
  /// probed for 700 kbps. libwebrtc pads up to the third layer's start all the same.
  @Test func theMaximumLimitsTheLayers() throws {
    var bench = try bench(maximum: .kilobits(700))
    var fit = bench.fit()
    #expect(fit == "100 100 -")
    bench.demand(0b111)
    bench.wires.net.endpoints.observe(Path.up(0), capacity: .megabits(50), at: bench.kernel.now)
    fit = bench.fit()
    #expect(fit.hasSuffix(" -"))
    let demand = bench.publishers.demand(of: 0, headerShare: 0)
    #expect(demand.maximumAllocated == .kilobits(700))
    #expect(demand.maximumPadding == BitRate(bitsPerSecond: 891_052))
    #expect(bench.publishers.wholeRate(of: 0) == .kilobits(700))
  }

  /// Nobody wants the stream, so its only encoding is off.
  @Test func aStreamThatNobodyWantsIsNotPadded() throws {
    var bench = try bench()
    bench.demand(0b111)
    _ = bench.fit()
    #expect(
      bench.publishers.demand(of: 0, headerShare: 0).maximumPadding == BitRate(bitsPerSecond: 891_052))
    bench.demand(0)
    _ = bench.fit()
    #expect(bench.publishers.demand(of: 0, headerShare: 0).maximumPadding == .zero)
  }

  /// A camera or a share with two spatial layers in full prediction, and a content far beyond their rates.
  private func overloaded(_ kind: VideoSourcePlan.Kind) throws -> PublishingBench {
    var bench = try PublishingBench { plan in
      guard var source = plan.participants[0].camera else { return }
      source.kind = kind
      source.codec = .vp9
      source.content = ContentComplexity(ceiling: .megabits(60))
      source.ladder = .scalable(
        ScalableSending(.vp9, ScalabilityMode(spatial: 2, temporal: 1)),
        capture: VideoFormat(.p720, framesPerSecond: 30), isScreen: kind == .screen)
      plan.participants[0].camera = kind == .camera ? source : nil
      plan.participants[0].screen = kind == .screen ? source : nil
    }
    bench.step = 33
    bench.demand(0b11)
    return bench
  }

  /// Frames by picture and spatial layer.
  private func pictures(_ bench: borrowing PublishingBench) -> [UInt32: [Int: LayerFrame]] {
    var pictures: [UInt32: [Int: LayerFrame]] = [:]
    for sent in bench.wires.packets(.video, on: Path.up(0)) {
      let frame = LayerFrame(sent.packet, spatial: Int(sent.packet.stream))
      pictures[frame.picture, default: [:]][Int(frame.spatial)] = frame
    }
    return pictures
  }

  /// A camera's encoder drops both layers together; that of a share drops a layer with those below it, and says so in
  /// the upper frame.
  @Test(arguments: [VideoSourcePlan.Kind.camera, .screen])
  func aDroppedFrameTakesThoseOfOtherLayersAlong(kind: VideoSourcePlan.Kind) throws {
    var bench = try overloaded(kind)
    _ = bench.fit()
    bench.capture(200)
    let pictures = pictures(bench).values
    #expect(pictures.count < 150)
    #expect(pictures.allSatisfy { $0[1]?.hasLowerFrame == ($0[0] != nil) })
    #expect(pictures.contains { $0[0] == nil } == (kind == .screen))
  }

  /// The app lets the upper layer go on again and again, while frames of the lower one are dropped: the first frame of
  /// the upper one refers to one of them, which is kept.
  @Test func theFrameBelowTheFirstOfALayerIsKept() throws {
    var bench = try overloaded(.screen)
    _ = bench.fit()
    bench.capture(30)
    for turn in 0..<80 {
      var change = SendChange(isScreen: true)
      change.maximum = .source(turn % 2 == 0 ? .kilobits(250) : .megabits(5))
      bench.set(change)
      _ = bench.fit()
      bench.capture(11)
    }
    let first = pictures(bench).values.filter { $0[1]?.refersBack == false && $0[1]?.isKeyPicture == false }
    #expect(first.count >= 30)
    #expect(first.allSatisfy { $0[0] != nil && $0[1]?.hasLowerFrame == true })
  }
}
