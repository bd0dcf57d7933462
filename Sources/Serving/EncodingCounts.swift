package import Ladder
package import Plan

/// Viewer counts of each encoding: those who would get it if no resource were short, and those who receive it and are
/// neither limited by the uplink nor still ramping up.
package struct EncodingCounts {
  package var desired: EncodingCount
  package var settled: EncodingCount

  init(_ streams: StreamNumbering) {
    desired = EncodingCount(streams)
    settled = EncodingCount(streams)
  }
}

/// Number of viewers of each encoding.
package struct EncodingCount {
  private var viewers: [Int32]

  init(_ streams: StreamNumbering) { viewers = Array(repeating: 0, count: streams.encodings.count) }

  /// Moves a viewer from one encoding of a source to another, by index in the source; `nil` for none.
  package mutating func move(from old: Int?, to new: Int?, of source: Int, _ streams: StreamNumbering) {
    guard old != new else { return }
    let first = streams.sources[source].encodings.lowerBound
    if let old { viewers[first + old] -= 1 }
    if let new { viewers[first + new] += 1 }
  }

  /// Returns the encodings of a source that have a viewer.
  package func encodings(of source: Int, _ streams: StreamNumbering) -> EncodingSet {
    var counted: EncodingSet = []
    for (index, encoding) in streams.sources[source].encodings.enumerated() where viewers[encoding] > 0 {
      counted.insert(EncodingSet(index))
    }
    return counted
  }
}
