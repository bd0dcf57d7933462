public import Ladder
package import Quantity

/// Encodings of a source that are requested, as far as the publisher knows.
public struct EncodingDemand: Equatable {
  /// Encodings sent whether or not a viewer wants them.
  public var alwaysSent: EncodingSet = []
  /// Encodings that the SFU forwards, whose key frame it waits for, or that it requests by itself.
  public var forwarded: EncodingSet = []
  /// Those of ``forwarded`` that some viewer receives or waits for, of a source whose app may push smaller frames.
  package var used: EncodingSet = []
  /// Encodings that viewers would get if no resource were short.
  public var desired: EncodingSet = []
  /// Encodings that viewers receive for a reason other than that the uplink carries nothing higher.
  package var settled: EncodingSet = []
  /// Rate that the worst receiver could take of a source that is not scalable.
  package var bearable = RateLimit.unlimited
  /// Rates that a controller orders, zero for none; empty where the publisher shares its uplink by itself.
  package var orders: [BitRate] = []
  /// Greatest height that a receiver requests, if the sender follows such requests [px]; `nil` otherwise, or without
  /// receivers.
  package var lines: Int?

  package init(forwarded: EncodingSet = [], desired: EncodingSet = [], settled: EncodingSet = []) {
    self.forwarded = forwarded
    self.desired = desired
    self.settled = settled
  }

  /// Encodings to be sent.
  @inlinable public var sent: EncodingSet { forwarded.union(alwaysSent) }

  /// Encodings that are requested, or would be if the uplink carried them.
  @inlinable public var wanted: EncodingSet { sent.union(desired) }

  /// Checks whether an encoding, by its place in the source, is wanted.
  @inlinable public func isWanted(_ index: Int) -> Bool { wanted.contains(index) }

  /// Drops demand for all encodings but these.
  package mutating func keep(_ encodings: EncodingSet) {
    alwaysSent.formIntersection(encodings)
    forwarded.formIntersection(encodings)
    desired.formIntersection(encodings)
    settled.formIntersection(encodings)
  }

  /// Drops demand for all encodings but the highest that a viewer would get, or without any, the highest that is sent
  /// anyway; that one is sent alone.
  package mutating func keepHighest() {
    guard let highest = forwarded.union(desired).highest ?? alwaysSent.highest else { return }
    keep(EncodingSet(highest))
    forwarded.insert(EncodingSet(highest))
  }

  /// Widens demand for any layer of a scalable stream to all of them.
  package mutating func takeWhole(_ all: EncodingSet) {
    if !forwarded.isEmpty { forwarded = all }
    if !desired.isEmpty { desired = all }
    if !settled.isEmpty { settled = all }
  }
}
