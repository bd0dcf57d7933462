import Quantity

/// A remote track between its client's settings and those that the server applies.
///
/// The server begins with a track of which nothing is set. The client tells it the settings when the track has arrived,
/// and then at every change; the server applies what it was told last once it has been quiet for a while.
struct LiveKitTrack {
  // The client's part.

  /// What the client wants now.
  private(set) var wanted = TrackSettings()
  /// What it has told the server last.
  private var told = TrackSettings()
  private var arrival = Arrival.awaited
  /// When the client tells what it wants.
  private var tellsAt: SimTime?
  /// What is on its way, in order.
  private var underWay: [TrackSettings] = []

  // The server's part.

  /// What the server was told last.
  private var received = TrackSettings()
  /// What the server goes by.
  private(set) var applied = TrackSettings()
  /// Messages that have come and were not read yet.
  private var arrivals = 0
  /// When the server applies what it was told.
  private var appliesAt: SimTime?

  private enum Arrival { case awaited, noticed, past }

  // MARK: Client

  /// The track has arrived at the client.
  ///
  /// - Returns: whether it is the first time.
  mutating func noteArrival() -> Bool {
    guard arrival == .awaited else { return false }
    arrival = .noticed
    return true
  }

  /// Changes what the client wants.
  ///
  /// - Parameter isAdaptive: whether sizes and visibility are those of a tile that the client observes.
  /// - Returns: the time until the server is told; `nil` for what it knows or is not told yet.
  mutating func want(
    _ settings: TrackSettings, isAdaptive: Bool, _ parameters: LiveKitParameters, at now: SimTime
  ) -> SimDuration? {
    guard settings != wanted else { return nil }
    wanted = settings
    guard arrival == .past else { return nil }
    guard isAdaptive else { return tell(after: .zero, at: now) }
    // A tile that comes is told at once.
    if !wanted.isDisabled, told.isDisabled { return tell(after: .zero, at: now) }
    let hides = wanted.isDisabled && !told.isDisabled
    return tell(after: hides ? parameters.hideDelay : parameters.resizeDebounce, at: now)
  }

  private mutating func tell(after delay: SimDuration, at now: SimTime) -> SimDuration {
    tellsAt = now + delay
    return delay
  }

  /// Tells what is due, of a track that has arrived.
  ///
  /// - Returns: the messages to send, and the time until more is due.
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
    // An app enables a track first, and sets its size or quality then; adaptive stream knows the size.
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

  /// The app in the background disables the track; it stays subscribed.
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

  /// A message of the client has reached the server.
  mutating func noteMessage() { arrivals += 1 }

  /// Reads the messages that have come, and applies what is due.
  ///
  /// Enabling is immediate; anything else waits until no message has come for a while.
  ///
  /// - Returns: whether anything applies from now on, and the time until more may.
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
