import Quantity

/// A remote track between its client's settings and those that the server applies.
///
/// The server begins with a track of which nothing is set. The client tells it the settings when the track has arrived,
/// and then at every change; the server applies what it was told last once it has been quiet for a while.
struct LiveKitTrack {
  /// What the client wants now.
  private(set) var wanted = TrackSettings()
  /// What the server goes by.
  private(set) var applied = TrackSettings()
  private var arrival = Arrival.awaited
  /// When the server applies what is wanted.
  private var isDueAt: SimTime?

  private enum Arrival { case awaited, noticed, past }

  /// The track has arrived at the client.
  ///
  /// - Returns: whether it is the first time.
  mutating func noteArrival() -> Bool {
    guard arrival == .awaited else { return false }
    arrival = .noticed
    return true
  }

  /// Tells the server the settings of a track that has arrived.
  ///
  /// - Returns: the time until they apply; `nil` if there is nothing to tell.
  mutating func tellOnArrival(
    isAdaptive: Bool, _ parameters: LiveKitParameters, at now: SimTime
  ) -> SimDuration? {
    guard arrival == .noticed else { return nil }
    arrival = .past
    guard wanted != applied else { return nil }
    return tell(after: isAdaptive && !wanted.isDisabled ? parameters.resizeDebounce : .zero, parameters, now)
  }

  /// Changes what the client wants.
  ///
  /// - Parameter isAdaptive: whether sizes and visibility are those of a tile that the client observes.
  /// - Returns: the time until it applies; `nil` for what applies already or is not told yet.
  mutating func want(
    _ settings: TrackSettings, isAdaptive: Bool, _ parameters: LiveKitParameters, at now: SimTime
  ) -> SimDuration? {
    guard settings != wanted else { return nil }
    let before = wanted
    wanted = settings
    guard arrival == .past else { return nil }
    if applied.isDisabled, !settings.isDisabled {
      // Enabling is immediate. The size is known to adaptive stream; an app tells it afterwards.
      applied = settings
      guard !isAdaptive, settings.size != nil || settings.quality != nil else {
        isDueAt = nil
        return nil
      }
      applied.size = nil
      applied.quality = nil
      return tell(after: .zero, parameters, now)
    }
    guard isAdaptive else { return tell(after: .zero, parameters, now) }
    let hides = settings.isDisabled && !before.isDisabled
    return tell(after: hides ? parameters.hideDelay : parameters.resizeDebounce, parameters, now)
  }

  private mutating func tell(
    after delay: SimDuration, _ parameters: LiveKitParameters, _ now: SimTime
  ) -> SimDuration {
    let total = delay + parameters.settingsDebounce
    isDueAt = now + total
    return total
  }

  /// Applies settings that are due.
  ///
  /// - Returns: whether anything has changed.
  mutating func applyDue(at now: SimTime) -> Bool {
    guard let due = isDueAt, now >= due else { return false }
    isDueAt = nil
    guard applied != wanted else { return false }
    applied = wanted
    return true
  }

  /// The app in the background disables the track; it stays subscribed.
  mutating func suspend() {
    wanted.isDisabled = true
    applied = wanted
    isDueAt = nil
  }
}
