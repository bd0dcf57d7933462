import Metrics
import Publishing
import Quantity
import SimulationKernel

/// Waits for the pictures on viewers' screens.
extension Recording {
  /// Notes how long the tiles on a viewer's screen have waited for their pictures, before the screen changes.
  mutating func notePictures(of viewer: Int, _ parts: inout MeetingParts, at now: SimTime) {
    for source in screens.shown(to: viewer) where parts.people.isJoined(viewer) {
      notePicture(TileMoment(viewer: viewer, source: source, parts.streams, at: now), &parts)
    }
  }

  /// Notes how long a tile on the screen has waited for its picture.
  mutating func notePicture(_ moment: TileMoment, _ parts: inout MeetingParts) {
    if let delay = moment.pictureDelay(&parts) { tiles.tiles[moment.track].notePicture(after: delay) }
  }
}
