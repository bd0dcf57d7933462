/// A position in a text; line and column count from 1, columns in Unicode scalars.
package struct Mark: Equatable, Sendable {
  package let line: Int
  package let column: Int
  /// Number of the text: 0 is the document; a reader numbers other sources of inserted values.
  package let source: Int

  package init(line: Int, column: Int, source: Int = 0) {
    self.line = line
    self.column = column
    self.source = source
  }
}

/// A YAML node with its position.
package enum Node: Sendable {
  case scalar(Scalar)
  case sequence(Sequence)
  case mapping(Mapping)

  /// Creates a plain scalar, by default without a position.
  package init(_ string: String, mark: Mark? = nil) {
    self = .scalar(Scalar(string: string, style: .plain, mark: mark))
  }

  /// Creates a mapping without entries.
  package init(emptyMappingAt mark: Mark?) { self = .mapping(Mapping(elements: [], mark: mark)) }

  /// Position in the text; `nil` for a node that was not parsed.
  package var mark: Mark? {
    switch self {
    case .scalar(let scalar): scalar.mark
    case .sequence(let sequence): sequence.mark
    case .mapping(let mapping): mapping.mark
    }
  }

  /// Returns the node with its marks transformed at all depths.
  package func moved(_ move: (Mark) -> Mark) -> Node {
    switch self {
    case .scalar(let scalar):
      .scalar(.init(string: scalar.string, style: scalar.style, mark: scalar.mark.map(move)))
    case .sequence(let sequence):
      .sequence(.init(elements: sequence.elements.map { $0.moved(move) }, mark: sequence.mark.map(move)))
    case .mapping(let mapping):
      .mapping(
        .init(
          elements: mapping.elements.map { ($0.key.moved(move), $0.value.moved(move)) },
          mark: mapping.mark.map(move)))
    }
  }

  /// Text of a scalar; `nil` for other nodes.
  package var string: String? { if case .scalar(let scalar) = self { scalar.string } else { nil } }
}

extension Node {
  package struct Scalar: Sendable {
    /// Notation of the scalar; distinguishes numbers from quoted text.
    package enum Style: Sendable { case plain, singleQuoted, doubleQuoted, literal, folded }

    package let string: String
    package let style: Style
    package let mark: Mark?
  }

  package struct Sequence: Sendable {
    package var elements: [Node]
    package let mark: Mark?
  }

  /// Keys and values in file order; keys are unique.
  package struct Mapping: Sendable {
    package typealias Element = (key: Node, value: Node)

    package var elements: [Element]
    package let mark: Mark?

    /// Value of a key; setting a new key appends it, and setting `nil` removes it.
    package subscript(key: String) -> Node? {
      get { elements.first { $0.key.string == key }?.value }
      set {
        let index = elements.firstIndex { $0.key.string == key }
        switch (index, newValue) {
        case (let index?, let value?): elements[index].value = value
        case (let index?, nil): elements.remove(at: index)
        case (nil, let value?): elements.append((Node(key), value))
        case (nil, nil): break
        }
      }
    }
  }
}

extension Node.Sequence: RandomAccessCollection, MutableCollection {
  package var startIndex: Int { elements.startIndex }
  package var endIndex: Int { elements.endIndex }
  package subscript(index: Int) -> Node {
    get { elements[index] }
    set { elements[index] = newValue }
  }
}

extension Node.Mapping: RandomAccessCollection, MutableCollection {
  package var startIndex: Int { elements.startIndex }
  package var endIndex: Int { elements.endIndex }
  package subscript(index: Int) -> Element {
    get { elements[index] }
    set { elements[index] = newValue }
  }
}
