import Allocation
import Ladder
import Layout
import Quantity
import Systems
import Testing
import Vendors

@Suite("An app with mediasoup")
struct MediasoupClientTests {
  private func roster(sharing: Bool = false) -> Roster { .threeCameras(sharing: sharing) }

  private func client(_ plan: ViewPlan, _ parameters: MediasoupParameters = MediasoupParameters())
    -> any Client
  { Mediasoup(parameters).client(.threeCameras(plan)) }

  private func tiles(_ sizes: [(String, Int, Int)], perPage: Int? = nil) -> ViewPlan {
    var plan = ViewPlan(
      arrangement: .tiles(
        sizes.map { .init(participant: $0.0, size: Resolution(width: $0.1, height: $0.2)) }),
      screen: Screen(width: 1280, height: 720, scale: 1))
    plan.tilesPerPage = perPage
    return plan
  }

  private func ceilings(_ wishes: [Subscription]) -> [LayerID?] { wishes.map(\.demand.ceiling) }

  @Test func aTilePrefersTheLowestEncodingOfItsHeight() {
    let wishes = client(tiles([("p1", 320, 180), ("p2", 320, 181), ("p3", 1920, 1080)])).wishes(roster())
    #expect(wishes.map(\.source) == [0, 1, 2])
    #expect(ceilings(wishes) == [0, 1, 2].map { LayerID(encoding: $0, temporal: 2) })
    #expect(wishes.map(\.maximum.resolution) == [.p180, .p360, .p1080])
    #expect(wishes.map(\.numericPriority) == [1, 1, 1])
  }

  @Test func consumersOffScreenArePaused() {
    let wishes = client(tiles([("p1", 320, 180), ("p2", 320, 180)], perPage: 1)).wishes(roster())
    #expect(wishes.map(\.visibility) == [.onScreen, .offScreen])
  }

  /// The JSON fills a packet; resumption and response are the same for the first consumer and the 25th.
  @Test func aConsumersParametersAreTheLargestMessage() throws {
    let sizes = try #require(Mediasoup(MediasoupParameters()).traits.negotiation).sizes
    #expect(sizes.request == 1300)
    #expect(sizes.description(tracks: 1) == 200 && sizes.description(tracks: 25) == 200)
  }

  /// `{"notification":true,"method":"consumerScore","data":{"consumerId":"…","score":{"score":10,"producerScore":10,
  /// "producerScores":[10,10,10]}}}` with an id of 36 characters, 4 B of WebSocket and 22 of TLS.
  @Test func aSourcesChangeIsAScore() throws {
    let id = String(repeating: "0", count: 36)
    let score = #"{"score":10,"producerScore":10,"producerScores":[10,10,10]}"#
    let text =
      #"{"notification":true,"method":"consumerScore","data":{"consumerId":"\#(id)","score":\#(score)}}"#
    let sizes = try #require(Mediasoup(MediasoupParameters()).traits.negotiation).sizes
    #expect(sizes.source == text.utf8.count + 4 + 22)
    #expect(sizes.layers == sizes.source)
  }

  @Test func stagePinsAndSharesComeFirst() {
    var plan = tiles([("p2", 320, 180), ("p3", 320, 180)])
    plan.stage = ViewPlan.TileSize(participant: "p1", size: Resolution(width: 960, height: 540))
    plan.pins = ["p2"]
    var parameters = MediasoupParameters()
    (parameters.pinPriority, parameters.stagePriority, parameters.sharePriority) = (3, 5, 7)
    let wishes = client(plan, parameters).wishes(roster())
    #expect(wishes.map(\.source) == [0, 1, 2])
    #expect(wishes.map(\.numericPriority) == [5, 3, 1])
    #expect(wishes[0].demand.ceiling == LayerID(encoding: 2, temporal: 2))
    #expect(wishes[0].weight == 4)
    // The share takes the stage, and is consumed only once.
    let shared = client(plan, parameters).wishes(roster(sharing: true))
    #expect(shared.map(\.source) == [3, 1, 2])
    #expect(shared.map(\.numericPriority) == [7, 3, 1])
    #expect(shared[0].isScreenShare)
  }

  // MARK: Signals

  private func signals(_ entries: [(Int, [(String, SignalValue)])]) -> ViewSignals {
    var signals = ViewSignals()
    signals["consumers"] = .bySource(
      entries.map { entry in
        var fields = ViewSignals()
        for (key, value) in entry.1 { fields[key] = value }
        return .init(SignalledSource(participant: entry.0), .fields(fields))
      })
    return signals
  }

  @Test func signalsAreTakenAsTheyAre() {
    var layers = ViewSignals()
    layers["spatial"] = .integer(1)
    var both = layers
    both["temporal"] = .integer(0)
    let plan = ViewPlan(
      arrangement: .signals(
        signals([
          (2, [("preferred-layers", .fields(both)), ("priority", .integer(10))]),
          (1, [("preferred-layers", .fields(layers)), ("paused", .flag(true))]),
        ])))
    var own = client(plan)
    let wishes = own.wishes(roster(sharing: true))
    #expect(wishes.map(\.source) == [1, 0])
    #expect(ceilings(wishes) == [LayerID(encoding: 1, temporal: 0), LayerID(encoding: 1, temporal: .max)])
    #expect(wishes.map(\.numericPriority) == [10, nil])
    #expect(wishes.map(\.visibility) == [.onScreen, .hidden])
    #expect(wishes.map(\.maximum.milliFramesPerSecond) == [7500, 30_000])
    #expect(wishes.allSatisfy { $0.tile == nil })
    _ = own.perform(.signals(signals([(1, []), (3, [])])), roster())
    #expect(own.wishes(roster()).map(\.source) == [1, 0, 2])
    #expect(own.wishes(roster()).map(\.visibility) == [.onScreen, .onScreen, .onScreen])
    var other = client(tiles([("p1", 320, 180)]))
    let refused = other.perform(.signals(ViewSignals()), roster())
    #expect(refused.result.hasPrefix("noSignals"))
  }
}
