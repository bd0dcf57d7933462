import Ladder
import Network
import Parameters
import Plan
import Quantity
import Systems
import Vendors
import YAML

/// A meeting under construction: the links, participants and traffic read so far.
final class MeetingDraft {
  /// Collector of errors in the file being read.
  var reading: Reading
  /// Purpose for which the scenario is read.
  let purpose: ScenarioPurpose
  var system: any System
  /// Value of the key 'estimator'; `nil` if the scenario names none.
  var estimator: Node?
  var duration = SimDuration.seconds(60)
  var faults = Faults()
  var links = LinkDrafts()
  var people = ParticipantDrafts()
  var traffic = TrafficDrafts()
  var timeline: [TimelineEntry] = []
  /// Statements that are checked once the whole meeting is known.
  var statements = Statements()
  var files = ReferredFiles()
  /// Remarks on what the meeting shows, other than warnings.
  var notes: [Diagnostic] = []
  /// Each camera's size limit behind a closed gate, smallest first, `nil` for an unlimited camera; valid once all
  /// participants are known.
  private(set) lazy var gates = gatesOfCameras()

  init(_ reading: Reading, for purpose: ScenarioPurpose) {
    self.reading = reading
    self.purpose = purpose
    system = reading.catalogue.systems.standard.system()
  }

  private func gatesOfCameras() -> [(publisher: Int, size: Resolution?)] {
    let gates = people.plans.indices.compactMap { publisher -> (publisher: Int, size: Resolution?)? in
      guard let camera = people.plans[publisher].camera else { return nil }
      let sizes = camera.ladder.encodings.map(\.format.resolution)
      let gate = system.traits.gate.size(of: sizes.first)
      return (publisher, gate == .p360 || sizes.contains { $0.lines > gate.lines } ? gate : nil)
    }
    return gates.sorted { ($0.size?.lines ?? .max, $0.publisher) < ($1.size?.lines ?? .max, $1.publisher) }
  }
}

/// Participants of a draft.
struct ParticipantDrafts {
  /// Number of participants that the scenario's entries stand for, as far as they are readable.
  var clients = 0
  private(set) var plans: [ParticipantPlan] = []
  /// Sizes of the frames that apps push, by the id in the timeline.
  var pushedSizes: [String: Set<Resolution>] = [:]
  /// Entry of each participant, with the id shared by all participants of that entry.
  private(set) var declarations: [(node: Node, name: String)] = []
  /// Index of each participant, by id.
  private(set) var numbers: [String: Int] = [:]

  mutating func add(_ plan: ParticipantPlan, declared declaration: (node: Node, name: String)) {
    numbers[plan.id] = plans.count
    plans.append(plan)
    declarations.append(declaration)
  }

  mutating func setView(_ view: ViewPlan, of participants: Range<Int>) {
    for index in participants { plans[index].view = view }
  }
}

/// Links of a draft.
struct LinkDrafts {
  private(set) var profiles: [(name: String, profile: LinkProfile)] = []
  /// Index of each profile, by name.
  private(set) var profileNumbers: [String: Int] = [:]
  /// Keys of the profiles that the file defines, by name.
  var defined: [(name: String, key: Node)] = []
  /// Names of the profiles in use.
  var used: Set<String> = []
  private(set) var shared: [(name: String, up: Int, down: Int, key: Node)] = []
  /// Index of each shared link, by name.
  private(set) var sharedNumbers: [String: Int] = [:]
  private(set) var plans: [LinkPlan] = []
  /// Index of each link, by name.
  private(set) var numbers: [String: Int] = [:]
  /// Changes as written; they are applied in time order.
  var changes: [(link: Int, at: SimTime, change: LinkChange)] = []

  mutating func add(profile: LinkProfile, named name: String) {
    profileNumbers[name] = profiles.count
    profiles.append((name, profile))
  }

  mutating func addShared(_ name: String, _ key: Node, up: LinkParameters, down: LinkParameters) {
    sharedNumbers[name] = shared.count
    shared.append((name, add("\(name)/up", up), add("\(name)/down", down), key))
  }

  /// Adds a link and returns its index.
  mutating func add(_ name: String, _ parameters: LinkParameters) -> Int {
    // If a participant and a shared link have the same name, it refers to the first.
    if numbers[name] == nil { numbers[name] = plans.count }
    plans.append(LinkPlan(name: name, parameters: parameters))
    return plans.count - 1
  }

