import Endpoint
import Ladder
import Plan
import Publishing
import Quantity
import SimulationKernel
import Systems
import TestSupport
import Testing

private typealias Bench = PublishingBench

/// An app's own frames instead of the camera: a change takes 500 ms, and at most 30 frames per second of at most 1080p
/// are encoded.
@Suite("Publishing an app's own frames")
struct CustomSourceTests {
  private func begin(_ bench: inout PublishingBench, _ kind: VideoSourcePlan.Kind) -> CallResult {
    bench.beginChange(sourceOf: Bench.p, to: kind)
  }

  private func push(_ bench: inout PublishingBench, _ size: Resolution, at time: Int64) -> Publishers.Push {
    let frames = CustomFrames(milliFramesPerSecond: 1000, size: size, extent: .count(1))
    return bench.publishers.take(frames, of: 0, &bench.wires.net.sizes, isLooped: false, at: .ms(time))
  }

  @Test func aChangeOfSourceTakesItsTimeAndTheLastOneCounts() throws {
    var bench = try Bench()
    var results = [begin(&bench, .camera), begin(&bench, .custom), begin(&bench, .custom)]
    bench.run(to: 100)
    results.append(begin(&bench, .camera))
    bench.run(to: 200)
    results.append(begin(&bench, .custom))
    #expect(results == [.unchanged, .ok, .unchanged, .ok, .ok])
    var completed: [VideoSourcePlan.Kind?] = []
    for time: Int64 in [500, 600, 699, 700, 701] {
      completed.append(bench.completeChange(at: .ms(time)))
    }
    #expect(completed == [nil, nil, nil, .custom, nil])
    // v has no camera to replace.
    let none = bench.beginChange(sourceOf: 1, to: .custom)
    #expect(none == .noVideoConnection)
  }

  @Test func aPushedFrameMeetsTheStateOfItsSource() throws {
    var bench = try Bench()
    var results = [push(&bench, .p720, at: 0).result]
    _ = begin(&bench, .custom)
    results.append(push(&bench, .p720, at: 499).result)
    _ = bench.completeChange(at: .ms(500))
    // 1080p is the largest frame that is accepted.
    results.append(push(&bench, .p1080, at: 500).result)
    results.append(push(&bench, Resolution(width: 1920, height: 1082), at: 600).result)
    bench.publishers.states[Bench.p].isVideoMuted = true
    results.append(push(&bench, .p720, at: 700).result)
    bench.publishers.leave(Bench.p)
    results.append(push(&bench, .p720, at: 800).result)
    #expect(
      results == [
        .notUsingCustomVideoSource, .notUsingCustomVideoSource, .success, .maxFrameSizeExceeded, .videoMuted,
        .notInMeeting,
      ])
  }

  /// The rate of single frames is their count over the last second.
  @Test func theOfferFollowsTheFramesThatArePushed() throws {
    var bench = try Bench()
    _ = begin(&bench, .custom)
    _ = bench.completeChange(at: .ms(500))
    var rates: [Int] = []
    var changes: [Bool] = []
    for time: Int64 in [1000, 1500, 1900] {
      changes.append(push(&bench, .p720, at: time).hasChanged)
      rates.append(bench.publishers.sources[0].custom.milliFramesPerSecond)
    }
    for time: Int64 in [1999, 2000, 2899, 2900] {
      changes.append(bench.publishers.followPushedRate(of: 0, at: .ms(time)))
      rates.append(bench.publishers.sources[0].custom.milliFramesPerSecond)
    }
    #expect(rates == [1000, 2000, 3000, 3000, 2000, 1000, 0])
    #expect(changes == [true, true, true, false, true, true, true])
    let announced = bench.publishers.sources[0].takeAnnouncement()
    #expect(announced?.capture.milliFramesPerSecond == 0)
  }
}
