import Allocation
import Ladder
package import Systems

/// BlueJeans' built-in layouts (iOS `VideoLayout`, web `videoStreamConfigs`).
extension BuiltInLayout {
  package static let bluejeans: [BuiltInLayout] = [.speaker, .people, .filmstrip, .gallery9, .gallery25]

  /// One large tile for the speaker.
  package static let speaker = BuiltInLayout("speaker", seats: 1, hasMainStage: true) {
    slots(large($1), .high, 1, atLeast: least)
  }

  /// The speaker and up to five thumbnails.
  package static let people = BuiltInLayout("people", seats: 6, hasMainStage: true) {
    slots(large($1), .high, 1, atLeast: least) + slots(thumbnail, .medium, 5)
  }

  /// Five thumbnails (web SDK).
  package static let filmstrip = BuiltInLayout("filmstrip", seats: 5) { _, _ in slots(thumbnail, .medium, 5) }

  /// Up to 3 x 3 tiles of one size.
  package static let gallery9 = BuiltInLayout("gallery-9", seats: 9) { gallery(min($0, 9), large($1)) }

  /// Up to 5 x 5 tiles of one size.
  package static let gallery25 = BuiltInLayout("gallery-25", seats: 25) { gallery(min($0, 25), large($1)) }

  private static let thumbnail = VideoFormat(.p90, framesPerSecond: 15)

  private static func large(_ receives720p: Bool) -> VideoFormat {
    VideoFormat(receives720p ? .p720 : .p360, framesPerSecond: 30)
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
