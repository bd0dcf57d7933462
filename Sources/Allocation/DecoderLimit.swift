package import Ladder
package import Quantity

/// Capacity of a viewer's device to decode concurrent streams.
///
/// Our model of "given your network and hardware capabilities" (BlueJeans iOS custom layouts): decoders slow down with
/// pixels, and phones have a fixed number of hardware decoders. Real devices have no sharp limits.
package struct DecoderLimit: Hashable, Sendable {
  /// Pixels per second of all streams together; `nil` for no limit.
  package var pixelsPerSecond: Int?
  /// Number of concurrent streams; `nil` for no limit.
  package var streams: Int?

  package init(pixelsPerSecond: Int? = nil, streams: Int? = nil) {
    self.pixelsPerSecond = pixelsPerSecond
    self.streams = streams
  }
}

extension VideoFormat {
  /// Pixels per second [1/1000 px/s].
  package var milliPixelsPerSecond: Int { resolution.pixels * milliFramesPerSecond }
}

extension AllocationPolicy {
  /// Limits subscriptions to the layers that the viewer's device can decode, for servers and controllers whose rules
  /// know nothing about devices: their clients request no more [our model].
  ///
  /// - Parameter limit: `nil` for a device without a limit.
  package func confine(_ wishes: inout [Subscription], to limit: DecoderLimit?) {
    guard let limit else { return }
    let whole = wishes.map(\.withWholeLadder)
    let decoded = desires(whole, within: limit)
    let wanted = desires(whole, within: nil)
    // If the device would allow no more even without caps, it takes precedence as the limit.
    let unhindered = wishes.map(\.unhindered)
    let isCapped = unhindered != whole
    let mostDecoded = isCapped ? desires(unhindered, within: limit) : decoded
    let mostWanted = isCapped ? desires(unhindered, within: nil) : wanted
    for place in wishes.indices {
      let isGiven = wishes[place].exclusion == nil
      let given = isGiven ? decoded[place] : nil
      let beyond = isGiven && wanted[place].isAbove(given) ? wanted[place] : nil
      let isCut =
        beyond != nil || mostWanted[place].isAbove(given) && !mostDecoded[place].isAbove(given)
      wishes[place].confine(toDecoded: given, isCut: isCut, beyond: beyond)
    }
  }

  /// Allocates within the decode limit of the viewer's device.
  ///
  /// Higher priorities come first. Within a priority, the first in order are admitted, and they share the pixels as
  /// they share a budget: the largest layer, or the last of several equally large, gives way. The budget that this
  /// frees goes to the others.
  ///
  /// - Parameter limit: `nil` for a device without a limit.
  package func allocate(
    budget: RateLimit, cap: RateLimit, wishes: [Subscription], within limit: DecoderLimit?
  ) -> [Grant] {
    var margin = BudgetMargin()
    return allocate(budget: budget, cap: cap, wishes: wishes, within: limit, &margin)
  }

  /// Allocates within the decode limit of the viewer's device, and records how much more budget may change a grant.
  package func allocate(
    budget: RateLimit, cap: RateLimit, wishes: [Subscription], within limit: DecoderLimit?,
    _ margin: inout BudgetMargin
  ) -> [Grant] {
    guard !wishes.contains(where: \.followsReceivers) else {
      var grants = allocate(
        budget: budget, cap: cap, wishes: wishes.map(\.asDecided), within: limit, &margin)
      for index in grants.indices where wishes[index].followsReceivers {
        guard let layer = grants[index].layer else { continue }
        let own =
          wishes[index].offers.first { $0.id == layer.id } ?? wishes[index].ladder.first { $0.id == layer.id }
        grants[index].layer?.bitrate = own?.bitrate ?? layer.bitrate
      }
      return grants
    }
    var grants = allocate(bounded: wishes, budget: budget, cap: cap, by: limit, &margin)
    var unused = BudgetMargin()
    // If no budget within the client's cap would give more, because others would get it first, the cap is the limit.
    if budget < cap, cap != .unlimited, grants.contains(where: \.isShort) {
      let capped = allocate(bounded: wishes, budget: cap, cap: cap, by: limit, &unused)
      for index in grants.indices where grants[index].isShort && !capped[index].isMore(than: grants[index]) {
        grants[index].limitation = .requestCap
      }
    }
    guard let limit else { return grants }
    let isLimited = grants.map { [.senderUplink, .bandwidth, .requestCap].contains($0.limitation) }
    guard isLimited.contains(true) else { return grants }
    // If the device would allow no more even with an unlimited budget and no caps, it takes precedence as the limit.
    let unhindered = wishes.map(\.unhindered)
    let whole = allocate(budget: .unlimited, cap: .unlimited, wishes: unhindered, &unused)
    let decoded = allocate(bounded: unhindered, budget: .unlimited, cap: .unlimited, by: limit, &unused)
    for index in grants.indices
    where isLimited[index] && whole[index].isMore(than: grants[index])
      && !decoded[index].isMore(than: grants[index])
    {
      grants[index].limitation = .device
      grants[index].missing = .zero
    }
    return grants
  }

