import Quantity

/// A stretch of an imported call with a constant path, sender limits and viewer request.
package struct ComparedStretch: Sendable {
  /// A source in the stretch.
  package struct Source: Sendable {
    /// Participant that sends it, and the source, as named in the scenario.
    package let owner: String
    package let name: String
    /// Rate including RTP headers [kbps]; the sum if there are several encodings.
    package let rate: Double
    /// Most frequent height [pixel]; `nil` if unknown or if there are several encodings.
    package let height: Double?
    /// Indicates several encodings, of which a viewer receives only one.
    package let hasSeveralEncodings: Bool
  }

  /// Whole seconds in which the call had settled.
  package let seconds: Range<Int>
  package let sources: [Source]
  /// Total rate sent, including headers, padding and a voice [kbps].
  package let sent: Double
  /// Mean of the sender's estimate while the path was full [kbps]; `nil` if it was not.
  package let estimate: Double?
}

extension ImportedScenario {
  /// Settling time after a change [s]; at most half of a stretch.
  private static let settling = 15
  private static let shortest = 4

  /// Settled stretches of the call, in order.
  package var stretches: [ComparedStretch] {
    let requests = record.requests.map { Int($0.at.rounded()) }
    let fixed = Set(course.steps.map(\.from) + requests + [0, record.duration])
    let changes = fixed.union(fits.flatMap(\.changes).map(\.at)).filter { $0 <= record.duration }.sorted()
    // Changes in close succession do not divide: together they belong to one stretch.
    let bounds = changes.indices.filter { place in
      let before = place > 0 ? changes[place] - changes[place - 1] : .max
      let after = place + 1 < changes.count ? changes[place + 1] - changes[place] : .max
      return fixed.contains(changes[place]) || max(before, after) >= Self.settling
    }.map { changes[$0] }
    return zip(bounds, bounds.dropFirst()).compactMap { from, to in
      let begin = from + min(Self.settling, (to - from) / 2)
      return to - begin >= Self.shortest ? stretch(begin..<to) : nil
    }
  }

  private func stretch(_ seconds: Range<Int>) -> ComparedStretch? {
    let samples = record.samples
    guard let first = samples.firstIndex(where: { $0.time >= Double(seconds.lowerBound) - 0.5 }),
      let last = samples.lastIndex(where: { $0.time <= Double(seconds.upperBound) + 0.5 }), first < last
    else { return nil }
    let estimates = samples[first...last].compactMap(\.estimate)
    let estimate = estimates.isEmpty ? 0 : estimates.reduce(0, +) / Double(estimates.count)
    let sources = record.sources.indices.compactMap { source($0, first, last) }
    let media = sources.map(\.rate).reduce(0, +)
    let sent = record.pathRate(ofMedia: media + record.paddingRate(from: first, to: last))
    let isFull =
      course.cuts.contains { (first...last).contains($0) } && sent >= ContentFit.free * estimate
    return ComparedStretch(seconds: seconds, sources: sources, sent: sent, estimate: isFull ? estimate : nil)
  }

  private func source(_ place: Int, _ first: Int, _ last: Int) -> ComparedStretch.Source? {
    let source = record.sources[place]
    guard let rate = record.rate(of: source.encodings, from: first, to: last), rate >= SentStretch.sending
    else { return nil }
    let isOne = source.encodings.count == 1
    let heights = record.samples[first...last].compactMap { SentStretch.height(source, $0) }
    return ComparedStretch.Source(
      owner: owner(place), name: name(place), rate: rate,
      height: isOne ? SentStretch.mostFrequent(heights) : nil, hasSeveralEncodings: !isOne)
  }

  /// The recorded call as a table in the format that `verify --calls` reads, for `plots/plot.py call`: all sources
  /// together, with the inferred capacity.
  package var table: String {
    var text = "t,capacity_kbps,bwe_kbps,recv_bytes,h,fps\n"
    func field(_ value: Double?) -> String { value.map { (($0 * 1000).rounded() / 1000).decimalText } ?? "" }
    for sample in record.samples {
      let capacity =
        course.steps.last { Double($0.from) <= sample.time }?.kilobits ?? course.steps[0].kilobits
      let top = record.sources[0].encodings.last.flatMap {
        sample.encodings.indices.contains($0) ? sample.encodings[$0] : nil
      }
      let values: [Double?] = [
        sample.time, capacity, sample.estimate, sample.bytes, top?.height, top?.frameRate,
      ]
      text += values.map(field).joined(separator: ",") + "\n"
    }
    return text
  }
}
