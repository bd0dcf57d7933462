import Files
import Ladder
import Plan
import Quantity
import Scenario
import TestSupport
import Testing

@Suite("Broken scenarios")
struct BrokenScenarioTests {
  private static let folder = "\(Repository.root)/Tests/ScenarioTests/Broken/"

  /// `expected.txt` has a line for each file: the first diagnostic, verbatim.
  private static let expected: [String] = {
    guard let bytes = try? FileReader.bytes(of: folder + "expected.txt", limit: 1_000_000) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }()

  private func firstDiagnostic(of file: String) -> String? {
    do {
      _ = try ScenarioReader.read(path: Self.folder + file)
      return nil
    } catch {
      return error.diagnostics.first.map {
        String($0.description.replacing(Self.folder, with: ""))
      }
    }
  }

  @Test func everyBrokenFileIsCoveredByAnExpectedLine() {
    #expect(Self.expected.count >= 60)
  }

  @Test(arguments: expected)
  func theFirstProblemIsNamedWithItsPlaceAndItsCure(line: String) throws {
    let file = String(line.prefix(while: { $0 != ":" }))
    #expect(firstDiagnostic(of: file) == line)
  }

  @Test func aDirectoryAndAMissingFileAreNamed() {
    #expect(firstDiagnostic(of: "traces")?.contains("is a directory, not a file") == true)
    #expect(firstDiagnostic(of: "nowhere.yaml")?.contains("no such file or directory") == true)
  }

  /// Common first attempts are answered with what was meant.
  @Test(arguments: [
    ("name: six people & a share", "", "did you mean 'six-people-a-share'?"),
    ("", "{id: ann, publish: {camera: 720p}}", "it has no frame rate: did you mean '720p30'?"),
    ("", "{id: ann, down: lte, view: {tiles: {}}}", "there is no link 'lte': did you mean 'nlc/lte'?"),
    (
      "links: {wifi: {down: 1.5 Mbps}}", "",
      "unknown key 'down' in link 'wifi': did you mean 'capacity: 1.5 Mbps'?"
    ),
    ("", "{id: ann, view: {everybody: 180p, page-size: 4}}", "did you mean 'per-page'?"),
  ])
  func aNaturalMistakeIsUnderstood(top: String, participant: String, message: String) throws {
    let name = top.hasPrefix("name") ? top : "name: t\n" + top
    let text =
      "\(name)\nduration: 5s\nparticipants:\n  - {id: eve, publish: {camera: 720p30}}\n"
      + (participant.isEmpty ? "" : "  - \(participant)\n")
    do {
      _ = try ScenarioReader.read(bytes: Array(text.utf8), file: "t.yaml", directory: "")
      Issue.record("a broken scenario was read")
    } catch {
      let messages = error.diagnostics.map(\.message)
      #expect(messages.contains { $0.contains(message) }, "\(messages)")
    }
  }

  /// First files of people who know only that a meeting has participants.
  @Test(arguments: [
    (
      "participants: [Anna Smith, Ben]",
      "write '{id: Anna-Smith, publish: {camera: 720p30}, view: {everybody: 320x180}}'"
    ),
    (
      "people: 6",
      "did you mean 'participants: [{id: person, count: 6, publish: {camera: 720p30}, view: {everybody: "
        + "320x180}}]'?"
    ),
    (
      "participants: 6",
      "write '[{id: person, count: 6, publish: {camera: 720p30}, view: {everybody: 320x180}}]'"
    ),
    ("participants: {anna: {publish: {camera: 720p30}}}", "must be a list: write '[{id: anna, …}, …]'"),
    ("participants: [{name: Anna Smith, publish: {camera: 720p30}}]", "did you mean 'id: Anna-Smith'?"),
    ("participants: [{id: Zoë Müller}]", "did you mean 'Zoe-Mueller'?"),
    ("links: {home wifi: {capacity: 1 Mbps}}\nparticipants: [{id: ann}]", "did you mean 'home-wifi'?"),
    ("participants: [{id: ann, view: {gallery: 9}}]", "did you mean 'everybody: 320x180'?"),
    (
      "participants: [{id: ann, view: {tiles: 9}}]",
      "write 'everybody: 320x180, per-page: 9' in place of 'tiles: 9'"
    ),
    (
      "participants: [{id: ann, view: {grid: 3x3}}]",
      "write 'everybody: 320x180, per-page: 9' in place of 'grid'"
    ),
    (
      "participants: [{id: ann}]\ntimeline: [{at: 1s, participant: ann, view: {page: 2}}]",
      "did you mean 'page: 2', without it?"
    ),
    (
      "participants: [{id: ann}]\ntimeline: [ann shares]",
      "must be a mapping such as '{at: 10s, participant: ann, speaks: 8s}'"
    ),
    (
      "participants: [{id: ann, publish: {camera: 720p30}}]\n"
        + "expect: [{viewer: all, source: ann, metric: mos, min: 3}]", "did you mean 'is: \">= 3\"'?"
    ),
    (
      "participants: [{id: ann, publish: {camera: 720p30}}]\n"
        + "expect: [{viewer: all, source: ann, metric: mos, is: 3}]",
      "there is no 'all': did you mean 'every'?"
    ),
    (
      "participants: [{id: ann, publish: {camera: 720p30}}]\n"
        + "expect: [{viewer: ann, source: ann, metric: mos, is: 3}]", "write '>= 3'"
    ),
  ])
  func aFirstFileIsAnsweredWithTheLineToWrite(text: String, message: String) throws {
    do {
      _ = try ScenarioReader.read(bytes: Array((text + "\n").utf8), file: "t.yaml", directory: "")
      Issue.record("a broken scenario was read")
    } catch {
      let messages = error.diagnostics.map(\.message)
      #expect(messages.contains { $0.hasSuffix(message) || $0.contains(message + ":") }, "\(messages)")
    }
  }

