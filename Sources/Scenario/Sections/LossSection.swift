import JSON
import Network
import Parameters
import Quantity
import YAML

/// Packet loss: a mean with bursts, or netem's Gilbert-Elliott parameters.
struct LossSection: Section {
  var mean: Fraction?
  var burst: Double?
  var toBad: Fraction?
  var toGood: Fraction?
  var lossWhenBad = Fraction(1)
  var lossWhenGood = Fraction(0)

  private static let ofMean = ["mean", "burst"]
  private static let ofChain = ["p", "r", "1-h", "1-k"]

  static let keys: [Key<Self>] = [
    Key("mean", \.mean, .share, "Mean packet loss.", examples: ["2 %"]).beside("{}"),
    Key("burst", \.burst, .number(1...10_000), "Mean length of a loss burst [packets].", examples: ["3"])
      .beside("{mean: 2 %}"),
    Key(
      "p", \.toBad, .share,
      "Transition probability from the good to the bad state, per packet (netem's p).", examples: ["1 %"]),
    Key(
      "r", \.toGood, .share,
      "Transition probability from the bad to the good state, per packet (netem's r).", examples: ["30 %"]),
    Key("1-h", \.lossWhenBad, .share, "Loss in the bad state (netem's 1-h).", examples: ["100 %"]),
    Key("1-k", \.lossWhenGood, .share, "Loss in the good state (netem's 1-k).", examples: ["0 %"]),
  ]

  static var rules: [Rule] {
    [.when(.has("mean"), .only(ofMean), else: .all([.has("p"), .only(ofChain)]))]
  }

  static let companions: String? = "{p: 1 %}"

  /// Reads the loss of a link; `nil`, with an error reported, for an invalid one.
  static func loss(_ fields: Fields) -> LinkLoss? {
    guard fields["mean"] != nil || fields["p"] != nil else {
      fields.know(keys.map(\.name))
      fields.report(
        nil, "\(fields.subject) needs 'mean', such as '{mean: 2 %, burst: 3}', or netem's 'p' and 'r'")
      fields.finish()
      return nil
    }
    let own = Entry<LossSection>(fields, only: fields["mean"] != nil ? ofMean : ofChain)
    guard own.states("mean") else { return own.values.chain.map { .bursts($0) } }
    guard let mean = own.mean, own.burst != nil || !own.states("burst") else { return nil }
    guard let burst = own.burst else { return .independent(mean) }
    if let model = GilbertElliott(mean: mean, burst: burst) { return .bursts(model) }
    let percent = (mean.value * 10_000).rounded() / 100
    own.report(
      mean.value >= 1
        ? "loss: a mean of 100 % has no bursts: write 'loss: 100 %'"
        : "loss: bursts of \(burst) packets cannot yield \(percent) %: "
          + "'burst' must be at least \((mean.value / (1 - mean.value) * 100 - 1e-6).rounded(.up) / 100)")
    return nil
  }

  private var chain: GilbertElliott? {
    guard let toBad, let certain = Fraction(1) else { return nil }
    return GilbertElliott(
      toBad: toBad, toGood: toGood ?? Fraction(1 - toBad.value) ?? certain,
      lossWhenBad: lossWhenBad ?? certain, lossWhenGood: lossWhenGood ?? .zero)
  }
}

extension ValueType where Value == LinkLoss {
  /// `2 %`, or a mapping: `{mean: 2 %, burst: 3}`, or netem's `{p: 1 %, r: 30 %, 1-h: 100 %, 1-k: 0 %}`.
  static var loss: Self {
    Self(shape) { field in
      guard case .mapping = field.node else {
        return ValueType<Fraction>.share.read(field).map(LinkLoss.independent)
      }
      return Fields(field.node, "loss of \(field.mapping.subject)", field.reading).flatMap(LossSection.loss)
    }
  }

