import Endpoint
import Ladder
import Media
import Quantity
import SimulationKernel
import Systems
import TestSupport
import Testing
import Viewing

private let v = ViewingBench.v

@Suite("Reception: packets in, frames out")
struct ReceptionTests {
  @Test func framesAreDecodedFromTheKeyFrameOn() throws {
    var bench = try ViewingBench()
    bench.expect(true)
    let decoded = bench.arrive("0212K2120212")
    #expect(decoded == "000011111111")
    let pixels = bench.viewers.receptions.takeDecodedPixels(of: v)
    let after = bench.viewers.receptions.takeDecodedPixels(of: v)
    #expect(pixels == 8 * 320 * 180 && after == 0)
  }

  @Test func nothingIsDecodedThatIsNotExpected() throws {
    var bench = try ViewingBench()
    let before = bench.arrive("K2")
    bench.expect(true)
    let during = bench.arrive("12K2")
    bench.expect(false)
    let after = bench.arrive("12")
    // A track that starts again needs another key frame.
    bench.expect(true)
    let again = bench.arrive("02K")
    #expect([before, during, after, again] == ["00", "0011", "00", "001"])
    // All of them count as received.
    let interval = bench.viewers.receptions[bench.track].interval
    #expect(interval.packets == 11 && interval.bytes == 11_000 && interval.frames == 3)
  }

  /// Without a frame of layer 1 the next one of layer 2 has no reference; without one of layer 2 nothing is affected;
  /// without one of the base layer everything after it waits.
  @Test(arguments: [
    ("Kx120212", "10111111"), ("K2x20212", "11001111"), ("K212x2120212", "111100000000"),
    ("K212x212K212", "111100001111"),
  ])
  func aLostFrameTakesThoseThatReferToIt(packets: String, decoded: String) throws {
    var bench = try ViewingBench()
    bench.expect(true)
    let drawn = bench.arrive(packets)
    #expect(drawn == decoded)
  }

  @Test func aRepairedFrameReleasesThoseThatWaited() throws {
    var bench = try ViewingBench()
    bench.expect(true)
    let decoded = bench.arrive("K212x212")
    let released = bench.arriveLate(4)
    let again = bench.arriveLate(4)
    #expect(decoded == "11110000" && released == 4 && again == 0)
    bench.run(to: 100)
    // As in W3C's packetsLost, a number that was once missing still counts.
    let sequence = bench.viewers.receptions[bench.track].sequence
    #expect(sequence.lost == 1 && sequence.numbered == 8 && !sequence.hasMissing)
  }

  @Test func aPacketThatArrivesTwiceCountsOnce() throws {
    var bench = try ViewingBench()
    bench.expect(true)
    _ = bench.arrive("K212")
    let decoded = bench.arriveLate(0) + bench.arriveLate(2)
    #expect(decoded == 0)
    let received = bench.viewers.receptions.receivers[bench.track].packetsReceived
    #expect(received == 4)
  }

  @Test func theClientIsToldOfPicturesThatBeginChangeAndEnd() throws {
    var bench = try ViewingBench()
    bench.expect(true)
    _ = bench.arrive("02", of: 1)
    var changes: [[UInt16]] = []
    func take(_ bench: inout ViewingBench) {
      changes += bench.viewers.receptions.takeStreamChanges().map { [$0.from, $0.to] }
    }
    take(&bench)
    #expect(changes.isEmpty)
    _ = bench.arrive("K212", of: 0)
    take(&bench)
    _ = bench.arrive("K2", of: 2)
    take(&bench)
    #expect(changes == [[.max, 0], [0, 2]])
    let picture = bench.viewers.receptions.picture(of: bench.track, bench.wires.net.sizes)
    #expect(picture == .p720)
    bench.expect(false)
    take(&bench)
    #expect(changes.last == [2, .max] && changes.count == 3)
    let none = bench.viewers.receptions.picture(of: bench.track, bench.wires.net.sizes)
    #expect(none == nil)
    // A viewer who leaves has no list in which a stream could end.
    bench.expect(true)
    _ = bench.arrive("K", of: 0)
    take(&bench)
    bench.viewers.leave(v, at: bench.kernel.now)
    take(&bench)
    #expect(changes.count == 4)
  }
}

@Suite("A viewer's repair requests")
struct ViewerRepairTests {
  /// The round trip of 2 ms counts as 31.25 ms, the period of the checks.
  @Test func aMissingPacketIsRequestedAtOnceAndOncePerRoundTrip() throws {
    var bench = try ViewingBench()
    bench.expect(true)
    // The gap shows at 50 ms. At 62.5 ms the last request is 12.5 ms old; from 93.75 ms on, each check sends one.
    _ = bench.arrive("K212x2120")
    bench.run(to: 130)
    _ = bench.arriveLate(4)
    bench.run(to: 200)
    let missing = bench.missing()
    #expect(missing == ["50: 4", "93: 4", "125: 4"])
    let keyFrames = bench.keyFrameRequests()
    #expect(keyFrames.isEmpty)
  }

