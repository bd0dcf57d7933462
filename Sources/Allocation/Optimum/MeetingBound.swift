/// Upper bound on the utility of a whole meeting, uplinks included.
///
/// The bounded quantity is the sum of the utilities of all viewers, where each viewer's options fit its downlink, an
/// option of an encoding needs that encoding to be sent at least up to its temporal layer, and everything sent by all
/// sources behind an uplink fits that uplink (integers throughout). Finding that optimum is hard; a bound on it
/// follows from prices.
///
/// *Proof.* Let every viewer i pay a price p(i) >= 0 for each bit, and let d(i) be its downlink. For any feasible
/// allocation, with utility U(i) and rate R(i) <= d(i), sum U(i) <= sum [U(i) - p(i) R(i)] + sum p(i) d(i), since each
/// term p(i) (d(i) - R(i)) is at least zero. The first sum separates by uplink: given the set S of encodings that are
/// sent, an uplink yields at most the sum, over the tiles that show its sources, of the best of nothing and utility -
/// price x rate over the options within S. So the maximum of that over all S that fit the uplink, summed over the
/// uplinks, plus sum p(i) d(i), is at least the optimum, whatever the prices. (Lagrangian relaxation of the downlinks;
/// with the best prices it is at most the linear relaxation's value, since the sets S are not relaxed.)
///
/// Prices start from the slopes of the viewers' hulls, where the bound is at most the sum of Dantzig's bounds, and
/// then follow subgradients; prices are fixed-point numbers and every bound is computed in integers, so that it is
/// valid to the last digit and the same on all machines.
package struct MeetingBound: Sendable {
  /// Encodings that a publisher can send over one uplink.
  package struct Uplink: Hashable, Sendable {
    /// Capacity of the uplink [bit/s].
    package var capacity: Int64
    package var encodings: [Encoding]

    package init(capacity: Int64, encodings: [Encoding]) {
      self.capacity = capacity
      self.encodings = encodings
    }
  }

  package struct Encoding: Hashable, Sendable {
    /// Index of the source in the meeting.
    package var source: Int
    /// Index of the encoding in the source's ladder.
    package var encoding: Int
    /// Bit rate of the encoding up to each temporal layer [bit/s], ascending. The bound also holds, less tightly, for
    /// an encoding that is sent whole or not at all; such an encoding can instead be given as a single temporal layer
    /// that all its options name.
    package var rates: [Int64]

    package init(source: Int, encoding: Int, rates: [Int64]) {
      self.source = source
      self.encoding = encoding
      self.rates = rates
    }
  }

  package struct Option: Hashable, Sendable {
    package var encoding: Int
    package var temporal: Int
    package var value: TileOption

    package init(encoding: Int, temporal: Int, value: TileOption) {
      self.encoding = encoding
      self.temporal = temporal
      self.value = value
    }
  }

  package struct Tile: Hashable, Sendable {
    package var source: Int
    package var options: [Option]

    package init(source: Int, options: [Option]) {
      self.source = source
      self.options = options
    }
  }

  package struct Viewer: Hashable, Sendable {
    /// Capacity of the downlink [bit/s].
    package var capacity: Int64
    package var tiles: [Tile]

    package init(capacity: Int64, tiles: [Tile]) {
      self.capacity = capacity
      self.tiles = tiles
    }
  }

  /// Number of turns in the search for prices; each costs (tiles x sets of encodings).
  private static let turns = 200

  /// Bound [millionths].
  package let utility: Int64
  /// Sum of the viewers' hulls, each with all options that individually fit its downlink and their uplink [millionths].
  package let hullSum: Int64

  /// - Parameters:
  ///   - uplinks: each source is behind one of them.
  ///   - viewers: tiles of sources behind no uplink show nothing.
  package init(uplinks: [Uplink], viewers: [Viewer]) {
    var dual = MeetingDual(uplinks: uplinks, viewers: viewers)
    hullSum = dual.hullSum
    utility = min(hullSum, dual.minimise(turns: Self.turns))
  }
}
