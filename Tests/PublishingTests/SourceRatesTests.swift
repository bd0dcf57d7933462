import Endpoint
import Ladder
import Plan
import Publishing
import Quantity
import SimulationKernel
import Systems
import TestSupport
import Testing

/// One source without its uplink: `a` takes 100 kbps, `b` 500, `c` 2000.
@Suite("The rates of a source's encodings")
struct SourceRatesTests {
  private static let known = UplinkFeedback.none
  private static let estimated = UplinkFeedback.heard

  /// A source and its encoders, as they begin.
  private struct Source: ~Copyable {
    var state: SourceState
    var encoders: Table<EncoderState>

    init() throws {
      let bench = try PublishingBench()
      state = bench.publishers.sources[0]
      encoders = Table<EncoderState>()
      for number in 0..<3 { encoders.append(bench.publishers.encoders[number]) }
    }

    mutating func fit(_ kilobits: Int64, _ feedback: UplinkFeedback, at seconds: Int64 = 0) -> Bool {
      state.fit(&encoders, within: .kilobits(kilobits), feedback, at: .ms(seconds * 1000))
    }

    /// Shares of their rates at which the encodings run [%].
    var shares: [Int] { (0..<3).map { Int((encoders[$0].scale * 100).rounded()) } }

    /// Layers on offer, by encoding and rate [kbps].
    var offers: [String] {
      state.offers.filter { $0.id.temporal == 2 }
        .map { "\($0.id.encoding) at \($0.bitrate.bitsPerSecond / 1000)" }
    }
  }

  /// 1350 kbps are 67.5 % of c; runs in steps of 5 %.
  @Test func theOfferHasTheRatesThatTheShareCarries() throws {
    var source = try Source()
    source.state.demand = EncodingDemand(forwarded: EncodingSet(first: 3))
    let changes = [source.fit(1350, Self.known), source.fit(1350, Self.known), source.fit(1199, Self.known)]
    #expect(changes == [true, false, true])
    #expect(source.shares == [100, 100, 0])
    #expect(source.offers == ["0 at 100", "1 at 500"])
    _ = source.fit(1350, Self.known)
    #expect(source.offers == ["0 at 100", "1 at 500", "2 at 1300"])
  }

  /// Orders are filled from the lowest: 100 kbps of a, 400 of b, and the rest of 1000 for c, of which 300 remain.
  @Test func ordersAreFilledFromTheLowest() throws {
    var source = try Source()
    source.state.demand = EncodingDemand(forwarded: EncodingSet(first: 3))
    source.state.demand.orders = [.kilobits(100), .kilobits(400), .kilobits(1000)]
    _ = source.fit(800, Self.known)
    #expect(source.shares == [100, 80, 15])
  }

  /// Where only what is sent raises an estimate, the lowest wanted encoding is sent whatever the estimate; after a
  /// second without a minimum's worth, one below it takes its place.
  @Test func theLowestWantedEncodingIsSentWhateverTheEstimate() throws {
    var source = try Source()
    source.state.demand = EncodingDemand(forwarded: EncodingSet(rawValue: 0b110))
    var shares: [[Int]] = []
    for seconds: Int64 in [0, 1] {
      _ = source.fit(60, Self.estimated, at: seconds)
      shares.append(source.shares)
    }
    #expect(shares == [[60, 10, 0], [60, 0, 0]])
  }
}
