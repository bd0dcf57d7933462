import Scenario
import TestSupport
import Testing

/// Notions of the neutral view that the meeting's system ignores.
@Suite("Advice on view options that a system ignores")
struct ViewNotionAdviceTests {
  private func warnings(
    _ policy: String, _ view: String, timeline: String = "[]", count: Int? = nil, capabilities: String = ""
  ) throws -> [String] {
    try Meetings.scenario(
      """
      name: t
      duration: 9s
      policy: \(policy)
      participants:
        - {id: ann, publish: {camera: 720p30, screen: 720p5}}
        - {id: bob, publish: {camera: 720p30}}
        - {id: eve\(count.map { ", count: \($0)" } ?? ""), capabilities: {\(capabilities)}, view: {\(view)}}
      timeline: \(timeline)
      """
    ).warnings.map(\.message)
  }

  private let tiles = "tiles: {ann: 320x180, bob: 320x180}"

  @Test(arguments: ["signal", "livekit", "janus", "gso", "best", "stream", "vonage"])
  func aPinWithoutPins(policy: String) throws {
    #expect(
      try warnings(policy, "\(tiles), pin: [bob]") == [
        "pin: policy '\(policy)' has no pins: 'bob' is asked for like any tile"
      ])
    #expect(
      try warnings(policy, "\(tiles), pin: [ann, bob]", count: 24) == [
        "pin: policy '\(policy)' has no pins: 'ann' and 'bob' are asked for like any tile"
      ])
    let actions = "[{at: 1s, participant: eve, pin: bob}, {at: 2s, participant: eve, pin: ann}]"
    #expect(
      try warnings(policy, tiles, timeline: actions) == [
        "pin: policy '\(policy)' has no pins: 'bob' is asked for like any tile"
      ])
    // Reported once per viewer.
    #expect(try warnings(policy, "\(tiles), pin: [bob]", timeline: actions).count == 1)
  }

  @Test func aPinThatCountsOrAddsNothing() throws {
    for policy in ["jitsi", "mediasoup", "agora"] {
      #expect(try warnings(policy, "\(tiles), pin: [bob]").isEmpty)
    }
    // A participant on the stage is requested as such.
    #expect(try warnings("livekit", "stage: bob, \(tiles), pin: [bob]").isEmpty)
    #expect(try warnings("livekit", "stage: bob, \(tiles), pin: [bob, ann]").count == 1)
  }

  @Test func aPinInABuiltInLayout() throws {
    #expect(try warnings("bluejeans", "layout: people, pin: [bob]").isEmpty)
    #expect(
      try warnings("bluejeans", "\(tiles), pin: [bob]") == [
        "pin: policy 'bluejeans' has pins in built-in layouts only: 'bob' is asked for like any tile"
      ])
    let layout = "[{at: 2s, participant: eve, layout: people}]"
    #expect(try warnings("bluejeans", "\(tiles), pin: [bob]", timeline: layout).isEmpty)
    #expect(
      try warnings("bluejeans", "\(tiles), pin: [bob]", capabilities: "custom-layout: false").isEmpty)
  }

  @Test func aStageWithoutSizes() throws {
    let advice = "stage: policy 'agora' has no stage: 'ann' is asked for like any tile"
    #expect(try warnings("agora", "stage: ann, \(tiles)") == [advice])
    #expect(try warnings("agora", "stage: ann, \(tiles), pin: [ann]").isEmpty)
    let same = advice.replacing("agora", with: "vonage")
    #expect(try warnings("vonage", "stage: ann, \(tiles), pin: [ann]") == [same])
    for policy in ["{name: vonage, preferred-resolution: auto}", "livekit", "janus", "stream", "bluejeans"] {
      let given = try warnings(
        policy, "stage: {participant: ann, size: 640x360}, \(tiles)", capabilities: "receive-720p: true")
      #expect(given.isEmpty, "\(given)")
    }
    #expect(try warnings("vonage", "stage: ann, \(tiles), preferred: [{size: auto}]").isEmpty)
  }

  @Test(arguments: ["vonage", "bluejeans", "janus"])
  func pagesThatAreAllReceived(policy: String) throws {
    let turns = "[{at: 2s, participant: eve, page: 2}]"
    #expect(
      try warnings(policy, "\(tiles), per-page: 1", timeline: turns) == [
        "per-page: policy '\(policy)' has no pages: tiles of other pages are asked for all the same"
      ])
  }

  /// Bob's tile starts at 188 points.
  private let list = "container: {kind: list, size: 320x180, own-tile: false}"

  @Test(arguments: ["vonage", "bluejeans", "janus"])
  func tilesThatAreReceivedOffTheScreen(policy: String) throws {
    #expect(
      try warnings(policy, "\(list), screen: 320x188") == [
        "container: policy '\(policy)' takes no notice of scrolling: tiles off the screen are asked for all the same"
      ])
    #expect(try warnings(policy, "\(list), screen: 320x189").isEmpty)
  }

  @Test(arguments: ["agora", "jitsi", "livekit", "mediasoup", "signal", "gso", "best", "stream"])
  func scrollingThatCounts(policy: String) throws {
    #expect(try warnings(policy, "\(list), screen: 320x188").isEmpty)
  }

  @Test(arguments: ["agora", "jitsi", "livekit", "mediasoup", "signal", "gso", "best", "stream"])
  func pagesThatCount(policy: String) throws {
    #expect(try warnings(policy, "\(tiles), per-page: 1").isEmpty)
  }

  @Test func aTileThatIsHidden() throws {
    let hides = "[{at: 2s, participant: eve, hide: bob}]"
    func advice(_ policy: String) -> String {
      "hide: policy '\(policy)' takes no notice of hidden tiles: they are asked for all the same"
    }
    for policy in ["bluejeans", "janus"] {
      #expect(try warnings(policy, tiles, timeline: hides) == [advice(policy)])
    }
    #expect(try warnings("janus", "grid: agora-squares", timeline: hides).contains(advice("janus")))
    for policy in ["agora", "vonage", "stream", "livekit", "jitsi", "mediasoup", "signal", "gso", "best"] {
      #expect(try warnings(policy, tiles, timeline: hides).isEmpty, "\(policy)")
    }
  }

  /// Agora's streams follow the screen unless the app leaves them alone.
  @Test func anAppThatDoesNotFollowTheScreen() throws {
    let still = "follow-screen: false"
    let hides = "[{at: 2s, participant: eve, hide: bob}]"
    let hide = "hide: policy 'agora' takes no notice of hidden tiles: they are asked for all the same"
    #expect(try warnings("agora", "\(tiles), \(still)", timeline: hides) == [hide])
    #expect(try warnings("agora", "grid: agora-squares, \(still)", timeline: hides) == [hide])
    let turns = "[{at: 2s, participant: eve, page: 2}]"
    #expect(
      try warnings("agora", "\(tiles), per-page: 1, \(still)", timeline: turns) == [
        "per-page: policy 'agora' has no pages: tiles of other pages are asked for all the same"
      ])
    #expect(
      try warnings("agora", "\(list), screen: 320x188, \(still)") == [
        "container: policy 'agora' takes no notice of scrolling: tiles off the screen are asked for all the same"
      ])
  }

  @Test func whatSignalsReplace() throws {
    #expect(
      try warnings("jitsi", "signals: {last-n: 1}, pin: [bob], share: false").sorted() == [
        "pin: has no effect beside 'signals', which say what is asked for",
        "share: has no effect beside 'signals', which say what is asked for",
      ])
    #expect(try warnings("jitsi", "signals: {last-n: 1}").isEmpty)
  }
}
