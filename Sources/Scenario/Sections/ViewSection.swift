import Allocation
import JSON
import Ladder
import Layout
import Parameters
import Plan
import Quantity
import Systems
import Vendors
import YAML

/// A view: exactly one arrangement, or only a stage.
struct ViewSection: Section {
  /// Contents of the screen; a view has exactly one kind.
  struct Arrangement {
    var request: Field?
    var layout: String?
    var grid: String?
    var tiles: Field?
    var everybody: Resolution?
    var container: Entry<ContainerSection>?
    var signals: Field?
  }

  var arrangement = Arrangement()
  var plan = ViewPlan(arrangement: .tiles([]))
  var stage: Field?
  var screen: StatedScreen?
  var pin: [Name]?
  var highPriority: Name?
  var observers: [Entry<ObserverSection>]?
  var window: Entry<WindowSection>?
  var preferred: [Entry<PreferenceSection>]?
  var override: Field?

  static let arrangements = ["request", "layout", "grid", "tiles", "everybody", "container", "signals"]

  static let keys: [Key<Self>] = [
    Key(
      "request", \.arrangement.request, .later(RequestSection.list),
      "Requested streams, most important first; entries without a participant are slots for recent speakers."
    ).beside("{}").ofSystems(calling: "request").shown(
      "[{quality: 360p30, priority: high, participant: ann}]"),
    Key(
      "layout", \.arrangement.layout, .word { $0.systems.layouts.map(\.name) },
      "A built-in layout of the client."
    ).beside("{}").ofSystems(calling: "layout"),
    Key("grid", \.arrangement.grid, .grid, "A client's grid layout.").beside("{}").ofPolicies(
      Catalogue.standard.systems.entries.filter { !$0.description.grids.isEmpty }.map(\.name)),
    Key(
      "stage", \.stage, .later(.any(of: .anyText, StageSection.shape)),
      "The participant in the large tile, alone or beside 'tiles' or 'everybody'; 1280x720 points where no size is said. "
        + "A screen share takes its place while it lasts."
    ).beside("{}").shown("{participant: ann, size: 640x360}"),
    Key(
      "tiles", \.arrangement.tiles, .later(.any(of: .sources(to: .points), .list(of: TileSection.shape))),
      "Tiles: participants' sizes in points, or a list of them."
    ).shown("{ann: 640x360}"),
    Key(
      "share", default: \.plan.showsShares, .flag, "Whether screen shares are shown, the first on the stage."),
    Key(
      "per-page", \.plan.tilesPerPage, .page,
      "Tiles on a page of 'tiles' or 'everybody', the place of who is on the stage among them; the others are off "
        + "screen; by default all."
    ).shown("4").amid("{policy: jitsi}"),
    Key("page", default: \.plan.page, .page, "The page on screen.").shown("2")
      .beside("{everybody: 320x180, per-page: 1}").amid("{policy: jitsi}"),
    Key(
      "everybody", \.arrangement.everybody, .points,
      "All participants at this size, width and height in points, or the name of a 16:9 size."
    ).beside("{}"),
    Key(
      "container", \.arrangement.container, .section(ContainerSection.self, "the container"),
      "A container of all participants that scrolls."
    ).beside("{}").shown("{kind: list, size: 360x640}"),
    Key("signals", \.arrangement.signals, .later(ScenarioSchema.signals)).beside("{}"),
    Key("screen", \.screen, .screen),
    Key("pin", \.pin, .list(of: .name), "Pinned participants.").shown("[ann]").amid("{policy: jitsi}"),
    Key(
      "default-stream", \.plan.defaultStreamIsLow, .lowStream, "Dual stream: this viewer's default stream."
    ).shown("low").ofSystems(calling: "stream-type"),
    Key(
      "high-priority", \.highPriority, .name,
      "Dual stream: the remote user of high priority, whose stream falls back last (`setRemoteUserPriority`)."
    ).shown("ann").ofSystems(calling: "stream-type"),
    Key(
      "background", \.plan.resignObserver, .choice,
      "Subscribers' observers of the app's state: automatic, only the window's video goes on in the background; "
        + "kept, none; removed, the window's, or all without a window. By default kept with policy vonage, else "
        + "automatic."
    ).shown("removed"),
    Key(
      "observers", \.observers, .list(of: .section(ObserverSection.self, "observer")),
      "Individual subscribers' observers of the app's state."
    ).shown("[{participant: ann, observer: removed}]"),
    Key(
      "picture-in-picture", \.window, .section(WindowSection.self) { "picture-in-picture of \($0)" },
      "The app's picture-in-picture window."
    ).shown("{participant: ann}"),
    Key(
      "preferred", \.preferred, .list(of: .preference),
      "Policy vonage: subscribers' preferences, later ones override."
    ).ofSystems(calling: "preferred").shown("[{participant: ann, size: 640x360}]"),
    Key(
      "override", \.override, .later(.any(of: .word(["off"]), .size)),
      "Policy stream: size of all incoming video, or off."
    ).ofSystems(calling: "override").shown("360p"),
    Key(
      "follow-screen", default: \.plan.followsScreen, .flag,
      "Dual stream: whether tiles that leave the screen switch to the low stream."
    ).ofSystems(calling: "stream-type"),
  ]