  /// Applies the changes to the links' parameters; of two at the same time, the one later in the file wins.
  mutating func applyChanges() {
    let ordered = changes.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
    for (_, step) in ordered { plans[step.link].parameters.change(step.change, at: step.at) }
  }
}

/// Statements of a scenario that are checked once the whole meeting is known.
struct Statements {
  /// Views and calls that request more than 360 lines, with their viewers.
  var largeRequests: [(node: Node, viewers: Range<Int>)] = []
  /// Pins stated in a view or in an action of the timeline, with the indices of the pinned participants.
  var pins: [(node: Node, viewers: Range<Int>, pinned: [Int])] = []
  var containers: [(node: Node, viewers: Range<Int>)] = []
  /// Timeline entries that turn screen shares on or off.
  var shares: [(node: Node, at: SimTime, participant: Int, isOn: Bool)] = []
  /// Timeline entries that turn to a page.
  var pages: [(node: Node, viewer: Int, page: Int)] = []

  /// Notes a view or a call that requests more than 360p.
  mutating func note(_ sizes: [Resolution], requestedAt node: Node, by viewers: Range<Int>) {
    guard sizes.contains(where: { $0.lines > Resolution.p360.lines }) else { return }
    largeRequests.append((node, viewers))
  }
}

/// Files that a scenario refers to.
struct ReferredFiles {
  private(set) var contents: [(path: String, bytes: [UInt8])] = []
  /// Tables of recorded frames by path; `nil` for a table that cannot be used.
  var frameTables: [String: FrameTable?] = [:]

  mutating func add(_ bytes: [UInt8], at path: String) {
    if !contents.contains(where: { $0.path == path }) { contents.append((path, bytes)) }
  }
}

/// Rule of ids and other names.
enum Identifier {
  /// The rule in words; spreadsheets interpret a cell that begins with '-' as a formula.
  static let rule =
    "only letters, digits, '_', '-' and '.' are allowed, up to 64 characters, and no '-' at the start"

  /// Returns what is wrong with a name, with a suggestion for another; `nil` for a valid name.
  static func problem(of text: String) -> String? {
    isValid(text) ? nil : rule + (suggestion(for: text).map { ": did you mean '\($0)'?" } ?? "")
  }

  /// Returns the name with hyphens in place of invalid characters, and letters without diacritics; `nil` if that is not
  /// a valid name either.
  static func suggestion(for text: String) -> String? {
    let plain = text.map { marked[$0] ?? "\($0)" }.joined()
    let name = plain.split { !isValid("\($0)") || $0 == "-" }.joined(separator: "-")
    return isValid(name) ? name : nil
  }

  /// Letters of European names, without diacritics.
  private static let marked: [Character: String] = {
    let letters = [
      "a": "àáâãåāăą", "A": "ÀÁÂÃÅĀĂĄ", "ae": "äæ", "Ae": "ÄÆ", "c": "çćč", "C": "ÇĆČ", "d": "ďđ", "D": "ĎĐ",
      "e": "èéêëēėęě", "E": "ÈÉÊËĒĖĘĚ", "g": "ğ", "G": "Ğ", "i": "ìíîïīı", "I": "ÌÍÎÏĪİ", "l": "ł", "L": "Ł",
      "n": "ñńň", "N": "ÑŃŇ", "o": "òóôõōő", "O": "ÒÓÔÕŌŐ", "oe": "öøœ", "Oe": "ÖØŒ", "r": "ř", "R": "Ř",
      "s": "śšşș", "S": "ŚŠŞȘ", "ss": "ß", "t": "ťţț", "T": "ŤŢȚ", "u": "ùúûūůű", "U": "ÙÚÛŪŮŰ", "ue": "ü",
      "Ue": "Ü", "y": "ýÿ", "Y": "ÝŸ", "z": "źżž", "Z": "ŹŻŽ",
    ]
    return letters.reduce(into: [:]) { all, entry in for letter in entry.value { all[letter] = entry.key } }
  }()

  static func isValid(_ text: String) -> Bool {
    (1...64).contains(text.count) && !text.hasPrefix("-")
      && text.utf8.allSatisfy {
        ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x41 && $0 <= 0x5a) || ($0 >= 0x61 && $0 <= 0x7a)
          || $0 == 0x5f || $0 == 0x2d || $0 == 0x2e
      }
  }
}
