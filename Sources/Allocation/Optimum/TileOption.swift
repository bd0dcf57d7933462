package import Ladder
import Quantity

/// Layer that a tile can be given, with its cost and its utility.
package struct TileOption: Hashable, Sendable, BitwiseCopyable {
  /// Cumulative bit rate [bit/s]; an option of rate 0 or less cannot be given.
  package var rate: Int64
  /// Utility [millionths]; see ``TileUtility``.
  package var utility: Int64

  package init(rate: Int64, utility: Int64) {
    self.rate = rate
    self.utility = utility
  }

  /// Option that cannot be given.
  package static let none = TileOption(rate: 0, utility: 0)
}

extension Subscription {
  /// Size by which a layer is judged [px]: the tile's; if that is unknown, the requested one; without either, the
  /// layer's own (`nil`).
  package var judgedSize: Resolution? {
    if let tile, tile.pixels > 0 { return tile }
    return requested.resolution.pixels > 0 ? requested.resolution : nil
  }

  /// `true` if the viewer could be shown the source at all: sources that the client itself drops for lack of bandwidth
  /// count; those off the screen, muted, capped or beyond the device do not.
  package var isReceivable: Bool {
    guard visibility == .onScreen else { return false }
    switch absence {
    case nil, .some(.none), .bandwidth, .hold, .policy, .layerMissing, .switching, .senderUplink,
      .starting:
      return true
    case .muted, .offScreen, .sender, .requestCap, .device: return false
    }
  }

  /// Returns the layer as the source offers it, with its current rate. A layer that is not offered is replaced by the
  /// highest one that exceeds it neither in encoding nor in temporal layer; `nil` if there is none.
  package func offered(upTo layer: LayerID) -> Layer? {
    offers.last { $0.id.encoding <= layer.encoding && $0.id.temporal <= layer.temporal }
  }

  /// Returns the cost and utility of each layer to the viewer, in the order of the layers; ``TileOption/none`` for one
  /// that cannot be given, because it does not arrive or exceeds the viewer's gate or window.
  ///
  /// - Parameters:
  ///   - layers: layers with their measured rates, zero for one that does not arrive.
  ///   - staysWithinRequest: `true` to exclude layers above ``maximum`` too. The yardstick takes all layers, because
  ///     the utility accounts for the tile's size, and systems differ in what they request for it, some exceeding it.
  ///     That way, no rule within the same budget scores above the optimum.
  package func options(of layers: [Layer], staysWithinRequest: Bool) -> [TileOption] {
    options(of: layers, staysWithinRequest: staysWithinRequest) { layer, tile, _ in
      TileUtility.millionths(of: layer, in: tile, weight: weight)
    }
  }

  /// Returns the cost and utility of each layer to the viewer, with cached scores.
  ///
  /// - Parameter number: number of the first layer in the memo; the others follow.
  package func options(
    of layers: [Layer], staysWithinRequest: Bool, _ memo: inout TileUtilityMemo, from number: Int
  ) -> [TileOption] {
    options(of: layers, staysWithinRequest: staysWithinRequest) { layer, tile, place in
      memo.millionths(of: layer, in: tile, weight: weight, number: number + place)
    }
  }

  private func options(
    of layers: [Layer], staysWithinRequest: Bool, utility: (Layer, Resolution?, Int) -> Int64
  ) -> [TileOption] {
    var options = layers.map { _ in TileOption.none }
    guard isReceivable else { return options }
    let size = judgedSize
    for place in allowed(among: layers, staysWithinRequest: staysWithinRequest) {
      options[place] = TileOption(
        rate: layers[place].bitrate.bitsPerSecond, utility: utility(layers[place], size, place))
    }
    return options
  }

  /// Lists the indices of the layers that the viewer may get. A window admits the lowest encoding if none fits, and a
  /// request the lowest layer if none is within it.
  private func allowed(among layers: [Layer], staysWithinRequest: Bool) -> [Int] {
    var places = layers.indices.filter { layers[$0].bitrate > .zero }
    if let window = confinement.window {
      let fitting = places.filter { layers[$0].format.resolution.fits(in: window) }
      places =
        fitting.isEmpty ? places.filter { layers[$0].id.encoding == layers[places[0]].id.encoding } : fitting
    }
    if let gate { places.removeAll { layers[$0].format.resolution.lines > gate.lines } }
    guard staysWithinRequest else { return places }
    let within = places.filter { layers[$0].format.isWithin(maximum) }
    return within.isEmpty ? Array(places.prefix(1)) : within
  }
}
