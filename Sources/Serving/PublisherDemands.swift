package import Endpoint
package import Ladder
package import Plan
package import Quantity
package import Systems

/// The SFU's demands of the publishers: what it has last signalled for each source, and what it goes on requesting.
package struct PublisherDemands {
  /// Encodings that begin with a demand.
  package struct News: Equatable {
    package let demand: EncodingDemand
    /// Encodings that were not to be sent before.
    package let begun: EncodingSet
  }

  /// Demand last signalled, by source.
  private var signalled: [EncodingDemand]
  /// Encodings of each source that remain requested after the last viewer leaves. None is requested before the first
  /// viewer arrives: the uplink would be probed only up to the low rate of these, and the viewer would wait for the
  /// rest.
  private let keptUnwatched: [EncodingSet]
  /// All encodings of each scalable source; `nil` for any other. Servers do not switch single layers of
  /// a scalable stream off.
  private let whole: [EncodingSet?]
  /// Pauses of encodings; `nil` where they pause at once.
  private var pauses: EncodingPauses?

  package init(_ publisher: PublisherTraits, _ sources: [StreamNumbering.Source]) {
    signalled = sources.map { _ in EncodingDemand() }
    keptUnwatched = sources.map { publisher.keptUnwatched.encodings(of: $0.encodings.count) }
    whole = sources.map { $0.isScalable ? $0.allEncodings : nil }
    pauses = publisher.pauseRule.map { EncodingPauses($0, sources: sources.count) }
  }

  /// Begins a source with a number of encodings.
  package mutating func begin(_ source: Int, encodings: Int, at now: SimTime) {
    pauses?.begin(source, encodings: encodings, at: now)
  }

  /// Ends a source whose publisher has left.
  package mutating func end(_ source: Int) { pauses?.end(source) }

  /// Forgets the demand signalled for a source whose publisher has rejoined: it may have been lost with the old
  /// connection.
  package mutating func forget(_ source: Int) { signalled[source] = EncodingDemand() }

  /// Completes the viewers' demand for a source.
  ///
  /// - Returns: what to signal; `nil` if it is unchanged.
  package mutating func take(
    _ wanted: EncodingDemand, of source: Int, isCapturing: Bool, at now: SimTime
  ) -> News? {
    var demand = wanted
    if demand.wanted.isEmpty, !signalled[source].wanted.isEmpty, isCapturing {
      demand.forwarded = keptUnwatched[source]
    }
    if let whole = whole[source] { demand.takeWhole(whole) }
    if let requested = pauses?.requested(of: source, wanted: demand.forwarded.union(demand.desired), at: now)
    {
      demand.forwarded = requested
    }
    guard demand != signalled[source] else { return nil }
    let begun = demand.sent.subtracting(signalled[source].sent)
    signalled[source] = demand
    return News(demand: demand, begun: begun)
  }

  /// Returns the time at which a source's demand must be checked again; `nil` if it has been reported.
  package mutating func takeDueTime(of source: Int) -> SimTime? { pauses?.takeDueTime(of: source) }
}
