import Allocation
import Metrics
import Scenario

/// Examples for entries that declare none: whole files that `meetsim validate` accepts; commands follow a `#`.
extension Reference {
  static func withExample(_ entry: ReferenceEntry) -> ReferenceEntry {
    guard entry.example.isEmpty else { return entry }
    var entry = entry
    entry.example = example(of: entry)
    return entry
  }

  private static func example(of entry: ReferenceEntry) -> String {
    switch entry.kind {
    case .scenarioKey, .sweepKey: ""
    case .event: example(ofEvent: entry)
    case .table: example(ofTable: entry.name, entry.group == "sweep" ? .sweep : .run)
    case .column: example(ofColumn: entry)
    case .metric: example(ofMetric: entry)
    case .limitation: Limitation(rawValue: entry.name)?.example ?? ""
    case .rule:
      meeting(
        entry.group == "all" ? [] : [entry.policy(entry.group)],
        ["# meetsim run example.yaml -o out && grep \(entry.name) out/decisions.csv"])
    case .word: meeting([], ["# meetsim run example.yaml -o out && \(entry.source)"])
    case .policy: meeting(["policy: \(entry.name)"])
    case .estimator:
      // LiveKit's server works with any estimator.
      meeting(["policy: livekit", "estimator: {down: \(entry.name)}"])
    case .discipline:
      meeting(
        ["links: {home: {capacity: 2 Mbps, delay: 20 ms, queue: {discipline: \(entry.name)}}}"], down: "home")
    case .ladder: meeting([], camera: "{capture: 720p30, ladder: \(entry.name)}")
    case .link: meeting([], down: entry.name)
    }
  }

  /// Builds a scenario in which Bob sees Ann.
  private static func meeting(
    _ head: [String] = [], camera: String = "720p30", down: String? = nil, _ tail: [String] = []
  ) -> String {
    let link = down.map { "down: \($0), " } ?? ""
    let people = [
      "participants:", "  - {id: ann, publish: {camera: \(camera)}}",
      "  - {id: bob, \(link)view: {tiles: {ann: 640x360}}}",
    ]
    return (["name: example"] + head + people + tail).joined(separator: "\n") + "\n"
  }

  // MARK: Results

  private enum Result { case run, sweep }

  private static func example(ofTable file: String, _ result: Result, column: Int? = nil) -> String {
    let show = column.map { "cut -d, -f\($0) out/\(file)" } ?? "cat out/\(file)"
    guard result == .sweep else { return meeting([], ["# meetsim run example.yaml -o out && \(show)"]) }
    let scenario = meeting(["duration: 5s"]).split(separator: "\n").map { "  \($0)" }
    return
      (["name: example", "repetitions: 2", "scenario:"] + scenario + [
        "# meetsim sweep example.yaml -o out && \(show)"
      ]).joined(separator: "\n") + "\n"
  }

  /// Builds an expectation on the column's mean or, if that is impossible, a command that prints the column.
  private static func example(ofColumn entry: ReferenceEntry) -> String {
    let parts = entry.name.split(separator: ".").map(String.init)
    let isRuns = described.contains { $0.prefix.isEmpty && $0.table.name == parts[0] }
    let column = ExpectationColumn.all.first {
      $0.name == parts[1] && $0.scope.intervalTable?.name == parts[0]
    }
    if isRuns, let column { return expectation(of: column.scope, parts[1], "mean") }
    let table = described.first { $0.table.name == parts[0] }?.table
    let number = table?.columns.firstIndex { $0.name == parts[1] } ?? 0
    return example(ofTable: entry.group, isRuns ? .run : .sweep, column: number + 1)
  }

  private static func example(ofMetric entry: ReferenceEntry) -> String {
    let stat = entry.facts.first { $0.label == "stat" }?.values.first ?? "mean"
    guard let scope = ScalarMetric.Scope(rawValue: entry.group) else { return "" }
    return expectation(of: scope, entry.name, stat)
  }

  private static func expectation(of scope: ScalarMetric.Scope, _ metric: String, _ stat: String) -> String {
    let subject =
      switch scope {
      case .tile: "viewer: bob, source: ann, "
      case .voice: "viewer: bob, voice: ann, "
      case .participant: "participant: bob, "
      case .link: "link: every, "
      case .meeting: ""
      }
    return meeting([], ["expect: [{\(subject)metric: \(metric), stat: \(stat), is: \">= 0\"}]"])
  }

