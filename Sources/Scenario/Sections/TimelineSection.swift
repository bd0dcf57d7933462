import Network
import Quantity

/// An entry of the timeline: an action of a participant, changes of a link, or cross traffic that starts or stops.
///
/// `TimelineSection+Actions.swift` declares the actions.
struct TimelineSection: Section {
  var at: SimDuration?
  var within: SimDuration?
  var participant: Name?
  var action: Action?
  var link: Name?
  var change: LinkChange?
  var started: Name?
  var stopped: Name?

  static let keys: [Key<Self>] =
    [
      Key("at", \.at, .duration, "Time of the event.", required: "10s", examples: ["10s"])
        .beside("{participant: ann, speaks: 8s}"),
      Key(
        "within", \.within, .duration,
        "Draws the time of a viewer's call uniformly from this long after 'at' on, anew in each repetition.",
        examples: ["20s"]
      ).beside("{at: 10s, participant: eve, resize: {participant: ann, to: 320x180}}"),
      Key("participant", \.participant, .participant, "Participant who acts.")
        .beside("{at: 10s, speaks: 8s}"),
    ] + actions + [
      Key(
        "link", \.link, .name, "Link to change: ID/up, ID/down or a shared link.",
        examples: ["student-1/down"]
      ).ofType("name of a link").shown("eve/down").beside("{at: 10s, capacity: 600 kbps}"),
      .change(.capacity, .rate, LinkChange.capacity, "The link's capacity.", examples: ["600 kbps"]),
      .change(
        .delay, .duration(atMost: .seconds(60)), LinkChange.delay,
        "The link's propagation delay, up to 60 s.", examples: ["80 ms"]),
      .change(
        .jitter, .duration(atMost: .seconds(10)), LinkChange.jitter,
        "Standard deviation of the link's delay, up to 10 s.", examples: ["3 ms"]),
      .change(.loss, .defined("loss", .loss), LinkChange.loss),
      .change(
        .queue, .queueLimit, LinkChange.queue, "The link's queue limit; packets already queued are kept."
      ).shown("300 ms"),
      .change(
        .down, .duration, LinkChange.down, "How long the link is down: all packets sent to it are lost.",
        examples: ["2s"]),
      .traffic("start-traffic", \.started, "Name of the cross traffic to start."),
      .traffic("stop-traffic", \.stopped, "Name of the cross traffic to stop."),
    ]

  /// Keys of actions; an entry for a participant has exactly one.
  static let actionNames = actions.map(\.name)
  /// Keys that may accompany the action in a participant's entry.
  static let personNames = ["at", "participant", "within"]
  /// Keys of link changes; an entry for a link has at least one.
  static let changeNames = LinkChange.Name.allCases.map(\.rawValue)
  static let trafficNames = ["start-traffic", "stop-traffic"]

  static var rules: [Rule] {
    let byTraffic = trafficNames.map { Rule.only(["at", $0]) }
    let byLink = Rule.all([.some(of: changeNames), .only(["at", "link"] + changeNames)])
    let byPerson = Rule.all([
      .has("participant"), .exactlyOne(of: actionNames),
      .only(personNames + actionNames),
    ])
    return [
      .when(
        .has("start-traffic"), byTraffic[0],
        else: .when(.has("stop-traffic"), byTraffic[1], else: .when(.has("link"), byLink, else: byPerson)))
    ]
  }

  static let companions: String? = "{at: 10s, participant: eve}"
}

extension Key<TimelineSection> {
  /// Declares a link change.
  fileprivate static func change<Value>(
    _ name: LinkChange.Name, _ type: ValueType<Value>, _ change: @escaping @Sendable (Value) -> LinkChange,
    _ meaning: String? = nil, examples: [String] = []
  ) -> Key {
    Key(name.rawValue, \.change, type.mapped(change), meaning, examples: examples)
      .beside("{at: 10s, link: eve/down}")
  }

  fileprivate static func traffic(
    _ name: String, _ path: any WritableKeyPath<TimelineSection, Name?> & Sendable, _ meaning: String
  ) -> Key {
    Key(name, path, .name, meaning).ofType("name of cross traffic").shown("bulk").beside("{at: 10s}")
      .amid("{cross-traffic: [{name: bulk, link: eve/down, kind: tcp, start: 5s}]}")
  }
}
