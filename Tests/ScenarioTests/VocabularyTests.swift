import Scenario
import TestSupport
import Testing

/// Terms that users of other tools write.
@Suite("Vocabulary of other tools")
struct VocabularyTests {
  private func error(_ participants: String, timeline: String = "", links: String = "") throws -> String {
    let text =
      "name: t\nduration: 9s\nlinks: {\(links)}\nparticipants: [{id: ann, publish: {camera: 720p30}}, \(participants)]\n"
      + "timeline: [\(timeline)]"
    do {
      _ = try ScenarioReader.read(bytes: Array(text.utf8), file: "t", directory: "")
      return ""
    } catch {
      return error.diagnostics.map(\.description).joined(separator: "\n")
    }
  }

  private static let anActionByAnotherNameCases: [(String, String)] = [
    (
      "share-screen: true",
      "5:39: error: unknown key 'share-screen' in timeline entry: did you mean 'share: screen'?"
    ),
    (
      "stopShare: true", "5:39: error: unknown key 'stopShare' in timeline entry: did you mean 'share: none'?"
    ),
    ("talks: 3s", "5:39: error: unknown key 'talks' in timeline entry: did you mean 'speaks'?"),
    (
      "muteVideo: true", "5:39: error: unknown key 'muteVideo' in timeline entry: did you mean 'mute: video'?"
    ),
    (
      "push_frames: stop",
      "5:39: error: unknown key 'push_frames' in timeline entry: did you mean 'push-frames'?"
    ),
    ("spotlight: ann", "5:39: error: unknown key 'spotlight' in timeline entry: did you mean 'pin'?"),
    ("exit: true", "5:39: error: unknown key 'exit' in timeline entry: did you mean 'leave: true'?"),
    (
      "raise-hand: true",
      "5:39: error: unknown key 'raise-hand' in timeline entry: 'meetsim list keys' has them all"
    ),
    (
      "bandwidth: 1 Mbps",
      "5:39: error: bandwidth: the capacity is a link's: write 'link: ann/down' in place of 'participant: ann'"
    ),
    (
      "loss: 1 %",
      "5:39: error: loss: the loss is a link's: write 'link: ann/down' in place of 'participant: ann'"
    ),
    (
      "mute: video, speaks: 3s",
      "5:52: error: 'mute' and 'speaks' are 2 actions: give each an entry of its own"
    ),
  ]

  @Test(arguments: anActionByAnotherNameCases)
  func anActionByAnotherName(action: String, message: String) throws {
    #expect(try error("{id: bob}", timeline: "{at: 1s, participant: ann, \(action)}") == "t:" + message)
  }

  private static let aParticipantInOtherWordsCases: [(String, String)] = [
    (
      "view: {stage: active-speaker}",
      "4:78: error: stage: 'active-speaker' is no participant: a stage shows the one it names; in its place 'layout: "
        + "speaker', or 'request: [{quality: 720p30, priority: high}]', an entry without a participant, follows whoever "
        + "speaks"
    ),
    (
      "view: {tiles: all}",
      "4:78: error: tiles: for everybody write 'everybody: 320x180' in place of 'tiles: all'"
    ),
    (
      "view: gallery",
      "4:70: error: view of 'bob': 'gallery' is not a mapping: write what is on the screen, such as '{everybody: 320x180}', "
        + "'{stage: ann, tiles: {bob: 320x180}}' or '{layout: gallery-25}'"
    ),
    (
      "view: {thumbnails: {ann: 180p}}",
      "4:71: error: unknown key 'thumbnails' in view of 'bob': did you mean 'tiles'?"
    ),
    ("down: 10 Mbps", "4:70: error: down: '10 Mbps' is a rate and no link: write '{capacity: 10 Mbps}'"),
    ("uplink: home", "4:64: error: unknown key 'uplink' in participant: did you mean 'up'?"),
    (
      "publish: {webcam: 720p30}",
      "4:74: error: unknown key 'webcam' in publish of participant: did you mean 'camera'?"
    ),
  ]

  @Test(arguments: aParticipantInOtherWordsCases)
  func aParticipantInOtherWords(entry: String, message: String) throws {
    #expect(try error("{id: bob, \(entry)}", links: "home: {capacity: 1 Mbps}") == "t:" + message)
  }

