import Allocation
import Ladder

/// Built-in client layouts, expressed as stream requests: BlueJeans' (iOS and web SDK), also used for systems that
/// define none.
package enum BuiltInLayout: String, Hashable, Sendable, CaseIterable {
  /// One large tile for the speaker.
  case speaker
  /// The speaker and up to five thumbnails.
  case people
  /// Five thumbnails (web SDK).
  case filmstrip
  /// Up to 3 x 3 tiles of one size.
  case gallery9 = "gallery-9"
  /// Up to 5 x 5 tiles of one size.
  case gallery25 = "gallery-25"

  /// `true` if one participant gets a large tile.
  package var hasMainStage: Bool { self == .speaker || self == .people }

  /// Number of remote participants up to which everybody has a seat.
  package var maximumSeats: Int {
    switch self {
    case .speaker: 1
    case .people: 6
    case .filmstrip: 5
    case .gallery9: 9
    case .gallery25: 25
    }
  }

  /// Returns the request for a number of remote participants (iOS `VideoLayout`, web `videoStreamConfigs`).
  ///
  /// - Parameter receives720p: `true` while the receive gate for 720p is open.
  package func request(remoteParticipants: Int, receives720p: Bool) -> [StreamRequest] {
    let large =
      receives720p ? VideoFormat(.p720, framesPerSecond: 30) : VideoFormat(.p360, framesPerSecond: 30)
    let thumbnail = VideoFormat(.p90, framesPerSecond: 15)
    switch self {
    case .speaker: return Self.slots(large, .high, 1, atLeast: Self.least)
    case .people:
      return Self.slots(large, .high, 1, atLeast: Self.least) + Self.slots(thumbnail, .medium, 5)
    case .filmstrip: return Self.slots(thumbnail, .medium, 5)
    case .gallery9: return Self.gallery(min(remoteParticipants, 9), large)
    case .gallery25: return Self.gallery(min(remoteParticipants, 25), large)
    }
  }

  /// Returns the request for the current number of remote participants.
  package func request(_ roster: Roster, receives720p: Bool) -> [StreamRequest] {
    request(remoteParticipants: roster.othersWithCamera.count, receives720p: receives720p)
  }

  private static func gallery(_ count: Int, _ large: VideoFormat) -> [StreamRequest] {
    let p180x15 = VideoFormat(.p180, framesPerSecond: 15)
    let p180x7 = VideoFormat(.p180, milliFramesPerSecond: 7500)
    let p90x15 = VideoFormat(.p90, framesPerSecond: 15)
    let p90x7 = VideoFormat(.p90, milliFramesPerSecond: 7500)
    switch count {
    case ...2: return slots(large, .medium, 2, atLeast: least)
    case ...4: return slots(VideoFormat(.p360, framesPerSecond: 15), .medium, 4, atLeast: least)
    case ...6: return slots(VideoFormat(.p180, framesPerSecond: 30), .medium, 6)
    case ...9: return slots(p180x15, .medium, 9)
    case ...12: return slots(p180x15, .medium, 4) + slots(p180x7, .medium, 8)
    case ...16: return slots(p180x15, .medium, 4) + slots(p90x15, .medium, 12)
    case ...20: return slots(p180x15, .medium, 5) + slots(p90x15, .medium, 10) + slots(p90x7, .medium, 5)
    default: return slots(p90x15, .medium, 25)
    }
  }

  /// Minimum quality of large pictures.
  private static let least = VideoFormat(.p180, milliFramesPerSecond: 7500)

  private static func slots(
    _ quality: VideoFormat, _ priority: Priority, _ count: Int, atLeast minimum: VideoFormat? = nil
  ) -> [StreamRequest] {
    let slot = StreamRequest(quality: quality, priority: priority, subject: .slot, minimum: minimum)
    return Array(repeating: slot, count: count)
  }
}