  static var rules: [Rule] {
    [
      .any(of: [.exactlyOne(of: arrangements), .all([.has("stage"), .not(.some(of: arrangements))])]),
      .when(
        .some(of: ["stage", "page", "per-page"]),
        .not(.some(of: arrangements.filter { $0 != "tiles" && $0 != "everybody" }))),
      .when(.has("page"), .has("per-page")),
    ]
  }

  static let companions: String? = "{tiles: {ann: 640x360}}"
}

/// A large tile.
struct StageSection: Section {
  var participant: Name?
  var size: Resolution?
  var weight: Double?

  static let keys: [Key<Self>] = [
    Key("participant", \.participant, .participant, "Participant.", required: "ann"),
    Key("size", \.size, .points), .weight(\.weight),
  ]

  static let companions: String? = "{size: 640x360}"
}

/// A tile.
struct TileSection: Section {
  var participant: Name?
  var size: Resolution?
  var weight: Double?

  static let keys: [Key<Self>] = [
    Key(
      "participant", \.participant, .participant, "Participant, or ID/screen for a screen share.",
      required: "ann"),
    Key("size", \.size, .points, required: "640x360"), .weight(\.weight),
  ]
}

extension Key {
  /// Declares a tile's weight.
  fileprivate static func weight(_ path: any WritableKeyPath<Values, Double?> & Sendable) -> Key {
    Key(
      "weight", path, .number(0.001...1000),
      "Weight of the tile in utilities; by default 1, on the stage 4."
    ).shown("2")
  }
}

/// A container of tiles that scrolls.
struct ContainerSection: Section {
  var kind: TileContainer.Kind?
  var size: Resolution?
  var tiles: Field?
  var spacing = 8
  var columns = 2
  var hasOwnTile = true

  static let keys: [Key<Self>] = [
    Key(
      "kind", \.kind, .choice, "list: tiles below each other; row: beside each other; grid: in columns.",
      required: "list"),
    Key("size", \.size, .points, required: "390x220"),
    Key(
      "tiles", \.tiles, .later(.any(of: .sources(to: .points), .list(of: TileSection.shape))),
      "Tiles of another size."
    )
    .shown("[{participant: ann, size: 360x640}]"),
    Key("spacing", default: \.spacing, .integer(0...1000), "Distance between tiles [points].").shown("4"),
    Key("columns", default: \.columns, .integer(1...100), "Columns of a grid.").shown("3")
      .beside("{kind: grid, size: 120x240}"),
    Key("own-tile", default: \.hasOwnTile, .flag, "Whether the viewer's own tile is the first."),
  ]