  @Test(arguments: [
    ("calls/six people.yaml", "six-people"), ("call.v2.yaml", "call.v2"), ("-", "meeting"), ("call", "call"),
  ])
  func aScenarioWithoutANameHasThatOfItsFile(file: String, name: String) throws {
    let text = "participants: [{id: ann, publish: {camera: 720p30}}]\n"
    #expect(try ScenarioReader.read(bytes: Array(text.utf8), file: file, directory: "").plan.name == name)
  }

  @Test(arguments: [
    ("screen", true), ("start", true), ("true", true), ("none", false), ("stop", false), ("false", false),
  ])
  func aShareBeginsAndEndsInSeveralWords(word: String, isOn: Bool) throws {
    let text = """
      name: t
      duration: 9s
      participants:
        - {id: ann, publish: {screen: 720p5}}
        - {id: eve, view: {tiles: {ann: 640x360}}}
      timeline:
        - {at: 1s, participant: ann, share: \(word)}
      """
    let plan = try ScenarioReader.read(bytes: Array(text.utf8), file: "t.yaml", directory: "").plan
    let action = try #require(plan.timeline.first)
    #expect("\(action)".contains("shareScreen(\(isOn))"), "\(action)")
  }

  /// A repeated key, a tile without a size, and an expectation without its source hide no other errors.
  @Test func oneMistakeHidesNoOther() throws {
    let text = """
      name: t
      links:
        home: {capacity: 2 Mbps}
        home: {capacity: 3 Mbps}
      participants:
        - {id: ann, publish: {camera: 720p30}, up: hom}
        - {id: bob, view: {tiles: [ann]}}
        - {id: eve, view: {grid: 2x2}}
      expect:
        - {viewer: bob, metric: frame_heigth, is: "720"}
      """
    do {
      _ = try ScenarioReader.read(bytes: Array(text.utf8), file: "t.yaml", directory: "")
      Issue.record("a broken scenario was read")
    } catch {
      let messages = error.diagnostics.map { "\($0.line): \($0.message.prefix(38))" }
      #expect(
        messages == [
          "4: duplicate key 'home': remove one",
          "6: up: there is no link 'hom': did you me",
          "7: tiles: 'ann' has no size: write '{part",
          "8: grid: '2x2' is no client's grid: write",
          "10: the expectation needs 'source', such a",
          "10: metric: there is no metric 'frame_heig",
          "10: is: '720' is not a relation and a numb",
        ])
    }
  }

  @Test func allProblemsAreReportedNotOnlyTheFirst() throws {
    let text = """
      name: t
      duration: 10
      polcy: agora
      participants:
        - {id: ann, publish: {camera: huge}}
      """
    do {
      _ = try ScenarioReader.read(bytes: Array(text.utf8), file: "t.yaml", directory: "")
      Issue.record("a broken scenario was read")
    } catch {
      #expect(error.diagnostics.map(\.line) == [2, 3, 5])
    }
  }

  @Test func overridesReplaceValuesByPath() throws {
    let scenario = try Meetings.shipped(
      "one-to-one", overrides: ["duration=40s", "participants.patient.publish.camera=360p15", "seed=9"])
    #expect(scenario.plan.duration == .seconds(40))
    #expect(scenario.plan.seed == 9)
    #expect(scenario.plan.participants[1].camera?.capture.description == "360p15")
    #expect(throws: Meetings.Failure.self) {
      try Meetings.shipped("one-to-one", overrides: ["link.home.capacity=1 Mbps"])
    }
  }

  /// A camera and a stage given as a single value take further keys, and keep the value.
  @Test func aShortFormTakesFurtherKeys() throws {
    let text = """
      name: t
      duration: 9s
      participants:
        - {id: ann, publish: {camera: 720p30}}
        - {id: bob, view: {stage: ann}}
      """
    let plan = try ScenarioReader.read(
      bytes: Array(text.utf8), file: "t", directory: "",
      overrides: [
        "participants.ann.publish.camera.maximum=900 kbps", "participants.bob.view.stage.size=640x360",
      ]
    ).plan
    #expect(plan.participants[0].camera?.ladder.encodings.last?.bitrate == .kilobits(900))
    #expect(plan.participants[0].camera?.capture.description == "720p30")
    let stage = String(describing: plan.participants[1].view)
    #expect(stage.contains("participant: \"ann\", isScreenShare: false, size: 360p"), "\(stage)")
  }
}

@Suite("Link presets")
struct LinkPresetTests {
  @Test func everyRowOfTheFileIsAPresetWithASource() throws {
    #expect(LinkPreset.all.count == 82)
    #expect(Set(LinkPreset.all.map(\.name)).count == 82)
    #expect(LinkPreset.all.allSatisfy { $0.source.contains("(delay: ") && !$0.summary.isEmpty })
    let lte = try #require(LinkPreset.all.first { $0.name == "nlc/lte" })
    #expect(lte.summary == "down 50000 kbps 50 ms, up 10000 kbps 65 ms")
  }
}
