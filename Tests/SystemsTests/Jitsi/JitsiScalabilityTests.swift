import Ladder
import Quantity
import Testing
import Vendors

@Suite("Jitsi's scalable streams")
struct JitsiScalabilityTests {
  @Test(arguments: [
    (180, "L1T3", 100, 100), (270, "L1T3", 100, 100), (359, "L1T3", 100, 100),
    (360, "L2T3_KEY", 300, 300),
    (540, "L2T3_KEY", 300, 300), (720, "L3T3_KEY", 1200, 1000), (1080, "L3T3_KEY", 2500, 2000),
    (2160, "L3T3_KEY", 5000, 4000),
  ])
  func modeAndMaximumFollowTheHeight(lines: Int, mode: String, vp9: Int64, av1: Int64) {
    #expect(ScalableSending.jitsi(.vp9, lines: lines).mode.name == mode)
    #expect(ScalableSending.jitsi(.vp9, lines: lines).maximum == .kilobits(vp9))
    #expect(ScalableSending.jitsi(.av1, lines: lines).maximum == .kilobits(av1))
  }
}
