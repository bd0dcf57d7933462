import Files

/// Comparisons of calls, recorded with a real browser on shaped links, with simulations of the same setups.
enum CallCases {
  /// Recordings whose setups are known without a scenario; constants of the model were fitted to them.
  private static let known = [
    ("p2p-const-500", "one to one, 500 kbps"),
    ("p2p-const-1200", "one to one, 1200 kbps"),
    ("p2p-const-4000", "one to one, 4000 kbps"),
    ("p2p-rfc8867-51", "one to one; 1000, 2500, 600, 1000 kbps from 0, 40, 60, 80 s"),
    ("sim-up-450", "three VP8 encodings, Janus, uplink 450 kbps"),
    ("sim-up-1300", "three VP8 encodings, Janus, uplink 1300 kbps"),
    ("sim-up-2600", "three VP8 encodings, Janus, uplink 2600 kbps"),
    ("sim-switch", "three VP8 encodings, Janus, uplink 6000 kbps; the viewer requests h, l, h, m, l, h"),
  ]

  /// Further recordings to which constants were fitted (docs/fitted.md).
  private static let fitted: Set<String> = [
    "p2p-const-2000b", "p2p-const-4000b", "p2p-delay-100", "p2p-loss-5", "p2p-shallow-60ms",
    "p2p-start-2000-1",
    "p2p-step-delay",
  ]

  /// Returns a case for every recording in a folder, known ones first; without a folder, the known ones as skipped.
  static func all(in folder: String?) -> [VerificationCase] {
    guard let folder else { return skipped(because: "no folder of recordings is given") }

    let files: [String]
    do throws(FileError) {
      files = Directory.exists(folder) ? try Directory.entries(of: folder) : []
    } catch {
      return [broken("call", source: "recorded calls", error.description)]
    }
    let names = files.filter { $0.hasSuffix(".csv") }.map { String($0.dropLast(4)) }
    let recordings = names.compactMap {
      name -> (name: String, kind: RecordedCall.Kind?, scenario: String?)? in
      let kind = RecordedCall.Kind.allCases.first { name.hasPrefix($0.prefix) }
      guard !files.contains("\(name).yaml") else { return (name, kind, "\(folder)/\(name).yaml") }
      return kind.map { (name, $0, nil) }
    }
    guard !recordings.isEmpty else {
      let defect =
        "\(folder): error: it has no recording: none is named p2p-*.csv or sim-*.csv, "
        + "or has a scenario of its name beside it"
      return [broken("call", source: "recorded calls", defect)]
    }
    func place(_ name: String) -> Int { known.firstIndex { $0.0 == name } ?? known.count }
    return recordings.sorted { (place($0.name), $0.name) < (place($1.name), $1.name) }.map {
      recorded($0.name, $0.kind, path: "\(folder)/\($0.name).csv", scenario: $0.scenario)
    }
  }

  private static func skipped(because reason: String) -> [VerificationCase] {
    known.map { name, setup in
      VerificationCase(name: caseName(of: name), setup: setup, source: source(of: name)) {
        VerificationOutcome(checks: [.init(skipped: "call", because: reason)])
      }
    }
  }

  private static func recorded(
    _ name: String, _ kind: RecordedCall.Kind?, path: String, scenario: String?
  ) -> VerificationCase {
    let call: RecordedCall
    let setup: CallSetup
    do {
      call = try RecordedCall(path: path, kind: kind, hasScenario: scenario != nil)
      setup =
        if let scenario { try CallSetup(call, scenario: scenario) } else { try CallSetup(of: call) }
    } catch {
      return broken(caseName(of: name), source: source(of: name), "\(error)")
    }
    if let defect = setup.defect { return broken(caseName(of: name), source: source(of: name), defect) }
    var one = VerificationCase(
      name: caseName(of: name),
      setup: "\(scenario.map { _ in "\(name).yaml" } ?? text(of: call, setup)); \(seeds(for: call))",
      source: source(of: name)
    ) {
      do {
        switch call.kind {
        case .oneToOne:
          let runs = try CallRuns(setup, start: call.startHeight)
          return VerificationOutcome(checks: SingleEncodingChecks(call, setup.plan, runs).all)
        case .simulcast:
          return VerificationOutcome(checks: try SimulcastChecks(call, setup).all())
        }
      } catch {
        return VerificationOutcome(failure: error)
      }
    }
    one.isFitted = fitted.contains(name) || known.contains { $0.0 == name }
    return one
  }

  /// Creates a case for a file that is not a recording.
  private static func broken(_ name: String, source: String, _ defect: String) -> VerificationCase {
    VerificationCase(name: name, setup: "no recording", source: source, defect: defect) {
      VerificationOutcome(checks: [
        .init("recording", published: "valid", simulated: defect, tolerance: "-", holds: false)
      ])
    }
  }

  // MARK: Texts

  /// Returns the case name of a recording: `p2p-const-500` becomes `call-p2p-500`.
  private static func caseName(of name: String) -> String {
    let isConstant = known.contains { $0.0 == name } && name.hasPrefix("p2p-const-")
    return "call-" + (isConstant ? "p2p-" + name.dropFirst("p2p-const-".count) : name)
  }

  private static func source(of name: String) -> String {
    known.contains { $0.0 == name }
      ? "recorded call, Chromium 156, \(name).csv" : "recorded call, \(name).csv"
  }

  private static func seeds(for call: RecordedCall) -> String {
    guard call.kind == .oneToOne, let start = call.startHeight else { return "\(CallRuns.wanted) seeds" }
    return
      "\(CallRuns.wanted) of \(CallRuns.tried) seeds, those that start at \(Int(start))p "
      + "if there are at least \(CallRuns.needed)"
  }

  private static func text(of call: RecordedCall, _ setup: CallSetup) -> String {
    let capacity = capacity(of: Segment.all(of: setup.plan, seconds: call.duration))
    switch call.kind {
    case .oneToOne: return "one to one" + capacity
    case .simulcast:
      let requests = call.requestChanges.map { ["h", "m", "l"][$0.substream] }
      return "three VP8 encodings, Janus, uplink" + capacity.drop { $0 != " " }
        + (requests.count > 1 ? "; the viewer requests \(requests.joined(separator: ", "))" : "")
    }
  }

  private static func capacity(of segments: [Segment]) -> String {
    let rates = segments.map { VerificationCheck.text($0.kilobits) }
    if segments.count == 1 { return ", \(rates[0]) kbps" }
    if segments.count <= 6 {
      let times = segments.map { "\($0.from)" }
      return "; \(rates.joined(separator: ", ")) kbps from \(times.joined(separator: ", ")) s"
    }
    let sorted = segments.map(\.kilobits).sorted()
    return "; \(segments.count) capacities of \(VerificationCheck.text(sorted[0])) to "
      + "\(VerificationCheck.text(sorted[sorted.count - 1])) kbps"
  }
}
