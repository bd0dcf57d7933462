import Allocation
import Endpoint
import Ladder
import Network
import Quantity
import SimulationKernel
import Systems
import TestSupport
import Testing
import Viewing

private let v = ViewingBench.v

@Suite("Requests of a viewer's client and their timing")
struct ClientRequestTests {
  private func request(_ tile: Resolution?, lines: Resolution = .p360, keepsTracks: Bool = false)
    -> SubscriptionRequest
  {
    var demand = ViewerDemand()
    demand.keepsTracks = keepsTracks
    return SubscriptionRequest(
      wishes: [
        Subscription(source: 0, requested: VideoFormat(lines, framesPerSecond: 30), offers: [], tile: tile)
      ], demand: demand)
  }

  private let nothing = SubscriptionRequest(wishes: [], demand: ViewerDemand())

  /// The client reacts after 50 ms.
  @Test func changesDuringTheReactionShareOneRequest() throws {
    var bench = try ViewingBench()
    for time: Int64 in [10, 30, 59, 60, 61] {
      bench.run(to: time)
      bench.markDirty(v)
    }
    bench.run(to: 1000)
    // Changes from 10 to 59 ms leave at 60 ms, before the change at that moment, which the next request carries.
    #expect(bench.requests == [60, 110])
    // p is not a viewer.
    bench.markDirty(ViewingBench.p)
    bench.run(to: 2000)
    #expect(bench.requests == [60, 110])
  }

  @Test func aDebouncedRequestBeginsItsDelayAnew() throws {
    var bench = try ViewingBench()
    for time: Int64 in [10, 100, 199] {
      bench.run(to: time)
      bench.debounceRequest(v, by: .milliseconds(100))
    }
    // A change in the meantime does not send it earlier.
    bench.markDirty(v)
    bench.run(to: 1000)
    #expect(bench.requests == [299])
  }

  @Test func aNewConnectionForgetsTheRequestOfTheLast() throws {
    var bench = try ViewingBench()
    bench.markDirty(v)
    bench.run(to: 10)
    bench.viewers.leave(v, at: bench.kernel.now)
    bench.viewers.join(v, connection: 1)
    let isPending = bench.viewers.isRequestPending(v)
    #expect(!isPending)
    bench.markDirty(v)
    // Both events arrive; each says which stay it belongs to.
    var stays: [Bool] = []
    while let event = bench.nextEvent(until: .ms(100)) {
      if event.kind == .request { stays.append(event.isOf(connection: 1)) }
    }
    #expect(stays == [false, true])
  }

  @Test func aRequestSetsTilesAndEndsSubscriptions() throws {
    var bench = try ViewingBench()
    var isSent = bench.viewers.noteRequest(request(.p360), by: v)
    #expect(isSent && bench.viewers.knowledge[v].receptions[0].tile == .p360)
    // Nothing is negotiated: every request is sent, whether changed or not.
    isSent = bench.viewers.noteRequest(request(.p360), by: v)
    #expect(isSent)
    isSent = bench.viewers.noteRequest(nothing, by: v)
    #expect(isSent && bench.viewers.knowledge[v].receptions[0].tile == nil)
  }

  @Test func whereTracksAreNegotiatedOnlyNewsAreSent() throws {
    var system = PlainSystem()
    system.traits.negotiation = NegotiationRules(
      initialTracks: 2, joinTime: .zero, connectionTime: .milliseconds(50), interval: .zero,
      offerTime: .milliseconds(30))
    var bench = try ViewingBench(system)
    _ = bench.viewers.negotiated?.accept([0], by: v, at: .zero)
    var isSent: [Bool] = []
    for next in [
      request(.p360), request(.p360),
      // A track's size has its own message; its quality is part of the subscription.
      request(.p180), request(.p180, lines: .p180), nothing, nothing, request(.p180, lines: .p180),
    ] {
      isSent.append(bench.viewers.noteRequest(next, by: v))
    }
    #expect(isSent == [true, false, false, true, true, false, true])
    // The subscription ended in between, so the track has to be negotiated again.
    #expect(bench.viewers.negotiated?.isKnown(0, to: v) == false)
  }

  @Test func aClientMayKeepItsTracks() throws {
    var system = PlainSystem()
    system.traits.negotiation = NegotiationRules(
      initialTracks: 2, joinTime: .zero, connectionTime: .zero, interval: .zero, offerTime: .zero)
    var bench = try ViewingBench(system)
    _ = bench.viewers.negotiated?.accept([0], by: v, at: .zero)
    _ = bench.viewers.noteRequest(request(.p360), by: v)
    var keeping = nothing
    keeping.demand.keepsTracks = true
    _ = bench.viewers.noteRequest(keeping, by: v)
    #expect(bench.viewers.negotiated?.isKnown(0, to: v) == true)
  }
}

