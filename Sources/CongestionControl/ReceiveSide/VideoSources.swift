package import Quantity

/// SSRCs from which packets arrived recently.
package struct VideoSources: Sendable {
  private struct Source: BitwiseCopyable, Sendable {
    var ssrc: UInt32
    var seenAt: SimTime
  }

  private var sources: [Source] = []

  package init() {}

  package var isEmpty: Bool { sources.isEmpty }
  package var count: Int { sources.count }

  package func contains(_ ssrc: UInt32) -> Bool { sources.contains { $0.ssrc == ssrc } }

  /// Removes the sources last seen before a time.
  package mutating func removeAll(before time: SimTime) {
    var index = 0
    while index < sources.count {
      if sources[index].seenAt < time { remove(at: index) } else { index += 1 }
    }
  }

  package mutating func see(_ ssrc: UInt32, at now: SimTime) {
    for index in sources.indices where sources[index].ssrc == ssrc {
      sources[index].seenAt = now
      return
    }
    sources.append(Source(ssrc: ssrc, seenAt: now))
  }

  package mutating func remove(_ ssrc: UInt32) {
    for index in sources.indices where sources[index].ssrc == ssrc {
      remove(at: index)
      return
    }
  }

  private mutating func remove(at index: Int) {
    sources.swapAt(index, sources.count - 1)
    sources.removeLast()
  }
}
