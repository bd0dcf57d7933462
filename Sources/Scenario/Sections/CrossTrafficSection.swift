import CrossTraffic
import Quantity

/// Cross traffic on a link of the meeting.
struct CrossTrafficSection: Section {
  enum Kind: String, CaseIterable, Sendable {
    case tcp
    case shortTCP = "short-tcp"
    case constant
    case onOff = "on-off"

    /// Keys that only some kinds have.
    var own: [String] {
      switch self {
      case .tcp, .shortTCP: []
      case .constant: ["rate"]
      case .onOff: ["rate", "on", "off"]
      }
    }
  }

  var name: Name?
  var link: Name?
  var kind: Kind?
  var control = TCPCongestionControl.cubic
  var rate: BitRate?
  var on: SimDuration?
  var off: SimDuration?
  var returnDelay: SimDuration?
  var start: SimDuration?
  var stop: SimDuration?
  var count: Int?
  var busy: Int?

  /// Keys that all kinds have.
  static let common = [
    "name", "link", "kind", "return-delay", "start", "stop", "count", "busy", "congestion-control",
  ]

  static let keys: [Key<Self>] = {
    let onOff = "{name: bursts, link: eve/down, kind: on-off, rate: 500 kbps}"
    return [
      Key("name", \.name, .identifier, "Name in the timeline.", required: "bulk", examples: ["bulk"]),
      Key(
        "link", \.link, .name, "Link that it uses: ID/up, ID/down or a shared link.",
        required: "viewer/down", examples: ["viewer/down"]
      ).ofType("name of a link").shown("eve/down").beside("{name: bulk, kind: tcp}"),
      Key(
        "kind", \.kind, .choice, "A long TCP transfer, short ones, a constant rate, or an on-off source.",
        required: "tcp"
      ).shown("tcp").beside("{name: bulk, link: eve/down}"),
      Key("congestion-control", default: \.control, .choice, "TCP's congestion control."),
      Key("rate", \.rate, .rate, "Rate of 'constant' and 'on-off'.", examples: ["500 kbps"])
        .beside("{name: steady, link: eve/down, kind: constant}"),
      Key("on", \.on, .duration, "Mean on period.", examples: ["1 s"]).beside(onOff),
      Key("off", \.off, .duration, "Mean off period; by default the same as 'on'.", examples: ["1 s"])
        .beside(onOff),
      Key(
        "return-delay", \.returnDelay, .duration(atMost: .seconds(60)),
        "Delay of the return path, up to 60 s; by default the link's.", examples: ["20 ms"]),
      Key("start", \.start, .duration, "Start time.", examples: ["10s"]),
      Key("stop", \.stop, .duration, "Stop time.", examples: ["40s"]),
      Key("count", \.count, .integer(1...1_000), "Number of identical flows: NAME-1, NAME-2, ….").shown("4"),
      Key(
        "busy", \.busy, .integer(0...1_000),
        "Number of flows that start with a transfer instead of a pause."
      ).shown("2").beside("{name: web, link: eve/down, kind: short-tcp, count: 4}"),
    ]
  }()

  static var rules: [Rule] {
    [
      .when(.value(of: "kind", isOneOf: ["tcp", "short-tcp"]), .only(common)),
      .when(.value(of: "kind", isOneOf: ["constant"]), .all([.has("rate"), .only(common + ["rate"])])),
      .when(.value(of: "kind", isOneOf: ["on-off"]), .has("rate")),
    ]
  }

  static let companions: String? = "{name: bulk, link: eve/down, kind: tcp}"
}