@Suite("A viewer's knowledge")
struct ViewerKnowledgeTests {
  private func negotiated() throws -> NegotiatedTracks {
    var system = PlainSystem()
    system.traits.negotiation = NegotiationRules(
      initialTracks: 2, joinTime: .zero, connectionTime: .milliseconds(50), interval: .zero,
      offerTime: .milliseconds(30))
    let bench = try ViewingBench(system)
    let tracks = bench.viewers.negotiated
    return try #require(tracks)
  }

  @Test func tracksArriveWithTheConnection() throws {
    var tracks = try negotiated()
    #expect(!tracks.isKnown(0, to: v))
    #expect(tracks.takeFirst(of: v, at: .ms(100)) == .ms(150))
    #expect(tracks.accept([0], by: v, at: .ms(100)) == [])
    // Packets of a track are recognized from the answer on; the client gets the track once, when the connection is set
    // up.
    #expect(tracks.isKnown(0, to: v))
    #expect(tracks.takeConnection(of: v, at: .ms(149)) == [])
    #expect(tracks.takeConnection(of: v, at: .ms(150)) == [0])
    #expect(tracks.takeConnection(of: v, at: .ms(151)) == [])
    // A later answer finds the connection already set up.
    #expect(tracks.takeFirst(of: v, at: .ms(200)) == nil)
    tracks.forget(0, of: v)
    #expect(!tracks.isKnown(0, to: v))
    #expect(tracks.accept([0], by: v, at: .ms(200)) == [0])
    tracks.close(v)
    #expect(!tracks.isKnown(0, to: v) && tracks.takeFirst(of: v, at: .ms(300)) == .ms(350))
  }

  @Test func aTrackThatIsGivenUpBeforeTheConnectionDoesNotArrive() throws {
    var tracks = try negotiated()
    _ = tracks.takeFirst(of: v, at: .ms(100))
    _ = tracks.accept([0], by: v, at: .ms(100))
    tracks.forget(0, of: v)
    #expect(tracks.takeConnection(of: v, at: .ms(150)) == [])
  }

  @Test func anOfferTakesItsTime() throws {
    var tracks = try negotiated()
    #expect(tracks.takeOffer(by: v, at: .ms(100)) == nil)
    #expect(tracks.prepareOffer(tracks: 3, by: v, at: .ms(100)) == .ms(130))
    #expect(tracks.takeOffer(by: v, at: .ms(129)) == nil)
    #expect(tracks.takeOffer(by: v, at: .ms(130)) == 3)
    #expect(tracks.takeOffer(by: v, at: .ms(131)) == nil)
  }

  @Test func theRosterIsWhatHasReachedTheViewer() throws {
    var bench = try ViewingBench()
    func reception(_ bench: inout ViewingBench) -> Roster.Reception {
      bench.viewers.roster(of: v, nil, bench.wires.net.sizes, at: bench.kernel.now).receptions[0]
    }
    let before = reception(&bench)
    #expect(!before.isGiven && before.picture == nil)
    bench.expect(true)
    bench.viewers.knowledge[v].receptions[0].limitation = .bandwidth
    let given = reception(&bench)
    #expect(given.isGiven && given.picture == nil && given.limitation == .bandwidth)
    _ = bench.arrive("K2", of: 1)
    let shown = reception(&bench)
    #expect(shown.picture == .p360)
    bench.viewers.knowledge[v].position = 7
    #expect(bench.viewers.leastPosition == 7)
    bench.viewers.leave(v, at: bench.kernel.now)
    let after = reception(&bench)
    #expect(!after.isGiven && after.picture == nil && after.limitation == nil)
    #expect(bench.viewers.leastPosition == nil)
  }

  @Test func paddingBelongsToNoTrack() throws {
    var bench = try ViewingBench()
    bench.viewers.receptions.notePadding(
      Packet(sentAt: .zero, size: 255, destination: UInt16(v), kind: PacketKind.padding.rawValue))
    // Without the 38 bytes of SRTP, UDP and IP.
    #expect(bench.viewers.receptions.viewers[v].paddingBytes == 217)
    #expect(bench.viewers.receptions[bench.track].interval.bytes == 0)
  }
}
