/// Share of the screen's pixels that was delivered, in equal parts of a run.
package struct DeliveryCourse: Sendable {
  package static let bins = 120
  private static let unwanted = UInt8.max

  /// Share by bin [%]; empty before the first addition.
  private var percents: [UInt8] = []
  /// Bins of the latest addition.
  private var open = 0..<0
  /// Wanted pixels in ``open`` so far.
  private var wanted: Int128 = 0
  /// Delivered pixels in ``open`` so far.
  private var delivered: Int128 = 0

  package init() {}

  /// Adds pixels to bins, either those of the latest addition or later ones.
  package mutating func add(_ pixels: PixelShortfall, to bins: Range<Int>) {
    if percents.isEmpty { percents = [UInt8](repeating: Self.unwanted, count: Self.bins) }
    if bins != open { (open, wanted, delivered) = (bins, 0, 0) }
    wanted += pixels.wanted
    delivered += pixels.shown
    guard wanted > 0 else { return }
    // Rounded up, so that 0 means nothing at all.
    let percent =
      delivered >= wanted ? 100 : UInt8((delivered * 100 + wanted - 1) / wanted)
    for bin in bins { percents[bin] = percent }
  }

  /// Returns the bins between two fractions of a run, 0 to 1; at least one.
  static func bins(from start: Double, to end: Double) -> Range<Int> {
    let first = min(bins - 1, Int(start * Double(bins) + 0.5))
    return first..<max(first + 1, min(bins, Int(end * Double(bins) + 0.5)))
  }

  /// Divides the course into a number of equal parts, 1 to ``bins``, and returns the mean of each [%]; `nil` for parts
  /// in which nothing was requested.
  package func percents(in parts: Int) -> [Double?] {
    (0..<parts).map { part in
      guard !percents.isEmpty else { return nil }
      let values = percents[part * Self.bins / parts..<(part + 1) * Self.bins / parts]
        .filter { $0 != Self.unwanted }
      return values.isEmpty ? nil : Double(values.reduce(0) { $0 + Int($1) }) / Double(values.count)
    }
  }
}
