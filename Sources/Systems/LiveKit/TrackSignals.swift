package import Ladder

/// Settings of remote tracks, in livekit-client's words. Participants are indices; their cameras are meant.
package struct TrackSignals: Hashable, Sendable {
  package struct Track: Hashable, Sendable {
    package var participant: Int
    package var settings: TrackSettings

    package init(participant: Int, settings: TrackSettings) {
      self.participant = participant
      self.settings = settings
    }
  }

  /// In the order of the subscriptions. A participant without an entry is not subscribed to.
  package var tracks: [Track]
  /// Whether the client uses adaptive stream; `nil` for the policy's default.
  package var adaptiveStream: Bool?

  package init(tracks: [Track], adaptiveStream: Bool? = nil) {
    self.tracks = tracks
    self.adaptiveStream = adaptiveStream
  }

  /// Sets tracks: one that is named anew replaces its settings, others are appended.
  package mutating func set(_ changes: [Track]) {
    for change in changes {
      if let place = tracks.firstIndex(where: { $0.participant == change.participant }) {
        tracks[place] = change
      } else {
        tracks.append(change)
      }
    }
  }

  /// For the `detail` column of `events.csv`.
  package func detail(_ id: (Int) -> String) -> String {
    tracks.map { track in
      let settings = track.settings.description
      return settings.isEmpty ? id(track.participant) : "\(id(track.participant)) \(settings)"
    }.joined(separator: ", ")
  }
}

/// What an app sets of one remote track (`UpdateTrackSettings` of LiveKit's protocol). A track of which nothing is set is
/// received at its highest quality; with adaptive stream at its lowest.
package struct TrackSettings: Hashable, Sendable {
  /// `VideoQuality`: encodings from the lowest up; of fewer encodings the highest stands for those that lack.
  package enum Quality: String, Hashable, Sendable, CaseIterable { case low, medium, high }

  /// Size of the tile [px]; counts before ``quality``.
  package var size: Resolution?
  package var quality: Quality?
  /// Most frames per second [1/1000 Hz]; `nil` for any.
  package var milliFramesPerSecond: Int?
  /// 1 to 255, 255 is the most important; `nil` for the server's default.
  package var priority: Int?
  /// Whether nothing is to be forwarded, as for a tile that is off screen.
  package var isDisabled = false
  /// Whether the server takes the track's publisher for muted.
  package var isMuted = false

  package init(size: Resolution? = nil, quality: Quality? = nil) {
    self.size = size
    self.quality = quality
  }
}

extension TrackSettings: CustomStringConvertible {
  package var description: String {
    var parts: [String] = []
    if let size { parts.append("\(size.width)x\(size.height)") }
    if let quality { parts.append(quality.rawValue) }
    if let rate = milliFramesPerSecond { parts.append("\(rate / 1000) fps") }
    if let priority { parts.append("priority \(priority)") }
    if isDisabled { parts.append("disabled") }
    if isMuted { parts.append("muted") }
    return parts.joined(separator: " ")
  }
}
