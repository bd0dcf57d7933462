import Allocation
import Ladder
import Quantity
import Systems

/// A source in the allocation by Signal's SFU: its encodings with all their temporal layers.
struct SignalVideo {
  struct Encoding {
    /// Index of its highest temporal layer, among the source's layers: an encoding is forwarded whole.
    var layer: Int
    /// Height of the picture [px]; zero for an encoding that does not arrive or that the gate blocks.
    var height = 0
    /// Rate of all that has been measured of it [bit/s]; zero for an encoding that does not arrive or that the gate
    /// blocks.
    var rate: Int64 = 0
  }

  /// Requested lines; 0 for no video.
  let requested: Int
  /// Encodings from the lowest up.
  let encodings: [Encoding]
  /// Encoding that best suits the request; `nil` for none.
  let ideal: Int?

  /// Allocated encoding.
  var granted: Int?
  /// Rate at which the encoding was allocated [bit/s].
  var rate: Int64 = 0
  /// Encoding skipped since because it did not fit; `nil` for none.
  var skipped: Int?

  init(_ wish: borrowing Subscription, _ layers: [Layer], requested: Int) {
    self.requested = requested
    var encodings: [Encoding] = []
    encodings.reserveCapacity((layers.last?.id.encoding ?? -1) + 1)
    for (index, layer) in layers.enumerated() {
      while encodings.count <= layer.id.encoding { encodings.append(Encoding(layer: index)) }
      encodings[layer.id.encoding].layer = index
      guard layer.bitrate > .zero, !wish.isGated(layer) else { continue }
      encodings[layer.id.encoding].height = layer.format.resolution.height
      encodings[layer.id.encoding].rate = layer.bitrate.bitsPerSecond
    }
    self.encodings = encodings
    ideal = Self.ideal(of: encodings, for: requested)
  }

  /// Returns the highest encoding with the height of the first one that is tall enough, else the highest of all.
  private static func ideal(of encodings: [Encoding], for requested: Int) -> Int? {
    guard requested > 0 else { return nil }
    guard let enough = encodings.first(where: { $0.rate > 0 && $0.height >= requested }) else {
      return encodings.lastIndex { $0.rate > 0 }
    }
    return encodings.lastIndex { $0.rate > 0 && $0.height == enough.height }
  }

  /// Returns the encoding to consider in place of another: the one with the lowest rate from there up to the ideal.
  ///
  /// - Returns: `nil` if there is nothing to consider.
  func candidate(for encoding: Int) -> Int? {
    guard let ideal, encoding <= ideal, encodings[encoding].rate > 0 else { return nil }
    var candidate = encoding
    for higher in encoding..<ideal + 1
    where encodings[higher].rate > 0 && encodings[higher].rate < encodings[candidate].rate {
      candidate = higher
    }
    return candidate
  }

  /// Returns the rate of an encoding beyond the current allocation [bit/s].
  func increase(to encoding: Int) -> Int64 { max(0, encodings[encoding].rate - rate) }
}
