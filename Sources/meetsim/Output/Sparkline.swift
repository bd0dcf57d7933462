import Metrics
import Network
import Quantity

/// Draws values as a line of bar characters.
enum Sparkline {
  private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// Draws at most `width` bars, each the mean of its bin of seconds; a dot stands for zero.
  static func text(of seconds: [CapacityTraceSummary.Stretch], width: Int) -> String {
    let total = seconds.reduce(0) { $0 + $1.count }
    let greatest = seconds.map { Double($0.rate.bitsPerSecond) }.max() ?? 0
    let count = min(width, total)
    guard greatest > 0 else { return String(repeating: "·", count: count) }
    // Current stretch and the seconds left in it.
    var place = 0
    var left = seconds[0].count
    return String(
      (1...count).map { bin -> Character in
        let size = bin * total / count - (bin - 1) * total / count
        var rest = size
        var sum = 0.0
        while rest > 0 {
          if left == 0 {
            place += 1
            left = seconds[place].count
          }
          let part = min(rest, left)
          sum += Double(seconds[place].rate.bitsPerSecond) * Double(part)
          (rest, left) = (rest - part, left - part)
        }
        let mean = sum / Double(size)
        return mean == 0 ? "·" : bars[min(7, Int(mean / greatest * 8))]
      })
  }

  /// Draws delivered shares over a run in steps of an eighth: a dot for nothing, a blank if nothing was wanted.
  ///
  /// - Parameter courses: courses, drawn as their mean.
  static func bars(of courses: [DeliveryCourse], width: Int) -> String {
    let values = courses.map { $0.percents(in: width) }
    return String(
      (0..<width).map { part -> Character in
        let known = values.compactMap { $0[part] }
        guard !known.isEmpty else { return " " }
        let mean = known.reduce(0, +) / Double(known.count)
        return mean == 0 ? "·" : bars[min(7, Int((mean / 12.5).rounded(.up)) - 1)]
      })
  }

  /// Labels the start, the middle (if there is room) and the end of a run with their times.
  static func axis(of duration: SimDuration, width: Int) -> String {
    let end = time(duration.seconds, of: duration.seconds)
    let middle = time(duration.seconds / 2, of: duration.seconds)
    let gap = width - 1 - end.count
    guard gap > 0 else { return String(end.suffix(width)) }
    let before = (width - middle.count) / 2 - 1
    guard before > 1, gap - before - middle.count > 1 else {
      return "0" + String(repeating: " ", count: gap) + end
    }
    return "0" + String(repeating: " ", count: before) + middle
      + String(repeating: " ", count: gap - before - middle.count) + end
  }

  /// Formats a time in the unit that suits the total duration [s].
  private static func time(_ seconds: Double, of whole: Double) -> String {
    let (divisor, unit) = whole <= 600 ? (1.0, "s") : whole <= 10_800 ? (60, "min") : (3600, "h")
    let value = (seconds / divisor * 10).rounded() / 10
    return (value == value.rounded() ? "\(Int(value))" : "\(value)") + " " + unit
  }
}
