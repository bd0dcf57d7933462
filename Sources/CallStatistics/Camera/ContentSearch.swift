import Media
import Quantity

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Search for the content with which an encoder with the recorded targets behaves like the recorded one.
///
/// Our model: rates of 720p30 in steps of a twelfth of an octave, and `rich`, whose detail grows differently with size,
/// are tried with ``seeds``. Candidates fit about as well if their mean square is at most ``tolerance`` above the
/// minimum, which corresponds to a rate off by 7 % throughout, or one second in seventeen at the next size. Among
/// rates, the middle candidate is chosen, unless `rich` fits best.
struct ContentSearch {
  /// A content, and how well it fits.
  struct Candidate {
    let text: String
    let content: ContentComplexity
    var error = Double.infinity
    var adjustsRate = false
  }

  static let seeds: [UInt64] = [1, 2, 3]
  static let tolerance = 0.005
  /// Minimum rate that 720p30 may need [kbps]; number of octaves above it, and of steps per octave.
  static let least = 200.0
  private static let octaves = 9
  private static let steps = 12
  /// Number of steps between the rates that are tried first.
  private static let stride = 4

  let best: Candidate
  /// Rates of 720p30 that fit about as well [kbps]; `nil` if only `rich` does.
  let range: ClosedRange<Double>?
  /// Indicates that any larger rate fits about as well.
  let isOpenAbove: Bool
  let isOpenBelow: Bool
  /// Indicates that `rich` fits about as well, or best.
  let isRichPossible: Bool

  init(_ encoder: TargetedEncoder) {
    let rich = Self.judged(Candidate(text: "rich", content: .rich), encoder)
    let rates = (0...Self.octaves * Self.steps).map {
      (Self.least * exp2(Double($0) / Double(Self.steps))).rounded()
    }
    var all = rates.map {
      Candidate(text: "\(Int($0)) kbps", content: ContentComplexity(ceiling: .kilobits(Int64($0))))
    }
    func judge(_ place: Int) -> Double {
      if all[place].error == .infinity { all[place] = Self.judged(all[place], encoder) }
      return all[place].error
    }
    var least = 0
    for place in Swift.stride(from: 0, to: all.count, by: Self.stride) where judge(place) < judge(least) {
      least = place
    }
    for place in max(0, least - Self.stride)...min(all.count - 1, least + Self.stride)
    where judge(place) < judge(least) {
      least = place
    }
    let isRich = rich.error < judge(least)
    let bound = min(rich.error, judge(least)) + Self.tolerance
    var (low, high) = (least, least)
    while low > 0, judge(low - 1) <= bound { low -= 1 }
    while high + 1 < all.count, judge(high + 1) <= bound { high += 1 }
    best = isRich ? rich : all[(low + high) / 2]
    range = all[least].error <= bound ? rates[low]...rates[high] : nil
    isOpenAbove = range != nil && high + 1 == all.count
    isOpenBelow = range != nil && low == 0
    isRichPossible = rich.error <= bound
  }

  private static func judged(_ candidate: Candidate, _ encoder: TargetedEncoder) -> Candidate {
    var best = candidate
    for adjustsRate in [false, true] {
      let errors = seeds.map { seed in
        encoder.error(encoder.run(candidate.content, adjustsRate: adjustsRate, seed: seed))
      }
      let error = errors.reduce(0, +) / Double(errors.count)
      if error < best.error {
        best.error = error
        best.adjustsRate = adjustsRate
      }
    }
    return best
  }
}
