package import Quantity

/// Encodings of a source that are requested, as far as the publisher knows; one bit each, from the lowest up.
public struct EncodingDemand: Equatable {
  /// Encodings sent whether or not a viewer wants them.
  public var alwaysSent: UInt32 = 0
  /// Encodings that the SFU forwards, whose key frame it waits for, or that it requests by itself.
  public var forwarded: UInt32 = 0
  /// Those of ``forwarded`` that some viewer receives or waits for, of a source whose app may push smaller frames.
  package var used: UInt32 = 0
  /// Encodings that viewers would get if no resource were short.
  public var desired: UInt32 = 0
  /// Encodings that viewers receive for a reason other than that the uplink carries nothing higher.
  package var settled: UInt32 = 0
  /// Rate that the worst receiver could take of a source that is not scalable.
  package var bearable = RateLimit.unlimited
  /// Rates that a controller orders, zero for none; empty where the publisher shares its uplink by itself.
  package var orders: [BitRate] = []
  /// Greatest height that a receiver requests, if the sender follows such requests [px]; `nil` otherwise, or without
  /// receivers.
  package var lines: Int?

  package init(forwarded: UInt32 = 0, desired: UInt32 = 0, settled: UInt32 = 0) {
    self.forwarded = forwarded
    self.desired = desired
    self.settled = settled
  }

  /// Encodings to be sent.
  @inlinable public var sent: UInt32 { forwarded | alwaysSent }

  /// Encodings that are requested, or would be if the uplink carried them.
  @inlinable public var wanted: UInt32 { sent | desired }

  /// Checks whether an encoding, by its place in the source, is wanted.
  @inlinable public func isWanted(_ index: Int) -> Bool { wanted >> UInt32(index) & 1 == 1 }

  /// Drops demand for all encodings but these, one bit each.
  package mutating func keep(_ encodings: UInt32) {
    alwaysSent &= encodings
    forwarded &= encodings
    desired &= encodings
    settled &= encodings
  }

  /// Drops demand for all encodings but the highest that a viewer would get, or without any, the highest that is sent
  /// anyway; that one is sent alone.
  package mutating func keepHighest() {
    let wanted = forwarded | desired == 0 ? alwaysSent : forwarded | desired
    guard wanted != 0 else { return }
    let highest: UInt32 = 1 << UInt32(UInt32.bitWidth - 1 - wanted.leadingZeroBitCount)
    keep(highest)
    forwarded |= highest
  }

  /// Widens demand for any layer of a scalable stream to all of them, one bit each.
  package mutating func takeWhole(_ all: UInt32) {
    if forwarded != 0 { forwarded = all }
    if desired != 0 { desired = all }
    if settled != 0 { settled = all }
  }
}
