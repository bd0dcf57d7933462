import Ladder
import Media
import Parameters
import Quantity
import Systems
import TestSupport
import Testing
import Vendors

/// The estimators, ladders and voices that `docs/defaults.md` lists for each policy are the program's.
@Suite("The defaults page")
struct DefaultsPageTests {
  private static let page = String(
    decoding: Repository.bytes(of: Repository.root + "/docs/defaults.md") ?? [], as: UTF8.self)

  /// Returns the cells of a section's table, by policy.
  private static func cells(of section: String) -> [String: [String]] {
    var found: [String: [String]] = [:]
    let text = page.split(separator: "\n## ").first { $0.hasPrefix(section + "\n") } ?? ""
    for line in text.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.drop { $0 == " " } }
      let policies = (cells.first ?? "").split(separator: "`").map(String.init).filter {
        $0.first?.isLetter ?? false
      }
      for policy in policies { found[policy] = cells.dropFirst().map { String($0) } }
    }
    return found
  }

  private static let systems = Registry<RegisteredSystem>.systems.names

  @Test func everyPolicyIsInEveryTable() {
    for section in ["Estimators", "Cameras", "Screen shares"] {
      #expect(Self.cells(of: section).keys.sorted() == Self.systems.sorted(), "\(section)")
    }
  }

  @Test(arguments: systems)
  func estimatorsAreThePolicys(policy: String) throws {
    let system = try #require(Registry<RegisteredSystem>.systems[policy]?.system())
    let cells = try #require(Self.cells(of: "Estimators")[policy])
    #expect(cells[0].contains("`\(OwnEstimator.uplinks)`"))
    #expect(cells[1].contains("`\(type(of: system).description.estimator.name)`"))
  }

  /// Returns a ladder as the tables state it: lines and frame rate of each encoding, and its kbit/s.
  private func text(_ ladder: Ladder) -> String {
    ladder.encodings.map { "\($0.format) \($0.bitrate.bitsPerSecond / 1000)" }.joined(separator: ", ")
  }

  @Test(
    arguments: systems,
    [
      ("Cameras", SourceKind.camera, VideoFormat(.p720, framesPerSecond: 30)),
      ("Screen shares", .screen, VideoFormat(.p1080, framesPerSecond: 15)),
    ])
  func laddersAreThePolicys(policy: String, table: (section: String, kind: SourceKind, capture: VideoFormat))
    throws
  {
    let system = try #require(Registry<RegisteredSystem>.systems[policy]?.system())
    let cell = try #require(Self.cells(of: table.section)[policy]?.first)
    let own = text(system.ladder(of: table.kind, capture: table.capture, clients: 10))
    let rest = cell.dropFirst(own.count)
    #expect(cell.hasPrefix(own) && rest.first?.isNumber != true, "\(policy): \(own)")
  }

  @Test func voicesAreTheProgram() {
    let voice = VoiceSettings()
    #expect(
      Self.page.contains("Opus at \(voice.bitrate) in packets of \(voice.packetTime)") && voice.dtx
        && !voice.red)
  }
}
