import Allocation
import Ladder
import Serving
import TestSupport
import Testing

@Suite("Subscriptions at the SFU")
struct SubscriptionTableTests {
  /// A client's limit counts while its tile is shown: 360 lines, and none off the screen.
  @Test(arguments: [(Visibility.onScreen, 360), (.offScreen, 0)])
  func aTileOffTheScreenTakesNoLines(visibility: Visibility, lines: Int) throws {
    var wish = try ServingBench().wish(.p360)
    wish.visibility = visibility
    var table = SubscriptionTable(tracks: 1)
    table.grant(Grant(source: 0, layer: nil, limitation: .none), to: wish, on: 0)
    #expect(table.tile(0)?.lines == lines)
  }
}
