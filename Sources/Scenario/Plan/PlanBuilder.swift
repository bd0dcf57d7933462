import Allocation
import CongestionControl
import Ladder
import Plan
import Quantity
import Systems
import Vendors
import YAML

/// Builds a plan from a scenario's YAML.
///
/// The sections of the file are read by their declarations in `Sections`; readers turn them into the parts of the plan,
/// which may refer to each other by name; checks of the whole meeting follow.
struct PlanBuilder: PlanReader {
  let draft: MeetingDraft
  /// Set if advice is valid despite errors, because these only concern names, lengths and expectations.
  private(set) var isAdvisable = false

  init(_ reading: Reading, for purpose: ScenarioPurpose = .run) {
    draft = MeetingDraft(reading, for: purpose)
  }

  /// Builds the plan; `nil` if something essential is missing. All errors are reported.
  mutating func plan(from root: Node) -> MeetingPlan? {
    guard let fields = Fields(root, "the scenario", reading) else { return nil }
    var scenario = fields.read(ScenarioSection.self, only: ScenarioSection.harmless)
    let name = scenario.about.name(in: reading)
    // Until the duration is known, nothing counts as after the meeting's end.
    draft.duration = scenario.duration ?? (fields["duration"] == nil ? draft.duration : .seconds(86_400))
    let harmless = reading.diagnostics.count
    fields.read(into: &scenario, only: ScenarioSection.meeting)
    let rates = readSystem(scenario.policy)
    draft.estimator = scenario.estimator?.node
    let estimators = EstimatorReader(draft: draft).estimators(scenario.estimator)
    let speechOrder = readMeeting(scenario, fields)
    let isSound = reading.diagnostics.count == harmless
    fields.read(into: &scenario, only: ["expect"])
    let expectations = (scenario.expect ?? []).compactMap {
      ExpectationReader(draft: draft).expectation($0.node)
    }
    let expected = reading.diagnostics.count
    fields.finish()
    complete()
    isAdvisable = isSound && reading.diagnostics.count == expected
    guard let estimators else { return nil }
    var plan = MeetingPlan(
      name: name, title: scenario.about.title ?? "", duration: draft.duration,
      seed: UInt64(scenario.seed), system: system, estimator: estimators.up,
      audioForwarding: scenario.audio?.forwarding ?? .loudest(3), speech: scenario.speech,
      links: draft.links.plans, participants: participants, timeline: draft.timeline,
      expectations: expectations)
    plan.downEstimator = estimators.down
    plan.rates = rates
    plan.crossTraffic = draft.traffic.flows
    plan.keyFrames = scenario.keyFrames
    plan.speechOrder = speechOrder
    plan.measuresUtility = scenario.measuresUtility
    plan.voicesHaveFeedback = scenario.audio?.hasFeedback ?? true
    if isAdvisable { MeetingAdvice(draft: draft, plan: plan).run() }
    return plan
  }

  /// Reads the policy; returns its rate parameters.
  private func readSystem(_ field: Field?) -> RateParameters {
    guard let field else { return RateParameters() }
    guard let (entry, settings) = model(field, among: catalogue.systems, namesOthers: true) else {
      draft.faults.system = true
      return RateParameters()
    }
    draft.system = entry.system(settings)
    if let low = system.traits.estimates.minimum, let high = system.traits.estimates.maximum, low > high {
      field.report("minimum-estimate: \(low) is more than the maximum-estimate, \(high): lower it")
    }
    return entry.rates(settings)
  }

  /// Reads links, participants, traffic and timeline, each of which may refer to those before it; returns the
  /// participants who spoke before the meeting.
  private func readMeeting(_ scenario: ScenarioSection, _ fields: Fields) -> [Int] {
    let links = LinkReader(draft: draft)
    links.readProfiles(scenario.network.links?.node)
    links.readShared(scenario.network.sharedLinks?.node)
    for entry in scenario.timeline ?? [] { FrameReader(draft: draft).noteSize(pushedBy: entry.node) }
    if let nodes = scenario.participants, !nodes.isEmpty {
      ParticipantReader(draft: draft).read(nodes.map(\.node))
    } else {
      draft.faults.note(nil)
      // A value that is not a list has already been reported.
      let isList = if case .sequence? = fields["participants"] { true } else { fields["participants"] == nil }
      if isList, !fields.reportsOther(for: "participants") {
        fields.report(nil, "the scenario needs 'participants', a list of entries such as '{id: ann, …}'")
      }
    }
    let order = speechOrder(scenario.speechOrder ?? [])
    for flow in scenario.network.crossTraffic ?? [] { CrossTrafficReader(draft: draft).readFlows(flow.node) }
    for entry in scenario.timeline ?? [] { TimelineReader(draft: draft).read(entry.node) }
    return order
  }

  /// Returns the participants who spoke before the meeting.
  private func speechOrder(_ names: [Name]) -> [Int] {
    var order: [Int] = []
    for name in names {
      guard let participant = participant(name) else { continue }
      if order.contains(participant) { name.report("'\(name.text)' is listed twice: remove one") }
      order.append(participant)
    }
    return order
  }

  /// Applies the timeline's changes, and checks the whole meeting.
  private func complete() {
    draft.links.applyChanges()
    draft.traffic.applySwitches(until: .zero + draft.duration + .seconds(1))
    draft.timeline = draft.timeline.enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }.map(\.element)
    MeetingChecks(draft: draft).run()
  }
}
