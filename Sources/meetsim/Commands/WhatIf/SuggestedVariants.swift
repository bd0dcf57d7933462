import CongestionControl
import Ladder
import Parameters
import Plan
import Quantity
import Scenario
import Systems

/// Changes to a scenario that are worth trying, as settings: the kinds that `explain` tries on a decision.
struct SuggestedVariants {
  private let loaded: LoadedScenario
  private let source: ScenarioSource
  private let overrides: [Override]

  init(_ loaded: LoadedScenario, source: ScenarioSource, overrides: [Override]) {
    self.loaded = loaded
    self.source = source
    self.overrides = overrides
  }

  /// Returns the changes that the scenario accepts without additional warnings and that have an effect.
  ///
  /// - Parameters:
  ///   - viewer: participant whose view and device are changed; `nil` for all.
  ///   - name: source whose capture is changed; `nil` for all cameras on the viewer's screen.
  ///   - stated: variants not to be suggested again under another name.
  func variants(viewer: String?, of name: String?, apartFrom stated: [Variant]) -> [Variant] {
    var found: [Variant] = []
    var texts = Set(stated.compactMap { try? source.load(settings: overrides + $0.settings).resolvedText })
    let known = warnings(loaded)
    func add(_ label: String, _ alternatives: [[String]], if changes: (MeetingPlan) -> Bool = { _ in true }) {
      for settings in alternatives {
        let settings = settings.map { Override($0) }
        guard let changed = try? source.load(settings: overrides + settings),
          changed.resolvedText != loaded.resolvedText, warnings(changed).isSubset(of: known),
          changes(changed.plan), texts.insert(changed.resolvedText).inserted
        else { continue }
        found.append(Variant(label: label, settings: settings))
        return
      }
    }
    let (up, down) = (loaded.plan.estimator.name, loaded.plan.downEstimator.name)
    // Nobody can choose an estimator that knows the capacity.
    let estimators = Registry<Estimator>.estimators.entries
      .filter { $0.configuration().traits.input != .capacity }.map(\.name)
    for estimator in estimators where estimator != down {
      let both = "estimator={up: \(up), down: \(estimator)}"
      add("estimator \(estimator)", [["estimator.down=\(estimator)"], [both]])
    }
    for estimator in estimators where estimator != up {
      let both = "estimator={up: \(estimator), down: \(down)}"
      add("estimator \(estimator) of uplinks", [["estimator.up=\(estimator)"], [both]])
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
    for source in sources(seenBy: viewers, named: name) {
      guard let entry = entry(of: source.owner), captured.insert("\(entry) \(source.key)").inserted else {
        continue
      }
      let path = "participants.\(entry).publish.\(source.key)"
      let label = source.key == "camera" ? entry : "\(entry)/\(source.key)"
      for format in SmallerCapture.formats(isScreen: source.key == "screen", below: source.capture) {
        add("\(label) captured at \(format)", [["\(path).capture=\(format)"], ["\(path)=\(format)"]])
      }
      for ladder in ["single", "webrtc-vp8", loaded.plan.system.name] {
        let whole = "\(path)={capture: \(source.capture), ladder: \(ladder)}"
        // A source that names no ladder has the system's own.
        add("\(label) with ladder \(ladder)", [["\(path).ladder=\(ladder)"], [whole]]) { plan in
          Self.ladders(of: plan) != Self.ladders(of: loaded.plan)
        }
      }
    }
    return found
  }

  private static func ladders(of plan: MeetingPlan) -> [Ladder?] {
    plan.participants.flatMap { [$0.camera?.ladder, $0.screen?.ladder] }
  }

  private func warnings(_ loaded: LoadedScenario) -> Set<String> { Set(loaded.warnings.map(\.message)) }

  /// Returns the id under which the scenario has a participant: its own, or that of an entry with a `count`.
  private func entry(of id: String) -> String? {
    let stem = id.lastIndex(of: "-").map { String(id[..<$0]) }
    return [id, stem].compactMap { $0 }.first { entry in
      (try? source.load(settings: overrides + [Override("participants.\(entry).id=\(entry)")])) != nil
    }
  }

  /// Changes to a viewer's screen and device, as settings below its entry.
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
    if viewers.contains(where: { $0.capabilities.receiveCap ?? .unlimited != .unlimited }) {
      changes.append(("no receive cap", "capabilities.receive-cap=none"))
    }
    let isOpen = loaded.plan.system.traits.receives720p
    if viewers.contains(where: { !($0.capabilities.receives720p ?? isOpen) }) {
      changes.append(("720p enabled", "capabilities.receive-720p=true"))
    }
    return changes
  }

  /// Cameras and screens that viewers can see at some time, with their keys under `publish`.
  private func sources(
    seenBy viewers: [ParticipantPlan], named name: String?
  ) -> [(owner: String, key: String, capture: VideoFormat)] {
    let plan = loaded.plan
    return plan.participants.indices.flatMap { number in
      let participant = plan.participants[number]
      let isShared =
        participant.screen?.startsOn ?? false
        || plan.timeline.contains {
          if case .shareScreen(true) = $0.action { $0.participant == number } else { false }
        }
      let own = [
        ("camera", participant.id, participant.camera),
        (
          "screen", SourceName(owner: participant.id, isScreen: true).description,
          isShared ? participant.screen : nil
        ),
      ]
      return own.compactMap { key, source, plan in
        let isSeen = name == nil ? viewers.contains { $0.id != participant.id } : source == name
        return isSeen ? plan.map { (participant.id, key, $0.capture) } : nil
      }
    }
  }
}
