/// Dual function of ``MeetingBound``, and the search for good prices.
struct MeetingDual {
  /// Fractional binary digits of prices and sums.
  private static let digits: Int64 = 24

  /// Viewer's tile of a source behind an uplink, with its options by encoding and temporal layer.
  private struct Seat {
    var viewer: Int
    /// Options of exactly one layer each, by encoding of the uplink and temporal layer.
    var options: [(encoding: Int, temporal: Int, rate: Int64, utility: Int64)]
  }

  private struct Uplink {
    var sets: [[Int]]
    var encodings: Int
    var seats: [Seat]
  }

  private let capacities: [Int64]
  private var uplinks: [Uplink] = []
  private var prices: [Int64]
  private let greatestPrice: Int64
  let hullSum: Int64

  init(uplinks: [MeetingBound.Uplink], viewers: [MeetingBound.Viewer]) {
    self.uplinks = uplinks.map { Uplink(sets: SentSets.list($0), encodings: $0.encodings.count, seats: []) }
    var greatestRate: Int64 = 1
    var capacities: [Int64] = []
    var slopes: [(utility: Int64, rate: Int64)] = []
    var hulls: Int64 = 0
    for (number, viewer) in viewers.enumerated() {
      var tiles: [[TileOption]] = []
      var most: Int64 = 0
      for tile in viewer.tiles {
        guard let place = uplinks.firstIndex(where: { $0.encodings.contains { $0.source == tile.source } })
        else { continue }
        let seat = Self.seat(tile, of: number, within: viewer.capacity, behind: uplinks[place])
        tiles.append(seat.options.map { TileOption(rate: $0.rate, utility: $0.utility) })
        let rate = seat.options.reduce(0) { max($0, $1.rate) }
        greatestRate = max(greatestRate, rate)
        most += rate
        self.uplinks[place].seats.append(seat)
      }
      let problem = AllocationProblem(tiles)
      let capacity = min(max(0, viewer.capacity), most)
      capacities.append(capacity)
      slopes.append(problem.hull.slope(at: capacity))
      hulls += problem.hullUtility(within: capacity)
    }
    self.capacities = capacities
    hullSum = hulls
    let greatestPrice = Int64.max / 4 / max(greatestRate, capacities.max() ?? 1, 1)
    self.greatestPrice = greatestPrice
    prices = slopes.map { slope in
      Int64(
        clamping: min(
          (Int128(slope.utility) << Int128(Self.digits)) / Int128(slope.rate), Int128(greatestPrice)))
    }
  }

  /// Collects the options of a tile that individually fit the downlink and the uplink.
  private static func seat(
    _ tile: MeetingBound.Tile, of viewer: Int, within capacity: Int64, behind uplink: MeetingBound.Uplink
  ) -> Seat {
    var seat = Seat(viewer: viewer, options: [])
    for option in tile.options
    where option.value.rate > 0 && option.value.rate <= capacity && option.value.utility > 0 {
      let place = uplink.encodings.firstIndex {
        $0.source == tile.source && $0.encoding == option.encoding
      }
      guard let place, uplink.encodings[place].rates.indices.contains(option.temporal),
        uplink.encodings[place].rates[option.temporal] <= uplink.capacity
      else { continue }
      seat.options.append((place, option.temporal, option.value.rate, option.value.utility))
    }
    return seat
  }

  // MARK: The bound at given prices

  /// Computes the bound [2^-24 millionths], and each viewer's rate in the allocation that attains it [bit/s].
  private func bound() -> (value: Int128, rates: [Int64]) {
    var total: Int128 = 0
    var rates = [Int64](repeating: 0, count: capacities.count)
    for viewer in capacities.indices { total += Int128(prices[viewer]) * Int128(capacities[viewer]) }
    for uplink in uplinks where !uplink.seats.isEmpty {
      let best = best(of: uplink)
      total += best.value
      for (viewer, rate) in best.rates { rates[viewer] += rate }
    }
    return (total, rates)
  }

  private func best(of uplink: Uplink) -> (value: Int128, rates: [(Int, Int64)]) {
    var best: (value: Int128, rates: [(Int, Int64)]) = (-1, [])
    for set in uplink.sets {
      var value: Int128 = 0
      var rates: [(Int, Int64)] = []
      for seat in uplink.seats {
        var most: Int64 = 0
        var rate: Int64 = 0
        for option in seat.options where option.temporal < set[option.encoding] {
          let net = option.utility << Self.digits - prices[seat.viewer] * option.rate
          guard net > most else { continue }
          most = net
          rate = option.rate
        }
        value += Int128(most)
        rates.append((seat.viewer, rate))
      }
      if value > best.value { best = (value, rates) }
    }
    return best
  }

  // MARK: Prices

  /// Searches for the least bound and returns it [millionths], rounded down.
  ///
  /// Steps along the subgradient towards a target below the best bound; the target moves closer whenever a few turns
  /// have not helped.
  mutating func minimise(turns: Int) -> Int64 {
    let start = bound()
    var best = start
    var bestPrices = prices
    var gap = Double(start.value) * 0.05
    var failures = 0
    var present = start
    for _ in 0..<turns {
      let excess = capacities.indices.map { Double(capacities[$0] - present.rates[$0]) }
      // A price of zero cannot fall.
      let slopes = capacities.indices.map { prices[$0] == 0 && excess[$0] > 0 ? 0 : excess[$0] }
      let norm = slopes.reduce(0) { $0 + $1 * $1 }
      guard norm > 0 else { break }
      let step = max(0, Double(present.value - best.value) + gap) / norm
      for viewer in prices.indices {
        let price = Double(prices[viewer]) - step * slopes[viewer]
        prices[viewer] = Int64(min(max(0, price.rounded()), Double(greatestPrice / 2)))
      }
      present = bound()
      if present.value < best.value {
        best = present
        bestPrices = prices
        failures = 0
      } else {
        failures += 1
        guard failures == 5 else { continue }
        failures = 0
        gap /= 2
        prices = bestPrices
        present = best
      }
    }
    return Int64(clamping: best.value >> Int128(Self.digits))
  }
}
