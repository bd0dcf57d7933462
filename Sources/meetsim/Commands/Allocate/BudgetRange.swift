import ArgumentParser
import Quantity

/// Budgets to decide at: `FROM..TO/STEP`, `FROM..TO` or a single one.
struct BudgetRange: ExpressibleByArgument, Equatable {
  let from: BitRate
  let to: BitRate
  let step: BitRate

  /// Maximum number of budgets in a range.
  static let limit: Int64 = 1_000_000

  private static let usualSteps: Int64 = 100

  init?(argument: String) {
    guard case .success(let range) = Self.read(argument) else { return nil }
    self = range
  }

  private init(from: BitRate, to: BitRate, step: BitRate) {
    self.from = from
    self.to = to
    self.step = step
  }

  /// Explains why a text is not a valid range; `nil` if it is.
  static func problem(of text: String) -> String? {
    if case .failure(let problem) = read(text) { problem.text } else { nil }
  }

  /// Indicates more budgets than can be listed individually.
  var isTooFine: Bool { (to - from).bitsPerSecond / step.bitsPerSecond >= Self.limit }

  private struct Problem: Error { let text: String }

  private static func read(_ text: String) -> Result<BudgetRange, Problem> {
    let ends = text.split(separator: "..", omittingEmptySubsequences: false)
    guard ends.count <= 2, let first = ends.first else {
      return .failure(Problem(text: "write FROM..TO/STEP"))
    }
    let upper = ends.count == 2 ? ends[1].split(separator: "/", omittingEmptySubsequences: false) : []
    guard upper.count <= 2 else { return .failure(Problem(text: "write FROM..TO/STEP")) }
    do throws(QuantityError) {
      let from = try BitRate(text: String(first))
      guard let last = upper.first else {
        return .success(BudgetRange(from: from, to: from, step: .kilobits(1)))
      }
      let to = try BitRate(text: String(last))
      guard to >= from else { return .failure(Problem(text: "the range must ascend")) }
      let usual = BitRate(bitsPerSecond: max(1, (to - from).bitsPerSecond / usualSteps))
      let step = upper.count == 2 ? try BitRate(text: String(upper[1])) : usual
      guard step > .zero else { return .failure(Problem(text: "the step must be above zero")) }
      return .success(BudgetRange(from: from, to: to, step: step))
    } catch {
      return .failure(Problem(text: "\(error)"))
    }
  }
}
