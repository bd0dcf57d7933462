import Scenario
import SwiftOverlayShims
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Files with as many entries as fit in a few megabytes of text: the time for each entry does not grow with the others.
@Suite("Large and hostile files", .serialized)
struct LargeFileTests {
  private static let head = "name: test\nduration: 10s\n"
  private static let people =
    "participants:\n  - {id: ann, publish: {camera: 360p30}}\n"
    + "  - {id: viewer, view: {request: [{quality: 360p30, participant: ann}]}}\n"
  private static let sweep =
    "name: s\nscenario:\n  name: test\n  duration: 10s\n  participants: [{id: ann}]\n"
    + "variables: {seed: {values: [1]}}\n"

  /// A file whose text is created on demand.
  private struct File {
    let name: String
    let text: () -> String

    init(_ name: String, _ text: @autoclosure @escaping () -> String) {
      self.name = name
      self.text = text
    }
  }

  private static func list(_ key: String, _ count: Int, _ entry: (Int) -> String) -> String {
    "\(key):\n" + (0..<count).map { "  - \(entry($0))\n" }.joined()
  }

  /// Returns scenarios and sweeps with this many entries.
  private static func files(_ n: Int) -> [File] {
    [
      File("expect", head + people + list("expect", n) { _ in "{}" }),
      File("unknown keys", head + people + list("expect", n) { _ in "{viewr: x}" }),
      File("participants", head + list("participants", n) { _ in "{}" }),
      File("duplicates", head + list("participants", n) { _ in "{id: ann}" }),
      File("timeline", head + people + list("timeline", n) { _ in "{}" }),
      File(
        "speech",
        head + people + list("timeline", n) { "{at: \($0 % 9000) ms, participant: ann, speaks: 1ms}" }
      ),
      File(
        "nobody", head + people + list("timeline", n) { "{at: 1s, participant: nobody-\($0), speaks: 1ms}" }
      ),
      File(
        "everybody",
        head + "participants: [{id: p, count: 5000}]\n"
          + list("timeline", n) { "{at: 1s, participant: p-\($0 % 5000 + 1), speaks: 1ms}" }
      ),
      File(
        "loss",
        head + people + list("timeline", n) { "{at: \(9000 - $0 % 9000) ms, link: ann/up, loss: 1 %}" }
      ),
      File(
        "capacity",
        head + people + list("timeline", n) { "{at: \(9000 - $0 % 9000) ms, link: ann/up, capacity: 1 Mbps}" }
      ),
      File(
        "calls",
        head + people
          + list("timeline", n / 2) {
            "{at: \($0 % 9000) ms, participant: viewer, request: [{quality: 720p30, participant: ann}]}"
          }
      ),
      File("links", head + "links:\n" + (0..<n).map { "  l\($0): {}\n" }.joined() + people),
      File(
        "profiles",
        head + "links:\n" + (0..<n).map { "  l\($0): {capacity: 1 Mbps}\n" }.joined()
          + list("participants", n / 4) { "{id: p\($0), up: l\(n - 1 - $0), down: l\(n - 1 - $0)}" }
      ),
      File(
        "unknown profiles",
        head + "links:\n" + (0..<n).map { "  l\($0): {capacity: 1 Mbps}\n" }.joined()
          + list("participants", n / 4) { "{id: p\($0), up: k\($0), down: k\($0)}" }
      ),
      File(
        "requests",
        head + "participants:\n  - {id: ann}\n  - {id: v, view: {request: ["
          + Array(repeating: "{}", count: n).joined(separator: ", ") + "]}}\n"
      ),
      File(
        "tiles",
        head + "participants:\n  - {id: p, count: 4999}\n  - {id: v, view: {tiles: ["
          + (0..<n).map { "{participant: p-\($0 % 4999 + 1), size: 640x360}" }.joined(separator: ", ")
          + "]}}\n"
      ),
      File(
        "cross traffic",
        head + people + list("cross-traffic", n / 2) { "{name: c\($0), link: ann/up, kind: tcp}" }
      ),
      File("keys", head + people + (0..<n).map { "k\($0): 1\n" }.joined()),
      File("sweep expect", sweep + list("expect", n) { _ in "{}" }),
      File("sweep where", sweep + list("where", n) { "x == \($0)" }),
      File("sweep scope", sweep + "scope: [" + (0..<n).map { "m\($0)" }.joined(separator: ", ") + "]\n"),
      File("sweep set", sweep + "set:\n" + (0..<n).map { "  x\($0): 1\n" }.joined()),
      File("sweep points", sweep + list("points", n) { _ in "{}" }),
      File(
        "sweep values",
        sweep.replacing("[1]", with: "[" + (0..<n).map { "\($0)" }.joined(separator: ", ") + "]")
      ),
      File(
        "sweep variables",
        sweep.replacing(
          "{seed: {values: [1]}}",
          with: "\n" + (0..<n).map { "  v\($0): {path: seed, values: [1]}\n" }.joined())
      ),
      File(
        "and",
        sweep + "where: \"" + Array(repeating: "seed == 1", count: n).joined(separator: " and ") + "\"\n"
      ),
      File(
        "or",
        sweep + "where: \"" + Array(repeating: "seed == 2", count: n).joined(separator: " || ") + "\"\n"
      ),
    ]
  }

