import TestSupport
import Testing

/// Cross traffic as a cause, and the least capacity that helps.
@Suite("What explain says of other traffic and of capacities")
struct ExplainTrafficTests {
  private static let download = """
    name: download
    duration: 60s
    policy: livekit
    estimator: {up: gcc, down: remb}
    links:
      lan: {capacity: 3 Mbps, delay: 20 ms, queue: 200 ms}
    participants:
      - {id: ann, publish: {camera: 720p30}}
      - {id: bob, down: lan, view: {tiles: {ann: 1280x720}}}
    cross-traffic:
      - {link: bob/down, name: download, kind: tcp, start: 15s, stop: 45s}
    """

  private func explained(at second: Double, repetitions: Int = 0) throws -> String {
    try Program.explained(
      Self.download, "--viewer bob --source ann --at \(second)s --repetitions \(repetitions)")
  }

  /// It counts for 10 s after its end, in which the estimate may still be low.
  @Test func crossTrafficIsNamedWhileItMayMatter() throws {
    let text = try explained(at: 20)
    let sentence = text.replacing("\n", with: " ").firstMatch(
      of: /to 45.000 s; (\d+\.\d{3}) kbps of cross traffic came over it in/)
    // Of 3 Mbps, and the media have the rest.
    let rate = try #require(sentence.flatMap { Double($0.1) }, "\(text)")
    #expect(rate > 1500 && rate < 3000)
    #expect(try explained(at: 55).contains("Cross traffic 'download' was sent over bob/down"))
    for second in [10, 56.5] { #expect(try !explained(at: second).contains("Cross traffic")) }
  }

  @Test func theMeetingWithoutCrossTrafficIsTried() throws {
    let text = try explained(at: 20, repetitions: 2)
    #expect(
      text.replacing("\n", with: " ").contains(
        "With no cross traffic on bob/down the tile has more in 4 of 4 repetitions"), "\(text)")
  }

  /// Two tiles of 360p, of which the second needs some more than the link has left: the capacity that is told is at most
  /// a third above one that does not help.
  @Test func theLeastCapacityIsSought() throws {
    let text = try Program.explained(
      """
      name: short
      duration: 20s
      policy: mediasoup
      estimator: gcc
      links:
        dsl: {capacity: 700 kbps, delay: 20 ms}
      participants:
        - {id: ann, publish: {camera: 720p30}}
        - {id: eve, publish: {camera: 720p30}}
        - {id: bob, down: dsl, view: {tiles: {ann: 640x360, eve: 640x360}}}
      """, "--viewer bob --source eve --at 15s --repetitions 2")
    let line = text.replacing("\n", with: " ")
    let match = try #require(
      line.firstMatch(
        of: /With (\d+) kbps more on bob\/down the tile .*?, not reliably with (\d+) kbps more on bob\/down/),
      "\(text)")
    let (helping, failing) = (Int(match.1) ?? 0, Int(match.2) ?? 0)
    #expect(failing < helping && (helping * 3 <= failing * 4 || helping - failing <= 20), "\(text)")
  }

  /// Between two alone there is no server for frames to reach.
  @Test func aPeersFramesReachNoServer() throws {
    let text = try Program.explained(
      """
      name: two
      duration: 20s
      policy: {name: stream, peer-to-peer: true}
      estimator: gcc
      links: {dsl: {capacity: 2 Mbps, delay: 30 ms}}
      participants:
        - {id: ann, publish: {camera: 720p30}, view: {everybody: 1280x720}}
        - {id: bob, down: dsl, publish: {camera: 720p30}, view: {everybody: 1280x720}}
      timeline: [{at: 12s, link: bob/down, down: 2s}]
      """, "--viewer bob --source ann --at 13s --repetitions 0")
    let line = text.replacing("\n", with: " ")
    #expect(
      line.contains(
        "downlink: frames were sent to the viewer, but none reached it: they waited on a link, or were lost"),
      "\(text)")
    #expect(!line.contains("server"), "\(text)")
    // It goes on after 14 s, which is not known at 13 s.
    #expect(line.contains(/Frozen since 1[12]\.\d+ s, until 14\.\d+ s: downlink/), "\(text)")
  }

  /// The download's queue is full at 20 s, whatever the link would carry alone.
  @Test func aFullLinkWouldNotCarryMore() throws {
    #expect(try !explained(at: 20).contains("The link would carry what is given"))
  }

  /// LiveKit gives all that is asked for as long as no track is short, whatever it estimates: no pause would change that.
  @Test func pausesAreNamedOnlyToATileThatIsShort() throws {
    let text = try Program.explained(
      """
      name: low
      duration: 12s
      policy: livekit
      estimator: {up: gcc, down: {name: gcc, maximum: 150 kbps, start: 150 kbps}}
      links: {lan: {capacity: 3 Mbps, delay: 20 ms}}
      participants:
        - {id: ann, publish: {camera: 720p30}}
        - {id: bob, down: lan, view: {everybody: 1280x720}}
      """, "--viewer bob --source ann --at 10s --repetitions 0")
    #expect(text.contains("given beyond the budget") && !text.contains("does not pause"), "\(text)")
    // What is given was decided for 105 of 114 kbps, and takes 114.24 by now.
    let risen = try explained(at: 20).replacing("\n", with: " ")
    #expect(
      risen.contains(
        "fitted when it was decided, at 18.129 s: the rates of its layers have risen since then"),
      "\(risen)")
    #expect(!risen.contains("does not pause"))
    // Six lowest layers do not fit into 250 kbps, and none is paused.
    let six = try Program.explained(
      """
      name: six
      duration: 12s
      policy: livekit
      estimator: {up: gcc, down: remb}
      links: {slow: {capacity: 250 kbps, delay: 20 ms, queue: 200 ms}}
      participants:
        - {id: p, count: 6, publish: {camera: 360p30}}
        - {id: bob, down: slow, view: {everybody: 320x180}}
      """, "--viewer bob --source p-6 --at 10s --repetitions 0")
    #expect(six.contains("does not pause") && !six.contains("fitted"), "\(six)")
  }

  /// The tiles beside the stage vanish; no layer is taken from them.
  @Test func tilesThatAreNotShownLoseNoLayer() throws {
    let text = try Program.explained(
      """
      name: stage
      duration: 14s
      policy: mediasoup
      links: {dsl: {capacity: 900 kbps, delay: 20 ms}}
      participants:
        - {id: ann, publish: {camera: 720p30}}
        - {id: eve, publish: {camera: 720p30}}
        - {id: joe, publish: {camera: 720p30}}
        - {id: bob, down: dsl, view: {stage: ann, everybody: 640x360}}
      """, "--viewer bob --source ann --at 12s --repetitions 2"
    ).replacing("\n", with: " ")
    #expect(
      text.contains(
        "With only the stage ('view: {stage: ann}') the tile has more in 4 of 4 repetitions; it takes off the screen "
          + "bob's view of eve."), "\(text)")
  }
}
