import Allocation
import Ladder
import Quantity
import Testing

@Suite("Limitations of tiles that receive less than was decided")
struct DeliveredTileTests {
  private static let format = VideoFormat(.p720, framesPerSecond: 30)
  private static let small = VideoFormat(.p180, framesPerSecond: 30)
  private static let layer = Layer(
    id: LayerID(encoding: 0, temporal: 0), format: format, bitrate: .kilobits(1500))

  /// Limitation of a tile for which 720p30 is requested, sent and granted.
  private func limitation(
    _ word: Limitation = .none, bearable: BitRate? = nil, _ change: (inout GrantedTile.Circumstances) -> Void
  ) -> Limitation {
    let wish = Subscription(source: 0, requested: Self.format, offers: [Self.layer])
    var grant = Grant(source: 0, layer: Self.layer, limitation: word)
    grant.bearable = bearable
    var tile = GrantedTile(wish, grant, desire: Self.layer)
    change(&tile.circumstances)
    return tile.limitation
  }

  /// Most frames are lost: the link that loses them is the limitation, unless the source has just started.
  @Test func theLinkThatLosesTheFramesIsTheLimit() {
    #expect(limitation { $0.losing = .senderUplink } == .senderUplink)
    #expect(limitation { $0.losing = .bandwidth } == .bandwidth)
    let starting = limitation {
      $0.losing = .senderUplink
      $0.isSourceStarting = true
    }
    #expect(starting == .starting)
  }

  /// The encoder scales 720p down to 180p: the sender's uplink ranks above losses on the downlink, unless the encoder
  /// already has the rate for 720p.
  @Test func whatTheUplinkMakesSmallerIsTheUplinks() {
    for (isSlow, expected) in [(false, Limitation.senderUplink), (true, .bandwidth)] {
      let both = limitation {
        $0.losing = .bandwidth
        $0.encoded = GrantedTile.EncodedFormat(Self.small, because: .senderUplink, isSlow: isSlow)
      }
      #expect(both == expected)
    }
  }

  /// The viewer can take 1 of 1.5 Mbps of a source that cannot be scaled, and the publisher's uplink carries less than
  /// that.
  @Test func anUplinkThatCarriesLessThanTheViewerComesFirst() {
    #expect(limitation(.bandwidth, bearable: .megabits(1)) { _ in } == .bandwidth)
    let uplink = limitation(.bandwidth, bearable: .megabits(1)) {
      $0.encoded = GrantedTile.EncodedFormat(Self.small, because: .senderUplink)
    }
    #expect(uplink == .senderUplink)
  }
}
