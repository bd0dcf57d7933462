import Ladder
import Media
import Plan
import Quantity
import Scenario
import Testing

/// libwebrtc uses an app's maximum for a lone encoding instead of its own 2500 kbps, whether higher or lower.
@Suite("Maximum rate of a source")
struct SourceMaximumTests {
  private func camera(_ text: String) throws -> VideoSourcePlan {
    let text = """
      name: t
      duration: 9s
      policy: janus
      participants: [{id: ann, publish: {camera: {capture: 720p30, \(text)}}}]
      """
    let plan = try ScenarioReader.read(bytes: Array(text.utf8), file: "t.yaml", directory: "").plan
    return try #require(plan.participants[0].camera)
  }

  @Test(arguments: [("4 Mbps", 4000, 4000), ("1500 kbps", 1500, nil)] as [(String, Int64, Int64?)])
  func aLoneEncodingFollowsTheApp(text: String, rate: Int64, own: Int64?) throws {
    let camera = try camera("ladder: single, maximum: \(text)")
    #expect(camera.ladder.encodings[0].maximum == .kilobits(rate))
    #expect(camera.ladder.encodings[0].bitrate == .kilobits(rate))
    #expect(camera.maximum == own.map { .kilobits($0) })
  }

  @Test func severalEncodingsKeepTheirLadder() throws {
    let camera = try camera("ladder: webrtc-vp8, maximum: 4 Mbps")
    #expect(camera.ladder.encodings.map(\.maximum) == [.kilobits(200), .kilobits(700), .kilobits(2500)])
  }
}
