import Allocation
import Ladder
import Quantity
import Testing

@Suite("What limits a tile of which less arrives than was decided")
struct DeliveredTileTests {
  private static let format = VideoFormat(.p720, framesPerSecond: 30)
  private static let small = VideoFormat(.p180, framesPerSecond: 30)
  private static let layer = Layer(
    id: LayerID(encoding: 0, temporal: 0), format: format, bitrate: .kilobits(1500))

  /// Of 720p30 that is asked for, sent and given.
  private func limitation(
    _ word: Limitation = .none, bearable: BitRate? = nil, _ change: (inout DecidedTile.Circumstances) -> Void
  ) -> Limitation {
    let wish = Subscription(source: 0, requested: Self.format, offers: [Self.layer])
    var grant = Grant(source: 0, layer: Self.layer, limitation: word)
    grant.bearable = bearable
    var tile = DecidedTile(wish, grant, desire: Self.layer)
    change(&tile.circumstances)
    return tile.limitation
  }

  /// Most frames do not come: whichever link loses them has the word, unless it has just begun.
  @Test func theLinkThatLosesTheFramesIsTheLimit() {
    #expect(limitation { $0.losing = .senderUplink } == .senderUplink)
    #expect(limitation { $0.losing = .bandwidth } == .bandwidth)
    let starting = limitation {
      $0.losing = .senderUplink
      $0.isSourceStarting = true
    }
    #expect(starting == .starting)
  }

  /// The encoder makes 180p of 720p: the sender's uplink comes before what the downlink loses of it; an encoder that has
  /// the rate by now comes after.
  @Test func whatTheUplinkMakesSmallerIsTheUplinks() {
    for (isSlow, expected) in [(false, Limitation.senderUplink), (true, .bandwidth)] {
      let both = limitation {
        $0.losing = .bandwidth
        $0.encoded = DecidedTile.EncodedFormat(Self.small, because: .senderUplink, isSlow: isSlow)
      }
      #expect(both == expected)
    }
  }

  /// Of a source that cannot be scaled the viewer bears 1 Mbps of 1.5, and the publisher's uplink carries less.
  @Test func anUplinkThatCarriesLessThanTheViewerComesFirst() {
    #expect(limitation(.bandwidth, bearable: .megabits(1)) { _ in } == .bandwidth)
    let uplink = limitation(.bandwidth, bearable: .megabits(1)) {
      $0.encoded = DecidedTile.EncodedFormat(Self.small, because: .senderUplink)
    }
    #expect(uplink == .senderUplink)
  }
}
