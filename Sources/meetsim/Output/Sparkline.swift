/// Draws values as a line of bar characters.
enum Sparkline {
  private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// At most `width` bars, each the mean of its bin; a dot for zero.
  static func text(of values: [Double], width: Int) -> String {
    let greatest = values.max() ?? 0
    guard greatest > 0 else { return String(repeating: "·", count: min(width, values.count)) }
    let count = min(width, values.count)
    return String(
      (0..<count).map { place -> Character in
        let part = values[
          place * values.count
            / count..<max((place + 1) * values.count / count, place * values.count / count + 1)]
        let mean = part.reduce(0, +) / Double(part.count)
        return mean == 0 ? "·" : bars[min(7, Int(mean / greatest * 8))]
      })
  }
}
