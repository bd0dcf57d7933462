import Systems

/// What a viewer's client has learned.
struct ViewerKnowledge {
  var directory: Directory
  /// By source.
  var receptions: [Roster.Reception]

  init(_ directory: Directory) {
    self.directory = directory
    receptions = directory.sources.map { _ in
      Roster.Reception(isGiven: false, picture: nil, limitation: nil, tile: nil)
    }
  }

  /// Forgets the meeting.
  mutating func clear() {
    directory.clear()
    for source in receptions.indices { receptions[source].limitation = nil }
  }
}
