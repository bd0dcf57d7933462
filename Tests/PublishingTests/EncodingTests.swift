import Endpoint
import Media
import Network
import Plan
import Publishing
import Quantity
import SimulationKernel
import TestSupport
import Testing

private typealias Bench = PublishingBench

@Suite("Publishing: demand in, frames out")
struct EncodingTests {
  @Test func whatNobodyWantsIsNotSent() throws {
    var bench = try Bench()
    bench.capture(2)
    bench.demand(Bench.a)
    bench.capture(6)
    bench.demand(0)
    bench.capture(2)
    #expect(bench.frames == ["..K21202..", "..........", ".........."])
  }

  /// An encoding starts with a key frame, and libwebrtc's simulcast encoder forces one on the others as well.
  @Test(arguments: [
    (KeyFrameScope.allLayers, ["K21K2....", "...K2120K", "........K"]),
    (.perLayer, ["K2120....", "...K21202", "........K"]),
  ])
  func anEncodingBeginsWithAKeyFrame(scope: KeyFrameScope, drawn: [String]) throws {
    var bench = try Bench { $0.keyFrames = scope }
    bench.demand(Bench.a)
    bench.capture(3)
    bench.demand(Bench.a | Bench.b)
    bench.capture(2)
    // When another one ends, nothing starts.
    bench.demand(Bench.b)
    bench.capture(3)
    bench.demand(Bench.b | Bench.c)
    bench.capture(1)
    #expect(bench.frames == drawn)
  }

  /// The request at 100 ms is answered for both encodings; another counts only 300 ms later, and is dropped before
  /// that.
  @Test(arguments: [(Int64(399), "KK2.12"), (400, "KK2.K2")])
  func keyFrameRequestsAreAnsweredAtMostEvery300Milliseconds(time: Int64, drawn: String) throws {
    var bench = try Bench()
    bench.demand(Bench.a | Bench.b)
    bench.capture(1)
    bench.requestKeyFrame(of: 1)
    bench.capture(2)
    bench.run(to: time)
    bench.requestKeyFrame(of: 0)
    bench.run(to: 400)
    bench.capture(2)
    #expect(bench.frames == [drawn, drawn, "......"])
  }

  @Test func aRequestByLayerIsAnsweredByThatLayer() throws {
    var bench = try Bench { $0.keyFrames = .perLayer }
    bench.demand(Bench.a | Bench.b)
    bench.capture(1)
    // Each has its own 300 ms; c is off, and its request does not count when it starts.
    bench.requestKeyFrame(of: 1)
    bench.requestKeyFrame(of: 2)
    bench.capture(2)
    bench.requestKeyFrame(of: 0)
    bench.requestKeyFrame(of: 1)
    bench.capture(1)
    bench.requestKeyFrame(of: 1)
    bench.capture(1)
    #expect(bench.frames == ["K21K2", "KK21K", "....."])
  }

  @Test func aFrameLeavesInPacketsThatAreNumberedOn() throws {
    var bench = try Bench()
    bench.demand(Bench.c)
    bench.capture(2)
    let packets = bench.wires.packets(.video, on: Path.up(Bench.p)).map(\.packet)
    #expect(packets.map(\.sequence) == Array(0..<UInt32(packets.count)))
    for frame: UInt32 in [0, 1] {
      let own = packets.filter { $0.frame == frame }
      #expect(own.count > 1 && own.map(\.index) == Array(0..<UInt16(own.count)))
      #expect(own.allSatisfy { Int($0.count) == own.count })
      // As few packets as possible, with at most 1174 - 6 bytes of the frame each and sizes that differ by at most one
      // byte, plus 68 bytes of overhead.
      let sizes = own.map { Int($0.size) - 68 }
      let bytes = sizes.reduce(0, +)
      #expect(own.count == (bytes + 1167) / 1168)
      #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
    }
  }

  @Test func aMissingPacketIsRepeatedWhileItsEncodingIsOn() throws {
    var bench = try Bench()
    bench.demand(Bench.a)
    bench.capture(3)
    // The round trip of 2 ms counts as 31.25 ms.
    bench.retransmit(0)
    bench.run(to: 331)
    bench.retransmit(0)
    bench.run(to: 332)
    bench.retransmit(1)
    bench.demand(Bench.b)
    bench.run(to: 400)
    bench.retransmit(0)
    bench.run(to: 410)
    let repeated = bench.wires.packets(.videoRetransmission, on: Path.up(Bench.p))
    #expect(repeated.map(\.time) == [300, 300, 332, 332])
    #expect(repeated.map(\.packet.sequence) == [0, 1, 1, 2])
    let first = bench.wires.packets(.video, on: Path.up(Bench.p))[0]
    #expect(repeated[0].packet.size == first.packet.size + 2)
  }

  /// The camera captures with its own phase, one frame every 33.333 ms.
  @Test func theCameraCapturesWhileItIsOn() throws {
    var bench = try Bench()
    bench.capturesByItself = true
    bench.demand(Bench.a)
    bench.run(to: 1000)
    let period: Int64 = 33_333_333
    let first = try #require(bench.captures.first)
    #expect(first < period)
    #expect(bench.captures == (0..<30).map { first + $0 * period })
    bench.publishers.states[Bench.p].isVideoMuted = true
    bench.refreshCapture()
    bench.run(to: 2000)
    let whileOn = bench.wires.packets(.video, on: Path.up(Bench.p))
    #expect(whileOn.allSatisfy { $0.time < 1000 })
    // One more capture was due, and found the camera off.
    #expect(bench.captures.count == 31)
    bench.publishers.states[Bench.p].isVideoMuted = false
    bench.refreshCapture()
    bench.run(to: 2040)
    #expect(bench.captures[31] == 2_000_000_000 + first)
    let again = bench.wires.packets(.video, on: Path.up(Bench.p)).first { $0.time >= 2000 }
    #expect(again.map { FrameHeader(flags: $0.packet.flags).isKeyFrame } == true)
  }

  @Test(arguments: [(false, false), (true, true)])
  func aCameraInTheBackground(hasAccess: Bool, isOn: Bool) throws {
    var bench = try Bench { $0.participants[0].capabilities.multitaskingCamera = hasAccess }
    bench.publishers.states[Bench.p].isInBackground = true
    bench.refreshCapture()
    #expect(bench.publishers.sources[0].capture.isOn == isOn)
    bench.publishers.states[Bench.p].isInBackground = false
    bench.refreshCapture()
    #expect(bench.publishers.sources[0].capture.isOn)
  }
}
