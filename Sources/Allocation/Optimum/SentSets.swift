/// Sets of encodings that a publisher may send over one uplink.
enum SentSets {
  /// Greatest number of sets that are enumerated.
  static let limit = 4096

  /// Lists the sets, each as the number of temporal layers sent by encoding, 0 for none.
  ///
  /// Only maximal sets are listed: sending more never makes viewers worse off. With too many encodings to enumerate,
  /// the list is a single set with each encoding up to the highest layer that fits the uplink by itself, which contains
  /// at least as much as any allowed set.
  static func list(_ uplink: MeetingBound.Uplink) -> [[Int]] {
    let alone = uplink.encodings.map { encoding in
      encoding.rates.lastIndex { $0 <= uplink.capacity }.map { $0 + 1 } ?? 0
    }
    var count = 1
    for layers in alone where count <= limit { count *= layers + 1 }
    guard count <= limit else { return [alone] }
    var sets: [[Int]] = []
    var levels = [Int](repeating: 0, count: alone.count)
    extend(&levels, from: 0, left: uplink.capacity, uplink.encodings, alone, into: &sets)
    return sets
  }

  private static func extend(
    _ levels: inout [Int], from encoding: Int, left: Int64, _ encodings: [MeetingBound.Encoding],
    _ alone: [Int], into sets: inout [[Int]]
  ) {
    guard encoding < encodings.count else {
      let isMaximal = encodings.indices.allSatisfy { place in
        let rates = encodings[place].rates
        let level = levels[place]
        guard level < rates.count else { return true }
        return rates[level] - (level > 0 ? rates[level - 1] : 0) > left
      }
      if isMaximal { sets.append(levels) }
      return
    }
    for level in 0...alone[encoding] {
      let rate = level > 0 ? encodings[encoding].rates[level - 1] : 0
      guard rate <= left else { break }
      levels[encoding] = level
      extend(&levels, from: encoding + 1, left: left - rate, encodings, alone, into: &sets)
    }
    levels[encoding] = 0
  }
}
