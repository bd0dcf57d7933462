import CrossTraffic
import Metrics
import Network
import Parameters
import Quantity

/// Links, what they lose, how they queue, and what else runs over them.
extension ScenarioSchema {
  /// A link profile by name, a preset, or stated in place.
  static func linkName(_ direction: String) -> Shape {
    let names = Shape.anyText.adding("examples", .words(LinkPreset.all.map(\.name)))
    return Shape.any(of: names, .reference("link"))
      .described(
        "The link \(direction) the SFU: a name of 'links', a preset ('meetsim list links') or a profile in place."
      )
      .usually(.text(LinkPreset.all[0].name))
  }

  static var link: Shape {
    let step = Shape.mapping(
      [
        ("at", .quantity(.duration, "When the capacity changes.", such: "0s", "30s")),
        ("to", .quantity(.bitRate, "What it becomes.", such: "600 kbps")),
      ], required: ["at", "to"])
    let discipline = Rule(
      .object([
        (
          "properties",
          .object([
            (
              "queue",
              .object([
                (
                  "anyOf",
                  .list([
                    .object([("type", .text("string"))]),
                    Rule.any(of: [
                      .not(.has("discipline")),
                      .value(of: "discipline", isOneOf: [Catalogue.standard.disciplines.standard.name]),
                    ])
                    .json,
                  ])
                )
              ])
            )
          ])
        )
      ]))
    return Shape.mapping(
      [
        (
          "capacity",
          Shape.any(
            of: .quantity(.bitRate, "A constant capacity.", such: "2400 kbps"),
            .list(of: step, atLeast: 1)
          ).described("What the link carries: a rate, or steps that begin at 0s.")
            .such(.text("2400 kbps"), .text("100 Mbps"))
        ),
        (
          "trace",
          Shape.anyText.described("A capacity trace, by its path from this file.").such(
            .text("traces/lte-drive.csv"))
        ),
        (
          "format",
          Shape.word(CapacityTraceFormat.self).described(
            "The trace's format; found by looking when left out.")
        ),
        (
          "after-end",
          Shape.word(CapacityTrace.Continuation.self).described("What follows the trace's end.").usually(
            .text("loop"))
        ), ("delay", .quantity(.duration, "Propagation delay in this direction, up to 60 s.", such: "20 ms")),
        ("loss", .reference("loss")),
        ("bucket", .quantity(.byteCount, "Bucket of a token-bucket shaper, up to 1 GB.", such: "5 kB")),
        (
          "overhead",
          .quantity(
            .byteCount, "What the link adds to each packet, as tc-stab's overhead, up to 256 B.", such: "14 B"
          )
        ),
        ("jitter", .quantity(.duration, "Standard deviation of the delay, up to 10 s.", such: "3 ms")),
        (
          "reordering",
          Shape.flag.described("Whether jitter lets packets overtake one another.").usually(.flag(false))
        ),
        ("queue", .reference("queue")),
      ],
      rules: [
        .exactlyOne(of: ["capacity", "trace"]), .when(.has("bucket"), discipline),
      ]
    ).described("One direction of a path.")
  }

  static var loss: Shape {
    func share(_ sentence: String, _ example: String) -> Shape {
      .quantity(.fraction, sentence, such: example)
    }
    return Shape.any(
      of: share("Independent losses.", "0.5 %"),
      .mapping(
        [
          ("mean", share("Share of packets lost.", "2 %")),
          (
            "burst",
            Shape.number(1...10_000).described("Mean length of a burst of losses [packets].").such(
              .integer(3))
          ),
          ("p", share("From the good to the bad state, per packet (netem's p).", "1 %")),
          ("r", share("From the bad to the good state (netem's r).", "30 %")),
          ("1-h", share("Loss in the bad state (netem's 1-h).", "100 %")),
          ("1-k", share("Loss in the good state (netem's 1-k).", "0 %")),
        ],
        rules: [
          .when(
            .has("mean"), .only(["mean", "burst"]), else: .all([.has("p"), .only(["p", "r", "1-h", "1-k"])]))
        ])
    ).described(
      "Packets lost on the wire: a share, a mean with bursts, or netem's Gilbert-Elliott parameters.")
  }

  static var queueLimit: Shape {
    .any(
      of: .quantity(.duration, "At the link's rate, up to 60 s.", such: "300 ms"),
      .quantity(.byteCount, "Bytes.", such: "50 kB"),
      Shape.text("^ *([1-9][0-9]{0,5}|1000000) +packets? *$").described("Packets.").such(.text("40 packets")))
  }

  static var queue: Shape {
    let limit = queueLimit
    let known = Catalogue.standard.disciplines
    let common = ["limit", "discipline"]
    return Shape.any(
      of: limit,
      .mapping(
        [
          ("limit", limit.described("The most that waits.")),
          (
            "discipline",
            Shape.word(known.names).described(
              "What is dropped, and when. \(Shape.summaries(of: known.entries))."
            )
            .usually(.text(known.standard.name))
          ),
        ] + Shape.parameters(of: known.entries),
        rules: [.when(.not(.has("discipline")), .only(common))]
          + known.entries.map {
            .when(.value(of: "discipline", isOneOf: [$0.name]), .only(common + $0.parameters.map(\.key)))
          })
    ).described("The queue before the link: its limit, or a discipline with its parameters.")
  }

  static var crossTraffic: Shape {
    let common = [
      "name", "link", "kind", "return-delay", "start", "stop", "count", "busy", "congestion-control",
    ]
    return Shape.mapping(
      [
        ("name", Shape.identifier.described("Name for the timeline.").such(.text("bulk"))),
        (
          "link",
          Shape.anyText.described("Link that it runs over: ID/up, ID/down, or a shared one.").such(
            .text("viewer/down"))
        ),
        (
          "kind",
          Shape.word(["tcp", "short-tcp", "constant", "on-off"])
            .described("A long TCP transfer, short ones, a constant rate, or a rate that is on and off.")
        ),
        (
          "congestion-control",
          Shape.word(TCPCongestionControl.self).described("TCP's congestion control.").usually(.text("cubic"))
        ), ("rate", .quantity(.bitRate, "Rate of 'constant' and 'on-off'.", such: "500 kbps")),
        ("on", .quantity(.duration, "Mean time on.", such: "1 s")),
        ("off", .quantity(.duration, "Mean time off; as 'on' when left out.", such: "1 s")),
        (
          "return-delay",
          .quantity(
            .duration, "Delay of the way back, up to 60 s; the link's own when left out.", such: "20 ms")
        ),
        ("start", .quantity(.duration, "When it begins.", such: "10s")),
        ("stop", .quantity(.duration, "When it ends.", such: "40s")),
        ("count", Shape.integer(1...1_000).described("So many flows alike: NAME-1, NAME-2, ….")),
        (
          "busy",
          Shape.integer(0...1_000).described("How many of them begin with a transfer and not with a pause.")
        ),
      ], required: ["name", "link", "kind"],
      rules: [
        .when(.value(of: "kind", isOneOf: ["tcp", "short-tcp"]), .only(common)),
        .when(.value(of: "kind", isOneOf: ["constant"]), .all([.has("rate"), .only(common + ["rate"])])),
        .when(.value(of: "kind", isOneOf: ["on-off"]), .has("rate")),
      ])
  }
}
