/// Sawtooth of an estimate on a link of constant capacity, from one value per second.
package struct Sawtooth {
  /// Means over the teeth, in the unit of the values.
  package let peak: Double
  package let trough: Double
  /// Mean time between falls [s].
  package let length: Double

  /// Finds the teeth: a fall is a decrease by more than a tenth within two seconds. `nil` if there are fewer than two.
  package init?(_ values: [Double]) {
    var peaks: [Double] = []
    var troughs: [Double] = []
    var falls: [Int] = []
    var place = 1
    while place + 1 < values.count {
      let before = values[place - 1]
      let after = min(values[place], values[place + 1])
      guard after < 0.9 * before else {
        place += 1
        continue
      }
      peaks.append(before)
      troughs.append(after)
      falls.append(place)
      place += 3
    }
    guard let first = falls.first, let last = falls.last, falls.count >= 2 else { return nil }
    peak = peaks.reduce(0, +) / Double(peaks.count)
    trough = troughs.reduce(0, +) / Double(troughs.count)
    length = Double(last - first) / Double(falls.count - 1)
  }
}
