import Allocation
import Testing

@Suite("The limitation table")
struct LimitationTableTests {
  @Test func hasARowForEachWordInTheOrderInWhichTheyAreLookedFor() {
    #expect(LimitationRow.table.map(\.word) == Limitation.allCases)
  }

  /// The word for a tile of which nothing else is true.
  @Test(
    arguments: [
      (.saysOffScreen, .offScreen), (.saysMuted, .muted), (.isTop, .sender),
      (.isGivenUnsent, .senderUplink), ([.isRuled, .saysStarting], .starting), (.isDeviceLimit, .device),
      ([.isRuled, .saysRequestCap], .requestCap), (.isOpen, .layerMissing),
      ([.isRuled, .saysBandwidth], .bandwidth), ([.isRuled, .saysHold], .hold),
      ([.isRuled, .saysSwitching], .switching), ([.isOpen, .isNextRequested], .policy), (.isDelivery, .none),
    ] as [(TileFacts, Limitation)])
  func hasAWord(facts: TileFacts, word: Limitation) {
    #expect(Limitation(facts) == word)
  }

  /// Tiles that match several rows: the first row determines the word, and swapping the two rows would change it.
  @Test(
    arguments: [
      ([.isDelivery, .isSmallerBySender, .isLostDown], .sender, .bandwidth),
      ([.isRuled, .saysRequestCap, .isRestUnsent], .senderUplink, .requestCap),
      ([.isOpen, .isBelowDesire, .isDesireUnsent, .isCutByDevice], .senderUplink, .device),
      ([.isOpen, .saysSenderUplink, .isWithheld, .isCutByDevice], .senderUplink, .device),
      ([.isDelivery, .isCutByUplink, .isLostDown], .senderUplink, .bandwidth),
      ([.isRuled, .saysBandwidth, .isViewerStarting], .starting, .bandwidth),
      ([.isOpen, .isBelowDesire, .isSourceStarting, .isCutByDevice], .starting, .device),
      ([.isOpen, .isCutByDevice, .isCutByWindow], .device, .requestCap),
      ([.isOpen, .isCutByDevice, .isBelowDesire], .device, .switching),
      ([.isOpen, .isCutByWindow], .requestCap, .layerMissing),
      ([.isOpen, .isCutByWindow], .requestCap, .policy), (.isOpen, .layerMissing, .policy),
      ([.isDelivery, .isLostDown, .isSwitching], .bandwidth, .switching),
      ([.isDelivery, .isSmallerByHold, .isSwitching], .hold, .switching),
      ([.isDelivery, .isSwitching, .isFaster], .switching, .policy),
      ([.isOpen, .isBelowDesire], .switching, .policy), ([.isDelivery, .isFaster], .policy, .none),
    ] as [(TileFacts, Limitation, Limitation)])
  func hasTheFirstOfTwoWords(facts: TileFacts, word: Limitation, later: Limitation) {
    #expect(Limitation(facts) == word)
    let rows = LimitationRow.table.filter { $0.holds(for: facts) }.map(\.word)
    #expect(rows.contains(later))
  }

  /// Facts that make one row no longer match, so that the next one does.
  @Test(
    arguments: [
      (.isGivenUnsent, .isSourceStarting, .senderUplink, .starting),
      ([.isDelivery, .isCutByUplink], .isSourceStarting, .senderUplink, .starting),
      // A cap still counts while the source has only just started.
      ([.isRuled, .saysRequestCap, .isRestUnsent], .isSourceStarting, .senderUplink, .requestCap),
      ([.isOpen, .isBelowDesire, .isDesireUnsent], .isSourceStarting, .senderUplink, .starting),
      ([.isOpen, .saysSenderUplink, .isWithheld], .isBelowDesire, .senderUplink, .switching),
      ([.isOpen, .isBelowDesire, .isCutByDevice], .saysPolicy, .device, .policy),
      ([.isOpen, .isCutByWindow], .isBelowDesire, .requestCap, .switching),
      (.isOpen, .isBelowDesire, .layerMissing, .switching),
      // A downlink that loses frames is not to blame for smaller pictures.
      ([.isDelivery, .isLostDown], .isSmallerByHold, .bandwidth, .hold),
      ([.isDelivery, .isLostDown], .isSmallerByPolicy, .bandwidth, .policy),
      ([.isDelivery, .isSwitching], .isSmallerByPolicy, .switching, .policy),
      ([.isOpen, .isBelowDesire], .saysPolicy, .switching, .policy),
    ] as [(TileFacts, TileFacts, Limitation, Limitation)])
  func losesAWordToAFact(facts: TileFacts, fact: TileFacts, word: Limitation, other: Limitation) {
    #expect(Limitation(facts) == word)
    #expect(Limitation(facts.union(fact)) == other)
  }
}
