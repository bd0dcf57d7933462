import Quantity
import Systems

/// A remote track at its client, and the settings that the client sends.
///
/// The client sends them once the track has arrived, and then on every change.
struct LiveKitTrack {
  /// Settings that the client wants now.
  private(set) var wanted = TrackSettings()
  /// Settings that the client last sent.
  private var told = TrackSettings()
  private var arrival = Arrival.awaited
  /// Time at which the client sends the wanted settings.
  private var tellsAt: SimTime?

  private enum Arrival { case awaited, noticed, past }

  /// Records the track's arrival at the client.
  ///
  /// - Returns: `true` for the first arrival.
  mutating func noteArrival() -> Bool {
    guard arrival == .awaited else { return false }
    arrival = .noticed
    return true
  }

  /// Changes the settings that the client wants.
  ///
  /// - Parameter isAdaptive: `true` if sizes and visibility are those of a tile that the client observes.
  /// - Returns: the time until the settings are sent; `nil` if they have been sent or are not sent yet.
  mutating func want(
    _ settings: TrackSettings, isAdaptive: Bool, _ parameters: LiveKitParameters, at now: SimTime
  ) -> SimDuration? {
    guard settings != wanted else { return nil }
    wanted = settings
    guard arrival == .past else { return nil }
    guard isAdaptive else { return tell(after: .zero, at: now) }
    // A tile that appears is signalled at once.
    if !wanted.isDisabled, told.isDisabled { return tell(after: .zero, at: now) }
    let hides = wanted.isDisabled && !told.isDisabled
    return tell(after: hides ? parameters.hideDelay : parameters.resizeDebounce, at: now)
  }

  private mutating func tell(after delay: SimDuration, at now: SimTime) -> SimDuration {
    tellsAt = now + delay
    return delay
  }

  /// Returns the settings to send now for a track that has arrived, one message each, and the time until more are due.
  mutating func takeMessages(
    isAdaptive: Bool, _ parameters: LiveKitParameters, at now: SimTime
  ) -> (settings: [TrackSettings], wait: SimDuration?) {
    if arrival == .noticed {
      arrival = .past
      guard wanted != told else { return ([], nil) }
      let delay = isAdaptive && !wanted.isDisabled ? parameters.resizeDebounce : .zero
      tellsAt = now + delay
      if delay > .zero { return ([], delay) }
    }
    guard let due = tellsAt, now >= due else { return ([], nil) }
    tellsAt = nil
    guard told != wanted else { return ([], nil) }
    var messages = [wanted]
    // An app enables a track first and then sets its size or quality; with adaptive stream the size is known.
    if !isAdaptive, told.isDisabled, !wanted.isDisabled, wanted.size != nil || wanted.quality != nil {
      var enabled = wanted
      enabled.size = nil
      enabled.quality = nil
      messages.insert(enabled, at: 0)
    }
    told = wanted
    return (messages, nil)
  }

  /// Disables the track for an app in the background; it stays subscribed, and the server disables it as well.
  mutating func suspend() {
    wanted.isDisabled = true
    told = wanted
    tellsAt = nil
  }
}
