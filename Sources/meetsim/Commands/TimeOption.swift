import ArgumentParser
import Quantity

/// Options that give a time since the start.
enum TimeOption {
  /// Reads an option such as `--from`; `nil` if it is not given.
  static func time(_ text: String?, _ option: String) throws -> SimDuration? {
    guard let text else { return nil }
    guard let time = try? SimDuration(text: text), time >= .zero else {
      throw ValidationError("\(option): '\(text)' is not a time such as '90s'")
    }
    return time
  }
}
