import CongestionControl
import Metrics
import Parameters
import Plan
import Quantity
import Scenario
import Systems
import TestSupport
import Testing
import Vendors

/// The estimators that a system ships with, and the notes on others.
@Suite("Estimators as deployed")
struct DeployedEstimatorTests {
  private func scenario(_ policy: String, _ estimator: String? = nil) throws -> LoadedScenario {
    let text = """
      name: test
      policy: \(policy)
      \(estimator.map { "estimator: \($0)" } ?? "speech: timeline")
      participants:
        - {id: ann, publish: {camera: 720p30}}
        - {id: bob, view: {everybody: 640x360}}
      """
    do {
      return try ScenarioReader.read(bytes: Array(text.utf8), file: "test.yaml", directory: "")
    } catch {
      throw Meetings.Failure(description: error.diagnostics.map(\.description).joined(separator: "\n"))
    }
  }

  private static let systems = Catalogue.standard.systems.names

  @Test(arguments: systems)
  func everySystemBringsOneThatIsRegistered(policy: String) throws {
    let plan = try scenario(policy).plan
    #expect(Catalogue.standard.estimators[plan.ownEstimator.name] != nil)
    #expect(plan.ownEstimator.options.allSatisfy { Catalogue.standard.estimators[$0] != nil })
    #expect(plan.estimator.name == "gcc")
    let own = ["livekit": "remb", "mediasoup": "gcc-2019"]
    #expect(plan.downEstimator.name == own[policy, default: "gcc"])
    #expect(plan.hasOwnEstimators)
    #expect(Catalogue.standard.estimators.standard.name == OwnEstimator.uplinks)
  }

  @Test func oneThatTheScenarioNamesIsKept() throws {
    #expect(try scenario("livekit", "gcc").plan.estimatorName == "gcc")
    #expect(try scenario("livekit", "{up: gcc}").plan.estimatorName == "gcc/remb")
    #expect(try scenario("livekit", "{up: nada}").plan.estimatorName == "nada/remb")
    #expect(try scenario("livekit", "livekit-send").plan.estimatorName == "gcc/livekit-send")
    #expect(try scenario("jitsi", "remb").plan.estimatorName == "gcc/remb")
  }

  @Test func oneThatIsNotTheSystemsIsNoted() throws {
    let deployed =
      "'livekit' is deployed with {up: gcc, down: remb}, the default [LiveKit server 1.13.5, config.go: "
      + "use_send_side_bwe is off by default and selects livekit-send]"
    #expect(
      try scenario("livekit", "gcc").notes.map(\.description) == [
        "test.yaml:3:12: note: estimator gcc: \(deployed)"
      ])
    #expect(
      try scenario("livekit", "{up: nada}").notes.map(\.description) == [
        "test.yaml:3:12: note: estimator nada/remb: \(deployed)"
      ])
    #expect(
      try scenario("stream", "oracle").notes.map(\.description) == [
        "test.yaml:3:12: note: estimator oracle: 'stream' is deployed with gcc, the default [our model: the server is "
          + "not public]"
      ])
  }

  /// The system's own estimators, whether named or not, and those that its operators can choose.
  @Test func theSystemsOwnAreNotNoted() throws {
    for (policy, estimator) in [
      ("livekit", nil), ("livekit", "remb"), ("livekit", "{down: remb}"), ("livekit", "livekit-send"),
      ("jitsi", "gcc"), ("jitsi", "remb"), ("vonage", nil), ("vonage", "{name: gcc, start: 1 Mbps}"),
    ] {
      #expect(try scenario(policy, estimator).notes.isEmpty, "\(policy) \(estimator ?? "")")
    }
  }

  @Test func theManifestHasBoth() throws {
    let plan = try scenario("livekit", "gcc").plan
    #expect(
      plan.estimatorRecord
        == EstimatorRecord(up: "gcc", down: "gcc", deployedUp: "gcc", deployedDown: "remb", isOwn: false))
    #expect(
      try scenario("livekit").plan.estimatorRecord
        == EstimatorRecord(up: "gcc", down: "remb", deployedUp: "gcc", deployedDown: "remb", isOwn: true))
  }
}
