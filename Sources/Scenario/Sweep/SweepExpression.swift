import Files

/// A condition on the variables of a sweep, such as `capacity >= 1 Mbps and policy != "janus"`.
///
/// It combines comparisons (`==`, `!=`, `<`, `<=`, `>`, `>=`) of a variable with a value or another variable by
/// `and`, `or`, `not` (or `&&`, `||`, `!`) and parentheses.
package struct SweepExpression: Sendable {
  /// Reason why a condition cannot be parsed.
  package struct SyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Column in the condition, from 1.
    package let column: Int
    package let description: String

    init(_ column: Int, _ description: String) {
      self.column = column
      self.description = description
    }
  }

  package enum Relation: String, Sendable {
    case equal = "=="
    case unequal = "!="
    case below = "<"
    case atMost = "<="
    case above = ">"
    case atLeast = ">="
  }

  enum Operand: Sendable {
    case variable(Int)
    case value(SweepValue)
  }

  indirect enum Term: Sendable {
    case comparison(Operand, Relation, Operand)
    case not(Term)
    /// True if all terms are; chains are flat, so that only parentheses and negations add depth.
    case all([Term])
    case any([Term])
  }

  package let text: String
  private let term: Term

  /// Parses a condition.
  ///
  /// - Parameters:
  ///   - text: text of the condition.
  ///   - variables: names of the variables, each with the kind common to all its values, if any.
  /// - Throws: ``SyntaxError``.
  package init(
    _ text: String, variables: [(name: String, kind: SweepValue.Kind?)]
  ) throws(SyntaxError) {
    self.text = text
    var parser = try ExpressionParser(text, variables: variables)
    term = try parser.parse()
  }

  /// Checks whether a point, with one value per variable, satisfies the condition.
  package func holds(_ values: [SweepValue]) -> Bool { Self.holds(term, values) }

  /// Returns the first word that a variable is compared with but has at no point, and its values at the points; `nil` if
  /// there is none.
  package func unknownValue(in points: [[SweepValue]]) -> (value: String, known: [String])? {
    Self.unknownValue(term, points)
  }

  private static func unknownValue(
    _ term: Term, _ points: [[SweepValue]]
  ) -> (value: String, known: [String])? {
    switch term {
    case .not(let inner): return unknownValue(inner, points)
    case .all(let terms), .any(let terms):
      return terms.lazy.compactMap { unknownValue($0, points) }.first
    case .comparison(.variable(let index), _, .value(let value)),
      .comparison(.value(let value), _, .variable(let index)):
      guard value.kind == .text else { return nil }
      let known = points.map { $0[index].text }.uniqued()
      return known.contains(value.text) ? nil : (value.text, known)
    case .comparison: return nil
    }
  }

  private static func holds(_ term: Term, _ values: [SweepValue]) -> Bool {
    switch term {
    case .not(let inner): return !holds(inner, values)
    case .all(let terms): return terms.allSatisfy { holds($0, values) }
    case .any(let terms): return terms.contains { holds($0, values) }
    case .comparison(let left, let relation, let right):
      return compare(value(left, values), relation, value(right, values))
    }
  }

  private static func value(_ operand: Operand, _ values: [SweepValue]) -> SweepValue {
    switch operand {
    case .variable(let index): values[index]
    case .value(let value): value
    }
  }

  private static func compare(_ a: SweepValue, _ relation: Relation, _ b: SweepValue) -> Bool {
    guard let x = a.number, let y = b.number, a.kind == b.kind else {
      let isEqual = a.number == nil && b.number == nil && a.text == b.text
      return relation == .equal ? isEqual : relation == .unequal && !isEqual
    }
    switch relation {
    case .equal: return x == y
    case .unequal: return x != y
    case .below: return x < y
    case .atMost: return x <= y
    case .above: return x > y
    case .atLeast: return x >= y
    }
  }
}