  @Test func oneRequestNamesTheMissingPacketsOfThirtyThree() throws {
    var bench = try ViewingBench()
    bench.expect(true)
    bench.step = 0
    _ = bench.arrive("Kx1xxx1")
    // Nothing else arrives up to number 40.
    bench.sequence = 40
    _ = bench.arrive("2")
    bench.run(to: 2)
    let missing = bench.missing()
    // 1 was requested when 3 to 5 were missed; 7 to 39 are 33 numbers.
    #expect(missing.count == 3)
    #expect(Array(missing.prefix(2)) == ["0: 1", "0: 3 4 5"])
    #expect(missing.last == "0: " + (7...39).map(String.init).joined(separator: " "))
  }

  @Test func thePacketsBeforeADecodedKeyFrameAreForgotten() throws {
    var bench = try ViewingBench()
    bench.expect(true)
    _ = bench.arrive("K2x2K")
    let hasMissing = bench.viewers.receptions[bench.track].sequence.hasMissing
    #expect(!hasMissing)
    bench.run(to: 200)
    let missing = bench.missing()
    #expect(missing == ["30: 2"])
  }

  /// A thousand numbers are requested; with one more only a key frame helps, which is requested at once.
  @Test(arguments: [(1000, 31, false), (1001, 0, true)])
  func aGapMayBeTooLarge(lost: UInt32, requests: Int, isHopeless: Bool) throws {
    var bench = try ViewingBench()
    bench.expect(true)
    _ = bench.arrive("K2")
    bench.sequence += lost
    _ = bench.arrive("1")
    // A request names 33 numbers: 1000 take 31 requests.
    let missing = bench.missing()
    #expect(missing.count == requests)
    let keyFrames = bench.keyFrameRequests()
    #expect(keyFrames == (isHopeless ? [20] : []))
    let isDecodable = bench.viewers.receptions[bench.track].status.isDecodable
    #expect(isDecodable != isHopeless)
  }
}

@Suite("A viewer's key frame requests")
struct ViewerKeyFrameTests {
  /// Every 200 ms before the first frame, and 3 s after the last one.
  @Test func aKeyFrameIsRequestedAfterTheWait() throws {
    var bench = try ViewingBench()
    bench.run(to: 10)
    bench.expect(true)
    // The wait ends at 210 ms, noticed by the check at 218.75 ms, then at 418.75 ms, noticed at 437.5 ms.
    bench.run(to: 650)
    let before = bench.keyFrameRequests()
    #expect(before == [218, 437])
    _ = bench.arrive("K")
    // The frame of 650 ms is missed from 3650 ms on; after 5 s without any packet the track is considered over.
    bench.run(to: 12_000)
    let requests = bench.keyFrameRequests()
    #expect(requests == [218, 437, 3656])
  }

  @Test func aTrackThatHasStoppedAsksForNothing() throws {
    var bench = try ViewingBench()
    bench.expect(true)
    bench.run(to: 230)
    bench.expect(false)
    bench.run(to: 2000)
    let requests = bench.keyFrameRequests()
    #expect(requests == [218])
    bench.expect(true)
    bench.run(to: 2190)
    bench.viewers.leave(v, at: bench.kernel.now)
    bench.run(to: 4000)
    let later = bench.keyFrameRequests()
    #expect(later == [218])
  }

  /// A request for a key frame ends the requests for packets, unless the system's clients continue them.
  @Test(arguments: [(false, []), (true, ["3062: 4 6"])])
  func theWaitForAKeyFrame(keeps: Bool, further: [String]) throws {
    var system = PlainSystem()
    system.traits.keepsMissingPackets = keeps
    var bench = try ViewingBench(system)
    bench.expect(true)
    _ = bench.arrive("K212x2")
    bench.run(to: 2800)
    _ = bench.arrive("x2")
    bench.run(to: 3090)
    let missing = bench.missing()
    // The last frame was decoded at 30 ms, so the wait ends with the check at 3031.25 ms, the 97th.
    let first = ["50: 4"] + (3...89).map { "\($0 * 3125 / 100): 4" } + ["2810: 6", "2812: 4"]
    let second = (91...97).map { "\($0 * 3125 / 100): 4 6" }
    #expect(missing == first + second + further)
    let keyFrames = bench.keyFrameRequests()
    #expect(keyFrames == [3031])
  }
}
