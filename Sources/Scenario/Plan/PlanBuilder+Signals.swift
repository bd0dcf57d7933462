import Ladder
import Meeting
import Parameters
import Systems
import YAML

/// What clients signal in their system's own words.
extension PlanBuilder {
  /// The frame rates that can be asked of a track [Hz].
  static let trackRates = 1...120
  static let trackPriorities = 1...255

  /// Reads `{tracks: {ann: {size: 640x360}}, adaptive-stream: false}`.
  func readSignals(_ node: Node, of viewers: Range<Int>) -> ViewSignals? {
    guard let own = Fields(node, "signals", reading) else { return nil }
    defer { own.finish() }
    let isAdaptive = own.flag("adaptive-stream")
    guard let tracks = readTracks(own, of: viewers) else { return nil }
    return .tracks(TrackSignals(tracks: tracks, adaptiveStream: isAdaptive))
  }

  /// Reads `{tracks: {ann: {size: 640x360}}}`: a change of what a view signals.
  func readSignalChange(_ node: Node, by viewer: Int) -> TimelineAction? {
    guard let own = Fields(node, "signals", reading) else { return nil }
    defer { own.finish() }
    guard let tracks = readTracks(own, of: viewer..<viewer + 1) else { return nil }
    guard case .signals = participants[viewer].view?.arrangement else {
      own.report(
        node,
        "signals: '\(participants[viewer].id)' needs a view with 'signals', such as 'view: {signals: {tracks: {}}}'"
      )
      return nil
    }
    return .client(.signals(.tracks(TrackSignals(tracks: tracks))))
  }

  private func readTracks(_ own: Fields, of viewers: Range<Int>) -> [TrackSignals.Track]? {
    guard let node = own.require("tracks", example: "{ann: {size: 640x360}}") else { return nil }
    guard has(.trackSignals) else {
      let able = systems(with: .trackSignals).joined(separator: ", ")
      own.report(
        own.key("tracks"),
        "tracks: policy '\(system.name)' does not support signals of tracks, only \(able) does: use it, or write "
          + "'tiles' in place of 'signals'")
      return nil
    }
    guard case .mapping(let entries) = node else {
      own.report(node, "'tracks' must be a mapping from participants, such as '{ann: {size: 640x360}}'")
      return nil
    }
    return entries.compactMap { key, value in
      guard let settings = readTrack(value, "track '\(key.string ?? "")'", of: viewers),
        let participant = participantID(key, "tracks", own)
      else { return nil }
      if viewers == participant..<participant + 1 {
        own.report(key, "tracks: '\(participants[participant].id)' cannot request itself: remove the entry")
        return nil
      }
      return TrackSignals.Track(participant: participant, settings: settings)
    }
  }

  private func readTrack(_ value: Node, _ subject: String, of viewers: Range<Int>) -> TrackSettings? {
    guard let own = Fields(value, subject, reading) else { return nil }
    defer { own.finish() }
    var settings = TrackSettings()
    let size = own.take("size")
    settings.size = size.flatMap { readSize($0, "size", own) }
    settings.quality = own.choice("quality", TrackSettings.Quality.self)
    settings.milliFramesPerSecond = own.integer("fps", in: Self.trackRates).map { $0 * 1000 }
    settings.priority = own.integer("priority", in: Self.trackPriorities)
    settings.isDisabled = own.flag("disabled") ?? false
    settings.isMuted = own.flag("muted") ?? false
    if let size, own.take("quality") != nil {
      own.report(size, "size: \(subject) has 'quality' too, and they exclude each other: remove one")
      return nil
    }
    if let asked = settings.size { noteLargeRequest([asked], at: value, of: viewers) }
    return settings
  }
}
