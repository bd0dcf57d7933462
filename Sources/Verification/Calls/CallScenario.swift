import Scenario

/// Scenario of a recorded call: the sender's link is shaped as in the recording, everything else is ample.
struct CallScenario {
  /// Camera heights, indexed by the encoding that the simulcast viewer requests.
  static let heights = [720, 360, 180]

  private let bytes: [UInt8]
  private let overrides: [String]

  init(_ call: RecordedCall) {
    let steps = call.segments.map { "{at: \($0.from)s, to: \(Self.rate($0.kilobits))}" }
    var overrides = ["duration=\(call.duration)s"]
    if steps.count > 1 {
      overrides.append("links.shaped.capacity=[\(steps.joined(separator: ", "))]")
    } else {
      overrides.append("links.shaped.capacity=\(Self.rate(call.segments[0].kilobits))")
    }
    var timeline = ["{at: 0s, participant: sender, speaks: \(call.duration)s}"]
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
    self.overrides = overrides
  }

  /// Loads the scenario, shortened to its first seconds if requested.
  func load(seconds: Int? = nil) throws -> LoadedScenario {
    try ScenarioReader.read(
      bytes: bytes, file: "call", directory: "",
      overrides: overrides + (seconds.map { ["duration=\($0)s"] } ?? []))
  }

  private static func rate(_ kilobits: Double) -> String { "\(Int((kilobits * 1000).rounded())) bps" }

  private static func request(_ substream: Int) -> String {
    "[{quality: \(heights[substream])p30, priority: high, participant: sender}]"
  }
}
