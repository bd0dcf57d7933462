package import Ladder
package import Quantity
package import Systems

/// Encodings kept requested for a while after the last viewer stops wanting them (dynacast), in systems with such a
/// rule.
///
/// The demand for a source is a level: the number of encodings up to the highest wanted one. The first level and a
/// higher one are requested at once, a lower one a while after the first wish below what is requested.
package struct EncodingPauses {
  private struct State {
    /// Requested level: all encodings until the first wish.
    var requested: Int
    /// Set once a wish, or the lack of one, has taken effect.
    var isSettled = false
    /// Time at which the wanted level will be requested, whatever it is then.
    var isDueAt: SimTime?
    /// Set until the due time has been reported.
    var isNews = true
  }

  private let rule: EncodingPauseRule
  /// States by source; `nil` for a source that has not begun.
  private var states: [State?]

  package init(_ rule: EncodingPauseRule, sources: Int) {
    self.rule = rule
    states = Array(repeating: nil, count: sources)
  }

  /// Begins a source, unless it has already begun, with all of its encodings requested.
  package mutating func begin(_ source: Int, encodings: Int, at now: SimTime) {
    guard states[source] == nil else { return }
    states[source] = State(requested: encodings, isDueAt: now + rule.start)
  }

  /// Ends a source whose publisher has left.
  package mutating func end(_ source: Int) { states[source] = nil }

  /// Returns the encodings of a source to request.
  package mutating func requested(
    of source: Int, wanted: EncodingSet, at now: SimTime
  ) -> EncodingSet {
    guard var state = states[source] else { return wanted }
    let level = wanted.highest.map { $0 + 1 } ?? 0
    if state.isSettled, level < state.requested, state.isDueAt == nil {
      state.isDueAt = now + rule.delay
      state.isNews = true
    }
    // A wish between the first lower one and its end does not move that end, even if it is the requested one again.
    let isDue = state.isDueAt.map { now >= $0 } ?? false
    if isDue || level > state.requested || !state.isSettled && level > 0 {
      state.requested = level
      state.isSettled = true
      state.isDueAt = nil
    }
    states[source] = state
    return EncodingSet(first: state.requested)
  }

  /// Returns the time at which a source's encodings must be checked again; `nil` if it has been reported.
  package mutating func takeDueTime(of source: Int) -> SimTime? {
    guard let state = states[source], let due = state.isDueAt, state.isNews else { return nil }
    states[source]?.isNews = false
    return due
  }
}
