package import Quantity

/// Largest gaps between neighbours in a sliding window.
///
/// Keeps more gaps than are queried, so that the window is rescanned only after most of them have left it.
package struct LargestGaps: Sendable {
  private static let capacity = 8
  /// Gaps in descending order.
  private var gaps = InlineArray<8, SimDuration>(repeating: .zero)
  private var count = 0
  /// Set while ``gaps`` holds all gaps of the window.
  private var isComplete = true

  package init() {}

  package var largest: SimDuration { count > 0 ? gaps[0] : .zero }
  package var second: SimDuration { count > 1 ? gaps[1] : .zero }
  /// `true` if too many gaps have left to know the two largest.
  package var isShort: Bool { count < 2 && !isComplete }

  /// Adds a gap that enters the window.
  @inline(__always)
  package mutating func add(_ gap: SimDuration) {
    if count == 0 ? isComplete : gap > gaps[count - 1] || (isComplete && count < Self.capacity) {
      insert(gap)
    } else {
      isComplete = false
    }
  }

  /// Removes a gap that leaves the window.
  @inline(__always)
  package mutating func remove(_ gap: SimDuration) {
    if count > 0, gap >= gaps[count - 1] { take(gap) }
  }

  @inline(never)
  private mutating func insert(_ gap: SimDuration) {
    if count == Self.capacity { isComplete = false } else { count += 1 }
    var index = count - 1
    while index > 0, gaps[index - 1] < gap {
      gaps[index] = gaps[index - 1]
      index -= 1
    }
    gaps[index] = gap
  }

  @inline(never)
  private mutating func take(_ gap: SimDuration) {
    var index = 0
    while index < count, gaps[index] != gap { index += 1 }
    guard index < count else { return }
    count -= 1
    while index < count {
      gaps[index] = gaps[index + 1]
      index += 1
    }
  }
}