  /// Allocates layers that the device can decode concurrently.
  ///
  /// - Parameter limit: `nil` for a device without a limit.
  private func allocate(
    bounded wishes: [Subscription], budget: RateLimit, cap: RateLimit, by limit: DecoderLimit?,
    _ margin: inout BudgetMargin
  ) -> [Grant] {
    guard let limit else { return allocate(budget: budget, cap: cap, wishes: wishes, &margin) }
    var grants = allocate(budget: budget, cap: cap, wishes: wishes, &margin)
    var bounded = wishes
    var isBound = [Bool](repeating: false, count: wishes.count)
    // Every pass removes at least one layer from one of the subscriptions.
    while limit.bind(&bounded, given: grants, &isBound) {
      grants = allocate(budget: budget, cap: cap, wishes: bounded, &margin)
    }
    return limit.admit(grants, wishes, isBound)
  }
}

extension DecoderLimit {
  /// Removes from the subscriptions the layers that do not fit after the grants of higher priority and alongside those
  /// of the same priority.
  ///
  /// - Returns: `true` if a layer was removed.
  fileprivate func bind(_ wishes: inout [Subscription], given grants: [Grant], _ isBound: inout [Bool])
    -> Bool
  {
    var room = Room(self)
    var hasRemoved = false
    for group in wishes.indicesByPriority {
      var given = group.compactMap { index in grants[index].layer.map { (index: index, layer: $0) } }
      func confine(_ place: Int, to fits: (Layer) -> Bool) {
        let (index, layer) = given[place]
        if wishes[index].keep(fits) {
          isBound[index] = true
          hasRemoved = true
        }
        // The grant it will probably get, so that others are bound in the same pass.
        if let next = wishes[index].offers.last(where: { $0.bitrate <= layer.bitrate && $0.id < layer.id }) {
          given[place].layer = next
        } else {
          given.remove(at: place)
        }
      }
      while given.count > room.streams { confine(given.count - 1) { _ in false } }
      while let largest = room.largestInExcess(of: given.map(\.layer)) {
        let pixels = given[largest].layer.format.milliPixelsPerSecond
        confine(largest) { $0.format.milliPixelsPerSecond < pixels }
      }
      for (_, layer) in given { _ = room.take(layer) }
    }
    return hasRemoved
  }

  /// Marks the grants that the device limits, and clears those that a policy makes beyond the limit anyway, since they
  /// are not decoded.
  fileprivate func admit(_ grants: [Grant], _ wishes: [Subscription], _ isBound: [Bool]) -> [Grant] {
    var grants = grants
    var room = Room(self)
    for index in wishes.indicesByPriority.joined() {
      if let layer = grants[index].layer, !room.take(layer) {
        grants[index] = Grant(source: grants[index].source, layer: nil, limitation: .device)
      } else if isBound[index], grants[index].missing <= .zero, grants[index].limitation != .none {
        grants[index].limitation = .device
      }
    }
    return grants
  }

  /// Remaining room within a limit.
  private struct Room {
    private var milliPixelsPerSecond: Int
    private(set) var streams: Int

    init(_ limit: DecoderLimit) {
      milliPixelsPerSecond = limit.pixelsPerSecond.map { $0 * 1000 } ?? .max
      streams = limit.streams ?? .max
    }

    func fits(_ layer: Layer) -> Bool {
      streams > 0 && layer.format.milliPixelsPerSecond <= milliPixelsPerSecond
    }

    /// Returns the index of the largest layer, or the last of several equally large, if the layers do not all fit.
    func largestInExcess(of layers: [Layer]) -> Int? {
      let sizes = layers.map(\.format.milliPixelsPerSecond)
      guard sizes.reduce(0, +) > milliPixelsPerSecond else { return nil }
      return sizes.indices.max { sizes[$0] < sizes[$1] || sizes[$0] == sizes[$1] && $0 < $1 }
    }

    /// Takes the room that a layer needs; returns `false` if there is too little.
    mutating func take(_ layer: Layer) -> Bool {
      guard fits(layer) else { return false }
      milliPixelsPerSecond -= layer.format.milliPixelsPerSecond
      streams -= 1
      return true
    }
  }
}

extension Layer? {
  /// Checks whether the layer is higher than another; `nil` is below all layers.
  fileprivate func isAbove(_ other: Layer?) -> Bool {
    guard let self else { return false }
    return other.map { self.id > $0.id } ?? true
  }
}

extension Grant {
  /// `true` if the budget denies the next layer, unless the client has fallen back.
  fileprivate var isShort: Bool { limitation == .bandwidth && missing > .zero }

  /// Checks whether the grant has a higher layer than another, or allows the same layer a higher rate.
  fileprivate func isMore(than other: Grant) -> Bool {
    guard layer?.id == other.layer?.id else { return layer.isAbove(other.layer) }
    guard layer != nil, let least = other.bearable else { return false }
    return bearable.map { $0 > least } ?? true
  }
}

extension Subscription {
  /// Keeps the layers that fit; a subscription left without layers is excluded as not decoded by the device.
  ///
  /// - Returns: `true` if anything changed.
  fileprivate mutating func keep(_ fits: (Layer) -> Bool) -> Bool {
    let count = offers.count + ladder.count
    offers.removeAll { !fits($0) }
    ladder.removeAll { !fits($0) }
    let isExcluded = ladder.isEmpty && absence == nil
    if isExcluded { absence = .device }
    return isExcluded || offers.count + ladder.count < count
  }
}
