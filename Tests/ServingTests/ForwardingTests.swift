import Endpoint
import Network
import Quantity
import Serving
import Systems
import TestSupport
import Testing

private let v = ServingBench.v
private let w = ServingBench.w

@Suite("Forwarding: packets in, packets out")
struct ForwardingTests {
  @Test func aViewerIsSentAnEncodingFromItsKeyFrameOn() throws {
    var bench = try ServingBench()
    bench.decide(v, 1)
    bench.arrive(
      "K2120212",
      "..K21202")
    bench.decide(v, -1)
    bench.arrive("0212", "1202")
    let (toV, toW) = (bench.sent(to: v), bench.sent(to: w))
    #expect(toV == "..bbbbbb....")
    #expect(toW == "............")
    // The numbering is the viewer's own and starts at 0, whatever came before.
    let numbers = bench.sequences(to: v)
    #expect(numbers == Array(0...5))
  }

  @Test func temporalLayersAreLeftOutWithoutAGap() throws {
    var bench = try ServingBench()
    bench.decide(v, 0, 0)
    bench.decide(w, 0, 1)
    bench.arrive("K2120212")
    let (toV, toW) = (bench.sent(to: v), bench.sent(to: w))
    #expect(toV == "a...a...")
    #expect(toW == "a.a.a.a.")
    let (vNumbers, wNumbers) = (bench.sequences(to: v), bench.sequences(to: w))
    #expect(vNumbers == [0, 1] && wNumbers == [0, 1, 2, 3])
  }

  /// The last frame of a group refers to the middle one: a viewer who was not sent the middle one is not sent the last
  /// one either.
  @Test func aHigherTemporalLayerBeginsWhereItsReferencesDo() throws {
    var bench = try ServingBench()
    bench.decide(v, 0, 0)
    bench.decide(w, 0, 0)
    bench.arrive("K2")
    bench.decide(v, 0, 2)
    bench.arrive("1")
    bench.decide(w, 0, 2)
    bench.arrive("20212")
    let (toV, toW) = (bench.sent(to: v), bench.sent(to: w))
    #expect(toV == "a.aaaaaa")
    #expect(toW == "a...aaaa")
  }

  @Test func theOldEncodingContinuesUntilTheKeyFrameOfAHigherOne() throws {
    var bench = try ServingBench()
    bench.decide(v, 0)
    bench.arrive("K212")
    bench.decide(v, 1)
    // Nobody waits for the key frame of c, and that of a does not end the wait for b.
    bench.arrive(
      "02K21202",
      "x2120K21",
      "..K.....")
    let toV = bench.sent(to: v)
    #expect(toV == "aaaaaaaaabbb")
    // In the column of the switch, a's packet arrives first.
    let numbers = bench.sequences(to: v)
    #expect(numbers == Array(0...12))
  }

  @Test(arguments: [
    // What continues until the key frame of the lower encoding, in the sixth column of the second group.
    (ForwardingRules.WhileWaiting.baseLayer, false, "ccccc...caaa"),
    (.everything, false, "cccccccccaaa"),
    (.target, false, "ccccaaaaaaaa"),
    (.baseLayer, true, "cccc.....aaa"),
  ])
  func towardsALowerEncoding(rule: ForwardingRules.WhileWaiting, stops: Bool, sent: String) throws {
    var system = PlainSystem()
    system.traits.forwarding.whileWaiting = rule
    var bench = try ServingBench(system)
    bench.decide(v, 2)
    bench.arrive("K212", "", "K212")
    bench.decide(v, 0, 2, stops: stops)
    bench.arrive("02120K21", "", "02120212")
    let toV = bench.sent(to: v)
    #expect(toV == sent)
  }

  @Test func aGapOfTheUplinkStaysAGapForEveryViewer() throws {
    var bench = try ServingBench()
    bench.decide(v, 0, 2)
    bench.decide(w, 0, 0)
    // Of frames 0 to 5 the second is lost; w would not have been sent it anyway, but its layer is unknown.
    bench.arrive("Kx1202")
    let (vNumbers, wNumbers) = (bench.sequences(to: v), bench.sequences(to: w))
    #expect(vNumbers == [0, 2, 3, 4, 5])
    #expect(wNumbers == [0, 2])
  }

  @Test func aRepairedPacketKeepsItsPlaceAndIsForwardedOnce() throws {
    var bench = try ServingBench()
    bench.decide(v, 0)
    bench.arrive("K212x212")
    bench.arriveLate(4, of: 0, temporal: 0)
    bench.run(to: 82)
    // It leaves under the number reserved for it, and without the retransmission header, which belonged to the uplink.
    let last = bench.wires.packets(.video, on: Path.down(v)).last
    #expect(last?.time == 80)
    #expect(last?.packet.sequence == 4 && last?.packet.size == ServingBench.size)
    bench.arriveLate(4, of: 0, temporal: 0)
    bench.run(to: 84)
    let numbers = bench.sequences(to: v)
    #expect(numbers == [0, 1, 2, 3, 5, 6, 7, 4])
  }

  @Test func aMissingPacketIsRequestedAtOnceAndOncePerRoundTrip() throws {
    var bench = try ServingBench()
    bench.decide(v, 0)
    // The gap shows in the fourth column. The round trip of 2 ms counts as 31.25 ms, the period of the checks.
    bench.arrive("K2x2")
    for time: Int64 in [40, 61, 62, 94] {
      bench.run(to: time)
      bench.repair()
    }
    bench.arriveLate(2, of: 0, temporal: 1)
    bench.run(to: 100)
    bench.repair()
    bench.run(to: 102)
    let requests = bench.wires.packets(.negativeAcknowledgement, on: Path.down(ServingBench.p))
    #expect(requests.map(\.time) == [30, 62, 94])
    #expect(requests.map(\.packet.sequence) == [2, 2, 2] && requests.allSatisfy { $0.packet.stream == 0 })
  }

  /// A lower encoding replaces one that has been silent for more than 300 ms, until that one is back.
  @Test func anEncodingThatNoLongerArrivesIsReplaced() throws {
    var system = PlainSystem()
    system.traits.forwarding.switching = .stepwiseFromAny
    system.traits.forwarding.fallback = .init(after: .milliseconds(300), keyFrameTimeout: .seconds(20))
    var bench = try ServingBench(system)
    bench.step = 100
    bench.decide(v, 1)
    // The last packet of b arrives at 200 ms. At 500 ms a's packet is not late enough; at 600 ms it lowers the target:
    // a's key frame is requested, and the switch follows at 800 ms. The key frame of b at 1400 ms ends that.
    bench.arrive(
      "..021202K212021202",
      "K21.........2.K212")
    let toV = bench.sent(to: v)
    #expect(toV == "bbb.....aaaaaabbbb")
    let requests = bench.requests()
    #expect(requests == ["0 b", "600 a"])
  }
}
