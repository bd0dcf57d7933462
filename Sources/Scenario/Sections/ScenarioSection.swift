import CongestionControl
import Parameters
import Plan
import Quantity
import Systems
import Vendors
import YAML

/// A scenario file.
struct ScenarioSection: Section {
  var about = FileDescription()
  var duration: SimDuration?
  var seed = 1
  var policy: Field?
  var estimator: Field?
  var audio: Entry<AudioSection>?
  var speech = SpeechPlan.timelineOnly
  var measuresUtility = true
  var speechOrder: [Name]?
  var keyFrames = KeyFrameScope.allLayers
  var network = Network()
  var participants: [Field]?
  var timeline: [Field]?
  var expect: [Field]?

  /// Links, and everything else on the network.
  struct Network {
    var links: Field?
    var sharedLinks: Field?
    var crossTraffic: [Field]?
  }

  /// Keys whose errors do not affect the meeting.
  static let harmless = ["$schema", "name", "title", "duration", "seed"]
  /// Keys of the meeting itself.
  static let meeting = keys.map(\.name).filter { !harmless.contains($0) && $0 != "expect" }

  static let keys: [Key<Self>] = [
    .schemaLocation(\.about.schema),
    Key(
      "name", \.about.name, .identifier,
      "Short name: letters, digits, '_', '-' and '.'; by default that of the file.", examples: ["one-to-one"]),
    Key("title", \.about.title, .text, "What the scenario shows, in a few words; printed by 'run'.")
      .shown("One-to-one call"),
    Key(
      "duration", \.duration, .meetingDuration, "Duration of the meeting, 100 ms to 24 h.", default: "60s",
      examples: ["60s", "5 min"]),
    Key("seed", default: \.seed, .integer(0...Int.max), "Seed of all random streams.").shown("7"),
    Key(
      "policy", \.policy,
      .later(.named(among: Catalogue.standard.systems.entries, registry: KeyWalk.policies)),
      "The system whose SFU, clients and allocation are simulated.",
      default: Catalogue.standard.systems.standard.name),
    Key(
      "estimator", \.estimator, .later(EstimatorsSection.either),
      "Bandwidth estimation. By default that of the system as it is deployed: \(deployedEstimators).",
      default: OwnEstimator.uplinks),
    Key("audio", \.audio, .section(AudioSection.self, "audio"), "Audio settings."),
    Key(
      "speech", default: \.speech,
      ValueType.word(["timeline", "talk-spurts"]).mapped { $0 == "timeline" ? .timelineOnly : .talkSpurts },
      "Who speaks: as in the timeline, or a simulated conversation of all participants.", as: "timeline"),
    Key(
      "yardstick", default: \.measuresUtility, .flag,
      "Whether 'scalars.csv' has each viewer's utility beside its optimum; 'false' where speed matters."),
    Key(
      "speech-order", \.speechOrder, .list(of: .name),
      "Who spoke before the meeting, the last speaker first; who speaks in the meeting ranks above."
    ).shown("[ann]"),
    Key(
      "key-frames", default: \.keyFrames, .choice,
      "Whether a key frame request for one simulcast encoding triggers key frames of all encodings or of that one."
    ),
    Key("links", \.network.links, .later(.names(to: .reference("link"))), "Link profiles, by name.")
      .shown("{home: {capacity: 2400 kbps, delay: 20 ms}}").amid(meeting("down: home")),
    Key(
      "shared-links", \.network.sharedLinks, .later(.names(to: SharedLinkSection.shape)),
      "Links shared by several participants, such as a household's access link."
    ).named("house").shown("{house: {down: {capacity: 10 Mbps}}}").amid(meeting("shared: house")),
    Key(
      "participants", \.participants, .participants,
      "Participants; at most \(MeetingPlan.publisherLimit) publish video."
    ).after("[{id: ann, publish: {camera: 720p30}, view: {everybody: 360p}}]"),
    Key(
      "cross-traffic", \.network.crossTraffic, .later(of: .reference("cross-traffic")),
      "Other traffic on the meeting's links."
    ).shown("[{name: bulk, link: eve/down, kind: tcp}]"),
    Key(
      "timeline", \.timeline, .later(of: .reference("timeline-entry")),
      "What participants do and how the network changes, in any order."
    ).shown("[{at: 10s, participant: ann, speaks: 8s}]"),
    Key(
      "expect", \.expect, .later(of: .reference("expectation")),
      "Expectations that 'meetsim check' and 'run --check' evaluate."
    ).shown("[{viewer: eve, source: ann, metric: frame_height, stat: p50, is: '>= 360'}]"),
  ]

