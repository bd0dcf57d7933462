/// What a client signals in its system's own words, in place of what it would derive from its screen; a case for each
/// system that has such words.
package enum ViewSignals: Hashable, Sendable {
  /// Settings of remote tracks.
  case tracks(TrackSignals)

  /// For the `detail` column of `events.csv`.
  package func detail(_ id: (Int) -> String) -> String {
    switch self {
    case .tracks(let signals): signals.detail(id)
    }
  }
}
