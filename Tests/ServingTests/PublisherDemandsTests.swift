import Endpoint
import Ladder
import Plan
import Quantity
import Serving
import Systems
import TestSupport
import Testing

/// Demand for one source with three encodings.
@Suite("The SFU's demands of publishers")
struct PublisherDemandsTests {
  private func demands(_ change: (inout PublisherTraits) -> Void = { _ in }) throws -> PublisherDemands {
    var traits = PublisherTraits()
    change(&traits)
    return PublisherDemands(traits, StreamNumbering(try .small()).sources)
  }

  /// Returns what is signalled, as `forwarded, begun`; `-` if nothing.
  private func take(
    _ demands: inout PublisherDemands, forwarded: UInt32, isCapturing: Bool = true, at time: Int64 = 0
  ) -> String {
    let news = demands.take(
      EncodingDemand(forwarded: EncodingSet(rawValue: forwarded)), of: 0, isCapturing: isCapturing,
      at: .ms(time))
    return news.map { "\($0.demand.forwarded.rawValue), \($0.begun.rawValue)" } ?? "-"
  }

  @Test func aDemandIsSignalledOnce() throws {
    var demands = try demands()
    var signalled: [String] = []
    for forwarded: UInt32 in [0b011, 0b011, 0b110, 0] {
      signalled.append(take(&demands, forwarded: forwarded))
    }
    #expect(signalled == ["3, 3", "-", "6, 4", "0, 0"])
  }

  /// What was signalled over an old connection may be lost.
  @Test func aDemandIsRepeatedToAPublisherThatHasRejoined() throws {
    var demands = try demands()
    _ = take(&demands, forwarded: 0b010)
    demands.forget(0)
    let again = take(&demands, forwarded: 0b010)
    #expect(again == "2, 2")
  }

  /// Only after a first viewer, and only while the source sends.
  @Test func someEncodingsRemainRequestedAfterTheLastViewer() throws {
    var demands = try demands { $0.keptUnwatched = .lowestOfSeveral }
    var signalled = [take(&demands, forwarded: 0), take(&demands, forwarded: 0b100)]
    signalled += [take(&demands, forwarded: 0), take(&demands, forwarded: 0, isCapturing: false)]
    #expect(signalled == ["-", "4, 4", "1, 1", "0, 0"])
  }

  /// All encodings until the first wish, then those up to the highest; a lower level waits 400 ms.
  @Test func encodingsPauseAfterADelay() throws {
    var demands = try demands {
      $0.pauseRule = EncodingPauseRule(delay: .milliseconds(400), start: .seconds(1))
    }
    demands.begin(0, encodings: 3, at: .ms(0))
    var signalled: [String] = []
    for (time, forwarded) in [(0, 0), (100, 0b100), (200, 0b001), (599, 0b001), (600, 0b001)] {
      signalled.append(take(&demands, forwarded: UInt32(forwarded), at: Int64(time)))
    }
    #expect(signalled == ["7, 7", "-", "-", "-", "1, 0"])
  }
}