  static var rules: [Rule] {
    [.when(.has("columns"), .any(of: [.value(of: "kind", isOneOf: ["grid"])]))]
  }
}

/// An app's picture-in-picture window.
struct WindowSection: Section {
  var participant: Name?
  var size = PictureInPicture.preferredSize
  var startsFromInline = true

  static let keys: [Key<Self>] = [
    Key("participant", \.participant, .windowSubject, required: "teacher"),
    Key(
      "size", default: \.size, .pixels,
      "The window's size in pixels; no layer beyond it is received, except the lowest encoding.",
      as: "640x480"),
    Key(
      "start-from-inline", default: \.startsFromInline, .flag,
      "Whether the window starts when the app goes to the background."),
  ]
}

/// A subscriber's observer of the app's state.
struct ObserverSection: Section {
  var participant: Name?
  var observer: ResignObserver?

  static let keys: [Key<Self>] = [
    Key("participant", \.participant, .participant, "Participant.", required: "teacher"),
    Key(
      "observer", \.observer, .choice,
      "kept: its video stops in the background; removed: it goes on; automatic: only in the window.",
      required: "removed"),
  ]
}

/// A subscriber's preferred resolution and frame rate.
struct PreferenceSection: Section {
  var participant: Name?
  var preference = StreamPreference()

  static let keys: [Key<Self>] = [
    Key("participant", \.participant, .participant, "Participant; by default all."),
    Key(
      "size", \.preference.size, .preferredSize,
      "Preferred resolution: a ceiling in pixels, as rendered, or none."
    ).shown("640x360"),
    Key("fps", \.preference.rate, .preferredRate, "Preferred frame rate: a ceiling, or none.").shown("15"),
  ]

  static var rules: [Rule] { [.some(of: ["size", "fps"])] }

  static let companions: String? = "{size: 640x360}"
}

extension ValueType where Value == Entry<PreferenceSection> {
  static var preference: Self {
    let section = Self.section(PreferenceSection.self, "preferred")
    return Self(
      section.shape.described("Policy vonage: preferred resolution and frame rate of a subscriber."),
      read: section.read)
  }
}

/// An entry of a stream request.
struct RequestSection: Section {
  var quality: Name?
  var priority: Priority?
  var count = 1
  var participant: Name?

  static let keys = declarations(.quality, atMost: 100)

  private static func declarations(_ quality: ValueType<Name>, atMost limit: Int) -> [Key<Self>] {
    [
      Key("quality", \.quality, quality, required: "720p30").shown("360p30"),
      Key("priority", \.priority, .choice, "Priority; set for all entries or for none."),
      Key("count", default: \.count, .integer(1...limit), "Number of identical entries.").shown("3")
        .beside("{quality: 360p15, priority: low}"),
      Key(
        "participant", \.participant, .participant,
        "Id of a participant, or @moderator; by default a slot for recent speakers.",
        examples: ["'@moderator'"]),
    ]
  }

  static let companions: String? = "{participant: ann}"

  /// Schema of a view's request, which must be valid.
  static var list: Shape {
    let priority = Rule(.object([("items", Rule.has("priority").json)]))
    let none = Rule(.object([("items", Rule.all([.not(.has("priority")), .has("participant")]).json)]))
    return Shape.list(of: shape(of: declarations(.quality, atMost: 25))).adding("minItems", .integer(1))
      .adding("maxItems", .integer(25)).adding("allOf", .list([Rule.any(of: [priority, none]).json]))
  }

  /// Schema of a request made by a call, which may have any error that the SDK reports.
  static var calls: Shape {
    let quality = ValueType<Name>(
      .anyText.described("A quality; an invalid one yields the SDK's error."), read: ValueType<Name>.name.read
    )
    return .list(of: shape(of: declarations(quality, atMost: 100)))
  }
}
