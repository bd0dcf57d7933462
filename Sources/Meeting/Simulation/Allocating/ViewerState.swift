import Allocation
import Ladder
import Quantity
import SimulationKernel

/// What a participant watches, while the meeting runs.
struct ViewerState {
  var plan: ViewPlan
  /// The request in force and the built-in layout in its place, if one is chosen.
  var request: [StreamRequest]
  var builtIn: BuiltInLayout?
  /// Points of the grid above the screen's top.
  var scroll = 0.0
  /// By participant.
  var isHidden: [Bool]
  var isPinned: [Bool]
  var wasDisplayed: [Bool]
  var wantsLow: [Bool]
  /// Tile sizes that the app set, and those that have reached the SFU.
  var tileSizes: [Resolution?]
  var appliedTileSizes: [Resolution?]
  var appliedHidden: [Bool]
  /// Streams that the app shows, by view name.
  var attachments: [(view: String, participant: Int)] = []
  /// Participants beyond the policy's limit, whom this viewer does not get.
  var isLeftOut: [Bool]
  var fallback: AgoraFallback
  var fallbackLevel = AgoraFallback.Level.asWished
  /// What the streams would take without a fallback.
  var rateWithoutFallback = BitRate.zero

  var budget = BitRate.unlimited
  var actedBudget: BitRate?
  /// What the streams take together by the last allocation, and whether they go on though the estimate fell.
  var given = BitRate.zero
  var hold = StreamHold()
  /// What the last allocation could spend: its budget, or less by a cap.
  var allowance = BitRate.zero
  var actedAt = SimTime.zero
  var pendingAllocation: EventHandle?

  /// Whether a budget asks for another allocation: less than the last one had, or 5 % more after a second. Mutating, so
  /// that nobody copies the state to ask.
  mutating func takesUp(_ budget: BitRate, at now: SimTime) -> Bool {
    guard let actedBudget else { return false }
    return budget < actedBudget
      || budget > actedBudget.scaled(by: 1.05) && now - actedAt >= .seconds(1)
  }

  /// What the streams would take without a fallback, where one keeps them to less. Mutating, so that nobody copies the
  /// state to ask.
  mutating func rateHeldBack(from given: BitRate) -> BitRate? {
    fallbackLevel != .asWished && given < rateWithoutFallback ? rateWithoutFallback : nil
  }
}
