import Endpoint
import Ladder
import Quantity
import Serving
import Systems
import TestSupport
import Testing

private let v = ServingBench.v

@Suite("The SFU's track negotiations")
struct NegotiationTests {
  private func negotiations() throws -> Negotiations {
    var system = PlainSystem()
    system.traits.negotiation = NegotiationRules(
      initialTracks: 2, joinTime: .milliseconds(100), connectionTime: .milliseconds(50),
      interval: .milliseconds(200), offerTime: .milliseconds(30))
    let bench = try ServingBench(system)
    let negotiations = bench.sfu.negotiations
    return try #require(negotiations)
  }

  @Test func theFirstAnswerHasRoomForAFewTracks() throws {
    var negotiations = try negotiations()
    #expect(negotiations.open(v, at: .ms(1000)) == .ms(1100))
    negotiations.request([7, 3, 5], by: v)
    #expect(negotiations.takeStep(v, at: .ms(1099)) == .wait(.ms(1100)))
    #expect(negotiations.takeStep(v, at: .ms(1100)) == .answer([7, 3]))
    #expect(negotiations.trackCount(of: v) == 2)
    // Agreed, but nothing may be forwarded before the connection is set up.
    #expect(negotiations.connect(v, at: .ms(1120)) == .ms(1170))
    #expect(!negotiations.hasAgreed(v, on: 7, at: .ms(1169)))
    #expect(negotiations.isPending(v, 7, at: .ms(1169)))
    #expect(negotiations.hasAgreed(v, on: 7, at: .ms(1170)))
    #expect(!negotiations.isPending(v, 7, at: .ms(1170)))
    #expect(!negotiations.hasAgreed(v, on: 5, at: .ms(1170)))
    // Candidates that arrive again do not start another handshake.
    #expect(negotiations.connect(v, at: .ms(1500)) == .ms(1170))
  }

  @Test func furtherTracksShareOneOfferPerInterval() throws {
    var negotiations = try negotiations()
    _ = negotiations.open(v, at: .zero)
    #expect(negotiations.takeStep(v, at: .ms(100)) == .answer([]))
    negotiations.request([4], by: v)
    #expect(negotiations.takeStep(v, at: .ms(299)) == .wait(.ms(300)))
    // A source requested while another waits joins it; a waiting source does not wait twice.
    negotiations.request([2, 4], by: v)
    #expect(negotiations.takeStep(v, at: .ms(300)) == .requestOffer)
    #expect(negotiations.offeredCount(of: v) == 2 && negotiations.trackCount(of: v) == 0)
    // During a negotiation nothing else starts, however long it takes.
    negotiations.request([1], by: v)
    #expect(negotiations.takeStep(v, at: .ms(900)) == .nothing)
    #expect(negotiations.takeOffer(by: v) == [4, 2])
    #expect(negotiations.takeStep(v, at: .ms(900)) == .requestOffer)
    #expect(negotiations.takeOffer(by: v) == [1])
    #expect(negotiations.takeStep(v, at: .ms(2000)) == .nothing)
  }

  @Test func oneTrackFollowsTheOther() throws {
    var system = PlainSystem()
    var rules = NegotiationRules(
      initialTracks: 0, joinTime: .milliseconds(100), connectionTime: .zero, interval: .zero,
      offerTime: .milliseconds(30))
    rules.isOneByOne = true
    system.traits.negotiation = rules
    let bench = try ServingBench(system)
    let own = bench.sfu.negotiations
    var negotiations = try #require(own)
    _ = negotiations.open(v, at: .zero)
    negotiations.request([7, 3], by: v)
    #expect(negotiations.takeStep(v, at: .ms(100)) == .answer([]))
    #expect(negotiations.takeStep(v, at: .ms(110)) == .nothing)
    negotiations.ask(by: v)
    #expect(negotiations.takeStep(v, at: .ms(120)) == .requestOffer)
    #expect(negotiations.takeOffer(by: v) == [7])
    // The next one waits until the viewer asks again.
    #expect(negotiations.takeStep(v, at: .ms(300)) == .nothing)
    negotiations.ask(by: v)
    #expect(negotiations.takeStep(v, at: .ms(300)) == .requestOffer)
    #expect(negotiations.takeOffer(by: v) == [3])
    // A source that is added later is offered to a viewer who has asked.
    negotiations.ask(by: v)
    negotiations.request([5], by: v)
    #expect(negotiations.takeStep(v, at: .ms(900)) == .requestOffer)
  }

  /// 600 bytes plus 150 for each track; the request for an offer has 200.
  @Test func sessionDescriptionsGrowWithTheirTracks() throws {
    let sizes = try negotiations().sizes
    #expect(sizes.request == 200)
    #expect(sizes.description(tracks: 0) == 600 && sizes.description(tracks: 8) == 1800)
  }

  /// A start or stop and another capture have the size of a source's message, other layers that of theirs; other rates
  /// have none where signalling shares the links.
  @Test func viewersAreToldOfChangesThatTheirSystemTells() throws {
    let bench = try ServingBench()
    let source = bench.sfu.directory.sources[0]
    var (stopped, slower, smaller, cheaper) = (source, source, source, source)
    stopped.isCapturing = false
    slower.capture.milliFramesPerSecond /= 2
    smaller.offers.removeLast()
    cheaper.offers[0].bitrate = .kilobits(1)
    var sizes = NegotiationSizes()
    (sizes.source, sizes.layers) = (300, 100)
    func told(_ sizes: NegotiationSizes) -> [Int?] {
      [stopped, slower, smaller, cheaper].map { sizes.change(from: source, to: $0) }
    }
    #expect(told(sizes) == [300, 300, 100, nil])
    sizes.layers = nil
    #expect(told(sizes) == [300, 300, nil, nil])
    #expect(told(.unshared) == [400, 400, 400, 400])
  }

  @Test func aTrackThatWasGivenUpIsNegotiatedAgain() throws {
    var negotiations = try negotiations()
    _ = negotiations.open(v, at: .zero)
    negotiations.request([4], by: v)
    _ = negotiations.takeStep(v, at: .ms(100))
    negotiations.request([4], by: v)
    #expect(negotiations.takeStep(v, at: .ms(900)) == .nothing)
    negotiations.forget(4, of: v)
    negotiations.request([4], by: v)
    #expect(negotiations.takeStep(v, at: .ms(900)) == .requestOffer)
    // A participant who leaves starts from scratch.
    negotiations.close(v)
    #expect(negotiations.takeStep(v, at: .ms(1000)) == .nothing)
    #expect(negotiations.offeredCount(of: v) == 0)
  }
}
