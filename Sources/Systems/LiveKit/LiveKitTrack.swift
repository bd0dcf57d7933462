import Quantity

/// A remote track, with its client's settings and those that the server applies.
///
/// The server begins with a track without settings. The client sends the settings once the track has arrived, and then
/// at every change; the server applies the last settings it received once no more have come for a while.
struct LiveKitTrack {
  // The client's part.

  /// Settings that the client wants now.
  private(set) var wanted = TrackSettings()
  /// Settings that the client has sent last.
  private var told = TrackSettings()
  private var arrival = Arrival.awaited
  /// Time at which the client sends the wanted settings.
  private var tellsAt: SimTime?
  /// Settings in transit, in order.
  private var underWay: [TrackSettings] = []

  // The server's part.

  /// Settings that the server has received last.
  private var received = TrackSettings()
  /// Settings that the server applies.
  private(set) var applied = TrackSettings()
  /// Number of messages that have arrived and not been read yet.
  private var arrivals = 0
  /// Time at which the server applies the received settings.
  private var appliesAt: SimTime?

  private enum Arrival { case awaited, noticed, past }

  // MARK: Client

  /// Notes the track's arrival at the client.
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
  /// - Returns: the time until the settings are sent; `nil` if the server has them or they are not sent yet.
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

  /// Sends the settings that are due, for a track that has arrived.
  ///
  /// - Returns: the number of messages to send, and the time until more are due.
  mutating func takeMessages(
    isAdaptive: Bool, _ parameters: LiveKitParameters, at now: SimTime
  ) -> (count: Int, wait: SimDuration?) {
    if arrival == .noticed {
      arrival = .past
      guard wanted != told else { return (0, nil) }
      let delay = isAdaptive && !wanted.isDisabled ? parameters.resizeDebounce : .zero
      tellsAt = now + delay
      if delay > .zero { return (0, delay) }
    }
    guard let due = tellsAt, now >= due else { return (0, nil) }
    tellsAt = nil
    guard told != wanted else { return (0, nil) }
    let before = underWay.count
    // An app enables a track first and then sets its size or quality; with adaptive stream the size is known.
    if !isAdaptive, told.isDisabled, !wanted.isDisabled, wanted.size != nil || wanted.quality != nil {
      var enabled = wanted
      enabled.size = nil
      enabled.quality = nil
      underWay.append(enabled)
    }
    underWay.append(wanted)
    told = wanted
    return (underWay.count - before, nil)
  }

  /// Disables the track for an app in the background; it stays subscribed.
  mutating func suspend() {
    wanted.isDisabled = true
    told = wanted
    received = wanted
    applied = wanted
    tellsAt = nil
    appliesAt = nil
    underWay = []
  }

  // MARK: Server

  /// Notes the arrival of a client's message at the server.
  mutating func noteMessage() { arrivals += 1 }

  /// Reads the messages that have arrived, and applies the settings that are due.
  ///
  /// Enabling is immediate; anything else waits until no message has come for a while.
  ///
  /// - Returns: `true` if the applied settings change, and the time until they may change again.
  mutating func apply(_ parameters: LiveKitParameters, at now: SimTime) -> (
    hasChanged: Bool, wait: SimDuration?
  ) {
    let before = applied
    var wait: SimDuration?
    while arrivals > 0 {
      arrivals -= 1
      guard !underWay.isEmpty else { continue }
      let settings = underWay.removeFirst()
      guard settings != received else { continue }
      let enables = received.isDisabled && !settings.isDisabled
      received = settings
      if enables {
        applied = received
        appliesAt = nil
      } else {
        wait = parameters.settingsDebounce
        appliesAt = now + parameters.settingsDebounce
      }
    }
    if let due = appliesAt, now >= due {
      appliesAt = nil
      applied = received
    }
    return (applied != before, wait)
  }
}
