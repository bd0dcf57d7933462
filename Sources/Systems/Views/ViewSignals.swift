package import Ladder
package import Quantity

/// A client's signals in its system's own terms, in place of those it would derive from its screen.
package struct ViewSignals: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package var key: String
    package var value: SignalValue
  }

  /// Entries in the order of the scenario.
  package private(set) var entries: [Entry] = []

  package init() {}

  package subscript(key: String) -> SignalValue? {
    get { entries.first { $0.key == key }?.value }
    set {
      guard let newValue else { return entries.removeAll { $0.key == key } }
      if let place = entries.firstIndex(where: { $0.key == key }) {
        entries[place].value = newValue
      } else {
        entries.append(Entry(key: key, value: newValue))
      }
    }
  }

  /// Applies a change, which replaces the keys it names and, in mappings from sources, only the sources it names.
  package mutating func merge(_ change: ViewSignals) {
    for entry in change.entries {
      guard case .bySource(let changes) = entry.value, case .bySource(var values) = self[entry.key] else {
        self[entry.key] = entry.value
        continue
      }
      for change in changes {
        if let place = values.firstIndex(where: { $0.source == change.source }) {
          values[place] = change
        } else {
          values.insert(change, at: values.firstIndex { change.source < $0.source } ?? values.endIndex)
        }
      }
      self[entry.key] = .bySource(values)
    }
  }

  // MARK: Values of a key; `nil` where it is not signalled

  package func integer(_ key: String) -> Int? {
    if case .integer(let value) = self[key] { value } else { nil }
  }
  package func flag(_ key: String) -> Bool? { if case .flag(let value) = self[key] { value } else { nil } }
  package func rate(_ key: String) -> BitRate? { if case .rate(let value) = self[key] { value } else { nil } }
  package func size(_ key: String) -> Resolution? {
    if case .size(let value) = self[key] { value } else { nil }
  }
  package func word(_ key: String) -> String? { if case .word(let value) = self[key] { value } else { nil } }
  package func source(_ key: String) -> SignalledSource? {
    if case .source(let value) = self[key] { value } else { nil }
  }
  package func list(_ key: String) -> [SignalValue]? {
    if case .list(let values) = self[key] { values } else { nil }
  }
  package func sources(_ key: String) -> [SignalledSource]? {
    list(key)?.compactMap { if case .source(let source) = $0 { source } else { nil } }
  }
  package func bySource(_ key: String) -> [SignalValue.BySource]? {
    if case .bySource(let values) = self[key] { values } else { nil }
  }

  /// Returns the text for the `detail` column of `events.csv`.
  package func detail(_ id: (Int) -> String) -> String {
    entries.map { entry in
      let text = entry.value.detail(id)
      return text.isEmpty ? entry.key : "\(entry.key) \(text)"
    }.joined(separator: ", ")
  }
}

extension SignalValue {
  package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  package var fields: ViewSignals? { if case .fields(let value) = self { value } else { nil } }

  func detail(_ id: (Int) -> String) -> String {
    switch self {
    case .integer(let value): "\(value)"
    case .flag(let isOn): isOn ? "on" : "off"
    case .rate(let rate): "\(rate)"
    case .size(let size): "\(size.width)x\(size.height)"
    case .word(let word): word
    case .source(let source): source.detail(id)
    case .list(let values): values.map { $0.detail(id) }.joined(separator: " ")
    case .bySource(let values):
      values.map { entry in
        let text = entry.value.detail(id)
        return text.isEmpty ? entry.source.detail(id) : "\(entry.source.detail(id)) \(text)"
      }.joined(separator: ", ")
    case .fields(let fields): fields.detail(id)
    }
  }
}

extension SignalledSource {
  func detail(_ id: (Int) -> String) -> String {
    SourceName(owner: id(participant), isScreen: isScreen).description
  }
}
