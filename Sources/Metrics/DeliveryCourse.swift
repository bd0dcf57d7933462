/// The share of the wanted pixels that was delivered, in equal parts of a run.
package struct DeliveryCourse: Sendable {
  package static let bins = 120
  private static let unwanted = UInt8.max

  /// By bin; empty before the first addition [%].
  private var percents: [UInt8] = []
  /// The bins of the latest addition, and their pixels so far.
  private var open = 0..<0
  private var wanted: Int128 = 0
  private var delivered: Int128 = 0

  package init() {}

  /// Adds pixels to bins: those of the latest addition, or later ones.
  package mutating func add(wanted: Int128, delivered: Int128, to bins: Range<Int>) {
    if percents.isEmpty { percents = [UInt8](repeating: Self.unwanted, count: Self.bins) }
    if bins != open { (open, self.wanted, self.delivered) = (bins, 0, 0) }
    self.wanted += wanted
    self.delivered += delivered
    guard self.wanted > 0 else { return }
    // Rounded up, so that 0 is nothing.
    let percent =
      self.delivered >= self.wanted
      ? 100 : UInt8((self.delivered * 100 + self.wanted - 1) / self.wanted)
    for bin in bins { percents[bin] = percent }
  }

  /// The bins between two fractions of a run, 0 to 1; at least one.
  static func bins(from start: Double, to end: Double) -> Range<Int> {
    let first = min(bins - 1, Int(start * Double(bins) + 0.5))
    return first..<max(first + 1, min(bins, Int(end * Double(bins) + 0.5)))
  }

  /// The course in a number of equal parts, 1 to ``bins``: means of their bins; `nil` where nothing was wanted [%].
  package func percents(in parts: Int) -> [Double?] {
    (0..<parts).map { part in
      guard !percents.isEmpty else { return nil }
      let values = percents[part * Self.bins / parts..<(part + 1) * Self.bins / parts]
        .filter { $0 != Self.unwanted }
      return values.isEmpty ? nil : Double(values.reduce(0) { $0 + Int($1) }) / Double(values.count)
    }
  }
}
