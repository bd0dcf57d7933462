import Media
import Quantity
import Testing

@Suite("Uplink shares")
struct UplinkShareTests {
  private static let voice = UplinkTrack.voice(wireRate: BitRate(bitsPerSecond: 58_000))

  private func shares(_ share: inout UplinkShare, _ kilobits: Int64, of count: Int) -> [Int64] {
    share.split(.kilobits(kilobits))
    return (0..<count).map { share[$0].bitsPerSecond / 1000 }
  }

  @Test func minimumsComeFirstThenEvenShares() {
    var share = UplinkShare([
      Self.voice, .video(maximum: .kilobits(2500)), .video(maximum: .kilobits(1000)),
    ])
    // 1000 - 58 - 30 - 30 = 882, half each.
    #expect(shares(&share, 1000, of: 3) == [58, 471, 471])
    // At 1000 the smaller one has its maximum: 58 + 1000 + 1942.
    #expect(shares(&share, 3000, of: 3) == [58, 1942, 1000])
    // Beyond all maxima (3558): evenly up to twice each; the voice takes 58 of the surplus of 442, the camera and the
    // screen share the remaining 384.
    #expect(shares(&share, 4000, of: 3) == [116, 2692, 1192])
  }

  @Test func aWeightCountsAboveTheMinimum() {
    var heavy = UplinkTrack.video(maximum: .kilobits(2500))
    heavy.priority = 3
    var share = UplinkShare([.video(maximum: .kilobits(2500)), heavy])
    #expect(shares(&share, 1060, of: 2) == [280, 780])
  }

  @Test func aPausedTrackNeedsMoreThanItsMinimumToComeBack() {
    let camera = UplinkTrack(minimum: .kilobits(100), maximum: .kilobits(1000), isMinimumEnforced: false)
    var share = UplinkShare([Self.voice, camera])
    #expect(shares(&share, 158, of: 2) == [58, 100])
    #expect(shares(&share, 157, of: 2) == [58, 0])
    // 58 + 100 + max(10, 20) = 178.
    #expect(shares(&share, 177, of: 2) == [58, 0])
    #expect(shares(&share, 178, of: 2) == [58, 120])
    #expect(shares(&share, 158, of: 2) == [58, 100])
  }

  @Test func anEnforcedMinimumIsSentWhateverTheEstimate() {
    var share = UplinkShare([Self.voice, .video(maximum: .kilobits(1000))])
    #expect(shares(&share, 10, of: 2) == [58, 30])
    #expect(shares(&share, 0, of: 2) == [0, 0])
  }

  @Test func thoseThatWereOnGoBeforeThoseThatWerePaused() {
    let optional = UplinkTrack(minimum: .kilobits(100), maximum: .kilobits(1000), isMinimumEnforced: false)
    var share = UplinkShare([optional, optional])
    #expect(shares(&share, 150, of: 2) == [150, 0])
    var swapped = UplinkShare([optional, optional])
    #expect(shares(&swapped, 0, of: 2) == [0, 0])
    #expect(shares(&swapped, 119, of: 2) == [0, 0])
    #expect(shares(&swapped, 239, of: 2) == [239, 0])
    #expect(shares(&swapped, 240, of: 2) == [120, 120])
  }

  @Test func theSharesAreTheEstimateWhereAllFits() {
    var share = UplinkShare([
      Self.voice, .video(maximum: .kilobits(2500)), .video(maximum: .kilobits(700)),
    ])
    for kilobits in stride(from: Int64(200), through: 3258, by: 37) {
      let sum = shares(&share, kilobits, of: 3).reduce(0, +)
      #expect((kilobits - 3...kilobits).contains(sum), "\(kilobits)")
    }
  }

  @Test func packetHeadersAreTakenOff() {
    // 1 Mbps in full packets of 1238 bytes: 100.97, so 101 a second, with 24 + 38 bytes of headers each: 50,096 bit/s.
    #expect(UplinkShare.payload(of: .kilobits(1000), headers: 24) == BitRate(bitsPerSecond: 949_904))
    // With MID and RID expected on the wire: 60 + 38 bytes, 79,184 bit/s.
    #expect(UplinkShare.payload(of: .kilobits(1000), headers: 60) == BitRate(bitsPerSecond: 920_816))
    // A single packet a second already takes 496 bit/s.
    #expect(UplinkShare.payload(of: BitRate(bitsPerSecond: 800), headers: 24) == BitRate(bitsPerSecond: 304))
    #expect(UplinkShare.payload(of: BitRate(bitsPerSecond: 300), headers: 24) == .zero)
  }

  @Test func descriptorsAreTakenOffUpToHalf() {
    // 90 packets a second with 6 bytes each: 4320 bit/s.
    let descriptors = BitRate(bitsPerSecond: 4_320)
    #expect(
      UplinkShare.frames(of: .kilobits(500), descriptors: descriptors) == BitRate(bitsPerSecond: 495_680))
    #expect(UplinkShare.frames(of: .kilobits(4), descriptors: descriptors) == .kilobits(2))
  }
}