  /// Estimators of the systems that deploy others than their clients.
  private static var deployedEstimators: String {
    let others = Catalogue.standard.systems.entries.map(\.description).filter {
      $0.estimator.name != OwnEstimator.uplinks
    }
    return ([OwnEstimator.uplinks] + others.map { "on downlinks of \($0.name) \($0.estimator.name)" })
      .enumeration
  }

  static let companions: String? = "{name: example, \(participants(""))}"

  /// Builds the participants of examples: a publisher, and a viewer with additional entries.
  private static func participants(_ more: String) -> String {
    let entries = more.isEmpty ? "" : ", \(more)"
    return
      "participants: [{id: ann, publish: {camera: 720p30}}, {id: eve\(entries), view: {tiles: {ann: 640x360}}}]"
  }

  /// Builds a meeting whose viewer has additional entries.
  private static func meeting(_ more: String) -> String { "{\(participants(more))}" }
}

/// Name and title of a file.
struct FileDescription {
  var schema: String?
  var name: Name?
  var title: String?

  /// Returns the name, or the file's name if none is stated; an invalid name is reported.
  func name(in reading: Reading) -> String {
    guard let name else {
      let file = reading.file.split(separator: "/").last ?? ""
      let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? String(file)
      return Identifier.suggestion(for: stem) ?? "meeting"
    }
    if let problem = Identifier.problem(of: name.text) { name.report("'\(name.text)': \(problem)") }
    return name.text
  }
}

extension Key {
  /// Declares the key that tells editors where the schema of a JSON file is.
  static func schemaLocation(_ path: any WritableKeyPath<Values, String?> & Sendable) -> Key {
    Key("$schema", path, .text, "Location of this file's schema, for editors.").shown("./meetsim.schema.json")
  }
}

/// Settings of audio.
struct AudioSection: Section {
  var forwarding = AudioForwarding.loudest(3)
  var hasFeedback = true

  static let keys: [Key<Self>] = [
    Key(
      "forward", default: \.forwarding, .forwarding,
      "Audio that the SFU forwards: all, a mix, or the N loudest speakers.", as: "3"),
    Key(
      "transport-cc", default: \.hasFeedback, .flag,
      "Whether publishers' audio is covered by transport-wide feedback; some SFUs negotiate it for video only."
    ),
  ]
}

// MARK: Types

extension ValueType where Value == AudioForwarding {
  /// `all`, `mixed` or a number of speakers.
  static var forwarding: Self {
    Self(.any(of: .word(["all", "mixed"]), .integer(1...25))) { field in
      guard let text = field.text else { return nil }
      if text == "all" { return .all }
      if text == "mixed" { return .mixed }
      guard let text = field.plainText, let count = Int(text), (1...25).contains(count) else {
        field.report("'\(text)' is neither all, mixed nor a number of speakers from 1 to 25")
        return nil
      }
      return .loudest(count)
    }
  }
}

extension ValueType where Value == SimDuration {
  /// Duration of a meeting.
  static var meetingDuration: Self {
    quantity(.duration, SimDuration.init(text:)) { value, _ in
      if value < .milliseconds(100) || value > .seconds(86_400) {
        return "out of range: a meeting lasts from 100 ms to 24 h"
      }
      return value.isWholeMilliseconds
        ? nil : "not a whole number of milliseconds, in which tables have times"
    }
  }
}
