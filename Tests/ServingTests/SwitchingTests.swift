import Endpoint
import Network
import Quantity
import Serving
import Systems
import TestSupport
import Testing

private let v = ServingBench.v

@Suite("Key frames for switching at the SFU")
struct SwitchingTests {
  private func bench(_ rule: ForwardingRules.SwitchRule) throws -> ServingBench {
    var system = PlainSystem()
    system.traits.forwarding.switching = rule
    system.traits.forwarding.keyFrames.spacings = [.milliseconds(10)]
    system.traits.forwarding.keyFrames.retry = .seconds(30)
    return try ServingBench(system)
  }

  /// From a towards c, with a key frame of b on the way.
  @Test(arguments: [
    (ForwardingRules.SwitchRule.target, "aaaaaaaaacc"), (.stepwise, "aaaaaabbbcc"),
    (.stepwiseFromAny, "aaaaaabbbcc"),
  ])
  func aStepOnTheWay(rule: ForwardingRules.SwitchRule, sent: String) throws {
    var bench = try bench(rule)
    bench.decide(v, 0)
    bench.arrive("K212")
    bench.decide(v, 2)
    bench.arrive(
      "0212021",
      "..K2120",
      ".....K2")
    let toV = bench.sent(to: v)
    #expect(toV == sent)
  }

  /// Towards a, with a key frame of b before it.
  @Test(arguments: [
    (ForwardingRules.SwitchRule.target, "..aa"), (.stepwise, "..aa"), (.stepwiseFromAny, "bbaa"),
  ])
  func theFirstKeyFrameOfATrack(rule: ForwardingRules.SwitchRule, sent: String) throws {
    var bench = try bench(rule)
    bench.decide(v, 0)
    bench.arrive(
      "..K2",
      "K212")
    let toV = bench.sent(to: v)
    #expect(toV == sent)
  }

  /// The first key frame of a group may be the only one: even a lower one is taken, until that of the target follows.
  @Test func aGroupOfKeyFramesIsTakenFromItsFirst() throws {
    var bench = try bench(.groups(.milliseconds(50)))
    bench.decide(v, 2)
    // All three arrive at once: each is sent, and c stays.
    bench.arrive("K212", "K212", "K212")
    bench.arrive(
      "0212K212",
      "........",
      "0212..K2")
    let toV = bench.sent(to: v)
    #expect(toV == "ccccccccaacc")
    let streams = bench.wires.packets(.video, on: Path.down(v)).prefix(3).map(\.packet.stream)
    #expect(streams == [0, 1, 2])
    bench.run(to: 400)
    let requests = bench.requests()
    #expect(requests == ["0 c"])
  }

  @Test func theRestOfAGroupIsRequestedIfItDoesNotCome() throws {
    var bench = try bench(.groups(.milliseconds(50)))
    bench.decide(v, 2)
    bench.arrive("K212", "K212", "K212")
    bench.arrive(
      "0212K21202",
      "..........",
      "0212021202")
    let toV = bench.sent(to: v)
    #expect(toV == "ccccccccaaaaaa")
    bench.run(to: 400)
    // 50 ms after the start of the group, at 80 ms.
    let requests = bench.requests()
    #expect(requests == ["0 c", "130 c"])
  }
}
