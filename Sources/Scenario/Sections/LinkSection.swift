import JSON
import Network
import Parameters
import Quantity
import YAML

/// One direction of a path: a profile from `links`, or one defined in place.
struct LinkSection: Section {
  var parameters = LinkParameters(capacity: .constant(.zero))
  var capacity: CapacityProfile?
  var trace: Name?
  var format: CapacityTraceFormat?
  var columns: Entry<TraceColumnsSection>?
  var afterEnd = CapacityTrace.Continuation.loop
  var loss: LinkLoss?
  var queue: QueueSetting?

  static let keys: [Key<Self>] = [
    Key(
      "capacity", \.capacity, .capacity, "Capacity of the link: a rate, or steps that start at 0s.",
      examples: ["2400 kbps", "100 Mbps"]),
    Key(
      "trace", \.trace, .name, "Path of a capacity trace, relative to this file.",
      examples: ["traces/lte-drive.csv"]
    ).ofType("path of a file").shown("trace.csv").beside("{}"),
    Key("format", \.format, .choice, "Format of the trace; detected by default.").shown("rate-csv")
      .beside("{trace: trace.csv}"),
    Key(
      "columns", \.columns, .section(TraceColumnsSection.self) { "columns of \($0)" },
      "Columns of a trace that is a table."
    )
    .beside("{trace: trace.csv}"),
    Key(
      "after-end", default: \.afterEnd, .choice,
      "Behaviour after the end of the trace; one that loops lasts at least 1 ms."
    ).beside("{trace: trace.csv}"),
    Key(
      "delay", default: \.parameters.propagationDelay, .duration(atMost: .seconds(60)),
      "Propagation delay in this direction, up to 60 s.", as: "0 ms", examples: ["20 ms"]),
    Key("loss", \.loss, .defined("loss", .loss)),
    Key(
      "bucket", \.parameters.bucket, .size(ByteCount(0)...ByteCount(1_000_000_000)),
      "Bucket of a token-bucket shaper, up to 1 GB.", examples: ["5 kB"]),
    Key(
      "overhead", default: \.parameters.overhead, .size(ByteCount(0)...ByteCount(256)),
      "Per-packet overhead of the link, as in tc-stab, up to 256 B.", as: "0 B", examples: ["14 B"]),
    Key(
      "jitter", default: \.parameters.jitter, .duration(atMost: .seconds(10)),
      "Standard deviation of the delay, up to 10 s.", as: "0 ms", examples: ["3 ms"]),
    Key("reordering", default: \.parameters.reorders, .flag, "Whether jitter reorders packets.")
      .beside("{capacity: 2 Mbps, jitter: 3 ms}"),
    Key("queue", \.queue, .defined("queue", .queue)),
  ]

  static var rules: [Rule] {
    let dropsAtTail = Rule.any(of: [
      .not(.has("discipline")),
      .value(of: "discipline", isOneOf: [Catalogue.standard.disciplines.standard.name]),
    ])
    let plain = JSONValue.list([.object([("type", .text("string"))]), dropsAtTail.json])
    let discipline = JSONValue.object([("queue", .object([("anyOf", plain)]))])
    return [
      .exactlyOne(of: ["capacity", "trace"]),
      .when(.has("bucket"), Rule(.object([("properties", discipline)]))),
    ]
  }

  static let companions: String? = "{capacity: 2 Mbps}"
}

/// Columns of a tabular trace; those not stated are taken from its header.
struct TraceColumnsSection: Section {
  var time: String?
  var rate: String?
  var unit: TraceRateUnit?
  var timeUnit: TraceTimeUnit?

  var columns: TraceColumns { TraceColumns(time: time, rate: rate, unit: unit, timeUnit: timeUnit) }

  static let keys: [Key<Self>] = [
    Key(
      "time", \.time, .text,
      "Column of times, by its name or its number from 1; found by its name by default.",
      examples: ["t_s"]),
    Key(
      "rate", \.rate, .text, "Column of rates, by its name or number; of a tc script or log, the device.",
      examples: ["rate_bps"]),
    Key("unit", \.unit, .choice, "Unit of the rates; by the column's name by default.").shown("kbps"),
    Key("time-unit", \.timeUnit, .choice, "Unit of the times; by the column's name by default.").shown("s"),
  ]
}

/// A step of a link's capacity.
struct CapacityStepSection: Section {
  var at: SimDuration?
  var to: BitRate?

  static let keys: [Key<Self>] = [
    Key("at", \.at, .duration, "When the capacity changes.", required: "10s", examples: ["0s", "30s"]),
    Key("to", \.to, .rate, "The new capacity.", required: "600 kbps", examples: ["600 kbps"]),
  ]
  /// Reads the steps of a link's capacity, starting at the beginning of the meeting.
  static func profile(_ nodes: Node.Sequence, _ field: Field) -> CapacityProfile? {
    var steps: [CapacityStep] = []
    for node in nodes {
      guard let step = Entry<Self>(node, "capacity step", field.reading), let at = step.at, let rate = step.to
      else { return nil }
      if let last = steps.last, .zero + at <= last.at {
        step.report("capacity steps must be in order of time: \(at) is not after \(last.at.sinceStart)")
        return nil
      }
      steps.append(CapacityStep(at: .zero + at, rate: rate))
    }
    if steps.first?.at == .zero { return CapacityProfile(.steps(steps)) }
    field.mapping.report(nil, "the capacity steps of \(field.mapping.subject) must begin with 'at: 0s'")
    return nil
  }
}

extension ValueType where Value == CapacityProfile {
  /// A rate, or steps starting at the beginning of the meeting.
  static var capacity: Self {
    Self(
      .any(
        of: .quantity(.bitRate, "A constant capacity.", examples: "2400 kbps"),
        .list(of: CapacityStepSection.shape, atLeast: 1))
    ) { field in
      if case .sequence(let nodes) = field.node { return CapacityStepSection.profile(nodes, field) }
      return ValueType<BitRate>.rate.read(field).map(CapacityProfile.constant)
    }
  }
}

/// A link by name, or a profile defined in place.
enum LinkReference {
  case name(Name)
  case profile(Entry<LinkSection>)
}

extension ValueType where Value == LinkReference {
  /// A link's name, or a mapping.
  static var link: Self {
    let names = { @Sendable () -> Shape in
      Shape.anyText.adding("examples", .words(LinkPreset.all.map(\.name)))
    }
    return Self(
      Shape.any(of: names(), .reference("link")).ofType("name of a link or preset, or mapping")
    ) { field in
      guard case .scalar = field.node else {
        return Entry<LinkSection>(field, "\(field.key) of \(field.mapping.subject)").map { .profile($0) }
      }
      return ValueType<Name>.name.read(field).map { .name($0) }
    }
  }
}

extension Key {
  /// Declares the link of one direction.
  static func link(
    _ name: String, _ path: any WritableKeyPath<Values, LinkReference?> & Sendable, _ direction: String
  ) -> Key {
    Key(
      name, path, .link,
      "The link \(direction) the SFU: a name in 'links', a preset ('meetsim list links') or an inline profile.",
      default: LinkPreset.all[0].name)
  }
}

/// A link shared by several participants.
struct SharedLinkSection: Section {
  var up: LinkReference?
  var down: LinkReference?

  static let keys: [Key<Self>] = [.link("up", \.up, "to"), .link("down", \.down, "from")]
}
