import Allocation
import Systems
import Testing

@Suite("Apps in the background")
struct BackgroundTests {
  @Test(
    arguments: [
      (.automatic, true, .window), (.automatic, false, .nothing), (.kept, true, .nothing),
      (.kept, false, .nothing), (.removed, true, .window), (.removed, false, .everything),
    ] as [(ResignObserver, Bool, ResignObserver.Video)])
  func theObserverDecidesWhatGoesOn(observer: ResignObserver, hasWindow: Bool, video: ResignObserver.Video) {
    #expect(observer.video(hasWindow: hasWindow) == video)
  }

  @Test func theWindowPrefersAScreenThenTheSpeakerThenAPicture() {
    let screen = PictureInPictureChoice.Remote(sharesScreen: true)
    let speaker = PictureInPictureChoice.Remote(isDominant: true, sendsVideo: true)
    let video = PictureInPictureChoice.Remote(sendsVideo: true)
    let audio = PictureInPictureChoice.Remote()
    #expect(PictureInPictureChoice.index(among: [audio, video, speaker, screen]) == 3)
    #expect(PictureInPictureChoice.index(among: [audio, video, speaker]) == 2)
    #expect(PictureInPictureChoice.index(among: [audio, video]) == 1)
    #expect(PictureInPictureChoice.index(among: [audio]) == 0)
    #expect(PictureInPictureChoice.index(among: []) == nil)
  }
}
