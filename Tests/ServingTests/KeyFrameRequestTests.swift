import Endpoint
import Network
import Quantity
import Serving
import SimulationKernel
import Systems
import TestSupport
import Testing

private let v = ServingBench.v
private let w = ServingBench.w

/// Requests for an encoding are at least 500 ms apart unless a test says otherwise.
@Suite("The SFU's key frame requests")
struct KeyFrameRequestTests {
  @Test func anUnansweredRequestIsRepeatedUntilTheKeyFrameArrives() throws {
    var bench = try ServingBench()
    bench.decide(v, 1)
    bench.run(to: 1100)
    bench.arrive("", "K")
    bench.run(to: 3000)
    let requests = bench.requests()
    #expect(requests == ["0 b", "500 b", "1000 b"])
  }

  @Test func nobodyIsAskedWhoDoesNotSend() throws {
    var bench = try ServingBench()
    bench.decide(v, 1)
    bench.run(to: 600)
    bench.sfu.forwarder.setActive(false, 0)
    bench.run(to: 3000)
    bench.requestKeyFrame(by: v)
    bench.run(to: 3002)
    let requests = bench.requests()
    #expect(requests == ["0 b", "500 b"])
  }

  /// A viewer requests a key frame at 600 ms, 100 ms after a request that was answered at once.
  @Test(arguments: [
    (KeyFrameRequestRule.Early.dropped, ["0 a", "500 a"]),
    // Sent at 1000 ms, when it is due; it is not repeated for viewers that wait for nothing.
    (.deferred, ["0 a", "500 a", "1000 a"]),
    (.deferredUnlessAnswered, ["0 a", "500 a", "1000 a"]),
  ])
  func aRequestThatComesTooEarly(early: KeyFrameRequestRule.Early, requests: [String]) throws {
    var system = PlainSystem()
    system.traits.forwarding.keyFrames.early = early
    var bench = try ServingBench(system)
    bench.decide(v, 0)
    bench.run(to: 510)
    bench.arrive("K")
    bench.run(to: 600)
    bench.requestKeyFrame(by: v)
    bench.run(to: 3000)
    let sent = bench.requests()
    #expect(sent == requests)
  }

  /// The viewer's request as above, but a key frame arrives at 800 ms, before the request is due.
  @Test(arguments: [
    (KeyFrameRequestRule.Early.deferred, ["0 a", "1000 a"]), (.deferredUnlessAnswered, ["0 a"]),
  ])
  func aDeferredRequestMayHaveBeenAnswered(early: KeyFrameRequestRule.Early, requests: [String]) throws {
    var system = PlainSystem()
    system.traits.forwarding.keyFrames.early = early
    system.traits.forwarding.keyFrames.spacings = [.milliseconds(1000)]
    var bench = try ServingBench(system)
    bench.decide(v, 0)
    bench.arrive("K")
    bench.run(to: 600)
    bench.requestKeyFrame(by: v)
    bench.run(to: 800)
    bench.arrive("K")
    bench.run(to: 3000)
    let sent = bench.requests()
    #expect(sent == requests)
  }

  @Test func spacingsAreThoseOfTheEncodingOrOfTheSource() throws {
    for (isBySource, expected) in [(false, ["100 a", "200 b"]), (true, ["100 a", "400 b"])] {
      var system = PlainSystem()
      system.traits.forwarding.keyFrames.spacings = [.milliseconds(100), .milliseconds(300)]
      system.traits.forwarding.keyFrames.isBySource = isBySource
      var bench = try ServingBench(system)
      bench.run(to: 100)
      bench.decide(v, 0)
      bench.arrive("K")
      bench.run(to: 200)
      bench.decide(v, 1)
      // In order of sources, b is due 300 ms after a.
      bench.run(to: 401)
      bench.arrive("", "K")
      bench.run(to: 2000)
      let requests = bench.requests()
      #expect(requests == expected)
    }
  }

  @Test func aPendingRequestIsRepeatedOnce() throws {
    var system = PlainSystem()
    system.traits.forwarding.keyFrames.repetition = .pending
    system.traits.forwarding.keyFrames.retry = .milliseconds(200)
    system.traits.forwarding.keyFrames.spacings = [.milliseconds(50)]
    var bench = try ServingBench(system)
    bench.decide(v, 0)
    // A request while one is pending restarts the repetition, and is not sent itself.
    bench.run(to: 300)
    bench.decide(w, 0)
    bench.run(to: 3000)
    let requests = bench.requests()
    #expect(requests == ["0 a", "200 a", "400 a"])
  }

  @Test func aViewersRequestsAreLimitedOnTheirOwn() throws {
    var system = PlainSystem()
    system.traits.forwarding.keyFrames.spacings = [.milliseconds(10)]
    system.traits.forwarding.keyFrames.retry = .seconds(30)
    system.traits.forwarding.keyFrames.viewerLimit = .init(count: 2, window: .milliseconds(500))
    var bench = try ServingBench(system)
    bench.decide(v, 0)
    bench.decide(w, 0)
    bench.arrive("K")
    // v's decision at 0 took one; the second is used at 100 ms, and another becomes available at 500 ms.
    for time: Int64 in [100, 200, 499, 500] {
      bench.run(to: time)
      bench.requestKeyFrame(by: v)
    }
    bench.run(to: 550)
    bench.requestKeyFrame(by: w)
    bench.run(to: 560)
    let requests = bench.requests()
    #expect(requests == ["0 a", "100 a", "500 a", "550 a"])
  }

  /// The key frame has two packets, of which the second is lost at first. It comes 100 ms after the viewer has asked for
  /// another key frame, and is no answer to that.
  @Test func theRestOfAKeyFrameAnswersNoRequest() throws {
    var system = PlainSystem()
    system.traits.forwarding.keyFrames.repetition = .pending
    var bench = try ServingBench(system)
    func give(_ sequence: UInt32, index: UInt16, frame: UInt32, isKeyFrame: Bool) {
      let header = FrameHeader(temporalLayer: 0, groupPosition: 0, isKeyFrame: isKeyFrame)
      bench.give(
        Packet(
          sentAt: bench.kernel.now, size: ServingBench.size, stream: 0, sequence: sequence,
          kind: PacketKind.video.rawValue, flags: header.flags, frame: frame, index: index))
    }
    bench.decide(v, 0)
    bench.run(to: 50)
    give(0, index: 0, frame: 0, isKeyFrame: true)
    give(2, index: 0, frame: 1, isKeyFrame: false)
    bench.run(to: 600)
    bench.requestKeyFrame(by: v)
    bench.run(to: 700)
    give(1, index: 1, frame: 0, isKeyFrame: true)
    bench.run(to: 1200)
    let requests = bench.requests()
    #expect(requests == ["0 a", "600 a", "1100 a"])
  }
}
