import Metrics
import Quantity

/// Pixels, bytes and freezes of visible tiles.
struct DeliveryTotals {
  private(set) var tiles = 0
  private(set) var freezeCount: Int64 = 0
  /// Freezes of the tile that was frozen the longest.
  private(set) var longestFreezes = SimDuration.zero
  private(set) var bytes: Int64 = 0
  private(set) var ofScreen = PixelSum()
  private(set) var ofRequest = PixelSum()
  private var missing: [(limitation: String, pixels: Int128)] = []

  mutating func add(_ tile: VisibleSummary) {
    tiles += 1
    freezeCount += tile.freezeCount
    longestFreezes = max(longestFreezes, tile.freezesDuration)
    bytes += tile.bytes
    ofScreen.add(tile.ofScreen)
    ofRequest.add(tile.ofRequest)
    for part in tile.missing {
      if let place = missing.firstIndex(where: { $0.limitation == part.limitation }) {
        missing[place].pixels += part.pixels
      } else {
        missing.append(part)
      }
    }
  }

  /// Shown share of the tiles' pixels, rounded down [1/1000].
  var thousandths: Int { ofScreen.thousandths }

  /// Limitation behind most of the missing pixels; `nil` if none is missing.
  ///
  /// Frames that were meant to be forwarded but were lost, late or not sent count as `delivery`; pixels that the system
  /// did not request, as `request`.
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
