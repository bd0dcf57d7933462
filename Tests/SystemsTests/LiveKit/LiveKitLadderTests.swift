import Ladder
import Quantity
import Systems
import Testing
import Vendors

@Suite("livekit-client's encodings of a camera")
struct LiveKitLadderTests {
  private func ladder(_ width: Int, _ height: Int, fps: Int = 30) -> Ladder {
    .livekit(capture: VideoFormat(Resolution(width: width, height: height), framesPerSecond: fps))
  }

  /// Returns `RID SIZE@FPS TARGET MAXIMUM` of each encoding, in kbit/s.
  private func words(_ ladder: Ladder) -> [String] {
    ladder.encodings.map {
      let size = $0.format.resolution
      let rates = "\($0.bitrate.bitsPerSecond / 1000) \(($0.maximum?.bitsPerSecond ?? 0) / 1000)"
      return "\($0.rid) \(size.width)x\(size.height)@\($0.format.milliFramesPerSecond / 1000) \(rates)"
    }
  }

  @Test func a720pCameraSendsThreeEncodingsOfWhichTheTwoLowerRunAt20FramesPerSecond() {
    let own = ladder(1280, 720)
    #expect(words(own) == ["q 320x180@20 150 160", "h 640x360@20 450 450", "f 1280x720@30 1700 1700"])
    let kilobits = own.layers.map { $0.bitrate.bitsPerSecond / 1000 }
    #expect(kilobits == [60, 90, 150, 180, 270, 450, 680, 1020, 1700])
    let rates = own.layers.map(\.format.milliFramesPerSecond)
    #expect(rates == [5000, 10_000, 20_000, 5000, 10_000, 20_000, 7500, 15_000, 30_000])
    #expect(own.encodings.map(\.minimum) == [.kilobits(30), .kilobits(150), .kilobits(600)])
  }

  @Test(
    arguments: [
      // The preset for 960x540 runs at 25 frames per second.
      (960, 540, ["q 320x180@20 150 160", "h 640x360@20 450 450", "f 960x540@25 800 800"]),
      (1920, 1080, ["q 320x180@20 150 160", "h 640x360@20 450 450", "f 1920x1080@30 3000 3000"]),
      // Below 960 px there is no 360p in addition to the capture, below 480 px nothing at all.
      (640, 360, ["q 320x180@20 150 160", "h 640x360@20 450 450"]),
      (320, 180, ["q 320x180@20 150 160"]),
      // 4:3 has its own presets; 320x180 would not fit.
      (640, 480, ["q 240x180@20 125 125", "h 640x480@20 500 500"]),
    ])
  func otherCapturesHaveThePresetsOfTheirWidth(width: Int, height: Int, encodings: [String]) {
    #expect(words(ladder(width, height)) == encodings)
  }

  @Test func anUprightCaptureIsTurnedAndASlowOneKeepsItsFrameRate() {
    let upright = ["q 180x320@20 150 160", "h 360x640@20 450 450", "f 720x1280@30 1700 1700"]
    #expect(words(ladder(720, 1280)) == upright)
    let slow = ["q 320x180@15 150 160", "h 640x360@15 450 450", "f 1280x720@15 1700 1700"]
    #expect(words(ladder(1280, 720, fps: 15)) == slow)
  }
}
