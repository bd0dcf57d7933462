import Allocation
import Ladder
import Quantity
import Systems
import Testing

@Suite("Janus relays what is named")
struct JanusPolicyTests {
  private let ladder = Ladder.libwebrtcVP8(capture: VideoFormat(.p720, framesPerSecond: 30)).layers

  private func grant(_ requested: VideoFormat, offers: [Layer], absence: Limitation? = nil) -> Grant? {
    let wish = Wish(source: 3, requested: requested, offers: offers, ladder: ladder, absence: absence)
    return JanusPolicy().allocate(budget: .kilobits(10), cap: .unlimited, wishes: [wish]).first
  }

  @Test func whatIsNamedComesWhateverTheBudget() {
    let given = grant(VideoFormat(.p720, framesPerSecond: 30), offers: ladder)
    #expect(given?.layer?.id == LayerID(encoding: 2, temporal: 2))
    #expect(given?.limitation == Limitation.none)
    let base = grant(VideoFormat(.p360, milliFramesPerSecond: 7500), offers: ladder)
    #expect(base?.layer?.id == LayerID(encoding: 1, temporal: 0))
  }

  @Test func whereTheNamedOneIsNotSentTheNextLowerOneIsRelayed() {
    let given = grant(
      VideoFormat(.p720, framesPerSecond: 30), offers: ladder.filter { $0.id.encoding < 2 })
    #expect(given?.layer?.id == LayerID(encoding: 1, temporal: 2))
    #expect(given?.limitation == .senderUplink)
    // Nothing larger than what is named, however.
    let small = grant(VideoFormat(.p180, framesPerSecond: 30), offers: ladder.filter { $0.id.encoding > 0 })
    #expect(small?.layer?.id == LayerID(encoding: 0, temporal: 2))
  }

  @Test func nothingComesOfWhoIsMuted() {
    let given = grant(VideoFormat(.p720, framesPerSecond: 30), offers: [], absence: .muted)
    #expect(given?.layer == nil && given?.limitation == .muted)
  }
}
