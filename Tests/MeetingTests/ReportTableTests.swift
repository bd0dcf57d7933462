import Meeting
import Metrics
import Scenario
import TestSupport
import Testing

/// Every figure of `docs/reports.md` is reproduced by its scenario.
@Suite("User reports, row by row")
struct ReportTableTests {
  private static let folder = Repository.root + "/docs/"

  private static let page = String(decoding: Repository.bytes(of: folder + "reports.md") ?? [], as: UTF8.self)

  /// Rows with a claim, a link to a scenario and figures, by scenario.
  private static let rows: [(scenario: String, claim: String, figures: [String])] =
    page.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("](reports/") }.map { line in
      let cells = line.split(separator: "|").map(String.init)
      let link = cells[1].split(separator: "(").last?.split(separator: ")").first ?? ""
      let spans = cells[2].split(separator: "`", omittingEmptySubsequences: false)
      return (String(link), cells[0], spans.indices.filter { $0 % 2 == 1 }.map { String(spans[$0]) })
    }

  private static let scenarios = Array(Set(rows.map(\.scenario))).sorted()

  @Test func thereAreTenReportsEachWithAScenario() {
    let reports = Self.page.split(separator: "\n## ").dropFirst()
    #expect(reports.count == 10)
    for report in reports {
      #expect(report.contains("](reports/") && report.contains("https://github.com/"), "\(report.prefix(60))")
      for part in ["**Situation**", "**Symptom**", "**Cause**", "**Fix**", "**Simulator**"] {
        #expect(report.contains(part), "\(report.prefix(60)): \(part)")
      }
    }
    #expect(Self.rows.allSatisfy { !$0.figures.isEmpty })
  }

  @Test(arguments: scenarios)
  func everyFigureIsWhatTheScenarioShows(scenario: String) throws {
    let loaded: LoadedScenario
    do { loaded = try ScenarioReader.read(path: Self.folder + scenario, overrides: []) } catch {
      throw Meetings.Failure(description: error.diagnostics.map(\.description).joined(separator: "\n"))
    }
    let tables = try Meetings.run(loaded).tables
    for row in Self.rows where row.scenario == scenario {
      for figure in row.figures {
        let failure = try DocumentTableTests.failure(of: figure, in: tables)
        #expect(failure == nil, "\(row.claim): \(figure): \(failure ?? "")")
      }
    }
  }
}
