import Files
import Scenario
import TestSupport
import Testing

/// Advice on whole meetings.
@Suite("Advice on whole scenarios")
struct WholeScenarioAdviceTests {
  private func advice(_ text: String) throws -> [String] {
    try ScenarioSource(bytes: Array(text.utf8), file: "t", directory: "").load(settings: [], for: .validation)
      .warnings.map(\.description)
  }

  private func meeting(_ more: String = "", view: String = "view: {everybody: 360p}", head: String = "")
    -> String
  {
    "name: t\nduration: 9s\n\(head)\nparticipants:\n  - {id: ann, publish: {camera: 720p30, screen: 1080p5}}\n"
      + "  - {id: bob, \(view)}\n\(more)"
  }

  @Test func nobodyWatches() throws {
    #expect(
      try advice(meeting(view: "down: nlc/lte")) == [
        "t:5:5: warning: nobody watches: without a 'view' no video reaches anybody; add one, such as 'view: {everybody: "
          + "640x360}'"
      ])
    #expect(try advice(meeting()).isEmpty)
    // Voices alone need no view.
    #expect(
      try advice("name: t\nduration: 9s\nparticipants: [{id: ann, publish: audio-only}, {id: bob}]").isEmpty)
    let call = "timeline: [{at: 1s, participant: bob, request: [{quality: 360p30, participant: ann}]}]"
    #expect(try advice(meeting(call, view: "down: nlc/lte")).isEmpty)
  }

  /// Of three others two fit on a page: the second is the last.
  @Test func aPageBeyondTheLastIsEmpty() throws {
    func text(_ page: Int) -> String {
      """
      name: t
      duration: 9s
      participants:
        - {id: p, count: 3, publish: {camera: 720p30}}
        - {id: bob, publish: {camera: 720p30}, view: {everybody: 320x180, per-page: 2}}
      timeline: [{at: 1s, participant: bob, page: \(page)}]
      """
    }
    #expect(try advice(text(2)).allSatisfy { !$0.contains("beyond page") })
    let third = try advice(text(3)).filter { $0.contains("beyond page") }
    #expect(
      third.count == 1
        && third[0].hasSuffix(
          "warning: page: 'bob' sees at most 3 others, 2 a page: there is nothing beyond page 2"),
      "\(third)")
  }

  @Test func aShareThatIsOnIsTurnedOn() throws {
    let advised =
      "warning: share: 'ann' shares its screen already, from the start unless 'publish' has 'screen: {capture: …, "
      + "on: false}'"
    #expect(
      try advice(meeting("timeline: [{at: 2s, participant: ann, share: screen}]")) == ["t:7:46: \(advised)"])
    #expect(
      try advice(
        meeting(
          "timeline: [{at: 3s, participant: ann, share: screen}, {at: 2s, participant: ann, share: none}]")
      ).isEmpty)
  }

  @Test func aLinkThatNothingUses() throws {
    #expect(
      try advice(
        meeting(
          view: "down: home, view: {everybody: 360p}",
          head: "links: {home: {capacity: 9 Mbps}, office: {capacity: 9 Mbps}}\n"
            + "shared-links: {house: {down: {capacity: 9 Mbps}}}")) == [
          "t:3:35: warning: link 'office': nothing uses it; name it in 'up' or 'down' of a participant, or remove it",
          "t:4:16: warning: shared link 'house': nobody uses it; name it in 'shared' of a participant, or remove it",
        ])
    #expect(
      try advice(
        meeting(
          view: "shared: house, view: {everybody: 360p}",
          head: "links: {home: {capacity: 9 Mbps}}\nshared-links: {house: {down: home}}")
      ).isEmpty)
  }

  /// A voice takes 58.4 kbps, 64.24 kbps with the headroom of 1.1: more than half of 128 kbps, less than half of 129.
  @Test(arguments: [(128, true), (129, false)])
  func voicesReserveMostOfALink(kilobits: Int, isAdvised: Bool) throws {
    let text = meeting(
      "timeline: [{at: 2s, participant: ann, speaks: 3s}]",
      view: "down: {capacity: \(kilobits) kbps}, view: {everybody: 90p}")
    let expected =
      "t:6:5: warning: 'bob': 1 voice reserves 64240 bps of the 128 kbps of 'bob/down', before any video"
    #expect(try advice(text) == (isAdvised ? [expected] : []))
    // A participant who doesn't speak takes next to nothing.
    #expect(try advice(text.replacing("speaks: 3s", with: "mute: audio")).isEmpty)
  }

  @Test func noLayerFitsATile() throws {
    let publish =
      "publish: {camera: {layers: [{encoding: 0, size: 640x360, fps: 30, bitrate: 500 kbps}]}}"
    func text(_ tile: String) -> String {
      "name: t\nduration: 9s\nparticipants:\n  - {id: ann, \(publish)}\n  - {id: bob, view: {tiles: {ann: \(tile)}}}"
    }
    #expect(
      try advice(text("320x180")) == [
        "t:5:5: warning: 'bob': no layer of 'ann' fits its tile, the smallest is 640x360: make the tile larger, or give "
          + "the source a smaller layer"
      ])
    #expect(try advice(text("640x360")).isEmpty)
  }

  @Test func shippedScenariosNeedNoAdvice() throws {
    let files = try Directory.entries(of: Repository.root + "/scenarios").filter { $0.hasSuffix(".yaml") }
    #expect(files.count >= 10)
    for file in files {
      let scenario = try ScenarioReader.read(path: Repository.root + "/scenarios/" + file, for: .validation)
      #expect(scenario.warnings.isEmpty, "\(scenario.warnings)")
    }
  }
}
