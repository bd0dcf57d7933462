import Statistics
package import Systems

/// Initial state of a viewer's client.
extension MeetingPlan {
  /// Ids of the participants, and their numbers by id, which all clients share.
  package typealias People = (ids: [String], numbers: [String: Int])

  package var people: People {
    let ids = participants.map(\.id)
    return (ids, Dictionary(zip(ids, ids.indices), uniquingKeysWith: { first, _ in first }))
  }

  /// Creates a participant's client; `nil` for one that receives no video.
  package func client(
    of number: Int, _ people: People, streams: StreamNumbering, seed: RunSeed
  ) -> (any Client)? {
    let own = participants[number]
    guard let view = own.view else { return nil }
    var setup = ClientSetup(
      plan: view, viewer: number, ids: people.ids, names: people.numbers,
      receives720p: own.capabilities.receives720p ?? system.traits.receives720p,
      allowsCustomLayout: own.capabilities.customLayout, sourceCount: streams.sources.count)
    setup.gate = system.traits.gate
    setup.receiveCap = receiveCap(of: number)
    setup.isHost = own.publishesVideo || own.publishesAudio
    if system.traits.choosesSenders {
      setup.senderOrder = senderOrder(for: number, streams: streams, seed: seed)
    }
    setup.windowObstacle = PictureInPicture.obstacle(
      isSwitchedOn: own.capabilities.pictureInPicture, systemVersion: own.capabilities.systemVersion)
    return system.client(setup)
  }

  /// Returns the other participants with a camera, in an order drawn at random for a viewer.
  private func senderOrder(for viewer: Int, streams: StreamNumbering, seed: RunSeed) -> [Int] {
    let remotes = streams.sources.filter { !$0.isScreen && $0.participant != viewer }.map(\.participant)
    var order = seed.stream("viewer/\(participants[viewer].id)/user-limit")
    return order.permutation(of: remotes.count).map { remotes[$0] }
  }
}