  private static var shape: Shape {
    Shape.any(
      of: .quantity(.fraction, "Independent losses.", examples: "0.5 %"), LossSection.shape
    ).described(
      "Packet loss on the link: a share, a mean with bursts, or netem's Gilbert-Elliott parameters."
    ).withDefault(.text("0 %"))
  }
}

/// A link's queue: its limit, and a discipline with its parameters.
struct QueueSetting {
  var limit: QueueLimit?
  var discipline: QueueDiscipline?
  /// Mapping in which the discipline is stated, for messages.
  var fields: Fields?
}

/// The keys common to all queues; each discipline has more.
struct QueueSection: Section {
  var limit: QueueLimit?
  var discipline: String?

  static let keys: [Key<Self>] = [
    Key("limit", \.limit, .queueLimit, "Maximum queue length.", default: "300 ms").shown("300 ms").beside(
      "{}"),
    Key(
      "discipline", \.discipline, .word { $0.disciplines.names },
      "Queue discipline. \(Shape.summaries(of: Catalogue.standard.disciplines.entries)).",
      default: Catalogue.standard.disciplines.standard.name),
  ]
  /// Schema of the mapping, including the parameters of all disciplines.
  static var whole: Shape {
    let known = Catalogue.standard.disciplines.entries
    let common = keys.map(\.name)
    let rules = known.map {
      Rule.when(.value(of: "discipline", isOneOf: [$0.name]), .only(common + $0.parameters.map(\.key)))
    }
    return shape(
      rules: [.when(.not(.has("discipline")), .only(common))] + rules,
      beside: Shape.parameters(of: known, named: "discipline"))
  }

  /// Reads the mapping, including the parameters of its discipline.
  static func setting(_ own: Fields) -> QueueSetting {
    let section = own.read(Self.self)
    let known = own.reading.catalogue.disciplines
    let name = own["discipline"] == nil ? known.standard.name : section.discipline
    guard let discipline = name.flatMap({ known[$0] }) else { return QueueSetting(limit: section.limit) }
    defer { own.finish() }
    return QueueSetting(
      limit: section.limit, discipline: discipline.discipline(own.settings(of: discipline.parameters)),
      fields: own)
  }
}

extension ValueType where Value == QueueSetting {
  /// A limit, or `{discipline: NAME, limit: 300 ms}` with that discipline's parameters.
  static var queue: Self {
    let limit = ValueType<QueueLimit>.queueLimit
    return Self(
      Shape.any(of: limit.shape, QueueSection.whole)
        .described(
          "The link's queue: its limit, 300 ms if none is stated, or a discipline with its parameters."
        ).shown("300 ms")
    ) { field in
      guard case .mapping = field.node else { return QueueSetting(limit: limit.read(field)) }
      return Fields(field.node, "queue of \(field.mapping.subject)", field.reading).map(QueueSection.setting)
    }
  }
}

extension ValueType where Value == QueueLimit {
  /// A time, a size or a number of packets.
  static var queueLimit: Self {
    Self(shape) { field in
      guard let text = field.text else { return nil }
      let parts = text.split(separator: " ")
      if parts.count == 2, parts[1] == "packets" || parts[1] == "packet" {
        guard let count = Int(plain: parts[0]), (1...1_000_000).contains(count) else {
          field.report("'\(text)' is not a number of packets from 1 to 1000000")
          return nil
        }
        return .packets(count)
      }
      if let duration = try? SimDuration(text: text), duration <= .seconds(60) { return .duration(duration) }
      if let size = try? ByteCount(text: text) { return .bytes(size) }
      field.report("'\(text)' is not a time up to 60 s, a size or a number of packets, such as '300 ms'")
      return nil
    }
  }

  private static var shape: Shape {
    .any(
      of: .quantity(.duration, "Queuing delay at the link's rate, up to 60 s.", examples: "300 ms"),
      .quantity(.byteCount, "Bytes.", examples: "50 kB"),
      Shape.text("^ *([1-9][0-9]{0,5}|1000000) +packets? *$").described("Packets.").examples(
        .text("40 packets")
      ).ofType("number of packets"))
  }
}
