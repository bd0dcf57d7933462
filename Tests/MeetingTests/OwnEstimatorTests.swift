import CongestionControl
import Meeting
import Metrics
import Network
import Parameters
import Quantity
import Scenario
import TestSupport
import Testing

/// Reports the same rate at all times.
private struct ConstantRate: RateController {
  struct Parameters: RateControllerParameters {
    var rate = BitRate.megabits(1)

    static let parameters: [ParameterDeclaration<Self>] = [
      .rate("rate", \.rate, "what it says", source: "a test")
    ]
  }

  static let traits = EstimatorTraits(.transportFeedback)
  private let rate: BitRate

  init(parameters: Parameters, at now: SimTime) { rate = parameters.rate }

  func outlook() -> PathOutlook {
    PathOutlook(target: PathTarget(rate: rate, pacing: RateLimit(rate.scaled(by: 2)), padding: .zero))
  }
}

/// Reports a share of the capacity, which it is told; can't be copied.
private struct CapacityShare: RateController, ~Copyable {
  struct Parameters: RateControllerParameters {
    var share = 0.5

    static let parameters: [ParameterDeclaration<Self>] = [
      .number("share", \.share, in: 0...1, "share of the capacity", source: "a test")
    ]
  }

  static let traits = EstimatorTraits(.capacity)
  private let share: Double
  private var rate = BitRate.zero

  init(parameters: Parameters, at now: SimTime) { share = parameters.share }

  mutating func handle(_ input: ControllerInput, at now: SimTime) {
    if case .capacity(let capacity) = input { rate = capacity.scaled(by: share) }
  }

  func outlook() -> PathOutlook {
    PathOutlook(target: PathTarget(rate: rate, pacing: .unlimited, padding: .zero))
  }
}

@Suite("A custom estimator")
struct OwnEstimatorTests {
  private static var catalogue: Catalogue {
    var catalogue = Catalogue.standard
    catalogue.estimators = catalogue.estimators
      .adding(
        Estimator("constant", ConstantRate.self, summary: "says the same at all times", source: "a test")
      )
      .adding(
        Estimator("share", CapacityShare.self, summary: "says a share of the capacity", source: "a test"))
    return catalogue
  }

  private func read(_ estimator: String, _ catalogue: Catalogue = catalogue) throws(ScenarioError)
    -> LoadedScenario
  {
    let text = """
      name: own-estimator
      duration: 6s
      estimator: \(estimator)
      links: {home: {capacity: 4 Mbps, delay: 20 ms}}
      participants:
        - {id: ann, up: home, down: home, publish: {camera: {capture: 720p30}}, capabilities: {receive-720p: true}, view: {request: [{quality: 720p30, priority: high}]}}
        - {id: bob, up: home, down: home, publish: {camera: {capture: 720p30}}, capabilities: {receive-720p: true}, view: {request: [{quality: 720p30, priority: high}]}}
      """
    return try ScenarioReader.read(
      bytes: Array(text.utf8), file: "own.yaml", directory: "", catalogue: catalogue)
  }

  /// Returns the estimates of both paths of all participants at the end of each second after the first.
  private func estimates(_ estimator: String) throws -> Set<String> {
    let rows = try Meetings.run(read(estimator)).tables.rows(of: .participants)
    #expect(rows.count >= 10)
    let later = rows.filter { $0.number("time_s") > 1 }
    return Set(later.flatMap { [$0["up_estimate_bps"], $0["down_estimate_bps"]] })
  }

  @Test func itsWordHolds() throws {
    #expect(try estimates("constant") == ["1000000"])
    #expect(try estimates("{name: constant, rate: 700 kbps}") == ["700000"])
  }

  @Test func mediaFlowsUnderIt() throws {
    let run = try Meetings.run(read("constant"))
    let last = try #require(run.tables.stream(viewer: "ann", source: "bob").last)
    let rate = try #require(last.numberIfPresent("bitrate_bps"))
    #expect(rate > 100_000 && rate < 1_000_000)
  }

  @Test func withoutFeedbackItIsToldTheCapacity() throws {
    #expect(try estimates("share") == ["2000000"])
    #expect(try estimates("{name: share, share: 0.25}") == ["1000000"])
  }

  @Test(arguments: [
    ("constnt", "estimator: there is no 'constnt': did you mean 'constant'?"),
    (
      "crystal-ball",
      "estimator: there is no 'crystal-ball': expected one of gcc, gcc-2019, livekit-send, nada, remb, oracle, constant, share"
    ),
    ("{name: share, share: 2}", "share: '2' is not a number from 0.0 to 1.0"),
    (
      "{name: constant, rate: 2}",
      "rate: '2' has no unit: write a bit rate with one of bps, kbps, Mbps, Gbps, such as '2400 kbps'"
    ),
    ("{name: constant, share: 1}", "unknown key 'share' in the estimator: expected one of name, rate"),
  ])
  func whatIsWrongIsNamed(estimator: String, message: String) {
    do {
      _ = try read(estimator)
      Issue.record("read \(estimator)")
    } catch {
      #expect(error.diagnostics.map(\.message) == [message])
    }
  }

  @Test func unregisteredItIsUnknown() {
    #expect(throws: ScenarioError.self) { _ = try read("constant", .standard) }
  }
}
