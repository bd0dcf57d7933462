import Plan
import Quantity
import Scenario

/// Setup of a recorded call as a scenario: the file beside the recording, or a path with the recorded capacities.
struct CallSetup: Sendable {
  /// Ids that a scenario beside a recording must use.
  static let sender = "sender"
  static let receiver = "receiver"
  /// Camera heights, indexed by the encoding that the simulcast viewer requests.
  static let heights = [720, 360, 180]

  private let loaded: LoadedScenario

  var plan: MeetingPlan { loaded.plan }

  /// Creates the setup from a recording's own schedule: the sender's link is shaped as recorded, everything else is
  /// ample.
  init(of call: RecordedCall) throws(ScenarioError) {
    let changes = call.capacityChanges
    let steps = changes.map { "{at: \($0.from)s, to: \(Self.rate($0.kilobits))}" }
    var overrides = ["duration=\(call.duration)s"]
    if steps.count > 1 {
      overrides.append("links.shaped.capacity=[\(steps.joined(separator: ", "))]")
    } else {
      overrides.append("links.shaped.capacity=\(Self.rate(changes[0].kilobits))")
    }
    var timeline = ["{at: 0s, participant: sender, speaks: \(call.duration)s}"]
    let bytes: [UInt8]
    switch call.kind {
    case .oneToOne: bytes = PackageResources.call_p2p_yaml
    case .simulcast:
      bytes = PackageResources.call_simulcast_yaml
      let requests = call.requestChanges
      overrides.append("participants.receiver.view.request=\(Self.request(requests[0].substream))")
      timeline += requests.dropFirst().map {
        "{at: \($0.from)s, participant: receiver, request: \(Self.request($0.substream))}"
      }
    }
    overrides.append("timeline=[\(timeline.joined(separator: ", "))]")
    loaded = try ScenarioReader.read(bytes: bytes, file: "call", directory: "", overrides: overrides)
  }

  /// Reads the scenario beside a recording; the simulated call is as long as the recorded one.
  init(_ call: RecordedCall, scenario path: String) throws(ScenarioError) {
    var loaded = try ScenarioReader.read(path: path)
    loaded.plan.duration = .seconds(Int64(call.duration))
    // A call with one encoding is between two browsers, which offer each other RED and ULPFEC.
    for number in loaded.plan.participants.indices
    where loaded.plan.participants[number].camera?.hasOneEncoding == true {
      loaded.plan.participants[number].camera?.protection = .ulpfec
    }
    self.loaded = loaded
  }

  /// Reason why a scenario is not a call of two; `nil` if it is one.
  var defect: String? {
    let ids = plan.participants.map(\.id)
    let missing = [Self.sender, Self.receiver].first { !ids.contains($0) }
    return missing.map { "\(loaded.file):1:1: error: there is no participant '\($0)'" }
  }

  /// Returns the scenario, shortened to its first seconds if requested.
  func load(seconds: Int? = nil) -> LoadedScenario {
    guard let seconds else { return loaded }
    var shorter = loaded
    shorter.plan.duration = .seconds(Int64(seconds))
    return shorter
  }

  private static func rate(_ kilobits: Double) -> String { "\(Int((kilobits * 1000).rounded())) bps" }

  private static func request(_ substream: Int) -> String {
    "[{quality: \(heights[substream])p30, priority: high, participant: sender}]"
  }
}
