import Allocation
import Ladder
import Quantity
import SimulationKernel

/// Apps in the background: which video goes on there.
extension MeetingSimulation {
  /// The app goes to the background, or comes back (`nil`).
  ///
  /// - Returns: the result for `events.csv`.
  mutating func setBackground(_ background: Background?, of number: Int, kernel: inout Kernel) -> String {
    participants[number].isInBackground = background != nil
    screens[number].window = background?.window
    for source in [cameraOf[number], screenOf[number]].compactMap({ $0 }) {
      refreshCapture(source: source, kernel: &kernel)
    }
    markDirty(number, kernel: &kernel)
    let isShown =
      background?.window == nil || viewers[number] == nil || backgroundVideo(of: number) == .window
    return isShown ? "ok" : "ok: the observer that is kept stops the window's video"
  }

  /// What goes on of a viewer's video while its app is in the background.
  func backgroundVideo(of number: Int) -> ResignObserver.Video {
    let observer = viewers[number]?.plan.resignObserver ?? plan.policy.resignObserver
    return observer.video(hasWindow: screens[number].window != nil)
  }

  /// Only the window's picture is wanted, at no more than the window's size; of a dual stream the high one, since its
  /// viewers ask for a stream and not for a size.
  func windowWishes(of number: Int) -> [Wish] {
    guard let window = screens[number].window, let source = source(in: window, of: number) else { return [] }
    var asked = VideoFormat(window.size, framesPerSecond: 30)
    if case .agora = plan.policy, let high = sources[source].ladder.last { asked = high.format }
    return [wish(source: source, requested: asked, priority: nil, tile: window.size)]
  }

  /// Whether a change of speakers changes what the window shows.
  func windowFollowsSpeakers(of number: Int) -> Bool {
    participants[number].isInBackground && screens[number].window?.subject == .automatic
  }

  private func source(in window: PictureInPicture, of number: Int) -> Int? {
    switch window.subject {
    case .participant(let shown): return participants[shown].isJoined ? cameraOf[shown] : nil
    case .automatic:
      let remotes = participants.indices.filter { $0 != number && participants[$0].isJoined }
        .sorted { (participants[$0].joinedAt, $0) < (participants[$1].joinedAt, $1) }
      let dominant = remotes.filter { participants[$0].lastSpokeAt != nil }
        .max { participants[$0].lastSpokeAt ?? .zero < participants[$1].lastSpokeAt ?? .zero }
      let choice = PictureInPictureChoice.index(
        among: remotes.map { remote in
          PictureInPictureChoice.Remote(
            sharesScreen: screenOf[remote].map { sources[$0].isCapturing } ?? false,
            isDominant: remote == dominant, sendsVideo: isCapturing(remote))
        })
      guard let choice else { return nil }
      let shown = remotes[choice]
      if let screen = screenOf[shown], sources[screen].isCapturing { return screen }
      return cameraOf[shown]
    }
  }
}