  @Test func aProfileIsNoLink() throws {
    #expect(
      try error(
        "{id: bob, down: home}", timeline: "{at: 1s, link: home/down, loss: 1 %}",
        links: "home: {capacity: 1 Mbps}")
        == "t:5:27: error: link: there is no link 'home/down', which is a profile that several may have: name a "
        + "participant's link, such as 'bob/down'")
  }

  /// At most half the letters of the shorter word differ, rounded down, or one; among equally close words the first is
  /// taken.
  @Test(arguments: [
    ("abcd", ["abxy"], ["abxy"]), ("abcd", ["axyz"], []), ("abcde", ["abxyz"], []), ("abcdef", ["abc"], []),
    ("abcdef", ["abcdxyz"], ["abcdxyz"]), ("a", ["b", "bc"], ["b"]), ("ab", [""], []), ("", ["a"], ["a"]),
    ("delay", ["dealy", "relay", "delays"], ["relay", "delays", "dealy"]),
  ])
  func wordsAreNearUpToHalfTheirLength(word: String, known: [String], near: [String]) {
    #expect(Suggestion.nearest(to: word, among: known, atMost: 3) == near)
  }

  private static let aTimeInOtherUnitsCases: [(String, String)] = [
    ("2m", "'m' is not a unit of a time: write 'min' for minutes, such as '2 min'"),
    ("1h30m", "'h30m' is not a unit of a time: write one number with one unit, such as '90 min' for 1h30m"),
    ("30 sec", "'sec' is not a unit of a time: write 's'"),
    ("30 S", "'S' is not a unit of a time: write 's'"),
  ]

  @Test(arguments: aTimeInOtherUnitsCases)
  func aTimeInOtherUnits(text: String, message: String) throws {
    do {
      _ = try ScenarioReader.read(
        bytes: Array("name: t\nduration: \(text)\nparticipants: [{id: ann}]".utf8), file: "t", directory: "")
      Issue.record("\(text) was read")
    } catch {
      #expect(error.diagnostics.map(\.description) == ["t:2:11: error: duration: \(message)"])
    }
  }

  private static let aRateInOtherUnitsCases: [(String, String)] = [
    ("3mbps", "'mbps' is not a unit of a bit rate: write 'Mbps'"),
    ("500 kbit/s", "'kbit/s' is not a unit of a bit rate: write 'kbps'"),
    ("5M", "'M' is not a unit of a bit rate: write 'Mbps'"),
  ]

  @Test(arguments: aRateInOtherUnitsCases)
  func aRateInOtherUnits(text: String, message: String) throws {
    #expect(
      try error("{id: bob}", links: "home: {capacity: \(text)}") == "t:3:26: error: capacity: \(message)")
  }

  @Test func minutesAndHoursAreUnderstood() throws {
    for text in ["2 min", "2min", "1h", "0.5 h"] {
      _ = try Meetings.scenario("name: t\nduration: \(text)\nparticipants: [{id: ann}]")
    }
  }
}

/// `--set` lists what its path allows.
@Suite("Paths of settings")
struct SettingPathTests {
  private func errors(_ setting: String) throws -> [String] {
    let text = "name: t\nduration: 9s\nlinks: {home: {capacity: 1 Mbps}}\nparticipants: [{id: ann, up: home}]"
    do {
      _ = try ScenarioReader.read(bytes: Array(text.utf8), file: "t", directory: "", overrides: [setting])
      return []
    } catch {
      return error.diagnostics.map(\.description)
    }
  }

  @Test func aMappingThatTheFileLacksIsAdded() throws {
    #expect(try errors("audio.forward=all").isEmpty)
    #expect(try errors("participants.ann.publish.camera=720p30").isEmpty)
    #expect(
      try errors("participants.ann.send.max=1 Mbps") == [
        "--set participants.ann.send.max=1 Mbps:1:1: error: 'participants.ann.send.max': there is no 'send': "
          + "did you mean 'publish'?"
      ])
    #expect(
      try errors("audio.forwrd=all") == [
        "--set audio.forwrd=all:1:1: error: unknown key 'forwrd' in audio: did you mean 'forward'?"
      ])
  }

  private static let aPathThatNoScenarioHasIsRefusedCases: [(String, String)] = [
    ("links.hom.capacity=3", "'links.hom.capacity': there is no 'hom': did you mean 'home'?"),
    (
      "timeline.0.at=3s",
      "'timeline.0.at': there is no 'timeline' in the file: set it as a whole, or what is there: name, duration, "
        + "links, participants"
    ),
    (
      "vews.x=2",
      "'vews.x': there is no 'vews': expected one of $schema, name, title, duration, seed, policy, estimator, "
        + "audio, speech, yardstick, speech-order, key-frames, links, shared-links, participants, cross-traffic, timeline, "
        + "expect"
    ),
    (
      "participants.ann.publsh.camera=1",
      "'participants.ann.publsh.camera': there is no 'publsh': did you mean 'publish'?"
    ),
    ("participants.bob.up=home", "'participants.bob.up': there is no element 'bob': expected one of ann"),
    (
      "participants[ann].publish.camera=360p30",
      "'participants[ann].publish.camera': elements of a list follow a dot, by number from 0 or by id: write "
        + "'participants.ann.publish.camera'"
    ),
    (
      "participants.*.up=home",
      "'participants.*.up': there is no element '*': set each by itself, such as 'participants.ann.up'"
    ),
  ]

  @Test(arguments: aPathThatNoScenarioHasIsRefusedCases)
  func aPathThatNoScenarioHasIsRefused(setting: String, message: String) throws {
    #expect(try errors(setting) == ["--set \(setting):1:1: error: \(message)"])
  }
}
