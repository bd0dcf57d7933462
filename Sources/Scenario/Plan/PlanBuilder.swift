import Allocation
import CongestionControl
import CrossTraffic
import Ladder
import Network
import Parameters
import Plan
import Quantity
import Systems
import YAML

/// Builds a plan from a scenario's YAML; one file per subject: links, participants, views, the timeline,
/// expectations.
final class PlanBuilder {
  /// Collector of errors in the file being read.
  var reading: Reading
  let catalogue: Catalogue
  var traces: [(path: String, bytes: [UInt8])] = []
  /// Tables of recorded frames by path; `nil` for a table that cannot be used.
  var frameTables: [String: FrameTable?] = [:]

  var profiles: [(name: String, profile: LinkProfile)] = []
  var links: [LinkPlan] = []
  var shared: [(name: String, up: Int, down: Int)] = []
  var participants: [ParticipantPlan] = []
  /// Entry of each participant, with the id shared by all participants of that entry.
  var declarations: [(node: Node, name: String)] = []
  var system: any System
  private var rates = RateParameters()
  /// Index of each profile in ``profiles``, by name.
  var profileNumbers: [String: Int] = [:]
  /// Index of each shared link in ``shared``, by name.
  var sharedNumbers: [String: Int] = [:]
  /// Index of each link in ``links``, by name.
  var linkNumbers: [String: Int] = [:]
  /// Index of each participant in ``participants``, by id.
  var participantNumbers: [String: Int] = [:]
  /// Index of each flow in ``crossTraffic``, by name.
  var flowNumbers: [String: Int] = [:]
  var timeline: [TimelineEntry] = []
  /// Link changes as written; they are applied in order of time.
  var linkChanges: [(link: Int, at: SimTime, change: LinkChange)] = []
  var crossTraffic: [CrossTrafficPlan] = []
  /// Views and calls that request more than 360 lines, with their viewers; they are checked once all gates are known.
  var largeRequests: [(node: Node, viewers: Range<Int>)] = []
  /// Cached ``gatesOfCameras()``; valid once all participants are known.
  private(set) lazy var gates = gatesOfCameras()
  var trafficSwitches: [(flow: Int, at: SimTime, starts: Bool)] = []
  var duration = SimDuration.seconds(60)
  var faults = Faults()
  var statedPins: [StatedPins] = []
  var statedContainers: [(node: Node, viewers: Range<Int>)] = []
  /// Names of the link profiles that the file defines, with their keys.
  var definedProfiles: [(name: String, key: Node)] = []
  /// Names of the link profiles that something uses.
  var usedProfiles: Set<String> = []
  /// Keys of the shared links.
  var sharedKeys: [Node] = []
  /// Timeline entries that turn screen shares on or off.
  var shareEntries: [(node: Node, at: SimTime, participant: Int, isOn: Bool)] = []

  /// Largest number of participants: links have 16-bit numbers, and each participant may have two of its own.
  static let participantLimit = 32_767
  /// Largest number of shared links, which have 16-bit numbers too.
  static let sharedLinkLimit = 10_000
  /// Largest number of flows, which have 16-bit numbers too.
  static let flowLimit = 10_000

  /// Purpose for which the scenario is read.
  let purpose: ScenarioPurpose
  /// Set if advice is valid despite errors, which then concern only names, lengths and expectations.
  private(set) var isAdvisable = false

  init(_ reading: Reading, _ catalogue: Catalogue, for purpose: ScenarioPurpose = .run) {
    self.purpose = purpose
    self.reading = reading
    self.catalogue = catalogue
    system = catalogue.systems.standard.system()
  }

