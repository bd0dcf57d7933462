import TestSupport
import Testing

/// `meetsim explain` on tiles that nobody sees, and on media over TCP.
@Suite("Explain: unseen tiles")
struct UnseenTileTests {
  private func explained(_ scenario: String, _ arguments: String, repetitions: Int = 1) throws -> (
    Int32, String
  ) {
    let run = try Program.explain(scenario, "\(arguments) --repetitions \(repetitions)")
    return (run.code, run.output + run.error)
  }

  private static func gallery(_ system: String) -> String {
    """
    name: gallery
    duration: 20s
    policy: \(system)
    participants:
      - {id: ann, publish: {camera: 360p30}, view: {tiles: {ben: 320x180}}}
      - {id: ben, publish: {camera: 360p30}, view: {everybody: 160x90, share: false}}
      - {id: cat, publish: {camera: 360p30, screen: 720p15}, view: {everybody: 160x90, per-page: 1}}
      - {id: dan, publish: {camera: 360p30}}
    timeline:
      - {at: 4s, participant: cat, page: 2}
      - {at: 8s, participant: dan, mute: video}
      - {at: 12s, participant: ben, background: true}
    """
  }

  /// Subscribed to but off screen: the page was turned at 4 s, or the first page shows another tile.
  @Test func aTileOfAnotherPageIsNamedWithWhatShowsIt() throws {
    let (code, turned) = try explained(Self.gallery("livekit"), "--viewer cat --source ann --at 7s")
    #expect(code == 0, "\(turned)")
    #expect(turned.contains("Nobody sees the tile: because of 'page 2' of cat at 4.000 s."), "\(turned)")
    #expect(
      turned.contains(
        "It would be seen without 'page 2' of cat at 4.000 s, or with page 1 on the screen ('page: 1')"),
      "\(turned)")
    let (_, first) = try explained(Self.gallery("livekit"), "--viewer cat --source ben --at 3s")
    #expect(first.contains("Nobody sees the tile: it is on another page of the view."), "\(first)")
    #expect(first.contains("with page 2 on the screen ('page: 2')"), "\(first)")
    #expect(!first.contains("page 1 on the screen") && !first.contains("page 3 on the screen"), "\(first)")
    // The second page comes at 4 s.
    #expect(first.contains("The tile is seen from 4."), "\(first)")
  }

  @Test(arguments: [
    (
      "ann", "cat", "5s",
      "the view has no tile of it. It would be seen with a tile of it in the view ('tiles: {cat: 320x180}')"
    ),
    (
      "ben", "cat/screen", "5s",
      "the view shows no screen shares ('share: false'). It would be seen with screen shares shown ('share: true')"
    ),
    ("dan", "ann", "5s", "it has no 'view', so that it watches nobody"),
    ("ann", "ann", "5s", "nobody watches its own video"),
    (
      "ben", "ann", "16s",
      "because of 'background' of ben at 12.000 s. It did until 12.0"
    ),
  ])
  func aTileThatIsNotSubscribedToSaysWhy(viewer: String, source: String, at: String, reason: String) throws {
    let (code, text) = try explained(
      Self.gallery("jitsi"), "--viewer \(viewer) --source \(source) --at \(at)")
    #expect(code == 2 && text.contains("does not subscribe to '\(source)': \(reason)"), "\(text)")
  }

  /// A hidden tile in an app in the background: undoing either alone does not help.
  @Test func twoActionsThatEachSufficeAreNamedTogether() throws {
    let hidden = Self.gallery("jitsi").replacing(
      "timeline:", with: "timeline:\n  - {at: 3s, participant: ben, hide: ann}")
    let (_, text) = try explained(hidden, "--viewer ben --source ann --at 16s")
    #expect(
      text.contains("because of 'background' of ben at 12.000 s and 'hide ann' of ben at 3.000 s."), "\(text)"
    )
  }

  /// Without repetitions nothing is tried, and only the state is printed.
  @Test func nothingIsTriedWithoutRepetitions() throws {
    let (code, text) = try explained(
      Self.gallery("jitsi"), "--viewer ann --source cat --at 5s", repetitions: 0)
    #expect(
      code == 2 && text.hasSuffix("does not subscribe to 'cat': the client does not ask for it "), "\(text)")
  }

  @Test func aMutedSourceIsToldWithItsAction() throws {
    let (code, text) = try explained(Self.gallery("livekit"), "--viewer ben --source dan --at 11s")
    #expect(code == 0, "\(text)")
    #expect(
      text.contains(
        "Nobody sees the tile: 'dan' sends no video since 'mute video' of dan at 8.000 s. It would be seen without "
          + "'mute video' of dan at 8.000 s."), "\(text)")
  }

  private static func call(_ transport: String, _ outage: String) -> String {
    """
    name: call
    duration: 20s
    policy: janus
    links: {net: {capacity: 3 Mbps, delay: 20 ms}}
    participants:
      - {id: a, publish: {camera: {capture: 720p30, ladder: single}}}
      - {id: b, transport: \(transport), down: net, view: {stage: a}}
    timeline: [{at: 12s, link: b/down, \(outage)}]
    """
  }

  /// About 2.4 Mbps queue for three seconds, of which 262,144 bytes (0.9 s) fit: TCP drops the rest before it is sent.
  @Test func whatAFullSendBufferDropsIsNotLostOnTheWay() throws {
    let arguments = "--viewer b --source a --at 14s"
    let (_, streamed) = try explained(Self.call("tcp", "down: 3s"), arguments, repetitions: 0)
    #expect(
      streamed.contains(
        " packets dropped by the full send buffer of the server's TCP connection to the viewer"),
      "\(streamed)")
    #expect(streamed.contains("or its send buffer was full, from 12."), "\(streamed)")
    #expect(
      streamed.contains("all that is sent to it meanwhile is lost, and TCP sends it again later."),
      "\(streamed)")
    #expect(
      streamed.contains(" TCP segments dropped by the link's queue or while the link was down, sent again"),
      "\(streamed)")
    #expect(
      !streamed.contains("packets of all streams lost on the way") && !streamed.contains("or were lost"),
      "\(streamed)")
    let (_, plain) = try explained(Self.call("udp", "down: 3s"), arguments, repetitions: 0)
    #expect(plain.contains("or were lost, from 12.") && !plain.contains("TCP"), "\(plain)")
    // The buffer does not fill within half a second.
    let (_, short) = try explained(
      Self.call("tcp", "down: 500 ms"), "--viewer b --source a --at 13s", repetitions: 0)
    #expect(short.contains("TCP segments") && !short.contains("by the full send buffer"), "\(short)")
  }
}
