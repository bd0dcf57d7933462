package import Allocation
import Ladder
package import Quantity
import Systems

/// Vonage's media router: each subscriber gets the best layer within its preferred resolution and frame rate, else the
/// lowest.
///
/// Preferences are documented as ceilings, and larger ones get more when bandwidth is short; how much more is our
/// model. First, every stream gets its lowest layer, larger preferred sizes first; then each gets the best layer within
/// its share of the budget, which is proportional to its preferred pixels unless it needs less; the remainder raises
/// the streams in turn, again larger sizes first. For a source that is not scalable, the share is the rate to which its
/// publisher has to drop, for all its receivers.
package struct VonagePolicy: AllocationPolicy {
  package init() {}

  /// Minimum rate of a source that is not scalable: libwebrtc's minimum for a stream.
  private static let leastRate = BitRate.kilobits(30)

  package func allocate(
    budget: RateLimit, cap: RateLimit, wishes: [Subscription], _ margin: inout BudgetMargin
  ) -> [Grant] {
    let streams = wishes.map(Share.init)
    guard let allowed = min(budget, cap).rate else {
      return wishes.indices.map {
        Self.grant(wishes[$0], streams[$0], rate: streams[$0].needed, left: .unlimited, room: .unlimited)
      }
    }
    var left = allowed
    // Allocated rates; `nil` for nothing.
    var rates = [BitRate?](repeating: nil, count: wishes.count)
    let order = Self.byPreferredSize(wishes).filter { streams[$0].needed > .zero }
    // Beyond the cap, a larger budget does not change the allocation. Shares grow by no more than the budget does.
    var fit = BudgetMargin()
    for index in order where fit.fits(streams[index].least.bitsPerSecond, within: left.bitsPerSecond) {
      rates[index] = streams[index].least
      left -= streams[index].least
    }
    let shares = Self.shares(of: allowed, streams, among: order.filter { rates[$0] != nil })
    for index in order {
      guard let rate = rates[index] else { continue }
      let best = streams[index].rate(within: min(max(rate, shares[index]), rate + left), &fit)
      left -= best - rate
      rates[index] = best
    }
    // The remainder only shrinks, so a stream that has been denied a layer cannot rise later.
    var rising = order
    while !rising.isEmpty {
      var kept = 0
      for place in rising.indices {
        let index = rising[place]
        guard let rate = rates[index], let next = streams[index].rate(above: rate, within: rate + left, &fit)
        else { continue }
        left -= next - rate
        rates[index] = next
        rising[kept] = index
        kept += 1
      }
      rising.removeSubrange(kept...)
    }
    if RateLimit(allowed) == budget, let rise = fit.rise { margin.note(rise: rise) }
    return wishes.indices.map {
      Self.grant(wishes[$0], streams[$0], rate: rates[$0], left: RateLimit(left), room: cap.leaving(allowed))
    }
  }

  package func order(of wishes: [Subscription]) -> [Int] { Self.byPreferredSize(wishes) }

  /// Orders subscriptions by preferred pixels, descending; equal ones keep their order.
  static func byPreferredSize(_ wishes: [Subscription]) -> [Int] {
    let tiles = wishes.indices.map { (index: $0, pixels: wishes[$0].maximum.resolution.pixels) }
    return tiles.sorted { $0.pixels != $1.pixels ? $0.pixels > $1.pixels : $0.index < $1.index }.map(\.index)
  }

  /// Returns the bit rate of the best layer that a subscriber prefers, if the source's uplink carries it.
  static func preferredRate(of wish: Subscription) -> BitRate {
    candidates(wish.ladder, of: wish).last?.bitrate ?? .zero
  }

  /// Divides a rate in proportion to preferred pixels; whatever a stream does not need goes to the others.
  private static func shares(of total: BitRate, _ streams: [Share], among members: [Int]) -> [BitRate] {
    var shares = streams.map { _ in BitRate.zero }
    var open = members
    var left = Int128(total.bitsPerSecond)
    while !open.isEmpty {
      let weights = open.reduce(Int128(0)) { $0 + Int128(streams[$1].weight) }
      let total = left
      var others: [Int] = []
      others.reserveCapacity(open.count)
      for index in open {
        let needed = Int128(streams[index].needed.bitsPerSecond)
        guard needed * weights <= total * Int128(streams[index].weight) else {
          others.append(index)
          continue
        }
        shares[index] = streams[index].needed
        left -= needed
      }
      guard others.count == open.count else {
        open = others
        continue
      }
      for index in open {
        shares[index] = BitRate(bitsPerSecond: Int64(left * Int128(streams[index].weight) / weights))
      }
      break
    }
    return shares
  }

  private static func grant(
    _ wish: Subscription, _ stream: Share, rate: BitRate?, left: RateLimit, room: RateLimit
  ) -> Grant {
    guard wish.visibility == .onScreen, stream.needed > .zero else {
      let isHidden = wish.visibility != .onScreen
      return Grant(
        source: wish.source, layer: nil,
        limitation: wish.absence ?? (isHidden ? .offScreen : .layerMissing))
    }
    let layer = rate.flatMap { rate in
      stream.isScalable ? stream.layers.last { $0.bitrate <= rate } : stream.layers.last
    }
    guard
      let next = stream.isScalable ? stream.layers.first(where: { $0.bitrate > rate ?? .zero })?.bitrate : nil
    else {
      guard !stream.isScalable, (rate ?? .zero) < stream.needed else { return .unhindered(wish, layer) }
      // The publisher follows: the layer stays, at a lower rate.
      let missing = left.excess(of: (rate == nil ? stream.least : stream.needed) - (rate ?? .zero))
      var grant = Grant.short(wish, layer, missing: missing, room: room)
      grant.bearable = rate
      return grant
    }
    return .short(wish, layer, missing: left.excess(of: next - (rate ?? .zero)), room: room)
  }

  /// Returns the layers within a subscription's preferences, else the lowest, ascending in bit rate.
  private static func candidates(_ layers: [Layer], of wish: Subscription) -> [Layer] {
    let fitting = layers.fitting(wish.maximum.resolution)
    var slowest = Int.max
    for layer in fitting { slowest = min(slowest, layer.format.milliFramesPerSecond) }
    let limit = max(slowest, wish.maximum.milliFramesPerSecond)
    return fitting.ascending { $0.format.milliFramesPerSecond <= limit }
  }

  /// A subscription in the division of shares.
  private struct Share {
    /// Layers ascending in bit rate; none for a tile without video.
    let layers: [Layer]
    /// Number of preferred pixels.
    let weight: Int
    let isScalable: Bool
    let least: BitRate
    let needed: BitRate

    init(_ wish: Subscription) {
      weight = max(1, wish.maximum.resolution.pixels)
      isScalable = wish.ladder.count != 1
      guard wish.visibility == .onScreen, wish.absence == nil else {
        layers = []
        least = .zero
        needed = .zero
        return
      }
      layers = isScalable ? VonagePolicy.candidates(wish.offers, of: wish) : wish.offers
      needed = layers.isEmpty ? .zero : isScalable ? layers[layers.count - 1].bitrate : wish.ladder[0].bitrate
      least = isScalable ? layers.first?.bitrate ?? .zero : min(VonagePolicy.leastRate, needed)
    }

    /// Returns the highest rate of the stream within a limit, which is not below its minimum.
    func rate(within limit: BitRate, _ margin: inout BudgetMargin) -> BitRate {
      guard isScalable else { return min(limit, needed) }
      if let next = layers.first(where: { $0.bitrate > limit }) {
        margin.note(rise: (next.bitrate - limit).bitsPerSecond)
      }
      return layers.last { $0.bitrate <= limit }?.bitrate ?? least
    }

    /// Returns the next higher rate within a limit.
    func rate(above rate: BitRate, within limit: BitRate, _ margin: inout BudgetMargin) -> BitRate? {
      guard isScalable else { return rate < min(limit, needed) ? min(limit, needed) : nil }
      guard let next = layers.first(where: { $0.bitrate > rate }),
        margin.fits(next.bitrate.bitsPerSecond, within: limit.bitsPerSecond)
      else { return nil }
      return next.bitrate
    }
  }
}
