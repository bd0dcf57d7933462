package import Quantity

/// The largest gaps between the neighbours of a window that slides.
///
/// More of them are kept than are asked for, so that the window has to be gone through anew only when most of those have
/// left it.
package struct LargestGaps: Sendable {
  private static let capacity = 8
  /// From the greatest down.
  private var gaps = InlineArray<8, SimDuration>(repeating: .zero)
  private var count = 0
  /// Whether the window has no others.
  private var isComplete = true

  package init() {}

  package var largest: SimDuration { count > 0 ? gaps[0] : .zero }
  package var second: SimDuration { count > 1 ? gaps[1] : .zero }
  /// Whether so many have left that the two largest are not known.
  package var isShort: Bool { count < 2 && !isComplete }

  /// A gap enters the window.
  @inline(__always)
  package mutating func add(_ gap: SimDuration) {
    if count == 0 ? isComplete : gap > gaps[count - 1] || (isComplete && count < Self.capacity) {
      insert(gap)
    } else {
      isComplete = false
    }
  }

  /// A gap leaves the window.
  @inline(__always)
  package mutating func remove(_ gap: SimDuration) {
    if count > 0, gap >= gaps[count - 1] { take(gap) }
  }

  @inline(never)
  private mutating func insert(_ gap: SimDuration) {
    if count == Self.capacity { isComplete = false } else { count += 1 }
    var place = count - 1
    while place > 0, gaps[place - 1] < gap {
      gaps[place] = gaps[place - 1]
      place -= 1
    }
    gaps[place] = gap
  }

  @inline(never)
  private mutating func take(_ gap: SimDuration) {
    var place = 0
    while place < count, gaps[place] != gap { place += 1 }
    guard place < count else { return }
    count -= 1
    while place < count {
      gaps[place] = gaps[place + 1]
      place += 1
    }
  }
}
