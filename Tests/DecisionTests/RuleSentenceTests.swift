import Parameters
import Scenario
import Systems
import Testing
import Vendors

@Suite("Sentences of rules")
struct RuleSentenceTests {
  /// Keys with their values in brackets, such as `'fallback-time' (2 s)`.
  private func values(in sentence: String) -> [(key: String, value: String)] {
    sentence.matches(of: /'([a-z-]+)' \(([^)]+)\)/).map { (String($0.1), String($0.2)) }
  }

  @Test func theValuesInBracketsAreTheDefaults() throws {
    var count = 0
    for system in Catalogue.standard.systems.entries {
      for rule in system.description.rules {
        for (key, value) in values(in: rule.sentence) {
          let declared = try #require(system.parameters.first { $0.key == key }, "\(rule.name): \(key)")
          #expect(declared.standard == value, "\(rule.name): \(key)")
          count += 1
        }
      }
    }
    #expect(count >= 8)
  }

  @Test func settingsStandInPlaceOfDefaults() {
    let rule = RuleDescription(
      "r", "Less than 'share' (0.95) was left for 'fallback-time' (2 s).", source: "")
    #expect(rule.sentence(with: []) == rule.sentence)
    #expect(
      rule.sentence(with: [("fallback-time", "4 s"), ("other", "1")])
        == "Less than 'share' (0.95) was left for 'fallback-time' (4 s).")
  }
}
