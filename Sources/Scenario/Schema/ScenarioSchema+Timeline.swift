import Allocation
import Metrics
import Network
import Quantity
import Systems

/// What happens during a meeting, and what is expected of it.
extension ScenarioSchema {
  static var timelineEntry: Shape {
    let actions = actions
    let byTraffic: [Rule] = ["start-traffic", "stop-traffic"].map { .only(["at", $0]) }
    let byPerson = Rule.all([
      .has("participant"), .exactlyOne(of: actions.map(\.0)),
      .only(["at", "participant"] + actions.map(\.0)),
    ])
    let linkKeys = LinkChange.Name.allCases.map(\.rawValue)
    let byLink = Rule.all([.some(of: linkKeys), .only(["at", "link"] + linkKeys)])
    return .mapping(
      [
        ("at", .quantity(.duration, "When it happens.", such: "10s")),
        ("participant", who("Who does it.")),
      ] + actions + [
        (
          "link",
          Shape.anyText.described("A link that changes from then on: ID/up, ID/down, or a shared one.").such(
            .text("student-1/down"))
        ), ("capacity", .quantity(.bitRate, "What the link carries.", such: "600 kbps")),
        ("delay", .quantity(.duration, "The link's propagation delay, up to 60 s.", such: "80 ms")),
        ("jitter", .quantity(.duration, "Standard deviation of its delay, up to 10 s.", such: "3 ms")),
        ("loss", .reference("loss")),
        ("queue", queueLimit.described("The most that its queue takes; what waits already stays.")),
        (
          "down",
          .quantity(.duration, "How long the link loses everything that it is offered.", such: "2s")
        ),
        ("start-traffic", Shape.anyText.described("Cross traffic that begins, by name.")),
        ("stop-traffic", Shape.anyText.described("Cross traffic that ends, by name.")),
      ], required: ["at"],
      rules: [
        .when(
          .has("start-traffic"), byTraffic[0],
          else: .when(.has("stop-traffic"), byTraffic[1], else: .when(.has("link"), byLink, else: byPerson)))
      ])
  }

  /// What a participant can do, by key.
  private static var actions: [(String, Shape)] {
    let yes = Shape([("const", .flag(true))])
    let media = Shape.word(["video", "audio"])
    let person = who("Another participant.")
    func pair(_ key: String, _ value: Shape) -> Shape {
      .mapping([("participant", person), (key, value)], required: ["participant", key])
    }
    return [
      ("speaks", .quantity(.duration, "Speaks for this long.", such: "8s")),
      ("mute", media.described("Stops sending.")), ("unmute", media.described("Sends again.")),
      ("join", yes.described("Joins again.")), ("leave", yes.described("Leaves.")),
      (
        "background",
        Shape.any(
          of: .word(["none"]),
          .mapping(
            [
              (
                "picture-in-picture",
                Shape.anyText.adding("pattern", .text("^([^@].*|@automatic)?$"))
                  .described("Who stays in the window, or @automatic.").such(.text("@automatic"))
              ), ("size", .size),
            ], required: ["picture-in-picture"])
        ).described("The app goes to the background, without a window or with one.")
      ), ("foreground", yes.described("The app comes back.")),
      (
        "request",
        requestEntries(Shape.anyText.described("A quality; what is none gets the SDK's error."), atMost: 100)
          .described("A new stream request, which may be wrong in any way that the SDK answers.")
      ),
      (
        "layout",
        Shape.word(BuiltInLayout.allCases.map(\.rawValue) + ["custom"]).described(
          "Another layout of the system's own, or a request.")
      ),
      ("scroll", Shape.integer(0...1_000_000).described("The grid's offset from its top [points].")),
      ("resize", pair("to", .size).described("A tile becomes larger or smaller.")),
      ("hide", person.described("A tile is hidden.")), ("show", person.described("A tile is shown.")),
      ("pin", person.described("A tile is pinned.")),
      ("unpin", person.described("A tile is pinned no longer.")),
      (
        "stream-type",
        pair("type", .word(["high", "low"])).described("Dual stream: one remote user's stream.")
      ),
      (
        "override",
        Shape.mapping(
          [("participant", person), ("size", Shape.any(of: .word(["off", "none"]), .size))],
          required: ["size"]
        ).described(
          "Stream: the size of one participant's video or of everybody's, off, or none for no override.")
      ), ("mute-remote", Shape.flag.described("No remote video, or again.")),
      ("source", Shape.word(["camera", "custom"]).described("Where the video comes from.")),
      (
        "push-frames",
        Shape.mapping(
          [
            ("fps", Shape.number(1...240).described("Frames per second.")), ("size", .size),
            ("for", .quantity(.duration, "For how long.", such: "10s")),
            ("orientation", Shape.word(Orientation.self).described("How the device is held.")),
          ], required: ["fps", "size", "for"]
        ).described("The app pushes frames of its own.")
      ), ("share", Shape.word(["screen", "none"]).described("Shares the screen, or stops.")),
      ("attach", pair("view", .anyText).described("Shows a participant in a view.")),
      ("detach", person.described("Shows a participant no longer.")),
    ]
  }

  /// One expectation of a scenario.
  package static var expectation: Shape { expectation(beside: []) }

  /// The same with further keys.
  static func expectation(beside more: [(String, Shape)]) -> Shape {
    let metrics = ExpectationMetric.all
    let names = metrics.reduce(into: [String]()) { if !$0.contains($1.metric) { $0.append($1.metric) } }
    let statistics = metrics.reduce(into: [String]()) { if !$0.contains($1.stat) { $0.append($1.stat) } }
    let rules = names.map { name in
      let own = metrics.filter { $0.metric == name }.map(\.stat)
      let stated = Rule.value(of: "stat", isOneOf: own)
      return Rule.when(
        .value(of: "metric", isOneOf: [name]),
        own.contains("mean") ? .any(of: [.not(.has("stat")), stated]) : stated)
    }
    return .mapping(
      [
        ("viewer", who("Who watches.")), ("source", who("Whose video.")),
        (
          "metric",
          Shape.word(names).described(
            metrics.map { "\($0.metric) (\($0.stat)): \($0.meaning)" }.joined(separator: "; "))
        ),
        ("stat", Shape.word(statistics).described("Which statistic of it.").usually(.text("mean"))),
        ("is", .bound),
      ] + more, required: ["viewer", "source", "metric", "is"], rules: rules)
  }
}
