import CongestionControl
import Ladder
import Parameters
import Plan
import Scenario
import Systems

/// Changes of a scenario that are worth trying, as settings: the kinds that `explain` tries on a decision.
struct SuggestedVariants {
  private let loaded: LoadedScenario
  private let source: ScenarioSource
  private let overrides: [Override]

  init(_ loaded: LoadedScenario, source: ScenarioSource, overrides: [Override]) {
    self.loaded = loaded
    self.source = source
    self.overrides = overrides
  }

  /// Returns the changes that the scenario accepts and that change it.
  ///
  /// - Parameters:
  ///   - viewer: participant whose view and device are changed; `nil` for all.
  ///   - name: source whose capture is changed; `nil` for all cameras of the viewer's screen.
  func variants(viewer: String?, of name: String?) -> [Variant] {
    var found: [Variant] = []
    func add(_ label: String, _ alternatives: [[String]]) {
      for settings in alternatives {
        let settings = settings.map { Override($0) }
        guard let changed = try? source.load(settings: overrides + settings),
          changed.resolvedText != loaded.resolvedText
        else { continue }
        found.append(Variant(label: label, settings: settings))
        return
      }
    }
    for estimator in Registry<Estimator>.estimators.names where estimator != loaded.plan.downEstimator.name {
      add("estimator \(estimator)", [["estimator.down=\(estimator)"], ["estimator={down: \(estimator)}"]])
    }
    for relief in loaded.plan.reliefs {
      let parts = relief.text.split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      let value = String(parts[1].drop { $0 == " " })
      add(
        relief.text,
        [
          ["policy.\(parts[0])=\(value)"], ["policy={name: \(loaded.plan.system.name), \(relief.text)}"],
        ])
    }
    let viewers = loaded.plan.participants.filter { $0.view != nil && (viewer == nil || $0.id == viewer) }
    let entries = viewers.reduce(into: [String]()) { known, participant in
      if let entry = entry(of: participant.id), !known.contains(entry) { known.append(entry) }
    }
    for change in changes(of: viewers) {
      add(change.label, [entries.map { "participants.\($0).\(change.path)" }])
    }
    var captured: Set<String> = []
    for (source, capture) in cameras(seenBy: viewers, named: name) {
      guard let entry = entry(of: source), captured.insert(entry).inserted else { continue }
      for (format, lines) in [("720p30", 720), ("360p30", 360), ("180p15", 180)] where capture > lines {
        add("\(entry) captured at \(format)", [["participants.\(entry).publish.camera=\(format)"]])
      }
    }
    return found
  }

  /// Id by which a participant is written in the scenario: its own, or that of an entry with a `count`.
  private func entry(of id: String) -> String? {
    let stem = id.lastIndex(of: "-").map { String(id[..<$0]) }
    return [id, stem].compactMap { $0 }.first { entry in
      (try? source.load(settings: overrides + [Override("participants.\(entry).id=\(entry)")])) != nil
    }
  }

  /// Changes of a viewer's screen and device, as settings below its entry.
  private func changes(of viewers: [ParticipantPlan]) -> [(label: String, path: String)] {
    var changes: [(label: String, path: String)] = []
    let others = loaded.plan.participants.count { $0.camera != nil } - 1
    for count in [9, 4] where count < others {
      changes.append(("pages of \(count)", "view.per-page=\(count)"))
    }
    for view in viewers.prefix(1).compactMap(\.view) {
      if case .everybody(let size) = view.arrangement {
        if min(size.width, size.height) >= 120 {
          let half = Resolution(width: size.width / 4 * 2, height: size.height / 4 * 2)
          changes.append(("thumbnails of \(half)", "view.everybody=\(half)"))
        }
        if let stage = view.stage { changes.append(("only the stage", "view={stage: \(stage.participant)}")) }
      }
      if case .request(let requests) = view.arrangement, requests.count > 1 {
        for place in requests.indices.dropFirst() {
          changes.append(("request \(place + 1) at a low priority", "view.request.\(place).priority=low"))
        }
      }
    }
    return changes + [
      ("no receive cap", "capabilities.receive-cap=none"), ("720p enabled", "capabilities.receive-720p=true"),
    ]
  }

  /// Cameras that viewers can see, with the lines that they capture.
  private func cameras(seenBy viewers: [ParticipantPlan], named name: String?) -> [(id: String, lines: Int)] {
    loaded.plan.participants.compactMap { participant in
      guard name == nil ? viewers.contains(where: { $0.id != participant.id }) : participant.id == name,
        let capture = participant.camera?.capture
      else { return nil }
      return (participant.id, capture.resolution.lines)
    }
  }
}
