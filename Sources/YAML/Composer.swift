import CYAML

/// Limits of a document: depth costs stack, and nodes cost memory.
package struct YAMLLimits: Sendable {
  package var depth = 40
  package var nodes = 200_000

  package init() {}
}

/// Composes nodes from libyaml's events, within limits.
///
/// Anchors and aliases are rejected, since a small file could expand exponentially.
package struct Composer: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let bytes: UnsafeBufferPointer<UInt8>
  private let limits: YAMLLimits
  private var nodeCount = 0
  /// Errors for keys repeated in their mapping.
  private var repeatedKeys: [YAMLError] = []

  /// Parses a text with a single document and returns its root node; `nil` if it is empty.
  package static func compose(_ text: String, limits: YAMLLimits = .init()) throws(YAMLError) -> Node? {
    var repeated: [YAMLError] = []
    let root = try compose(text, limits: limits, repeatedKeys: &repeated)
    if let first = repeated.first { throw first }
    return root
  }

  /// Parses a text with a single document, keeping the first value of each repeated key.
  ///
  /// - Parameter repeatedKeys: receives an error for each key repeated in its mapping.
  package static func compose(
    _ text: String, limits: YAMLLimits = .init(), repeatedKeys: inout [YAMLError]
  ) throws(YAMLError) -> Node? {
    var text = text
    do {
      let (root, repeated) = try text.withUTF8 { bytes in
        var composer = Composer(bytes, limits)
        return (try composer.document(), composer.repeatedKeys)
      }
      repeatedKeys = repeated
      return root
    } catch let error as YAMLError {
      throw error
    } catch {
      throw YAMLError(cause: .noUTF8, mark: nil)
    }
  }

  /// Creates a composer; the bytes must outlive it.
  private init(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: YAMLLimits) {
    parser = .allocate(capacity: 1)
    self.bytes = bytes
    self.limits = limits
    yaml_parser_initialize(parser)
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  private mutating func document() throws(YAMLError) -> Node? {
    _ = try next()
    var root: Node?
    while true {
      let event = try next()
      switch event.kind {
      case .streamEnd: return root
      case .documentStart:
        guard root == nil else { throw YAMLError(cause: .severalDocuments, mark: event.mark) }
        root = try node(from: try next(), depth: 0)
      default: break
      }
    }
  }

  private mutating func node(from event: Event, depth: Int) throws(YAMLError) -> Node {
    nodeCount += 1
    guard depth <= limits.depth else { throw YAMLError(cause: .tooDeep, mark: event.mark) }
    guard nodeCount <= limits.nodes else { throw YAMLError(cause: .tooLarge, mark: event.mark) }
    guard !event.hasAnchor else { throw YAMLError(cause: .alias, mark: event.mark) }
    switch event.kind {
    case .scalar(let string, let style):
      return .scalar(.init(string: string, style: style, mark: event.mark))
    case .sequenceStart:
      var elements: [Node] = []
      while true {
        let event = try next()
        if case .end = event.kind { break }
        elements.append(try node(from: event, depth: depth + 1))
      }
      return .sequence(.init(elements: elements, mark: event.mark))
    case .mappingStart: return .mapping(try mapping(at: event.mark, depth: depth))
    default: throw YAMLError(cause: .alias, mark: event.mark)
    }
  }

  private mutating func mapping(at mark: Mark, depth: Int) throws(YAMLError) -> Node.Mapping {
    var elements: [Node.Mapping.Element] = []
    var keys: Set<String> = []
    while true {
      let event = try next()
      if case .end = event.kind { break }
      let key = try node(from: event, depth: depth + 1)
      guard let name = key.string, name != "<<" else {
        throw YAMLError(cause: .keyIsNoScalar, mark: event.mark)
      }
      let value = try node(from: try next(), depth: depth + 1)
      if keys.insert(name).inserted {
        elements.append((key, value))
      } else {
        repeatedKeys.append(YAMLError(cause: .repeatedKey(name), mark: event.mark))
      }
    }
    return .init(elements: elements, mark: mark)
  }

  // MARK: Events

  private struct Event {
    enum Kind {
      case documentStart
      case scalar(String, Node.Scalar.Style)
      case sequenceStart, mappingStart
      case end
      case alias
      case streamEnd
      case other
    }

    let kind: Kind
    let mark: Mark
    let hasAnchor: Bool
  }

  private mutating func next() throws(YAMLError) -> Event {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
    defer { yaml_event_delete(&event) }
    var hasAnchor = false
    let kind: Event.Kind
    switch event.type {
    case YAML_DOCUMENT_START_EVENT: kind = .documentStart
    case YAML_STREAM_END_EVENT: kind = .streamEnd
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: kind = .end
    case YAML_ALIAS_EVENT: kind = .alias
    case YAML_SEQUENCE_START_EVENT:
      hasAnchor = event.data.sequence_start.anchor != nil
      kind = .sequenceStart
    case YAML_MAPPING_START_EVENT:
      hasAnchor = event.data.mapping_start.anchor != nil
      kind = .mappingStart
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      hasAnchor = scalar.anchor != nil
      let bytes = UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length))
      kind = .scalar(String(decoding: bytes, as: UTF8.self), Self.style(of: scalar.style))
    default: kind = .other
    }
    return Event(kind: kind, mark: Self.mark(event.start_mark), hasAnchor: hasAnchor)
  }

  private func failure() -> YAMLError {
    guard parser.pointee.error != YAML_READER_ERROR else {
      return YAMLError(cause: .noUTF8, mark: mark(at: Int(parser.pointee.problem_offset)))
    }
    let problem = parser.pointee.problem.map { String(cString: $0) } ?? "out of memory"
    return YAMLError(cause: .syntax(problem), mark: Self.mark(parser.pointee.problem_mark))
  }

  private func mark(at offset: Int) -> Mark {
    let before = bytes.prefix(offset)
    let line = before.lastIndex(of: 0x0a).map { before[($0 + 1)...] } ?? before
    // Continuation bytes of a Unicode scalar begin with the bits 10.
    return Mark(line: before.count { $0 == 0x0a } + 1, column: line.count { $0 & 0xc0 != 0x80 } + 1)
  }

  private static func mark(_ mark: yaml_mark_t) -> Mark {
    Mark(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }

  private static func style(of style: yaml_scalar_style_t) -> Node.Scalar.Style {
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
    case YAML_LITERAL_SCALAR_STYLE: .literal
    case YAML_FOLDED_SCALAR_STYLE: .folded
    default: .plain
    }
  }
}
