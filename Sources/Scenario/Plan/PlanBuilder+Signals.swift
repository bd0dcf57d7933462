import Ladder
import Parameters
import Plan
import Quantity
import Systems
import YAML

/// Signals of clients in their system's own terms, in the shapes that each system declares.
extension PlanBuilder {
  /// Reads `{tracks: {ann: {size: 640x360}}, adaptive-stream: false}`.
  func readSignals(_ node: Node, of viewers: Range<Int>) -> ViewSignals? {
    let declared = type(of: system).description.signals
    guard let own = Fields(node, "signals", reading), knowsKeys(of: own, among: declared) else { return nil }
    return readSignals(own, declared, of: viewers)
  }

  /// Reads a change of the signals of a view.
  func readSignalChange(_ node: Node, by viewer: Int) -> TimelineAction? {
    let declared = type(of: system).description.signals
    guard let own = Fields(node, "signals", reading), knowsKeys(of: own, among: declared) else { return nil }
    guard case .signals = participants[viewer].view?.arrangement else {
      if faults.views.contains(viewer) {
        own.stop()
        return nil
      }
      let example = declared.first.map { "view: {signals: {\($0.key): \($0.example)}}" } ?? ""
      own.report(
        node, "signals: '\(participants[viewer].id)' needs a view with 'signals', such as '\(example)'")
      return nil
    }
    let changeable = declared.filter(\.isChangeable)
    return readSignals(own, changeable, of: viewer..<viewer + 1).map { .client(.signals($0)) }
  }

  /// Reports signals that only other systems have.
  private func knowsKeys(of own: Fields, among declared: [SignalDeclaration]) -> Bool {
    guard !faults.system else {
      own.stop()
      return false
    }
    for key in own.keys where !declared.contains(where: { $0.key == key }) {
      let able = catalogue.systems.entries.filter { $0.description.signals.contains { $0.key == key } }
      guard !able.isEmpty else { continue }
      let names = able.map { "'\($0.name)'" }.enumeration
      own.report(
        own.key(key),
        "\(key): policy '\(system.name)' does not take this signal, only \(names) \(able.count == 1 ? "does" : "do"): "
          + "use it, or write 'tiles' in place of 'signals'")
      own.stop()
      return false
    }
    guard declared.isEmpty else { return true }
    own.report(
      nil, "signals: policy '\(system.name)' takes no signals: write 'tiles' in place of 'signals'")
    own.stop()
    return false
  }

  /// Reads the entries of a mapping with declared keys.
  private func readSignals(
    _ own: Fields, _ declared: [SignalDeclaration], of viewers: Range<Int>
  ) -> ViewSignals? {
    defer { own.finish() }
    var signals = ViewSignals()
    var isWhole = true
    for declaration in declared {
      let key = declaration.key
      guard let node = declaration.isRequired ? own.require(key, example: declaration.example) : own.take(key)
      else {
        if declaration.isRequired { isWhole = false }
        continue
      }
      if let other = declaration.excludes, let excluded = own.take(other) {
        own.report(
          excluded, "\(other): \(own.subject) has '\(key)' too, and they exclude each other: remove one")
        isWhole = false
        continue
      }
      guard let value = readSignal(declaration.shape, node, key, own, of: viewers) else {
        isWhole = false
        continue
      }
      signals[key] = value
    }
    return isWhole ? signals : nil
  }

  private func readSignal(
    _ shape: SignalShape, _ node: Node, _ key: String, _ own: Fields, of viewers: Range<Int>
  ) -> SignalValue? {
    switch shape {
    case .integer(let range): return own.integer(of: node, key, in: range).map { .integer($0) }
    case .flag: return own.flag(of: node, key).map { .flag($0) }
    case .rate:
      return own.text(of: node, key).flatMap { own.parse(node, key, $0, BitRate.init(text:)) }.map {
        .rate($0)
      }
    case .size:
      guard let size = readSize(node, key, own) else { return nil }
      noteLargeRequest([size], at: node, of: viewers)
      return .size(size)
    case .word(let words):
      guard let text = own.text(of: node, key) else { return nil }
      return own.word(node, key, text, among: words).map { .word($0) }
    case .source: return readSource(named: node, key, own, of: viewers).map { .source($0) }
    case .list(let element):
      guard case .sequence(let nodes) = node else {
        own.report(node, "'\(key)' of \(own.subject) must be a list")
        return nil
      }
      let values = nodes.map { readSignal(element, $0, key, own, of: viewers) }
      return values.contains { $0 == nil } ? nil : .list(values.compactMap { $0 })
    case .bySource(let shape): return readBySource(shape, node, key, own, of: viewers)
    case .fields(let declared):
      guard let entry = Fields(node, "an entry of '\(key)'", reading) else { return nil }
      return readSignals(entry, declared, of: viewers).map { .fields($0) }
    }
  }

  private func readBySource(
    _ shape: SignalShape, _ node: Node, _ key: String, _ own: Fields, of viewers: Range<Int>
  ) -> SignalValue? {
    guard case .mapping(let entries) = node else {
      own.report(node, "'\(key)' must be a mapping from participants, such as '\(shape.exampleBySource)'")
      return nil
    }
    var values: [SignalValue.BySource] = []
    for (name, value) in entries {
      guard let source = readSource(named: name, key, own, of: viewers) else { continue }
      let read: SignalValue?
      if case .fields(let declared) = shape {
        read = Fields(value, "'\(name.string ?? "")' in \(key)", reading).flatMap {
          readSignals($0, declared, of: viewers).map { .fields($0) }
        }
      } else {
        read = readSignal(shape, value, key, own, of: viewers)
      }
      if let read { values.append(SignalValue.BySource(source, read)) }
    }
    return .bySource(values)
  }

  /// Reads a source of another participant: an id for its camera, `ID/screen` for its screen share.
  private func readSource(
    named node: Node, _ key: String, _ own: Fields, of viewers: Range<Int>
  ) -> SignalledSource? {
    guard let source = sourceID(node, key, own) else { return nil }
    if viewers == source.participant..<source.participant + 1 {
      own.report(
        node, "\(key): '\(participants[source.participant].id)' cannot request itself: remove the entry")
      return nil
    }
    return source
  }

  /// Returns the source that a node names: `ID` or `ID/screen`.
  func sourceID(_ node: Node, _ key: String, _ fields: Fields) -> SignalledSource? {
    guard let text = fields.text(of: node, key) else { return nil }
    let suffix = "/screen"
    guard text.hasSuffix(suffix), let owner = participantNumbers[String(text.dropLast(suffix.count))] else {
      return participantID(node, key, fields).map { SignalledSource(participant: $0) }
    }
    guard participants[owner].screen != nil else {
      if faults.sources.contains(owner) { return nil }
      fields.report(
        node, "\(key): '\(participants[owner].id)' has no screen share: add 'screen' to its 'publish'")
      return nil
    }
    return SignalledSource(participant: owner, isScreen: true)
  }
}

extension SignalDeclaration {
  /// Example value as written in a scenario, for messages and the reference.
  var example: String { sample ?? shape.example }
}

extension [SignalDeclaration] {
  /// Declarations shown in examples: the required ones, or else the first.
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
