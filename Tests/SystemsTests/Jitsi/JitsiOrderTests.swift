import Allocation
import Ladder
import Quantity
import Systems
import Testing
import Vendors

@Suite("Jitsi's order and last-N")
struct JitsiOrderTests {
  private func ranks(_ asked: [Asked], lastN: Int? = nil) -> [Int] {
    JitsiRule().decide(state(0, asked, lastN: lastN)).decisions.map(\.rank)
  }

  /// Indicates which sources get a layer if nothing is scarce.
  private func given(_ asked: [Asked], lastN: Int?, _ parameters: JitsiParameters = JitsiParameters())
    -> [Bool]
  {
    JitsiRule(parameters).decide(state(.max, asked, lastN: lastN)).decisions.map { $0.layer != nil }
  }

  @Test func stageThenSelectionThenSpeechThenFileThenDisabled() {
    let muted = Asked(isOnStage: true, place: 0, speech: 0, absence: .muted)
    let asked = [
      Asked(), Asked(speech: 2), Asked(speech: 1), Asked(place: 2), muted, Asked(place: 1, speech: 9),
      Asked(),
    ]
    #expect(ranks(asked) == [5, 4, 3, 2, 7, 1, 6])
  }

  @Test func selectionIsBeforeWhoSpeaks() {
    let asked = [Asked(speech: 1), Asked(speech: 0), Asked(place: 1), Asked(place: 0)]
    #expect(ranks(asked) == [4, 3, 2, 1])
    #expect(given(asked, lastN: 2) == [false, false, true, true])
  }

  /// As in jitsi-videobridge's EffectiveConstraintsTest.kt.
  @Test func whatIsOffTakesNoSlot() {
    let off = Asked(lines: 0)
    let disabled = Asked(lines: 180, absence: .muted)
    #expect(given([Asked(), Asked(), disabled], lastN: 1) == [true, false, false])
    #expect(given([disabled, disabled, Asked(), Asked()], lastN: 1) == [false, false, true, false])
    #expect(given([off, off, Asked(), Asked()], lastN: 1) == [false, false, true, false])
    #expect(
      given([disabled, off, Asked(), off, Asked(), Asked()], lastN: 3) == [
        false, false, true, false, true, true,
      ])
    #expect(given([off, disabled], lastN: 1) == [false, false])
    #expect(given([Asked(), Asked()], lastN: 0) == [false, false])
    #expect(given([Asked(), Asked()], lastN: nil) == [true, true])
    #expect(given([Asked(), Asked()], lastN: -1) == [true, true])
  }

  @Test func whoIsLeftOutIsSo() {
    let outcome = JitsiRule().decide(state(.max, [Asked(), Asked()], lastN: 1))
    #expect(outcome.decisions[1].rule == "last-n")
    #expect(outcome.decisions[1].hindrance == .requestCap)
    #expect(outcome.decisions[1].ideal == nil && outcome.decisions[1].missing == .zero)
  }

  @Test func theBridgesOwnLimitIs50() {
    let many = Array(repeating: Asked(), count: 51)
    #expect(given(many, lastN: nil) == Array(repeating: true, count: 50) + [false])
    let outcome = JitsiRule().decide(state(.max, many, lastN: 51))
    #expect(outcome.decisions[50].hindrance == .policy)
    var parameters = JitsiParameters()
    parameters.maximumSources = 51
    #expect(given(many, lastN: nil, parameters).allSatisfy { $0 })
  }

  @Test func aTileThatIsNotOnScreenGetsNothing() {
    var state = state(.max, [Asked(), Asked()], lastN: 1)
    state.subscriptions[0].wish.visibility = .offScreen
    let outcome = JitsiRule().decide(state)
    #expect(text(outcome) == "- l30")
    #expect(outcome.decisions[0].rule == "off")
  }
}
