/// A layout that clients offer by name, expressed as stream requests.
///
/// Systems that define none use those of the others.
package struct BuiltInLayout: Sendable {
  package var name: String
  /// `true` if one participant gets a large tile.
  package var hasMainStage: Bool
  /// Maximum number of remote participants for whom there are seats.
  package var maximumSeats: Int
  /// Returns the request for a number of remote participants, with or without pictures above 360 lines.
  private let entries: @Sendable (_ remoteParticipants: Int, _ receives720p: Bool) -> [StreamRequest]

  package init(
    _ name: String, seats: Int, hasMainStage: Bool = false,
    _ entries: @escaping @Sendable (_ remoteParticipants: Int, _ receives720p: Bool) -> [StreamRequest]
  ) {
    self.name = name
    self.hasMainStage = hasMainStage
    maximumSeats = seats
    self.entries = entries
  }

  /// Returns the request for a number of remote participants.
  ///
  /// - Parameter receives720p: `true` while the receive gate for 720p is open.
  package func request(remoteParticipants: Int, receives720p: Bool) -> [StreamRequest] {
    entries(remoteParticipants, receives720p)
  }

  /// Returns the request for the current number of remote participants who send video.
  package func request(_ roster: Roster, receives720p: Bool) -> [StreamRequest] {
    let sending = roster.othersWithCamera.count(where: roster.isCapturing)
    return request(remoteParticipants: sending, receives720p: receives720p)
  }
}

extension BuiltInLayout: Equatable { package static func == (a: Self, b: Self) -> Bool { a.name == b.name } }