  private static func read(_ text: String) {
    let bytes = Array(text.utf8)
    if text.hasPrefix("name: s\n") {
      _ = try? SweepReader.read(bytes: bytes, file: "s.yaml", directory: "")
    } else {
      _ = try? ScenarioReader.read(bytes: bytes, file: "s.yaml", directory: "")
    }
  }

  /// CPU time of this thread [s], as other tests run at the same time.
  private static var threadTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// 20,000 entries once took 7 to 60 s; now they take at most 4 s, unoptimized. Anything quadratic in their number
  /// takes minutes.
  @Test(.enabled(if: !Sanitizer.isOn, "\(Sanitizer.reason)"), arguments: files(2).map(\.name))
  func readingTakesNoLongerForMoreOfThem(name: String) throws {
    let text = try #require(Self.files(20_000).first { $0.name == name }).text()
    let start = Self.threadTime
    Self.read(text)
    let time = Self.threadTime - start
    #expect(time < 8, "\(name): \(time) s")
  }

  @Test func conditionsMayBeLongButNotDeep() throws {
    func error(_ condition: String) -> String? {
      do {
        _ = try SweepReader.read(
          bytes: Array((Self.sweep + "where: \"\(condition)\"\n").utf8), file: "s.yaml", directory: "")
        return nil
      } catch {
        return error.diagnostics.first?.message
      }
    }
    let one = "seed == 1"
    #expect(error(Array(repeating: one, count: 100_000).joined(separator: " and ")) == nil)
    #expect(error(Array(repeating: one, count: 100_000).joined(separator: " or ")) == nil)
    #expect(error(String(repeating: "(", count: 49) + one + String(repeating: ")", count: 49)) == nil)
    for deep in [
      String(repeating: "(", count: 60) + one + String(repeating: ")", count: 60),
      String(repeating: "not ", count: 60) + one, String(repeating: "(\(one) and ", count: 60) + one,
    ] {
      #expect(error(deep) == "where: parentheses are nested too deeply")
    }
  }

  @Test func aChainIsEvaluatedAsBefore() throws {
    let file = try SweepReader.read(
      bytes: Array(Self.sweep.utf8), file: "s.yaml", directory: "")
    for (text, expected) in [
      ("seed == 1 and seed == 1 and seed != 2", true), ("seed == 1 and seed == 2 and seed == 1", false),
      ("seed == 2 or seed == 1 and seed == 2", false), ("seed == 2 or seed == 1 and seed == 1", true),
      ("(seed == 1 or seed == 2) and seed == 2 or seed == 1", true), ("not (seed == 1 or seed == 2)", false),
    ] {
      let condition = try SweepReader.condition(text, on: file)
      #expect(condition.holds([file.variables[0].values[0]]) == expected, "\(text)")
    }
  }

  @Test(arguments: [
    "name: &-a0 x", "name: &\t-a0 x", "name:\t&a x", "name: !!str &a x", "a: 'b\n  c': &x d", "'&a': &a b",
    "name: &a\n  x", "- &a x", "&a name: x", "&a-b {name: x}", "name: [&a x]", "name: {&a x: y}", "name: *a",
    "name: &é x", "'name': &a 'x'", "? &a name\n: x",
  ])
  func anchorsAreFoundWhereverTheyStand(text: String) {
    #expect(throws: ScenarioError.self) {
      try ScenarioReader.read(bytes: Array(text.utf8), file: "s.yaml", directory: "")
    }
    do {
      _ = try ScenarioReader.read(bytes: Array(text.utf8), file: "s.yaml", directory: "")
    } catch {
      let message = error.diagnostics.first?.message ?? ""
      #expect(
        message.contains("anchors and aliases") || message.hasPrefix("the YAML cannot be read")
          || message.hasPrefix("a tab"), "\(message)")
    }
  }

  /// A million small values in 2 MB: composing stops at the limit.
  @Test func tooManyValuesAreRefusedWhileTheyAreRead() {
    for text in [
      "a: [" + String(repeating: "1,", count: 1_000_000) + "]",
      "a: [" + String(repeating: "{},", count: 600_000) + "]", String(repeating: "- 1\n", count: 900_000),
    ] {
      let start = Self.threadTime
      #expect(throws: ScenarioError.self) {
        try ScenarioReader.read(bytes: Array(text.utf8), file: "s.yaml", directory: "")
      }
      #expect(Self.threadTime - start < 15)
    }
  }

  @Test func aLinkIsInAPathOnce() {
    let text =
      Self.head + "links: {l: {capacity: 1 Mbps}}\nshared-links: {house: {up: l, down: l}}\n"
      + "participants: [{id: ann, shared: [house, house]}]\n"
    do {
      _ = try ScenarioReader.read(bytes: Array(text.utf8), file: "s.yaml", directory: "")
      Issue.record("a link is twice in a path")
    } catch {
      #expect(error.diagnostics.map(\.message) == ["shared: 'house' is listed twice: remove one"])
    }
  }
}