  private static func example(ofEvent entry: ReferenceEntry) -> String {
    let key = entry.facts.first { $0.label == "key" }?.values.first
    if let own = KeyReference.scenario.first(where: { $0.path == key }) { return own.example }
    let system = entry.facts.first { $0.label == "systems" }?.values.first
    return meeting(
      system.map { [entry.policy($0)] } ?? [],
      ["# meetsim run example.yaml -o out && grep \(entry.name) out/events.csv"])
  }
}

extension Limitation {
  /// A meeting in which one of Bob's tiles has this limitation for some time.
  fileprivate var example: String {
    let camera = "  - {id: ann, publish: {camera: 720p30}}"
    let other = "  - {id: eve, publish: {camera: 720p30}}"
    let lines =
      switch self {
      case .offScreen: [camera, other, "  - {id: bob, view: {tiles: {eve: 640x360}}}"]
      case .muted:
        [
          camera, "  - {id: bob, view: {tiles: {ann: 640x360}}}",
          "timeline: [{at: 5s, participant: ann, mute: video}]",
        ]
      case .sender:
        ["  - {id: ann, publish: {camera: 360p30}}", "  - {id: bob, view: {stage: ann}}", "policy: stream"]
      case .senderUplink:
        [
          "  - {id: ann, up: {capacity: 500 kbps, delay: 20 ms}, publish: {camera: 720p30}}",
          "  - {id: bob, view: {stage: ann}}", "policy: stream",
        ]
      case .starting:
        [
          camera, "  - {id: eve, count: 8, publish: {camera: 720p30}}",
          "  - {id: bob, down: {capacity: 50 Mbps, delay: 20 ms}, view: {everybody: 1280x720}}",
          "policy: stream",
        ]
      case .device:
        [
          camera, other,
          "  - {id: bob, view: {tiles: {ann: 640x360, eve: 640x360}}, capabilities: {decode: {streams: 1}}}",
          "policy: stream",
        ]
      case .requestCap:
        [camera, "  - {id: bob, view: {stage: ann}, capabilities: {receive-720p: false}}"]
      case .layerMissing:
        [
          "  - {id: ann, publish: {camera: {capture: 720p30, ladder: webrtc-vp8}}}",
          "  - {id: bob, view: {tiles: {ann: 800x450}}}", "policy: janus",
        ]
      case .bandwidth:
        [
          camera, "  - {id: bob, down: {capacity: 500 kbps, delay: 20 ms}, view: {stage: ann}}",
          "policy: stream",
        ]
      case .hold:
        [
          camera, "  - {id: bob, down: home, view: {stage: ann}}", "links:",
          "  home:",
          "    capacity: [{at: 0s, to: 5 Mbps}, {at: 20s, to: 600 kbps}, {at: 26s, to: 5 Mbps}]",
          "    delay: 20 ms", "policy: signal",
        ]
      case .switching:
        [
          "  - {id: ann, publish: {camera: {capture: 720p30, ladder: webrtc-vp8}}}",
          "  - {id: bob, down: {capacity: 20 Mbps, delay: 500 ms}, view: {stage: ann}}", "policy: janus",
        ]
      case .policy:
        [
          "  - {id: ann, count: 18, publish: {camera: 360p15}}",
          "  - {id: bob, view: {everybody: 320x180}}", "policy: agora",
        ]
      case .none: [camera, "  - {id: bob, view: {tiles: {ann: 640x360}}}", "policy: stream"]
      }
    return (["name: example", "participants:"] + lines).joined(separator: "\n") + "\n"
  }
}

extension ReferenceEntry {
  /// Returns the policy of an example, with the setting on after which a rule or an event is named.
  fileprivate func policy(_ system: String) -> String {
    let isOff = KeyReference.scenario.contains {
      $0.path == "policy.\(name)" && $0.example.contains("\(name): false")
    }
    return isOff ? "policy: {name: \(system), \(name): true}" : "policy: \(system)"
  }
}