  /// Builds the plan; `nil` if something essential is missing. All errors are reported.
  func plan(from root: Node) -> MeetingPlan? {
    guard let fields = Fields(root, "the scenario", reading) else { return nil }
    // Editors locate the schema of a JSON file by this key.
    _ = fields.take("$schema").flatMap { fields.text(of: $0, "$schema") }
    let nameNode = fields.require("name", example: "one-to-one")
    let name = nameNode.flatMap { fields.text(of: $0, "name") } ?? ""
    if let nameNode, !Self.isIdentifier(name) {
      fields.report(nameNode, "name: '\(name)': \(Self.identifierRule)")
    }
    let title = fields.text("title") ?? ""
    if let node = fields.take("duration") { readDuration(node, fields) }
    let seed = fields.integer("seed", in: 0...Int.max) ?? 1
    let harmless = reading.diagnostics.count
    readSystem(fields)
    let estimators = readEstimators(fields)
    let audio = readAudio(fields)
    let speech = readSpeech(fields)
    let keyFrames = readKeyFrames(fields)
    let measuresUtility = fields.flag("yardstick") ?? true
    readLinks(fields)
    readSharedLinks(fields)
    readParticipants(fields)
    let speechOrder = readSpeechOrder(fields)
    readCrossTraffic(fields)
    for entry in fields.list("timeline") ?? [] { readTimelineEntry(entry) }
    let isSound = reading.diagnostics.count == harmless
    let expectations = (fields.list("expect") ?? []).compactMap { readExpectation($0) }
    let expected = reading.diagnostics.count
    fields.finish()
    applyLinkChanges()
    applyTrafficSwitches()
    timeline = timeline.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
    checkTimeline()
    checkGates()
    checkPins()
    checkContainers()
    checkDecoderLimits()
    isAdvisable = isSound && reading.diagnostics.count == expected
    guard let estimators else { return nil }
    var plan = MeetingPlan(
      name: name, title: title, duration: duration, seed: UInt64(seed), system: system,
      estimator: estimators.up,
      audioForwarding: audio.forwarding, speech: speech, links: links, participants: participants,
      timeline: timeline,
      expectations: expectations)
    plan.downEstimator = estimators.down
    plan.rates = rates
    plan.crossTraffic = crossTraffic
    plan.keyFrames = keyFrames
    plan.speechOrder = speechOrder
    plan.measuresUtility = measuresUtility
    plan.voicesHaveFeedback = audio.hasFeedback
    if isAdvisable { advise(on: plan) }
    return plan
  }

  /// Rule for identifiers; spreadsheets interpret a cell that begins with '-' as a formula.
  static let identifierRule =
    "only letters, digits, '_', '-' and '.' are allowed, up to 64 characters, and no '-' at the start"

