import Allocation
import Ladder
import Quantity
import Systems
import Testing
import Vendors

@Suite("Janus relays the named encoding")
struct JanusPolicyTests {
  private let ladder = Ladder.libwebrtcVP8(capture: VideoFormat(.p720, framesPerSecond: 30)).layers

  private func grant(_ requested: VideoFormat, offers: [Layer], absence: Limitation? = nil) -> Grant? {
    let wish = Subscription(source: 3, requested: requested, offers: offers, ladder: ladder, absence: absence)
    return JanusPolicy().allocate(budget: .kilobits(10), cap: .unlimited, wishes: [wish]).first
  }

  @Test func whatIsNamedComesWhateverTheBudget() {
    let given = grant(VideoFormat(.p720, framesPerSecond: 30), offers: ladder)
    #expect(given?.layer?.id == LayerID(encoding: 2, temporal: 2))
    #expect(given?.limitation == Limitation.none)
    let base = grant(VideoFormat(.p360, milliFramesPerSecond: 7500), offers: ladder)
    #expect(base?.layer?.id == LayerID(encoding: 1, temporal: 0))
  }

  /// A tile below the lowest encoding's 180 lines gets its frames as other tiles do.
  @Test(arguments: [(30, 2), (15, 1), (8, 0), (5, 0)])
  func aSmallTileGetsTheFrameRateThatItRequests(rate: Int, temporal: Int) {
    let given = grant(VideoFormat(.p90, framesPerSecond: rate), offers: ladder)
    #expect(given?.layer?.id == LayerID(encoding: 0, temporal: temporal))
  }

  /// What is relayed meanwhile is up to forwarding: the server sees only packets.
  @Test func theNamedOneStaysSelectedWhereItIsNotSent() {
    let given = grant(
      VideoFormat(.p720, framesPerSecond: 30), offers: ladder.filter { $0.id.encoding < 2 })
    #expect(given?.layer?.id == LayerID(encoding: 2, temporal: 2))
    #expect(given?.limitation == .senderUplink)
    let small = grant(VideoFormat(.p180, framesPerSecond: 30), offers: ladder.filter { $0.id.encoding > 0 })
    #expect(small?.layer?.id == LayerID(encoding: 0, temporal: 2))
  }

  /// Behind a gate of 360 lines, a tile of 540 is granted the same as without one, the encoding below it.
  @Test(arguments: [(539, false), (540, false), (719, false), (720, true)])
  func aGateIsACapOfWhatItKeepsAway(lines: Int, isCapped: Bool) {
    let requested = VideoFormat(Resolution(width: lines * 16 / 9, height: lines), framesPerSecond: 30)
    var wish = Subscription(source: 3, requested: requested, offers: ladder, ladder: ladder)
    wish.gate(at: .p360)
    #expect(wish.maximum.resolution == .p360)
    var given = JanusPolicy().allocate(budget: .zero, cap: .unlimited, wishes: [wish])[0]
    #expect(given.layer?.id == LayerID(encoding: 1, temporal: 2))
    #expect(JanusPolicy().isCapped(wish, at: given) == isCapped)
    // A rate cap withholds what is missing for the next layer, and the full rate of a layer with a varying rate.
    given.missing = .kilobits(1)
    #expect(JanusPolicy().isCapped(wish, at: given))
    given.missing = .zero
    given.bearable = .kilobits(100)
    #expect(JanusPolicy().isCapped(wish, at: given))
  }

  @Test func nothingComesOfWhoIsMuted() {
    let given = grant(VideoFormat(.p720, framesPerSecond: 30), offers: [], absence: .muted)
    #expect(given?.layer == nil && given?.limitation == .muted)
  }
}
