import CrossTraffic
import Metrics
import Network
import Parameters
import Quantity

/// Schema of links, loss, queues and cross traffic.
extension ScenarioSchema {
  /// Builds the schema of a link profile: a name, a preset, or a definition in place.
  static func linkName(_ direction: String) -> Shape {
    let names = Shape.anyText.adding("examples", .words(LinkPreset.all.map(\.name)))
    return Shape.any(of: names, .reference("link")).ofType("name of a link or preset, or mapping")
      .described(
        "The link \(direction) the SFU: a name in 'links', a preset ('meetsim list links') or an inline profile."
      )
      .withDefault(.text(LinkPreset.all[0].name))
  }

  static var link: Shape {
    let step = Shape.mapping(
      [
        ("at", .quantity(.duration, "When the capacity changes.", examples: "0s", "30s")),
        ("to", .quantity(.bitRate, "The new capacity.", examples: "600 kbps")),
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
            of: .quantity(.bitRate, "A constant capacity.", examples: "2400 kbps"),
            .list(of: step, atLeast: 1)
          ).described("Capacity of the link: a rate, or steps that start at 0s.")
            .examples(.text("2400 kbps"), .text("100 Mbps"))
        ),
        (
          "trace",
          Shape.anyText.described("Path of a capacity trace, relative to this file.").examples(
            .text("traces/lte-drive.csv")
          ).ofType("path of a file").shown("trace.csv").beside("{}")
        ),
        (
          "format",
          Shape.word(CapacityTraceFormat.self).described(
            "Format of the trace; detected by default."
          ).shown("rate-csv").beside("{trace: trace.csv}")
        ),
        (
          "after-end",
          Shape.word(CapacityTrace.Continuation.self).described(
            "Behaviour after the end of the trace; one that loops lasts at least 1 ms."
          )
          .withDefault(.text("loop")).beside("{trace: trace.csv}")
        ),
        (
          "delay",
          Shape.quantity(.duration, "Propagation delay in this direction, up to 60 s.", examples: "20 ms")
            .withDefault(.text("0 ms"))
        ),
        ("loss", .reference("loss")),
        ("bucket", .quantity(.byteCount, "Bucket of a token-bucket shaper, up to 1 GB.", examples: "5 kB")),
        (
          "overhead",
          Shape.quantity(
            .byteCount, "Per-packet overhead of the link, as in tc-stab, up to 256 B.", examples: "14 B"
          ).withDefault(.text("0 B"))
        ),
        (
          "jitter",
          Shape.quantity(.duration, "Standard deviation of the delay, up to 10 s.", examples: "3 ms")
            .withDefault(.text("0 ms"))
        ),
        (
          "reordering",
          Shape.flag.described("Whether jitter reorders packets.").withDefault(.flag(false))
            .beside("{capacity: 2 Mbps, jitter: 3 ms}")
        ),
        ("queue", .reference("queue")),
      ],
      rules: [
        .exactlyOne(of: ["capacity", "trace"]), .when(.has("bucket"), discipline),
      ]
    ).described("One direction of a path.").with("{capacity: 2 Mbps}")
  }

  static var loss: Shape {
    func share(_ sentence: String, _ example: String) -> Shape {
      .quantity(.fraction, sentence, examples: example)
    }
    return Shape.any(
      of: share("Independent losses.", "0.5 %"),
      .mapping(
        [
          ("mean", share("Mean packet loss.", "2 %").beside("{}")),
          (
            "burst",
            Shape.number(1...10_000).described("Mean length of a loss burst [packets].").examples(
              .integer(3)
            ).beside("{mean: 2 %}")
          ),
          (
            "p",
            share("Transition probability from the good to the bad state, per packet (netem's p).", "1 %")
          ),
          (
            "r",
            share("Transition probability from the bad to the good state, per packet (netem's r).", "30 %")
          ),
          ("1-h", share("Loss in the bad state (netem's 1-h).", "100 %")),
          ("1-k", share("Loss in the good state (netem's 1-k).", "0 %")),
        ],
        rules: [
          .when(
            .has("mean"), .only(["mean", "burst"]), else: .all([.has("p"), .only(["p", "r", "1-h", "1-k"])]))
        ]
      ).with("{p: 1 %}")
    ).described(
      "Packet loss on the link: a share, a mean with bursts, or netem's Gilbert-Elliott parameters."
    ).withDefault(.text("0 %"))
  }

  static var queueLimit: Shape {
    .any(
      of: .quantity(.duration, "Queuing delay at the link's rate, up to 60 s.", examples: "300 ms"),
      .quantity(.byteCount, "Bytes.", examples: "50 kB"),
      Shape.text("^ *([1-9][0-9]{0,5}|1000000) +packets? *$").described("Packets.").examples(
        .text("40 packets")
      ).ofType("number of packets"))
  }

  static var queue: Shape {
    let limit = queueLimit
    let known = Catalogue.standard.disciplines
    let common = ["limit", "discipline"]
    return Shape.any(
      of: limit,
      .mapping(
        [
          ("limit", limit.described("Maximum queue length.").shown("300 ms").beside("{}")),
          (
            "discipline",
            Shape.word(known.names).described(
              "Queue discipline. \(Shape.summaries(of: known.entries))."
            )
            .withDefault(.text(known.standard.name))
          ),
        ] + Shape.parameters(of: known.entries, named: "discipline"),
        rules: [.when(.not(.has("discipline")), .only(common))]
          + known.entries.map {
            .when(.value(of: "discipline", isOneOf: [$0.name]), .only(common + $0.parameters.map(\.key)))
          })
    ).described("The link's queue: its limit, or a discipline with its parameters.").shown("300 ms")
  }

  static var crossTraffic: Shape {
    let onOff = "{name: bursts, link: eve/down, kind: on-off, rate: 500 kbps}"
    let common = [
      "name", "link", "kind", "return-delay", "start", "stop", "count", "busy", "congestion-control",
    ]
    return Shape.mapping(
      [
        ("name", Shape.identifier.described("Name in the timeline.").examples(.text("bulk"))),
        (
          "link",
          Shape.anyText.described("Link that it uses: ID/up, ID/down or a shared link.").examples(
            .text("viewer/down")
          ).ofType("name of a link").shown("eve/down").beside("{name: bulk, kind: tcp}")
        ),
        (
          "kind",
          Shape.word(["tcp", "short-tcp", "constant", "on-off"])
            .described("A long TCP transfer, short ones, a constant rate, or an on-off source.")
            .shown("tcp").beside("{name: bulk, link: eve/down}")
        ),
        (
          "congestion-control",
          Shape.word(TCPCongestionControl.self).described("TCP's congestion control.").withDefault(
            .text("cubic"))
        ),
        (
          "rate",
          Shape.quantity(.bitRate, "Rate of 'constant' and 'on-off'.", examples: "500 kbps")
            .beside("{name: steady, link: eve/down, kind: constant}")
        ), ("on", Shape.quantity(.duration, "Mean on period.", examples: "1 s").beside(onOff)),
        (
          "off",
          Shape.quantity(.duration, "Mean off period; by default the same as 'on'.", examples: "1 s")
            .beside(onOff)
        ),
        (
          "return-delay",
          .quantity(
            .duration, "Delay of the return path, up to 60 s; by default the link's.", examples: "20 ms")
        ),
        ("start", .quantity(.duration, "Start time.", examples: "10s")),
        ("stop", .quantity(.duration, "Stop time.", examples: "40s")),
        (
          "count",
          Shape.integer(1...1_000).described("Number of identical flows: NAME-1, NAME-2, ….").shown("4")
        ),
        (
          "busy",
          Shape.integer(0...1_000).described("Number of flows that start with a transfer instead of a pause.")
            .shown("2").beside("{name: web, link: eve/down, kind: short-tcp, count: 4}")
        ),
      ], required: ["name", "link", "kind"],
      rules: [
        .when(.value(of: "kind", isOneOf: ["tcp", "short-tcp"]), .only(common)),
        .when(.value(of: "kind", isOneOf: ["constant"]), .all([.has("rate"), .only(common + ["rate"])])),
        .when(.value(of: "kind", isOneOf: ["on-off"]), .has("rate")),
      ]
    ).with("{name: bulk, link: eve/down, kind: tcp}")
  }
}
