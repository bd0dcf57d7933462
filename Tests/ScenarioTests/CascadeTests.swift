import Scenario
import TestSupport
import Testing

/// One mistake is one error, and all mistakes of a file are reported at once.
@Suite("Cascading errors")
struct CascadeTests {
  /// Returns the positions and beginnings of the errors in a file.
  private func errors(_ text: String) throws -> [String] {
    do {
      _ = try ScenarioReader.read(bytes: Array(text.utf8), file: "t", directory: "")
      return []
    } catch {
      return error.diagnostics.map { "\($0.line):\($0.column): \($0.message.prefix { $0 != ":" })" }
    }
  }

  @Test func aLinkWithAnErrorIsStillALink() throws {
    #expect(
      try errors(
        """
        name: t
        duration: 9s
        links: {home: {capacity: 1000}, "of fice": {capacity: 1 Mbps}}
        shared-links: {house: {down: {capacity: fast}}}
        participants: [{id: ann, up: home, down: of fice, shared: house}]
        timeline: [{at: 1s, link: house/down, loss: 1 %}, {at: 1s, link: ann/down, down: 1s}]
        """) == ["3:26: capacity", "3:33: link 'of fice'", "4:41: capacity"])
  }

  @Test func linksThatAreNoMappingDefineWhateverIsNamed() throws {
    #expect(
      try errors("name: t\nduration: 9s\nlinks: [home]\nparticipants: [{id: ann, up: home}]") == [
        "3:8: 'links' must be a mapping from names to profiles, such as 'home"
      ])
  }

  @Test func aParticipantWithAnErrorIsStillAParticipant() throws {
    #expect(
      try errors(
        """
        name: t
        duration: 9s
        participants:
          - {id: ann, up: nowhere, publish: {camera: huge, screen: 1080}}
          - {id: s, count: many, view: {stage: ann, tiles: {ann/screen: 640x360, s-2: 320x180}}}
          - {id: "b b", view: {everybody: 1}}
        timeline:
          - {at: 1s, participant: s-3, speaks: 2s}
          - {at: 1s, participant: "b b", mute: sound}
          - {at: 1s, link: s-1/down, loss: 1 %}
          - {at: 1s, participant: ann, push-frames: {for: 1s}}
        expect: [{viewer: s-1, source: ann, metric: mos, is: '>= 1'}, {viewer: s-9, voice: ann, metric: concealed, is: '<= 1'}]
        """) == [
          "4:19: up", "4:46: camera", "4:60: screen", "5:20: count", "6:10: id", "6:35: everybody",
          "9:40: mute",
        ])
  }

  @Test func anEntryWithoutANameMayBeAnybody() throws {
    #expect(
      try errors(
        """
        name: t
        duration: 9s
        participants: [{publish: {camera: huge}}, ann]
        timeline: [{at: 1s, participant: ann, speaks: 2s}]
        """) == [
          "3:16: participant needs 'id', such as 'id", "3:35: camera",
          "3:43: 'ann' is no participant",
        ])
  }

  @Test func aPolicyThatIsNotKnownMayHaveAnyFeature() throws {
    #expect(
      try errors(
        """
        name: t
        duration: 9s
        policy: vonnage
        participants:
          - {id: ann, publish: {camera: 720p30}}
          - {id: bob, view: {signals: {last-n: 3}}}
          - {id: eve, view: {everybody: 360p, override: 640x360, preferred: [{size: 640x360}]}}
        timeline: [{at: 1s, participant: bob, signals: {last-n: 1}}]
        """) == ["3:9: policy"])
  }

  @Test func aDurationWithAnErrorHasNoEnd() throws {
    #expect(
      try errors(
        "name: t\nduration: 2m\nparticipants: [{id: ann}]\ntimeline: [{at: 70s, participant: ann, speaks: 2s}]"
      )
        == ["2:11: duration"])
  }

  @Test func aViewWithAnErrorMayHavePages() throws {
    #expect(
      try errors(
        "name: t\nduration: 9s\nparticipants: [{id: ann, view: {everybody: 360, per-page: 4}}]\n"
          + "timeline: [{at: 1s, participant: ann, page: 2}]") == ["3:44: everybody"])
  }

  @Test func aFlowWithAnErrorIsStillAFlow() throws {
    #expect(
      try errors(
        "name: t\nduration: 9s\nparticipants: [{id: ann}]\ncross-traffic: [{name: bulk, link: ann/up, kind: ftp}]\n"
          + "timeline: [{at: 1s, stop-traffic: bulk}]") == ["4:50: kind"])
  }

  @Test func anotherWordForARequiredKeyIsOneError() throws {
    #expect(
      try errors("name: t\nduration: 9s\nlinks: {home: {bandwidth: 1 Mbps}}\nusers: [{id: ann}]") == [
        "3:16: unknown key 'bandwidth' in link 'home'", "4:1: unknown key 'users' in the scenario",
      ])
  }

  @Test func aSourceWithoutACaptureHidesNothing() throws {
    #expect(
      try errors(
        "name: t\nduration: 9s\nparticipants: [{id: ann, publish: {camera: {ladders: a, maximum: fast}}}]")
        == [
          "3:44: camera of publish of participant needs 'capture', such as 'capture",
          "3:45: unknown key 'ladders' in camera of publish of participant", "3:66: maximum",
        ])
  }

  @Test func aFlowWithoutALinkIsReadToItsEnd() throws {
    #expect(
      try errors(
        "name: t\nduration: 9s\nparticipants: [{id: ann}]\ncross-traffic: [{name: bulk, kind: constant, rate: 1}]"
      )
        == ["4:17: cross traffic needs 'link', such as 'link", "4:52: rate"])
  }

  @Test func theKeysOfALinkAreNotAParticipants() throws {
    #expect(
      try errors(
        "name: t\nduration: 9s\nparticipants: [{id: ann}]\n"
          + "timeline: [{at: 1s, participant: ann, link: ann/up, loss: 1 %}]")
        == ["4:21: unknown key 'participant' in timeline entry"])
  }

  @Test func whatHappensIsReadWithoutItsTime() throws {
    #expect(
      try errors(
        "name: t\nduration: 9s\nparticipants: [{id: ann}]\ntimeline: [{participant: ann, leave: yes}]")
        == ["4:12: timeline entry needs 'at', such as 'at", "4:38: leave"])
  }
}
