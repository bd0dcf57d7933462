import Quantity
import Systems

/// The encodings that the SFU goes on requesting though nobody wants them any more (dynacast), for a system that has a
/// rule for that.
///
/// What is wanted of a source is a level: the number of encodings up to the highest wanted one. A higher level is
/// requested at once, a lower one when the level has not changed for a while.
struct EncodingPauses {
  private struct State {
    /// Number of the source's encodings.
    let encodings: Int
    let startedAt: SimTime
    /// Level that is wanted, and that is requested.
    var wanted = 0
    var requested: Int
    /// When the wanted level is requested, if it is lower; and whether nobody has been told so yet.
    var isDueAt: SimTime?
    var isNews = true
  }

  private let rule: EncodingPauseRule
  /// By source; `nil` for one that has not begun.
  private var states: [State?]

  init(_ rule: EncodingPauseRule, sources: Int) {
    self.rule = rule
    states = Array(repeating: nil, count: sources)
  }

  /// A source begins, unless it has already.
  mutating func begin(_ source: Int, encodings: Int, at now: SimTime) {
    guard states[source] == nil else { return }
    states[source] = State(
      encodings: encodings, startedAt: now, requested: encodings, isDueAt: now + rule.start)
  }

  /// A source's publisher has left.
  mutating func end(_ source: Int) { states[source] = nil }

  /// The encodings to request of a source, a bit each from the lowest up.
  ///
  /// - Parameter mask: those that are wanted.
  mutating func requested(of source: Int, wanted mask: UInt32, at now: SimTime) -> UInt32 {
    guard var state = states[source] else { return mask }
    let level = UInt32.bitWidth - mask.leadingZeroBitCount
    if level != state.wanted {
      state.wanted = level
      state.isDueAt = max(now + rule.delay, state.startedAt + rule.start)
      state.isNews = true
    }
    if level < state.requested, let due = state.isDueAt, now >= due { state.requested = level }
    if level >= state.requested {
      state.requested = level
      state.isDueAt = nil
    }
    states[source] = state
    return (1 << UInt32(state.requested)) - 1
  }

  /// When a source's encodings have to be looked at again; `nil` if that has been said.
  mutating func takeDueTime(of source: Int) -> SimTime? {
    guard let state = states[source], let due = state.isDueAt, state.isNews else { return nil }
    states[source]?.isNews = false
    return due
  }
}
