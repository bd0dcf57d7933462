/// A token of a condition.
enum ExpressionToken: Equatable {
  case word(String)
  case quoted(String)
  /// A number with its unit, if it has one.
  case quantity(String)
  case symbol(String)

  private static let symbols = ["&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "(", ")"]

  /// Splits a text into tokens, each with its column from 1.
  static func all(
    in text: String
  ) throws(SweepExpression.SyntaxError) -> [(token: ExpressionToken, column: Int)] {
    var tokens: [(ExpressionToken, Int)] = []
    var rest = text[...]
    var start = rest.startIndex
    var column = 1
    while let first = rest.first {
      column += text.distance(from: start, to: rest.startIndex)
      start = rest.startIndex
      if first.isWhitespace {
        rest.removeFirst()
      } else if first.isLetter || first == "_" || first == "@" {
        let word = rest.prefix { $0.isLetter || $0.isNumber || "_-./@".contains($0) }
        rest = rest.dropFirst(word.count)
        tokens.append((.word(String(word)), column))
      } else if let symbol = symbols.first(where: { rest.hasPrefix($0) }) {
        tokens.append((.symbol(symbol), column))
        rest = rest.dropFirst(symbol.count)
      } else if first == "\"" || first == "'" {
        let inner = rest.dropFirst().prefix { $0 != first }
        rest = rest.dropFirst(inner.count + 1)
        guard rest.first == first else {
          throw .init(column, "missing closing quote after \(first)\(inner)")
        }
        rest.removeFirst()
        tokens.append((.quoted(String(inner)), column))
      } else if first.isNumber || first == "-" || first == "." {
        tokens.append((.quantity(quantity(&rest)), column))
      } else {
        throw .init(column, "unexpected '\(first)'" + (first == "=" ? ": compare with '=='" : ""))
      }
    }
    return tokens
  }

  /// Consumes a number with its unit: `1.5 Mbps`, `2 %`, `640x360`.
  private static func quantity(_ rest: inout Substring) -> String {
    let number = rest.prefix { !$0.isWhitespace && !"<>=!()&|".contains($0) }
    rest = rest.dropFirst(number.count)
    let gap = rest.prefix { $0 == " " }
    let unit = rest.dropFirst(gap.count).prefix { $0.isLetter || $0 == "%" || $0 == "µ" }
    guard !unit.isEmpty, unit != "and", unit != "or" else { return String(number) }
    rest = rest.dropFirst(gap.count + unit.count)
    return "\(number) \(unit)"
  }
}

/// Recursive-descent parser of conditions; `not` binds closest, then `and`, then `or`.
struct ExpressionParser {
  private typealias Failure = SweepExpression.SyntaxError

  /// Maximum nesting of parentheses and negations.
  private static let depthLimit = 50

  private let tokens: [(token: ExpressionToken, column: Int)]
  /// Column after the last character.
  private let end: Int
  private let variables: [(name: String, kind: SweepValue.Kind?)]
  private var place = 0
  private var depth = 0

  init(_ text: String, variables: [(name: String, kind: SweepValue.Kind?)]) throws(SweepExpression
    .SyntaxError)
  {
    tokens = try ExpressionToken.all(in: text)
    end = text.count + 1
    self.variables = variables
  }

  mutating func parse() throws(SweepExpression.SyntaxError) -> SweepExpression.Term {
    let term = try disjunction()
    guard place == tokens.count else {
      throw failure("unexpected '\(shown(tokens[place].token))': join conditions with 'and' or 'or'")
    }
    return term
  }

  private mutating func consume(_ words: String...) -> Bool {
    guard place < tokens.count else { return false }
    switch tokens[place].token {
    case .word(let word) where words.contains(word), .symbol(let word) where words.contains(word):
      place += 1
      return true
    default: return false
    }
  }

  private mutating func disjunction() throws(SweepExpression.SyntaxError) -> SweepExpression.Term {
    var terms = [try conjunction()]
    while consume("or", "||") { terms.append(try conjunction()) }
    return terms.count == 1 ? terms[0] : .any(terms)
  }

  private mutating func conjunction() throws(SweepExpression.SyntaxError) -> SweepExpression.Term {
    var terms = [try negation()]
    while consume("and", "&&") { terms.append(try negation()) }
    return terms.count == 1 ? terms[0] : .all(terms)
  }

  private mutating func negation() throws(SweepExpression.SyntaxError) -> SweepExpression.Term {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw failure("parentheses are nested too deeply") }
    if consume("not", "!") { return .not(try negation()) }
    guard consume("(") else { return try comparison() }
    let term = try disjunction()
    guard consume(")") else { throw failure("missing ')'") }
    return term
  }

  private mutating func comparison() throws(SweepExpression.SyntaxError) -> SweepExpression.Term {
    let start = place
    let left = try operand()
    guard place < tokens.count, case .symbol(let symbol) = tokens[place].token,
      let relation = SweepExpression.Relation(rawValue: symbol)
    else {
      throw failure(
        "missing comparison after '\(shown(tokens[place - 1].token))': use one of ==, !=, <, <=, >, >=")
    }
    place += 1
    let right = try operand()
    try check(left, relation, right, at: start)
    return .comparison(left, relation, right)
  }

  private mutating func operand() throws(SweepExpression.SyntaxError) -> SweepExpression.Operand {
    guard place < tokens.count else {
      throw failure("missing condition at the end, such as '\(variables.first?.name ?? "x") == 1'")
    }
    defer { place += 1 }
    switch tokens[place].token {
    case .word(let word):
      if let index = variables.firstIndex(where: { $0.name == word }) { return .variable(index) }
      return .value(SweepValue(text: word))
    case .quoted(let text): return .value(SweepValue(text: text))
    case .quantity(let text): return .value(SweepValue(text: text))
    case .symbol(let symbol):
      throw failure("missing variable or value before '\(symbol)'")
    }
  }

  /// Creates an error at the current token.
  private func failure(_ text: String) -> Failure { failure(text, at: place) }

  private func failure(_ text: String, at place: Int) -> Failure {
    Failure(place < tokens.count ? tokens[place].column : end, text)
  }

  /// Checks the types of a comparison.
  ///
  /// - Parameter place: index of the left operand's token; relation and right operand follow it.
  private func check(
    _ left: SweepExpression.Operand, _ relation: SweepExpression.Relation, _ right: SweepExpression.Operand,
    at place: Int
  ) throws(SweepExpression.SyntaxError) {
    switch (left, right) {
    case (.value(let a), .value(let b)):
      let isRight = a.kind != .text && b.kind == .text
      let word = isRight ? b.text : a.text
      throw failure(
        "there is no variable '\(word)': " + Suggestion.text(for: word, among: variables.map(\.name)),
        at: isRight ? place + 2 : place)
    case (.variable(let index), .value(let value)), (.value(let value), .variable(let index)):
      guard let kind = variables[index].kind else { return }
      if kind.isQuantity || value.kind.isQuantity, kind != value.kind {
        throw failure(
          "'\(variables[index].name)' cannot be compared with '\(value.text)': expected \(kind.example)",
          at: place)
      }
      if !kind.isQuantity, relation != .equal, relation != .unequal {
        throw failure("'\(variables[index].name)' is not a quantity: use == or !=", at: place + 1)
      }
    case (.variable, .variable): return
    }
  }

  private func shown(_ token: ExpressionToken) -> String {
    switch token {
    case .word(let text), .quoted(let text), .quantity(let text), .symbol(let text): text
    }
  }
}

extension SweepValue.Kind {
  /// `true` if values of the kind are ordered.
  package var isQuantity: Bool { self != .text && self != .flag }
}
