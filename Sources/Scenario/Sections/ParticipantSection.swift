import Allocation
import Plan
import Quantity
import YAML

/// A participant, or several identical ones.
struct ParticipantSection: Section {
  var id: Name?
  var count: Int?
  var isModerator = false
  var up: LinkReference?
  var down: LinkReference?
  var shared: [Name]?
  var join: SimDuration?
  var publish: Field?
  var view: Field?
  var capabilities: Entry<Capabilities>?
  var transport: MediaTransport?

  /// Maximum number of participants: links have 16-bit numbers, and each participant may have two links.
  static let limit = 32_767

  static let keys: [Key<Self>] = [
    Key(
      "id", \.id, .identifier, "Id; with 'count' the prefix of the members' ids.", required: "ann",
      examples: ["student"]
    ).shown("eve"),
    Key(
      "count", \.count, .integer(1...limit), "Number of identical participants: ID-1, ID-2, ….", default: "1"
    ).shown("3"),
    Key(
      "role", default: \.isModerator, .either(("moderator", true), or: ("guest", false)),
      "Role; requests can refer to a moderator as '@moderator'.", as: "guest"),
    .link("up", \.up, "to"), .link("down", \.down, "from"),
    Key(
      "shared", \.shared, .oneOrMore(.name),
      "Shared links on its path, in order from its own link to the SFU."
    ).ofType("name of a shared link, or list of them").shown("house")
      .amid("{shared-links: {house: {down: {capacity: 10 Mbps}}}}"),
    Key("join", \.join, .duration, "When it joins; by default at the start.", examples: ["5s"]),
    Key(
      "publish", \.publish, .later(.any(of: .word(["audio-only"]), PublishSection.shape)),
      "What it publishes; omit it for those who only watch."
    ).shown("{camera: 720p30}"),
    Key("view", \.view, .later(.reference("view"))),
    Key(
      "capabilities", \.capabilities, .section(Capabilities.self, "capabilities"),
      "Capabilities of the client's device and licence."
    ).shown("{receive-720p: true}").beside("{id: eve, view: {tiles: {ann: 640x360}}}"),
    Key(
      "transport", \.transport, .choice,
      "Transport of its media in both directions: udp, or tcp, in order over one connection (direct, or to a TURN "
        + "server), where losses become delays.", default: "udp"
    ).shown("tcp"),
  ]

  static let companions: String? = "{id: eve}"

  /// Entry of a participant with only the name known.
  static func entry(of name: String) -> String {
    "{id: \(Identifier.suggestion(for: name) ?? "ann"), \(rest)}"
  }

  /// Returns the list that was meant by a number of participants, or by a mapping from their ids; `nil` for other
  /// nodes.
  static func list(meantBy node: Node) -> String? {
    if case .mapping(let people) = node, let id = people.first?.key.string {
      return "[{id: \(Identifier.suggestion(for: id) ?? "ann"), …}, …]"
    }
    guard let text = node.string, let count = Int(text), (1...limit).contains(count) else { return nil }
    return "[{id: person, count: \(count), \(rest)}]"
  }

  /// A camera, and a view of everybody else.
  private static let rest = "publish: {camera: 720p30}, view: {everybody: 320x180}"
}

extension ValueType where Value == [Field] {
  /// The list of participants.
  static var participants: Self {
    Self(.list(of: .reference("participant"), atLeast: 1)) { field in
      guard let list = ParticipantSection.list(meantBy: field.node) else { return field.elements }
      field.mapping.report(
        field.node, "'participants' of \(field.mapping.subject) must be a list: write '\(list)'")
      return []
    }
  }
}

extension Capabilities: Section {
  static let keys: [Key<Self>] = [
    Key(
      "receive-720p", \.receives720p, .flag,
      "Whether the client receives more than 360p; by default not with the policy bluejeans, else yes."),
    Key(
      "custom-layout", default: \.customLayout, .flag,
      "Whether the client may request individual streams."),
    Key(
      "multitasking-camera", into: \.multitaskingCamera, .flag,
      "Whether the camera keeps capturing in the background."),
    Key(
      "picture-in-picture", default: \.pictureInPicture, .flag,
      "The user's switch for picture in picture in Settings."),
    Key(
      "ios", \.systemVersion, .integer(1...99),
      "Major version of iOS; picture in picture of calls needs 15. By default a recent one."
    ).shown("15"),
    Key(
      "receive-cap", \.receiveCap, .rateLimit,
      "Maximum bit rate of all video that the client accepts, in systems whose servers ask for it: of whole RTP packets, in "
        + "the mean of any five seconds. Voices, RTCP and signalling come on top. 'none', the default, is no limit.",
      examples: ["1200 kbps"]),
    Key("decode", \.decode, .decoderLimit, "What the device decodes at once; our model.")
      .shown("{pixels-per-second: 30000000, streams: 4}"),
  ]
}

extension DecoderLimit: Section {
  init() { self.init(pixelsPerSecond: nil) }

  static let keys: [Key<Self>] = [
    Key(
      "pixels-per-second", \.pixelsPerSecond, .integer(1...1_000_000_000_000),
      "Pixels per second that the device decodes, all streams together; by default any number."
    ).shown("30000000"),
    Key(
      "streams", \.streams, .integer(1...MeetingPlan.publisherLimit),
      "Videos that the device decodes at once; by default any number."
    ).shown("4"),
  ]

  static var rules: [Rule] { [.some(of: keys.map(\.name))] }
}

extension ValueType where Value == DecoderLimit {
  /// A decoder limit with at least one of its two parts.
  fileprivate static var decoderLimit: Self {
    Self(DecoderLimit.shape) { field in
      guard let own = Entry<DecoderLimit>(field, field.key) else { return nil }
      if !own.fields.keys.isEmpty { return own.values }
      own.report("decode needs 'pixels-per-second', 'streams' or both, such as '{streams: 4}'")
      return nil
    }
  }
}

/// Sources that a participant publishes.
struct PublishSection: Section {
  var camera: Field?
  var custom: Field?
  var screen: Field?
  var audio: Field?

  static let keys: [Key<Self>] = {
    let examples = ["720p30", "640x360@15"]
    return [
      Key(
        "camera", \.camera, .later(SourceSection.shape(orIn: [.recorded, .listed, .levelled])),
        "Camera: what it captures, a recording that it plays, or listed layers or levels.",
        examples: examples),
      Key(
        "custom", \.custom, .later(SourceSection.shape(.custom)),
        "In place of a camera: frames that the app makes, pushed from its joining on unless 'on' is false.",
        examples: examples),
      Key(
        "screen", \.screen, .later(SourceSection.shape(orIn: [.listed, .levelled])), "Screen share.",
        examples: examples),
      Key(
        "audio", \.audio, .later(.any(of: .flag, VoiceSection.shape)),
        "Whether it publishes audio, or the settings of its microphone's stream.", default: "true"
      ).shown("{bitrate: 24 kbps, dtx: false}"),
    ]
  }()

  static var rules: [Rule] { [.not(.has("camera", "custom"))] }
}
