import Ladder
import Quantity
import Systems

/// A meeting of which a viewer's client is tested alone: the viewer is 0; 1 to 3 have 720p cameras (sources 0 to 2), and
/// 3 a screen share (source 3).
extension Roster {
  /// - Parameter spoke: times at which the four last spoke.
  static func threeCameras(
    sharing: Bool, spoke: [SimTime?] = [nil, nil, nil, nil], now: SimTime = .zero
  ) -> Roster {
    let camera = Ladder.libwebrtcVP8(capture: VideoFormat(.p720, framesPerSecond: 30)).layers
    let screen = Ladder.single(capture: VideoFormat(.p1080, framesPerSecond: 15)).layers
    func source(_ participant: Int, isScreen: Bool) -> Roster.Source {
      Roster.Source(
        participant: participant, isScreen: isScreen, isCapturing: !isScreen || sharing,
        capture: VideoFormat(isScreen ? .p1080 : .p720, framesPerSecond: isScreen ? 15 : 30),
        ladder: isScreen ? screen : camera, offers: isScreen ? screen : camera, sendsLow: true)
    }
    return Roster(
      now: now, viewer: 0, isJoined: true, joinedAt: .zero,
      members: (0..<4).map { number in
        Roster.Member(
          id: "p\(number)", isModerator: false, isJoined: true, joinedAt: .zero, isSpeaking: false,
          lastSpokeAt: spoke[number], camera: number == 0 ? nil : number - 1, screen: number == 3 ? 3 : nil)
      }, moderators: [], sources: (1...3).map { source($0, isScreen: false) } + [source(3, isScreen: true)],
      receptions: (0..<4).map { _ in
        Roster.Reception(isGiven: false, picture: nil, limitation: nil, tile: nil)
      })
  }
}

extension ClientSetup {
  static func threeCameras(_ plan: ViewPlan) -> ClientSetup {
    let ids = (0..<4).map { "p\($0)" }
    return ClientSetup(
      plan: plan, viewer: 0, ids: ids, names: Dictionary(uniqueKeysWithValues: zip(ids, ids.indices)),
      receives720p: true, allowsCustomLayout: true, sourceCount: 4)
  }
}
