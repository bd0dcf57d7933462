import Allocation
import Ladder
import Quantity
import Systems

/// Settings of a viewer's tracks at the server: those last received, and those in effect.
///
/// Enabling a track takes effect at once; any other change does once no more settings have arrived for a while
/// (`mediatrackreceiver.go`, `subscribedtrack.go`).
struct ReceivedTrackSettings: Sendable {
  private struct Track: Sendable {
    var received = TrackSettings()
    var applied = TrackSettings()
    /// Time at which the received settings take effect; `nil` once they have.
    var appliesAt: SimTime?
  }

  /// Minimum height of the chosen encoding as a share of the tile's, 0 to 1.
  private let tileFactor: Double
  private let debounce: SimDuration
  /// Tracks by source.
  private var tracks: [Track] = []

  init(_ parameters: LiveKitParameters) {
    tileFactor = parameters.tileFactor
    debounce = parameters.settingsDebounce
  }

  private subscript(source: Int) -> Track {
    get { source < tracks.count ? tracks[source] : Track() }
    set {
      while tracks.count <= source { tracks.append(Track()) }
      tracks[source] = newValue
    }
  }

  /// Handles settings that have arrived.
  ///
  /// - Returns: the time at which they take effect; `nil` if they change nothing.
  mutating func receive(_ settings: TrackSettings, of source: Int, at now: SimTime) -> SimTime? {
    let before = self[source].received
    guard settings != before else { return nil }
    self[source].received = settings
    guard before.isDisabled, !settings.isDisabled else {
      self[source].appliesAt = now + debounce
      return now + debounce
    }
    self[source].applied = settings
    self[source].appliesAt = nil
    return now
  }

  /// Returns the settings in effect.
  private mutating func applied(to source: Int, at now: SimTime) -> TrackSettings {
    if let due = self[source].appliesAt, now >= due {
      self[source].applied = self[source].received
      self[source].appliesAt = nil
    }
    return self[source].applied
  }

  /// Completes a subscription with the settings in effect.
  ///
  /// - Parameter isKept: `true` if the server ignores that they disable the track.
  mutating func complete(_ wish: inout Subscription, isKept: Bool = false, at now: SimTime) {
    guard let quality = wish.demand.qualityByDefault else { return }
    let settings = applied(to: wish.source, at: now)
    let capture = wish.requested
    let highest = LiveKitSelection.layer(
      settings, of: wish.published ?? wish.ladder, capture: capture.resolution,
      isAdaptive: quality == .lowest,
      factor: tileFactor)
    wish.requested = highest?.format ?? capture
    wish.maximum = settings.isDisabled && !isKept ? .nothing : wish.requested
    if let size = settings.size { wish.requested.resolution = size }
    if let rate = settings.milliFramesPerSecond { wish.requested.milliFramesPerSecond = rate }
    wish.numericPriority = settings.priority
    wish.demand.isKeptHidden = settings.isDisabled && isKept
    if settings.isDisabled {
      if wish.visibility == .onScreen { wish.visibility = .offScreen }
    } else {
      wish.visibility = .onScreen
    }
    if let highest, isKept || !settings.isDisabled { wish.limit(to: highest) }
    if let gate = wish.gate { wish.gate(at: gate) }
  }

  /// Forgets the settings of a track that is no longer subscribed to.
  mutating func forget(_ source: Int) { self[source] = Track() }

  /// Disables the track of an app in the background, which stays subscribed to it.
  mutating func suspend(_ source: Int) {
    self[source].received.isDisabled = true
    self[source].applied = self[source].received
    self[source].appliesAt = nil
  }
}
