import Endpoint
import Ladder
import Plan
import Publishing
import Quantity
import SimulationKernel
import TestSupport
import Testing

/// A camera whose encodings take 100, 500 and 2000 kbps, at 30 frames per second.
@Suite("The rates and packets that sources expect of their uplink")
struct UplinkDemandTests {
  private typealias Bench = PublishingBench

  /// Returns the demand of a camera of which `b` and `c` are wanted, as `payload/least/padding` [kbps].
  private func demand(_ scales: [Double], cameras: Int = 1) throws -> String {
    var bench = try Bench()
    bench.demand(Bench.b | Bench.c)
    for number in 0..<3 { bench.publishers.encoders[number].scale = scales[number] }
    var demand = UplinkDemand()
    for _ in 0..<cameras {
      demand.add(bench.publishers.sources[0], bench.publishers.encoders, resumeShare: 0.5)
    }
    return [demand.payload, demand.least, demand.padding].map { "\($0.bitsPerSecond / 1000)" }
      .joined(separator: "/")
  }

  /// An encoding that is off begins at half of its rate, 1000 kbps above the 500 of `b`; one that is on but cut grows
  /// to all of it.
  @Test func theUplinkIsPaddedUpToTheNextEncoding() throws {
    #expect(try demand([1, 1, 1]) == "2500/30/0")
    #expect(try demand([1, 1, 0]) == "2500/30/1500")
    #expect(try demand([1, 1, 0.5]) == "2500/30/2500")
    #expect(try demand([0, 0, 0]) == "2500/30/1500")
  }

  /// A second camera's `c` begins above the 2500 kbps of the first.
  @Test func aFurtherSourceIsAbove() throws {
    #expect(try demand([1, 1, 0], cameras: 2) == "5000/30/4000")
  }

  @Test func paddingIsTheGreatestRate() {
    var demand = UplinkDemand()
    demand.pad(to: .kilobits(20))
    demand.pad(to: .kilobits(10))
    #expect(demand.padding == .kilobits(20) && demand.payload == .zero)
  }

  /// A header takes 12 bytes and 12 of extensions, and 36 more until the other end knows the stream of repairs: 60. The
  /// 2083 bytes of a frame of `b` take two packets, with a descriptor of 6 bytes each: 30 * 96 bit/s.
  @Test func wantedEncodingsHaveHeadersAndSentOnesDescriptors() throws {
    var bench = try Bench()
    bench.demand(Bench.b)
    #expect(bench.expected == [60, 2880])
    // `a` and `b`: a frame of `a` is 416 bytes.
    bench.demand(Bench.a | Bench.b)
    #expect(bench.expected == [60, 4320])
    // Padding belongs to `a`: 24 and 60 bytes.
    bench.publishers.notePadding(by: Bench.p)
    #expect(bench.expected == [42, 4320])
    bench.publishers.states[Bench.p].isVideoMuted = true
    bench.refreshCapture()
    #expect(bench.expected == [42, 0])
  }

  @Test func withoutEncodingsNothingIsExpected() {
    let expected = ExpectedPackets()
    #expect(expected.headers == 0 && expected.descriptors == .zero)
  }
}

extension PublishingBench {
  /// Mean header [byte] and rate of the descriptors [bit/s] of the camera's packets.
  fileprivate var expected: [Int] {
    var expected = ExpectedPackets()
    expected.add(publishers.sources[0], publishers.encoders, publishers.streams)
    return [expected.headers, Int(expected.descriptors.bitsPerSecond)]
  }
}
