import Allocation
import Ladder
import Meeting
import Metrics
import Parameters
import Quantity
import Scenario
import Systems
import TestSupport
import Testing
import Vendors

/// A system with a single rule: everybody gets the lowest layer, and tiles beyond `most` get nothing.
private struct Miniature: System {
  struct Parameters: Parameterized {
    var most = 2

    init() {}

    static let parameters: [ParameterDeclaration<Self>] = [
      .integer("most", \.most, in: 1...10, "streams that a viewer gets", source: "this test")
    ]
  }

  static let description = SystemDescription(
    name: "miniature", summary: "the lowest layer of the first few", source: "this test",
    ladders: [
      NamedLadder(
        name: "miniature", summary: "90p15 at 60 kbps", source: "this test",
        ladder: Ladder(encodings: [
          Encoding(
            rid: "m", format: VideoFormat(.p90, framesPerSecond: 15), cumulativeBitrates: [.kilobits(60)])
        ]))
    ])

  private let parameters: Parameters

  init(_ parameters: Parameters) { self.parameters = parameters }

  var decider: Decider { Decider(FirstFew(most: parameters.most)) }

  func ladder(of kind: SourceKind, capture: VideoFormat, clients: Int) -> Ladder {
    Self.description.ladders[0].of(capture)
  }

  func client(_ setup: ClientSetup) -> any Client { ViewClient(setup, reactionDelay: .milliseconds(50)) }
}

private struct FirstFew: AllocationPolicy {
  let most: Int

  func allocate(
    budget: RateLimit, cap: RateLimit, wishes: [Subscription], _ margin: inout BudgetMargin
  ) -> [Grant] {
    wishes.enumerated().map { place, wish in
      .unhindered(wish, place < most ? wish.offers.first : nil)
    }
  }
}

@Suite("A third-party system")
struct ExampleSystemTests {
  private static let catalogue = {
    var catalogue = Catalogue()
    catalogue.systems = catalogue.systems.adding(RegisteredSystem(Miniature.self))
    return catalogue
  }()

  private static func read(_ policy: String) throws(ScenarioError) -> LoadedScenario {
    let text = """
      name: miniature
      duration: 8s
      policy: \(policy)
      estimator: oracle
      links:
        wide: {capacity: 20 Mbps, delay: 10 ms}
      participants:
        - {id: p, count: 4, up: wide, down: wide, publish: {camera: 720p30}}
        - {id: v, up: wide, down: wide, view: {everybody: 640x360}}
      """
    return try ScenarioReader.read(
      bytes: Array(text.utf8), file: "m.yaml", directory: "", catalogue: catalogue)
  }

  @Test func isNamedInAScenarioAndRuns() throws {
    let (tables, _) = try Meetings.run(try Self.read("{name: miniature, most: 3}"))
    let last = tables.rows(of: .streams).filter { $0["time_s"] == "8.000" && $0["viewer"] == "v" }
    #expect(last.map { $0["frame_height_px"] } == ["90", "90", "90", ""])
    #expect(last.map { $0["state"] } == ["receiving", "receiving", "receiving", "paused"])
  }

  @Test func itsParametersHaveTheirDefaultsAndRanges() throws {
    let (tables, _) = try Meetings.run(try Self.read("miniature"))
    let shown = tables.rows(of: .streams).filter { $0["time_s"] == "8.000" && $0["frame_height_px"] == "90" }
    #expect(shown.count == 2)
    let error = #expect(throws: ScenarioError.self) { try Self.read("{name: miniature, most: 11}") }
    #expect(
      error?.diagnostics.map(\.description) == [
        "m.yaml:3:33: error: most: '11' is not a whole number from 1 to 10"
      ])
  }

  @Test func aNameThatIsRegisteredNowhereIsAnError() {
    let error = #expect(throws: ScenarioError.self) { try Self.read("minature") }
    #expect(error?.diagnostics.first?.message == "policy: there is no 'minature': did you mean 'miniature'?")
  }
}
