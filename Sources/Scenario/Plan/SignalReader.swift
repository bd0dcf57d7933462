import Ladder
import Parameters
import Plan
import Quantity
import Systems
import Vendors
import YAML

/// Turns clients' signals into the shapes that each system declares.
struct SignalReader: PlanReader {
  let draft: MeetingDraft
  /// Participants that signal.
  let viewers: Range<Int>

  private var declared: [SignalDeclaration] { type(of: system).description.signals }

  /// Reads `{tracks: {ann: {size: 640x360}}, adaptive-stream: false}`.
  func signals(_ node: Node) -> ViewSignals? {
    guard let own = Fields(node, "signals", reading), knowsKeys(of: own) else { return nil }
    return read(own, declared)
  }

  /// Reads a change to a view's signals.
  func change(_ node: Node) -> ViewSignals? {
    guard let own = Fields(node, "signals", reading), knowsKeys(of: own) else { return nil }
    guard case .signals = participants[viewers.lowerBound].view?.arrangement else {
      if draft.faults.views.contains(viewers.lowerBound) { return nil }
      let example = declared.first.map { "view: {signals: {\($0.key): \($0.example)}}" } ?? ""
      own.report(
        node,
        "signals: '\(participants[viewers.lowerBound].id)' needs a view with 'signals', such as '\(example)'")
      return nil
    }
    return read(own, declared.filter(\.isChangeable))
  }

  /// Reports signals that only exist in other systems.
  private func knowsKeys(of own: Fields) -> Bool {
    guard !draft.faults.system else { return false }
    for key in own.keys where !declared.contains(where: { $0.key == key }) {
      let able = catalogue.systems.entries.filter { $0.description.signals.contains { $0.key == key } }
      guard !able.isEmpty else { continue }
      let names = able.map { "'\($0.name)'" }.enumeration
      own.report(
        own.key(key),
        "\(key): policy '\(system.name)' does not take this signal, only \(names) \(able.count == 1 ? "does" : "do"): "
          + "use it, or write 'tiles' in place of 'signals'")
      return false
    }
    guard declared.isEmpty else { return true }
    own.report(
      nil, "signals: policy '\(system.name)' takes no signals: write 'tiles' in place of 'signals'")
    return false
  }

  /// Reads the entries of a mapping with declared keys.
  private func read(_ own: Fields, _ declared: [SignalDeclaration]) -> ViewSignals? {
    defer { own.finish() }
    own.know(declared.map(\.key))
    var signals = ViewSignals()
    var isWhole = true
    for declaration in declared {
      let key = declaration.key
      guard
        let field = declaration.isRequired
          ? own.require(key, example: declaration.example) : own.field(key)
      else {
        if declaration.isRequired { isWhole = false }
        continue
      }
      if let other = declaration.excludes, let excluded = own.field(other) {
        excluded.report(
          "\(own.subject) has '\(key)' too, and they exclude each other: remove one")
        isWhole = false
        continue
      }
      guard let value = value(declaration.shape, field) else {
        isWhole = false
        continue
      }
      signals[key] = value
    }
    return isWhole ? signals : nil
  }

  private func value(_ shape: SignalShape, _ field: Field) -> SignalValue? {
    switch shape {
    case .integer(let range): return field.integer(in: range).map { .integer($0) }
    case .flag: return field.flag.map { .flag($0) }
    case .rate: return ValueType<BitRate>.rate.read(field).map { .rate($0) }
    case .size:
      guard let size = field.size() else { return nil }
      draft.statements.note([size], requestedAt: field.node, by: viewers)
      return .size(size)
    case .word(let words): return field.word(among: words).map { .word($0) }
    case .source: return signalledSource(field).map { .source($0) }
    case .list(let element):
      guard case .sequence(let nodes) = field.node else {
        reading.report(field.node, "'\(field.key)' of \(field.mapping.subject) must be a list")
        return nil
      }
      let values = nodes.map { value(element, field.at($0)) }
      return values.contains { $0 == nil } ? nil : .list(values.compactMap { $0 })
    case .bySource(let shape): return bySource(shape, field)
    case .fields(let declared):
      return Fields(field.node, "an entry of '\(field.key)'", reading).flatMap { read($0, declared) }
        .map { .fields($0) }
    }
  }

  private func bySource(_ shape: SignalShape, _ field: Field) -> SignalValue? {
    guard case .mapping(let entries) = field.node else {
      reading.report(
        field.node,
        "'\(field.key)' must be a mapping from participants, such as '\(shape.exampleBySource)'")
      return nil
    }
    let values = entries.compactMap { name, node -> SignalValue.BySource? in
      guard let source = signalledSource(field.at(name)) else { return nil }
      let read: SignalValue?
      if case .fields(let declared) = shape {
        read = Fields(node, "'\(name.string ?? "")' in \(field.key)", reading).flatMap {
          self.read($0, declared).map { .fields($0) }
        }
      } else {
        read = value(shape, field.at(node))
      }
      return read.map { SignalValue.BySource(source, $0) }
    }
    return .bySource(values.sorted { $0.source < $1.source })
  }

  /// Reads a source of another participant: an id for its camera, `ID/screen` for its screen share.
  private func signalledSource(_ field: Field) -> SignalledSource? {
    guard let source = source(field.name) else { return nil }
    guard viewers != source.participant..<source.participant + 1 else {
      field.report("'\(participants[source.participant].id)' cannot request itself: remove the entry")
      return nil
    }
    return source
  }
}

extension SignalDeclaration {
  /// Example value as written in a scenario, for messages and the reference.
  var example: String { sample ?? shape.example }
}

extension [SignalDeclaration] {
  /// Declarations shown in examples: the required ones, or else the first one.
  var shownFirst: [SignalDeclaration] {
    let required = filter(\.isRequired)
    return required.isEmpty ? Array(prefix(1)) : required
  }
}

extension SignalShape {
  /// Example value as written in a scenario, for messages.
  fileprivate var example: String {
    switch self {
    case .integer(let range): "\(max(range.lowerBound, min(1, range.upperBound)))"
    case .flag: "true"
    case .rate: "800 kbps"
    case .size: "640x360"
    case .word(let words): words.first ?? ""
    case .source: "ann"
    case .list(let element): "[\(element.example)]"
    case .bySource(let value): value.exampleBySource
    case .fields(let declared):
      "{\(declared.shownFirst.map { "\($0.key): \($0.example)" }.joined(separator: ", "))}"
    }
  }

  fileprivate var exampleBySource: String { "{ann: \(example)}" }
}
