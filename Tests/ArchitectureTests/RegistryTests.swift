import TestSupport
import Testing

/// The names in a registry occur only where they are implemented and registered.
@Suite("Registries")
struct RegistryTests {
  /// Returns the lines below some folders of `Sources` that contain one of some words, ignoring case.
  private func lines(naming words: [String], below folders: [String], except: String? = nil) -> [String] {
    var found: [String] = []
    for folder in folders {
      let files = sourceFiles(below: "\(Repository.root)/Sources/\(folder)")
      #expect(!files.isEmpty)
      for file in files where except.map({ !file.path.contains("/\($0)/") }) ?? true {
        for line in file.lines {
          let parts = line.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "-" }
          if parts.contains(where: { part in words.contains { part.contains($0) } }) {
            found.append("\(file.path): \(line)")
          }
        }
      }
    }
    return found
  }

  @Test func estimatorsAreNamedInTheirRegistryAlone() {
    let found = lines(
      naming: ["gcc", "nada", "oracle", "googlecongestion", "livekit-send", "livekitsend"],
      below: [
        "Plan", "Decision", "Endpoint", "Publishing", "Serving", "Viewing", "Meeting", "Scenario", "Sweep",
        "meetsim",
        "Transport", "Network",
      ])
    #expect(found == [])
    #expect(!lines(naming: ["gcc"], below: ["CongestionControl"]).isEmpty)
  }

  @Test func queueDisciplinesAreNamedInTheirRegistryAlone() {
    let found = lines(
      naming: ["codel", "controlleddelay", "proportionalintegral", "fairqueue", "drop-tail"],
      below: [
        "Plan", "Decision", "Endpoint", "Publishing", "Serving", "Viewing", "Meeting", "Scenario", "Sweep",
        "meetsim",
        "Transport", "Network",
      ], except: "QueueDiscipline")
    #expect(found == [])
  }
}
