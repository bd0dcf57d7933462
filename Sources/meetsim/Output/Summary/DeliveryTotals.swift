import Metrics
import Quantity

/// Pixels requested and delivered, bytes and freezes, summed over visible tiles.
struct DeliveryTotals {
  private(set) var tiles = 0
  private(set) var freezeCount: Int64 = 0
  private(set) var freezesDuration = SimDuration.zero
  private(set) var bytes: Int64 = 0
  private var wanted: Int128 = 0
  private var delivered: Int128 = 0
  private var missing: [(limitation: String, pixels: Int128)] = []

  mutating func add(_ tile: VisibleSummary) {
    tiles += 1
    freezeCount += tile.freezeCount
    freezesDuration += tile.freezesDuration
    bytes += tile.bytes
    wanted += tile.wanted
    delivered += tile.delivered
    for part in tile.missing {
      if let place = missing.firstIndex(where: { $0.limitation == part.limitation }) {
        missing[place].pixels += part.pixels
      } else {
        missing.append(part)
      }
    }
  }

  /// Delivered share of the requested pixels, rounded down [1/1000].
  var thousandths: Int { wanted > 0 ? Int(delivered * 1000 / wanted) : 0 }

  /// Limitation behind most of the missing pixels; `nil` if none is missing.
  ///
  /// Frames that were forwarded by decision but lost, late or not sent count as `delivery`.
  var reason: String? {
    var greatest: (limitation: String, pixels: Int128)?
    for part in missing where part.pixels > greatest?.pixels ?? 0 { greatest = part }
    return greatest.map { $0.limitation == "none" ? "delivery" : $0.limitation }
  }

  /// Severity for the person watching.
  var tone: Terminal.Tone {
    thousandths < 500 ? .bad : thousandths < 900 || freezeCount > 0 ? .warning : .plain
  }
}