  static func isIdentifier(_ text: String) -> Bool {
    (1...64).contains(text.count) && !text.hasPrefix("-")
      && text.utf8.allSatisfy {
        ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x41 && $0 <= 0x5a) || ($0 >= 0x61 && $0 <= 0x7a)
          || $0 == 0x5f || $0 == 0x2d || $0 == 0x2e
      }
  }

  private func readDuration(_ node: Node, _ fields: Fields) {
    // Until the duration is known, nothing counts as after the meeting's end.
    duration = .seconds(86_400)
    guard let text = fields.text(of: node, "duration"),
      let value = fields.parse(node, "duration", text, SimDuration.init(text:))
    else { return }
    guard value >= .milliseconds(100), value <= .seconds(86_400) else {
      fields.report(node, "duration: '\(text)' is out of range: a meeting lasts from 100 ms to 24 h")
      return
    }
    guard value.isWholeMilliseconds else {
      fields.report(
        node, "duration: '\(text)' is not a whole number of milliseconds, in which tables have times")
      return
    }
    duration = value
  }

  private func readSystem(_ fields: Fields) {
    let known = catalogue.systems
    guard let node = fields.take("policy") else { return }
    guard let (name, own) = named(node, "policy", fields, among: known.names), let entry = known[name] else {
      faults.system = true
      return
    }
    let settings = own?.settings(of: entry.parameters) ?? []
    system = entry.system(settings)
    rates = entry.rates(settings)
    own?.finish()
  }

  func lowOrHigh(_ key: String, _ fields: Fields) -> Bool? {
    guard let node = fields.take(key), let text = fields.text(of: node, key) else { return nil }
    guard text == "low" || text == "high" else {
      fields.report(node, "\(key): '\(text)' is neither high nor low")
      return nil
    }
    return text == "low"
  }

  /// Reads `NAME` or `{name: NAME, …}`.
  func named(
    _ node: Node, _ key: String, _ fields: Fields, among known: [String]
  ) -> (String, Fields?)? {
    var own: Fields?
    var nameNode: Node? = node
    if case .mapping = node {
      own = Fields(node, "the \(key)", reading)
      nameNode = own?.require("name", example: known.first ?? "")
    }
    guard let nameNode, let name = fields.text(of: nameNode, key) else { return nil }
    guard known.contains(name) else {
      fields.report(nameNode, "\(key): there is no '\(name)': \(Suggestion.text(for: name, among: known))")
      return nil
    }
    return (name, own)
  }

  private func readAudio(_ fields: Fields) -> (forwarding: AudioForwarding, hasFeedback: Bool) {
    guard let audio = Fields(fields.take("audio"), "audio", reading) else { return (.loudest(3), true) }
    defer { audio.finish() }
    return (readForwarding(audio), audio.flag("transport-cc") ?? true)
  }

  private func readForwarding(_ audio: Fields) -> AudioForwarding {
    guard let node = audio.take("forward"), let text = audio.text(of: node, "forward") else {
      return .loudest(3)
    }
    if text == "all" { return .all }
    if text == "mixed" { return .mixed }
    guard let text = audio.plainText(of: node, "forward"), let count = Int(text), (1...25).contains(count)
    else {
      audio.report(node, "forward: '\(text)' is neither all, mixed nor a number of speakers from 1 to 25")
      return .loudest(3)
    }
    return .loudest(count)
  }

  private func readKeyFrames(_ fields: Fields) -> KeyFrameScope {
    guard let node = fields.take("key-frames"), let text = fields.text(of: node, "key-frames") else {
      return .allLayers
    }
    guard let scope = KeyFrameScope(rawValue: text) else {
      fields.report(node, "key-frames: '\(text)' is not one of all-layers, per-layer")
      return .allLayers
    }
    return scope
  }

  private func readSpeech(_ fields: Fields) -> SpeechPlan {
    guard let node = fields.take("speech"), let text = fields.text(of: node, "speech") else {
      return .timelineOnly
    }
    switch text {
    case "timeline": return .timelineOnly
    case "talk-spurts": return .talkSpurts
    default:
      fields.report(node, "speech: '\(text)' is not one of timeline, talk-spurts")
      return .timelineOnly
    }
  }

  private func readSpeechOrder(_ fields: Fields) -> [Int] {
    var order: [Int] = []
    for node in fields.list("speech-order") ?? [] {
      guard let participant = participantID(node, "speech-order", fields) else { continue }
      if order.contains(participant) {
        fields.report(node, "speech-order: '\(participants[participant].id)' is listed twice: remove one")
      }
      order.append(participant)
    }
    return order
  }

  /// Returns the index of the participant that a node names; `nil`, with an error reported, if there is none.
  func participantID(_ node: Node, _ key: String, _ fields: Fields) -> Int? {
    guard let id = fields.text(of: node, key) else { return nil }
    if let index = participantNumbers[id] { return index }
    if faults.explain(id) { return nil }
    let group = declarations.first { $0.name == id }
    let hint =
      group != nil
      ? "it is a group: name a member, such as '\(id)-1'"
      : Suggestion.text(for: id, among: Array(participants.prefix(40).map(\.id)))
    fields.report(node, "\(key): there is no participant '\(id)': \(hint)")
    return nil
  }
}
